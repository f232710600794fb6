import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useEditor } from '../editor-context.ts';
import type { MergeQuestion } from '../use-edit-commands.ts';

/** Asks for the speaker when two segments of different speakers are merged. */
export function MergeDialog({
  question,
  onAnswer,
}: {
  readonly question: MergeQuestion;
  readonly onAnswer: (isYes: boolean) => void;
}) {
  const t = useText();
  const { timeline, speakers } = useEditor();
  const nameOf = (segmentId: string) => {
    const speakerId = timeline.segments.find(({ id }) => id === segmentId)?.speakerId;
    return speakers.find(({ id }) => id === speakerId)?.name ?? t('editor.speaker.nobody');
  };
  const close = () => {
    onAnswer(false);
  };
  return (
    <Dialog
      title={t('editor.merge.title')}
      closeLabel={t('common.close')}
      isOpen
      onClose={close}
      width="sm"
      isAlert
      footer={
        <>
          <Button onPress={close} isAutoFocused>
            {t('common.cancel')}
          </Button>
          <Button
            variant="primary"
            onPress={() => {
              onAnswer(true);
            }}
          >
            {t('editor.merge.yes')}
          </Button>
        </>
      }
    >
      <p>{t('editor.merge.text', { first: nameOf(question.firstId), second: nameOf(question.secondId) })}</p>
    </Dialog>
  );
}
