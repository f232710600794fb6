import { useText } from '../../../lib/text.ts';
import { Question } from '../../../ui/dialog.tsx';
import { useEditor } from '../editor-context.ts';
import type { MergeQuestion } from '../use-edit-commands.ts';

/** Asks for the speaker when two segments of different speakers are merged. */
export function MergeDialog({
  question,
  onClose,
  onMerge,
}: {
  readonly question: MergeQuestion;
  readonly onClose: () => void;
  readonly onMerge: () => void;
}) {
  const t = useText();
  const { timeline, speakers } = useEditor();
  const nameOf = (segmentId: string) => {
    const speakerId = timeline.segments.find(({ id }) => id === segmentId)?.speakerId;
    return speakers.find(({ id }) => id === speakerId)?.name ?? t('editor.speaker.nobody');
  };
  return (
    <Question
      isOpen
      focusesConfirm
      title={t('editor.merge.title')}
      confirm={t('editor.merge.yes')}
      onClose={onClose}
      onConfirm={onMerge}
    >
      {t('editor.merge.text', { first: nameOf(question.firstId), second: nameOf(question.secondId) })}
    </Question>
  );
}
