import { findMatches, readSearch } from '../../../../shared/domain/search/search-query.ts';
import type { WordRange } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { TextMatch } from '../../../../shared/domain/transcript/find-text.ts';
import type { Segment, Transcript } from '../../../../shared/domain/transcript/transcript.ts';

export interface WordLayout {
  readonly text: string;
  /** UTF-16 offsets, start inclusive and end exclusive, one pair per word, in order. */
  readonly ranges: readonly (readonly [number, number])[];
}

const layouts = new WeakMap<Segment, WordLayout>();

export function wordLayout(segment: Segment): WordLayout {
  const known = layouts.get(segment);
  if (known !== undefined) return known;
  const layout = findWords(segment) ?? joinWords(segment);
  layouts.set(segment, layout);
  return layout;
}

/** The word at an offset of the text; in a gap, the one before it. -1 without words. */
export function wordAtOffset({ ranges }: Pick<WordLayout, 'ranges'>, offset: number): number {
  return Math.min(
    ranges.length - 1,
    Math.max(
      0,
      ranges.findLastIndex(([from]) => from <= offset),
    ),
  );
}

/** When the first of these words is spoken in the segment that begins at `startMs`; `startMs` for none. */
export function momentOfWords({ segments }: Transcript, startMs: number, words: string): number {
  const segment = segments.find((one) => one.startMs === startMs);
  if (segment === undefined || words === '') return startMs;
  const layout = wordLayout(segment);
  const [found] = findMatches(layout.text, readSearch(words));
  return found === undefined ? startMs : (segment.words[wordAtOffset(layout, found[0])]?.startMs ?? startMs);
}

export const rangesIn = (shown: string, segment: Segment): WordLayout['ranges'] => {
  const layout = wordLayout(segment);
  return shown === layout.text ? layout.ranges : (findWords({ ...segment, text: shown })?.ranges ?? []);
};

/** All of every word that a match is in. */
export const wordsOfMatches = ({ segments }: Transcript, matches: readonly TextMatch[]): readonly WordRange[] => {
  const bySegment = Map.groupBy(matches, ({ segmentId }) => segmentId);
  return segments.flatMap((segment) =>
    (bySegment.get(segment.id) ?? []).flatMap((match) =>
      wordLayout(segment).ranges.flatMap(([from, to], word) =>
        from < match.to && to > match.from ? [{ segmentId: segment.id, from: word, to: word + 1 }] : [],
      ),
    ),
  );
};

type Range = WordLayout['ranges'][number];

/** Where the words stand that are meant: those in a row as one stretch, with the spaces between them. */
export function runsOfWords(
  ranges: readonly Range[],
  isMeant: (word: number, range: Range) => boolean,
): readonly Range[] {
  const runs: [from: number, to: number][] = [];
  let isInRun = false;
  for (const [word, range] of ranges.entries()) {
    const last = runs.at(-1);
    const isNext = isMeant(word, range);
    if (isNext && isInRun && last !== undefined) last[1] = range[1];
    else if (isNext) runs.push([...range]);
    isInRun = isNext;
  }
  return runs;
}

function findWords({ text, words }: Segment): WordLayout | null {
  const ranges: (readonly [number, number])[] = [];
  let at = 0;
  for (const word of words) {
    const from = text.indexOf(word.text, at);
    if (from < 0) return null;
    at = from + word.text.length;
    ranges.push([from, at]);
  }
  return { text, ranges };
}

/** For a text that does not consist of its words: the words win, because they are what is timed. */
function joinWords({ words }: Segment): WordLayout {
  const ranges: (readonly [number, number])[] = [];
  let text = '';
  for (const word of words) {
    if (text !== '') text += ' ';
    ranges.push([text.length, text.length + word.text.length]);
    text += word.text;
  }
  return { text, ranges };
}
