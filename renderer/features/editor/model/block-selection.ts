import { maskedText } from '../../../../shared/domain/transcript/edit-marks.ts';
import { fitSpaces, type Replacing } from '../../../../shared/domain/transcript/replace-stretch.ts';
import type { Segment, TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';

export interface BlockSelection {
  readonly anchorId: string;
  readonly focusId: string;
  readonly anchorOffset?: number;
  readonly focusOffset?: number;
}

export interface SelectedPart {
  readonly segment: Segment;
  readonly from: number;
  readonly to: number;
}

export function selectedParts(segments: readonly Segment[], selection: BlockSelection | null): readonly SelectedPart[] {
  const chosen = selectedSegments(segments, selection);
  if (selection === null) return [];
  const { anchorId, anchorOffset, focusOffset } = selection;
  const [first] = chosen;
  const last = chosen.at(-1);
  if (first === last && anchorOffset !== undefined && focusOffset !== undefined)
    return chosen.map((segment) => ({
      segment,
      from: Math.min(anchorOffset, focusOffset),
      to: Math.max(anchorOffset, focusOffset),
    }));
  const [start, end] = first?.id === anchorId ? [anchorOffset, focusOffset] : [focusOffset, anchorOffset];
  return chosen.map((segment) => ({
    segment,
    from: segment === first ? (start ?? 0) : 0,
    to: segment === last ? (end ?? segment.text.length) : segment.text.length,
  }));
}

/** What cutting or pasting over selected parts replaces, with the spaces that it needs. */
export function replacingOf(first: SelectedPart, last: SelectedPart, inserted: string): Replacing {
  const { from } = first;
  if (first.segment.id === last.segment.id) return fitSpaces(first.segment.text, { from, to: last.to, inserted });
  const remains = first.segment.text.slice(0, from) + last.segment.text.slice(last.to);
  const fitted = fitSpaces(remains, { from, to: from, inserted });
  return { ...fitted, to: last.to + fitted.to - from };
}

export const pastedOver = (
  { segment, from, to }: SelectedPart,
  copied: string,
  spell: (pasted: string) => string,
): Replacing =>
  copied === maskedText(segment, from, to)
    ? { from, to, inserted: segment.text.slice(from, to) }
    : fitSpaces(segment.text, { from, to, inserted: spell(copied) });

export const isWholePart = ({ segment, from, to }: SelectedPart): boolean => from <= 0 && to >= segment.text.length;

export function selectedSegments(segments: readonly Segment[], selection: BlockSelection | null): readonly Segment[] {
  if (selection === null) return [];
  const anchor = segments.findIndex(({ id }) => id === selection.anchorId);
  const focus = segments.findIndex(({ id }) => id === selection.focusId);
  return anchor < 0 || focus < 0 ? [] : segments.slice(Math.min(anchor, focus), Math.max(anchor, focus) + 1);
}

export const wholeOf = (segment: Segment): SelectedPart => ({ segment, from: 0, to: segment.text.length });

/** A paragraph each, with the name where the speaker changes, and redacted words masked. */
export function textOfParts(parts: readonly SelectedPart[], nameOf: (segment: Segment) => string | null): string {
  return parts
    .map(({ segment, from, to }, at) => {
      const name = at === 0 || parts[at - 1]?.segment.speakerId !== segment.speakerId ? nameOf(segment) : null;
      const text = maskedText(segment, from, to);
      return name === null ? text : `${name}: ${text}`;
    })
    .join('\n');
}

export function wordsInText({ words }: Segment, from: number, to: number): readonly [number, number] {
  let at = 0;
  let first = words.length;
  let last = 0;
  for (const [index, { text }] of words.entries()) {
    const end = at + text.length;
    if (at < Math.max(to, from + 1) && end > from) {
      first = Math.min(first, index);
      last = index + 1;
    }
    at = end + 1;
  }
  return first < last ? [first, last] : [0, 0];
}

/** Some of the silence around words belongs to their span, so that nothing is cut off. */
const marginMs = 150;

export function spanOfWords(
  segments: readonly Segment[],
  first: number,
  last: number,
  durationMs: number,
): TimeSpan | null {
  const words = segments.flatMap((segment) => segment.words);
  const [from, to] = [words[first], words[last - 1]];
  if (from === undefined || to === undefined) return null;
  return {
    startMs: Math.max(0, words[first - 1]?.endMs ?? 0, from.startMs - marginMs),
    endMs: Math.min(durationMs, Math.max(to.endMs, Math.min(words[last]?.startMs ?? Infinity, to.endMs + marginMs))),
  };
}
