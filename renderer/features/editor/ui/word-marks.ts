import './word-marks.css';
import { commentsIn } from '../../../../shared/domain/transcript/comments.ts';
import { secretPartOf } from '../../../../shared/domain/transcript/edit-marks.ts';
import { isCut, isRedacted, type Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { Timeline, WordPlace } from '../model/timeline.ts';
import { rangesIn, runsOfWords } from '../model/word-layout.ts';

type FindMisspelt = (text: string) => readonly { readonly from: number; readonly to: number }[];

export interface FoundPlace {
  readonly from: number;
  readonly to: number;
  readonly isCurrent: boolean;
  readonly differs: boolean;
}

const names = {
  found: 'ovoz-found',
  foundNow: 'ovoz-found-now',
  differs: 'ovoz-differs',
  differsNow: 'ovoz-differs-now',
  now: 'ovoz-word-now',
  toCome: 'ovoz-to-come',
  cursor: 'ovoz-cursor',
  estimated: 'ovoz-estimated',
  cut: 'ovoz-cut',
  redacted: 'ovoz-redacted',
  hidden: 'ovoz-found-redacted',
  hiddenNow: 'ovoz-found-redacted-now',
  selected: 'ovoz-selected',
  misspelt: 'ovoz-misspelt',
  commented: 'ovoz-commented',
};
type Mark = keyof typeof names;
const marks = Object.keys(names) as Mark[];

export type WordMarks = ReturnType<typeof createWordMarks>;

/** Marks words in the mounted segments with the CSS Custom Highlight API: no element per word, no rendering. */
export function createWordMarks(timeline: Timeline, isEstimatedMarked: boolean) {
  const texts = new Map<number, { text: Text }>();
  const highlights = Object.fromEntries(marks.map((mark) => [mark, new Highlight()])) as Record<Mark, Highlight>;
  highlights.toCome.priority = -1;
  highlights.commented.priority = -1;
  highlights.foundNow.priority = 1;
  highlights.selected.priority = 2;
  // Whatever else is marked, a redacted word stays covered.
  highlights.redacted.priority = 3;
  highlights.hidden.priority = 4;
  highlights.hiddenNow.priority = 5;
  let selected: ReadonlyMap<number, readonly [number, number]> = new Map();
  const paintSelected = () => {
    highlights.selected.clear();
    for (const [segment, [from, to]] of selected) {
      const text = texts.get(segment)?.text;
      if (text !== undefined) highlights.selected.add(rangeOf(text, from, Math.min(to, text.length)));
    }
  };
  let found: ReadonlyMap<number, readonly FoundPlace[]> = new Map();
  const paintFound = () => {
    for (const name of ['found', 'foundNow', 'differs', 'differsNow', 'hidden', 'hiddenNow'] as const)
      highlights[name].clear();
    for (const [segment, { text }] of texts)
      for (const { from, to, isCurrent, differs } of found.get(segment) ?? []) {
        const name = differs ? 'differs' : 'found';
        if (to <= text.length) highlights[isCurrent ? (`${name}Now` as const) : name].add(rangeOf(text, from, to));
        // All of a redacted word: where the match is in it would say its letters.
        for (const [key, range] of ownOf.get(segment)?.made ?? [])
          if (key === 'redacted' && range.startOffset < to && range.endOffset > from)
            highlights[isCurrent ? 'hiddenNow' : 'hidden'].add(range);
      }
  };
  const ownOf = new Map<
    number,
    {
      readonly source: Segment;
      readonly text: Text;
      readonly data: string;
      readonly ranges: ReturnType<typeof rangesIn>;
      readonly made: readonly (readonly [Mark, StaticRange])[];
    }
  >();
  const misspeltOf = new Map<number, readonly StaticRange[]>();
  let heard: WordPlace | null = null;
  let cursor: WordPlace | null = null;

  const bounds = ({ segment, word }: WordPlace) => {
    const text = texts.get(segment)?.text;
    const source = timeline.segments[segment];
    const range = source === undefined || text === undefined ? undefined : rangesIn(text.data, source)[word];
    return text === undefined || range === undefined ? null : { text, from: range[0], to: range[1] };
  };
  const paintHeard = () => {
    highlights.now.clear();
    highlights.toCome.clear();
    const found = heard === null ? null : bounds(heard);
    if (found === null) return;
    highlights.now.add(rangeOf(found.text, found.from, found.to));
    if (found.to < found.text.length) highlights.toCome.add(rangeOf(found.text, found.to, found.text.length));
  };
  const paintCursor = () => {
    highlights.cursor.clear();
    const found = cursor === null ? null : bounds(cursor);
    if (found !== null) highlights.cursor.add(rangeOf(found.text, found.from, found.to));
  };
  const paintPlaces = (segment: number) => {
    if (found.size > 0) paintFound();
    if (selected.has(segment)) paintSelected();
  };
  const paintWords = (segment: number) => {
    if (heard?.segment === segment) paintHeard();
    if (cursor?.segment === segment) paintCursor();
  };
  const estimatedOf = new Map<number, readonly StaticRange[]>();
  /**
   * Two lines under one word can't be read: that its time is estimated is not marked while it is misspelt. Words in a row
   * are marked as one, since the browser paints thousands of marks in one text slowly with every key.
   */
  const paintEstimated = (segment: number) => {
    for (const range of estimatedOf.get(segment) ?? []) highlights.estimated.delete(range);
    estimatedOf.delete(segment);
    const own = ownOf.get(segment);
    if (!isEstimatedMarked || own === undefined) return;
    const misspelt = misspeltOf.get(segment) ?? [];
    const runs = runsOfWords(own.ranges, (word, [from, to]) => {
      const isMisspelt = misspelt.some((one) => one.startOffset < to && one.endOffset > from);
      return own.source.words[word]?.isEstimated === true && !isMisspelt;
    });
    const made = runs.map(([from, to]) => rangeOf(own.text, from, to));
    for (const range of made) highlights.estimated.add(range);
    estimatedOf.set(segment, made);
  };
  const markOwn = (segment: number, text: Text) => {
    const source = timeline.segments[segment];
    if (source === undefined) return;
    const ranges = rangesIn(text.data, source);
    const commented = commentsIn(source).flatMap((place): (readonly [Mark, StaticRange])[] => {
      const [first, last] = [ranges[place.from], ranges[place.to - 1]];
      return first === undefined || last === undefined ? [] : [['commented', rangeOf(text, first[0], last[1])]];
    });
    const marked = source.words.flatMap((word, index): (readonly [Mark, StaticRange])[] => {
      const range = ranges[index];
      if (range === undefined) return [];
      const at = rangeOf(text, range[0], range[1]);
      const [from, to] = secretPartOf(source.words, index);
      // A word that is being typed may be shown longer or shorter than it is stored.
      const isAsStored = range[1] - range[0] === word.text.length;
      const covered = isAsStored ? rangeOf(text, range[0] + from, range[0] + to) : at;
      return [
        ...(isCut(word) ? [['cut', at] as const] : []),
        ...(isRedacted(word) ? [['redacted', covered] as const] : []),
      ];
    });
    const made = [...commented, ...marked];
    for (const [key, range] of made) highlights[key].add(range);
    ownOf.set(segment, { source, text, data: text.data, ranges, made });
    paintEstimated(segment);
  };
  let findMisspelt: FindMisspelt | null = null;
  /** A word is not checked while it is being typed, until the caret has left it. */
  let typed: { readonly segment: number; readonly text: Text; readonly from: number; readonly to: number } | null =
    null;
  /** Where was typed last, until the caret moves: what the checker says later still spares the word at the caret. */
  let writing: { readonly text: Text; readonly caret: number | null } | null = null;
  const markMisspelt = (segment: number, text: Text) => {
    unmarkMisspelt(segment);
    if (findMisspelt === null) return;
    const caret = writing?.text === text ? caretIn(text) : null;
    const made: StaticRange[] = [];
    const redacted = (ownOf.get(segment)?.made ?? []).filter(([key]) => key === 'redacted');
    for (const { from, to } of findMisspelt(text.data))
      if (redacted.some(([, range]) => range.startOffset < to && range.endOffset > from)) continue;
      else if (caret !== null && caret >= from && caret <= to) typed = { segment, text, from, to };
      else made.push(rangeOf(text, from, to));
    for (const range of made) highlights.misspelt.add(range);
    if (made.length > 0) misspeltOf.set(segment, made);
    paintEstimated(segment);
  };
  const unmarkMisspelt = (segment: number) => {
    for (const range of misspeltOf.get(segment) ?? []) highlights.misspelt.delete(range);
    if (misspeltOf.delete(segment)) paintEstimated(segment);
    if (typed?.segment === segment) typed = null;
  };
  const judgeTyped = () => {
    if (writing !== null && caretIn(writing.text) !== writing.caret) writing = null;
    if (typed === null) return;
    const caret = caretIn(typed.text);
    if (caret === null || caret < typed.from || caret > typed.to) markMisspelt(typed.segment, typed.text);
  };
  const unmarkOwn = (segment: number) => {
    for (const [key, range] of ownOf.get(segment)?.made ?? []) highlights[key].delete(range);
    ownOf.delete(segment);
    paintEstimated(segment);
  };

  return {
    /** Registers the text node of a segment; returns a function that unregisters it, or the one that took its place. */
    attach(segment: number, text: Text) {
      const mounted = { text };
      texts.set(segment, mounted);
      markOwn(segment, text);
      markMisspelt(segment, text);
      paintPlaces(segment);
      paintWords(segment);
      return () => {
        if (texts.get(segment) === mounted) texts.delete(segment);
        unmarkOwn(segment);
        unmarkMisspelt(segment);
      };
    },
    /** The text changed, or stands in another node since the browser cut the one before. */
    refresh(segment: number, text: Text, isTyped: boolean) {
      if (isTyped) writing = { text, caret: caretIn(text) };
      const mounted = texts.get(segment);
      const isReplaced = mounted !== undefined && mounted.text !== text;
      if (isReplaced) mounted.text = text;
      const known = ownOf.get(segment);
      const isKnown = known?.source === timeline.segments[segment] && known?.text === text && known.data === text.data;
      if (!isKnown) {
        unmarkOwn(segment);
        markOwn(segment, text);
      }
      markMisspelt(segment, text);
      if (isKnown) return;
      if (isReplaced) paintPlaces(segment);
      paintWords(segment);
    },
    showFound(places: ReadonlyMap<number, readonly FoundPlace[]>) {
      found = places;
      paintFound();
    },
    showSelected(parts: ReadonlyMap<number, readonly [from: number, to: number]>) {
      selected = parts;
      paintSelected();
    },
    showMisspelt(find: FindMisspelt | null) {
      findMisspelt = find;
      for (const [segment, { text }] of texts) markMisspelt(segment, text);
    },
    showHeard(place: WordPlace | null) {
      if (heard?.segment === place?.segment && heard?.word === place?.word) return;
      heard = place;
      paintHeard();
    },
    showCursor(place: WordPlace | null) {
      cursor = place;
      paintCursor();
    },
    rectOf(place: WordPlace): DOMRect | null {
      const found = bounds(place);
      if (found === null) return null;
      const range = document.createRange();
      range.setStart(found.text, found.from);
      range.setEnd(found.text, found.to);
      return range.getBoundingClientRect();
    },
    /** Returns a function that removes the marks. Only one transcript at a time is marked. */
    publish() {
      for (const mark of marks) CSS.highlights.set(names[mark], highlights[mark]);
      document.addEventListener('selectionchange', judgeTyped);
      return () => {
        document.removeEventListener('selectionchange', judgeTyped);
        for (const mark of marks)
          if (CSS.highlights.get(names[mark]) === highlights[mark]) CSS.highlights.delete(names[mark]);
      };
    },
  };
}

const caretIn = (text: Text): number | null => {
  const selection = document.getSelection();
  return selection?.focusNode === text ? selection.focusOffset : null;
};

/** A static range costs nothing when the text changes, unlike a live range. */
const rangeOf = (text: Text, from: number, to: number) =>
  new StaticRange({ startContainer: text, startOffset: from, endContainer: text, endOffset: to });
