import { worstFirst, type CueProblemKind } from '../../../../shared/domain/subtitles/check-cues.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import type { SegmentProblem } from '../model/caption-problems.ts';
import { useEditor } from '../editor-context.ts';
import { mendCaptions, movedBy } from '../model/caption-fixes.ts';

const measured = [
  'too-many-lines',
  'line-too-long',
  'too-fast',
  'too-short',
  'too-long',
  'gap-too-short',
] as const satisfies readonly SegmentProblem['kind'][];
const measuredKind = (kind: SegmentProblem['kind']) => measured.find((one) => one === kind) ?? null;

/** A longer list, and more of a caption than its beginning, would not fit beside the text. */
const mostCaptions = 3;
const mostLetters = 60;

const afterColon = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

export function useProblemWords() {
  const t = useText();
  const formats = useFormats();
  const { showsExactTimes } = useSettings();
  const { timeCode } = formats;
  const seconds = (ms: number) => t('editor.waveform.seconds', { seconds: formats.factor(ms / 1000) });
  const number = (value: number) => formats.number(Math.round(value * 10) / 10);
  /** What is measured and its limit, in units in which they differ. */
  const written = ({ kind, is, limit }: SegmentProblem) => {
    const isTime = kind === 'too-short' || kind === 'too-long' || kind === 'gap-too-short';
    if (!isTime) return { is: number(is), limit: number(limit) };
    const isShort = kind === 'gap-too-short' || seconds(is) === seconds(limit);
    const time = isShort ? (ms: number) => t('exports.milliseconds', { count: ms }) : seconds;
    return { is: time(is), limit: time(limit) };
  };
  const changedLines = ({ is, limit, caption: { inFile } }: SegmentProblem): string => {
    if (inFile.length > 1) return t('editor.captions.becomes', { count: inFile.length });
    if (is <= limit) return t('exports.problems.lines-changed');
    return t('editor.captions.lines-changed', { is: number(is), limit: number(limit) });
  };
  const brief = (problem: SegmentProblem): string => {
    if (problem.kind === 'lines-changed') return changedLines(problem);
    const withNumbers = measuredKind(problem.kind);
    if (withNumbers === null) return t(`exports.problems.${problem.kind}`);
    const isNamed = withNumbers === 'too-fast' && problem.caption.name !== '';
    return t(`editor.captions.${isNamed ? 'too-fast-named' : withNumbers}`, written(problem));
  };
  const captionOf = (problems: readonly SegmentProblem[]): string => {
    const [{ caption } = { caption: null }] = problems;
    if (caption === null) return '';
    const { text, name, letters, lettersWithoutName, startMs, endMs, segmentCount, place, count } = caption;
    const lengthMs = Math.max(1, endMs - startMs);
    const shown = text.length > mostLetters ? `${text.slice(0, mostLetters).toWellFormed().trimEnd()}…` : text;
    const values = { from: timeCode(startMs), to: timeCode(endMs), time: seconds(lengthMs), text: shown };
    const about = t('editor.captions.caption', { ...values, letters: formats.number(letters) });
    const which = count > 1 ? t('editor.captions.of', { problem: about, place, all: count }) : about;
    const gap = problems.find(({ kind }) => kind === 'gap-too-short');
    const inFile = problems.flatMap((problem) => problem.caption.inFile.map((lines) => lines.join('\n')));
    return [
      segmentCount === 1 ? which : t('editor.captions.joined', { problem: which, count: segmentCount }),
      ...problems.map((problem) => `• ${brief(problem)}`),
      ...(inFile.length === 0 ? [] : [t('editor.captions.inFile'), inFile.join('\n–\n')]),
      ...(gap === undefined ? [] : [t('editor.captions.gap', { next: timeCode(endMs + gap.is) })]),
      ...(name === ''
        ? []
        : [
            t('editor.captions.named', {
              name,
              letters: formats.number(lettersWithoutName),
              speed: number((lettersWithoutName * 1000) / lengthMs),
            }),
          ]),
    ].join('\n');
  };
  return {
    brief,
    /** Beside exact times, which have the speed of the text, a speed is said to be that of a caption. */
    worst: (problem: SegmentProblem): string => {
      const { place, count, inFile } = problem.caption;
      const said = brief(problem);
      // Where the lines change, it is the whole segment.
      if (count > 1 && inFile.length === 0)
        return t('editor.captions.of', { problem: afterColon(said), place, all: count });
      return problem.kind === 'too-fast' && showsExactTimes
        ? t('editor.captions.alone', { problem: afterColon(said) })
        : said;
    },
    more: (count: number): string => t('editor.captions.more', { count }),
    reasons: (all: readonly SegmentProblem[]): string => {
      const byCaption = [...Map.groupBy(all, ({ caption: { place } }) => place).values()];
      const left = byCaption.slice(mostCaptions).reduce((sum, { length }) => sum + length, 0);
      const listed = byCaption.slice(0, mostCaptions).map((problems) => captionOf(worstFirst(problems)));
      return [...listed, ...(left === 0 ? [] : [t('editor.captions.more', { count: left })])].join('\n\n');
    },
  };
}

export function useMend() {
  const t = useText();
  const formats = useFormats();
  const { document: text } = useEditor();
  const words = (ms: number) => t('editor.waveform.seconds', { seconds: formats.factor(Math.abs(ms) / 1000) });
  /** Less is written as nothing. */
  const isSeen = (ms: number) => Math.abs(ms) >= 5;
  return (problems: readonly SegmentProblem[]): { readonly isMended: boolean; readonly moved: string } => {
    const { transcript } = text.getState();
    if (text.edit('mend', (now) => mendCaptions(now, problems)) !== null) return { isMended: false, moved: '' };
    const { startMs, endMs } = movedBy(transcript, text.getState().transcript);
    if (!isSeen(startMs)) return { isMended: true, moved: '' };
    const end = !isSeen(endMs) ? 'endStays' : endMs > 0 ? 'endsLater' : 'endsEarlier';
    return { isMended: true, moved: t(`editor.captions.moved.${end}`, { start: words(startMs), end: words(endMs) }) };
  };
}

const ways = {
  'not-in-order': 'edges',
  'no-duration': 'time',
  overlap: 'edges',
  'after-the-end': 'edges',
  empty: 'text',
  'too-many-lines': 'text',
  'line-too-long': 'text',
  'too-fast': 'time',
  'too-short': 'time',
  'too-long': 'split',
  'gap-too-short': 'edges',
  'lines-changed': 'text',
  'bad-line-break': 'text',
} as const satisfies Record<CueProblemKind, string>;

export function useWordsForLeft(): (problems: readonly { readonly kind: CueProblemKind }[]) => string {
  const t = useText();
  return (problems) =>
    [...new Set(problems.map(({ kind }) => ways[kind]))].map((way) => t(`exports.check.left.${way}`)).join(' ');
}
