import { useFormats, useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { mendCaptions, movedBy } from '../model/caption-fixes.ts';
import type { SegmentProblem } from '../model/caption-problems.ts';

interface Mended {
  /** False where no time helps. */
  readonly isMended: boolean;
  /** Says how far a start was moved, which nobody expects; empty where none was. */
  readonly moved: string;
}

/** Fixes the times of the captions that have these problems, as one step. */
export function useMend(): (problems: readonly SegmentProblem[]) => Mended {
  const t = useText();
  const formats = useFormats();
  const { document: text } = useEditor();
  const words = (ms: number) => t('editor.waveform.seconds', { seconds: formats.factor(Math.abs(ms) / 1000) });
  /** Less is written as nothing. */
  const isSeen = (ms: number) => Math.abs(ms) >= 5;
  return (problems) => {
    const { transcript } = text.getState();
    text.endStep();
    if (text.edit('mend', (now) => mendCaptions(now, problems)) !== null) return { isMended: false, moved: '' };
    const { startMs, endMs } = movedBy(transcript, text.getState().transcript);
    if (!isSeen(startMs)) return { isMended: true, moved: '' };
    const end = !isSeen(endMs) ? 'endStays' : endMs > 0 ? 'endsLater' : 'endsEarlier';
    return { isMended: true, moved: t(`editor.captions.moved.${end}`, { start: words(startMs), end: words(endMs) }) };
  };
}
