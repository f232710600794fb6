import { CircleAlert } from 'lucide-react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { markWords, type WordRange } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { Segment, Word } from '../../../../shared/domain/transcript/transcript.ts';
import { isCut, isRedacted } from '../../../../shared/domain/transcript/word-mark.ts';
import { useCommands } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { useCopy } from '../../../ui/notices.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useEditor } from '../editor-context.ts';
import { textOfParts, wholeOf } from '../model/block-selection.ts';
import { useEditorNotice } from '../use-editor-notice.ts';
import { wordTargetNow, type WordTarget } from './word-target.ts';

export type MarkKind = 'cut' | 'redacted';

/** What marking words would do. */
export interface Marking {
  readonly words: readonly Word[];
  /** All of them have the mark, so that it is taken away. */
  readonly isMarked: boolean;
  /** There is no recording to cut them from. */
  readonly lacksRecording: boolean;
  readonly toggle: () => void;
}

/** Cuts or redacts words, or takes that back; says where their times are only estimated. */
export function useMarking(): (kind: MarkKind, ranges: readonly WordRange[]) => Marking {
  const t = useText();
  const showToast = useToast();
  const { document: text, timeline, detail } = useEditor();
  const hasRecording = detail.mediaUrl !== null;
  return (kind, ranges) => {
    const words = ranges.flatMap(
      ({ segmentId, from, to }) => timeline.segments.find(({ id }) => id === segmentId)?.words.slice(from, to) ?? [],
    );
    const isMarked = words.length > 0 && words.every(kind === 'cut' ? isCut : isRedacted);
    return {
      words,
      isMarked,
      lacksRecording: kind === 'cut' && !isMarked && !hasRecording,
      toggle: () => {
        text.endStep();
        text.edit(kind, (now) => markWords(now, ranges, isMarked ? `un-${kind}` : kind));
        if (!isMarked && hasRecording && words.some(({ isEstimated }) => isEstimated === true))
          showToast({
            icon: CircleAlert,
            text: t(words.length === 1 ? 'editor.text.menu.estimatedWord' : 'editor.text.menu.estimatedWords'),
            shownForMs: 12_000,
          });
      },
    };
  };
}

/** Copies words with their time, and with who says them. */
export function useCopyTimed(): (target: WordTarget) => void {
  const copy = useCopy();
  const { speakers } = useEditor();
  const nameOf = ({ speakerId }: Segment) => speakers.find(({ id }) => id === speakerId)?.name ?? null;
  return ({ segment, word, segments, parts }) => {
    const startMs = segment.words[word]?.startMs ?? segment.startMs;
    const [from, said] =
      parts.length === 0
        ? [segment.startMs, textOfParts([wholeOf(segment)], () => null)]
        : [startMs, textOfParts(parts, () => null)];
    const name = nameOf(segment);
    const timed = segments.map((one) => `[${clock(one.startMs)}] ${textOfParts([wholeOf(one)], nameOf)}`);
    void copy(segments.length > 1 ? timed.join('\n') : `[${clock(from)}] ${name === null ? '' : `${name}: `}${said}`);
  };
}

/** The commands for the selected words, or the one at the caret; the menu of the text has them too. */
export function useWordCommands(): void {
  const t = useText();
  const editor = useEditor();
  const showNotice = useEditorNotice();
  const marking = useMarking();
  const copyTimed = useCopyTimed();
  const withTarget = (run: (target: WordTarget) => void) => () => {
    const target = wordTargetNow(editor);
    if (target === null) showNotice({ icon: CircleAlert, text: t('editor.text.noWord') });
    else run(target);
  };
  const mark = (kind: MarkKind) =>
    withTarget(({ ranges }) => {
      const { words, lacksRecording, toggle } = marking(kind, ranges);
      if (lacksRecording) showNotice({ icon: CircleAlert, text: t('editor.text.noCut') });
      else if (words.length > 0) toggle();
    });
  useCommands({
    'words.cut': mark('cut'),
    'words.redact': mark('redacted'),
    'words.copyTimed': withTarget(copyTimed),
  });
}
