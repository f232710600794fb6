import { useFormats, useText } from '../../../lib/text.ts';
import type { SegmentProblem } from '../model/caption-problems.ts';

/** Problems whose measured value says how far the caption is off. */
const measured = [
  'too-many-lines',
  'line-too-long',
  'too-fast',
  'too-short',
  'too-long',
  'gap-too-short',
] as const satisfies readonly SegmentProblem['kind'][];

/** A longer list does not fit on the screen. */
const mostReasons = 8;

const worstOf = (problems: readonly SegmentProblem[]): SegmentProblem =>
  problems.reduce((worst, one) => (Math.abs(one.is - one.limit) > Math.abs(worst.is - worst.limit) ? one : worst));

/** Says in words which rules captions break, briefly and in full. */
export function useProblemWords() {
  const t = useText();
  const formats = useFormats();
  const { timeCode } = formats;
  const seconds = (ms: number) => t('editor.waveform.seconds', { seconds: formats.factor(ms / 1000) });
  const written = (kind: SegmentProblem['kind'], value: number) => {
    const isTime = kind === 'too-short' || kind === 'too-long' || kind === 'gap-too-short';
    return isTime ? seconds(value) : formats.number(Math.round(value * 10) / 10);
  };
  const problemOf = ({ kind, is, limit, caption: { name } }: SegmentProblem): string => {
    const own = measured.find((one) => one === kind);
    if (own === undefined) return t(`exports.problems.${kind}`);
    const values = { is: written(kind, is), limit: written(kind, limit) };
    return t(`editor.captions.${own === 'too-fast' && name !== '' ? 'too-fast-named' : own}`, values);
  };
  const saidOf = (problem: SegmentProblem): string => {
    const { segmentCount } = problem.caption;
    const text = problemOf(problem);
    return segmentCount === 1 ? text : t('editor.captions.joined', { problem: text, count: segmentCount });
  };
  /** Beside the speed of the whole segment, the speed of one of its captions says whose it is. */
  const withPlace = (problem: string, { place, count }: SegmentProblem['caption']): string =>
    count > 1 ? t('editor.captions.of', { problem, place, all: count }) : problem;
  /** Which caption it is about, and how the number comes about. */
  const reasonOf = ({ kind, is, caption }: SegmentProblem): string => {
    const { text, name, letters, lettersWithoutName, startMs, endMs } = caption;
    const times = { from: timeCode(startMs), to: timeCode(endMs) };
    if (kind === 'gap-too-short') return t('editor.captions.gap', { text, ...times, next: timeCode(endMs + is) });
    const lengthMs = Math.max(1, endMs - startMs);
    const reasons = [
      t('editor.captions.caption', { text, ...times, letters: formats.number(letters), time: seconds(lengthMs) }),
    ];
    if (name !== '') {
      const speed = written('too-fast', (lettersWithoutName * 1000) / lengthMs);
      reasons.push(t('editor.captions.named', { name, letters: formats.number(lettersWithoutName), speed }));
    }
    return reasons.join('\n');
  };
  return {
    /** The problems of each kind, by the worst of them; which caption that is, is said once for all kinds. */
    said: (all: readonly SegmentProblem[]) => {
      let place: number | null = null;
      const kinds = [...Map.groupBy(all, ({ kind }) => kind).values()].map((own) => {
        const worst = worstOf(own);
        const { caption } = worst;
        const problem =
          own.length > 1 ? t('editor.captions.worst', { problem: saidOf(worst), all: own.length }) : saidOf(worst);
        const text = place === caption.place ? problem : withPlace(problem, caption);
        ({ place } = caption);
        return text;
      });
      return kinds.join(' · ');
    },
    reasons: (own: readonly SegmentProblem[]) =>
      own
        .slice(0, mostReasons)
        .map((problem) => `${withPlace(saidOf(problem), problem.caption)}\n${reasonOf(problem)}`)
        .join('\n'),
  };
}
