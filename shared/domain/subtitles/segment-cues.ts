import { lineStarts, wordsOf as textWordsOf } from '../transcript/spoken-text.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';
import { hasTurnDash, wordsOf, type CueWord, type TimedCue } from './cue.ts';
import { breakIntoLines, breakRules, type BreakCost } from './line-breaks.ts';
import { makeCues, type CueNaming } from './make-cues.ts';
import type { SubtitleProfile } from './profiles.ts';

type Row = readonly CueWord[];

interface Breaking {
  readonly breakCost: BreakCost;
  readonly profile: SubtitleProfile;
}

/**
 * Keeps times and line breaks of segments; only those with too many lines become several cues, unless `keepsLines`
 * and each is short enough.
 */
export function segmentCues(
  transcript: Transcript,
  profile: SubtitleProfile,
  naming: CueNaming | null = null,
  keepsLines = false,
): readonly TimedCue[] {
  const breakCost = breakRules(transcript.language);
  const breaking = { breakCost, profile };
  const named = new Set<string>();
  let before: string | null = null;
  return transcript.segments.flatMap((segment) => {
    const { speakerId } = segment;
    const own = rowsOf(segment);
    if (own.length === 0) return [];
    const isNamed =
      speakerId !== null &&
      naming !== null &&
      (naming.when === 'every' || (naming.when === 'first' ? !named.has(speakerId) : speakerId !== before));
    if (speakerId !== null) named.add(speakerId);
    before = speakerId;
    const prefix = isNamed ? naming.prefixOf(speakerId) : '';
    const name = prefix === '' ? '' : `${prefix} `;
    const cueOf = (rows: readonly Row[]) => ({
      ...timesOf(segment),
      lines: linesOf(rows, prefix),
      rows,
      prefix,
      speakerId,
      segmentIds: [segment.id],
    });
    const rows = inLines(own, name, breaking, keepsLines);
    if (rows !== null) return withOwnRows(own, [cueOf(rows)]);
    if (isDialogue(own)) return [cueOf(own.flatMap((row, at) => brokenRow(row, at === 0 ? name : '', breaking)))];
    const split = splitSegment(transcript, segment, profile, isNamed ? naming : null);
    return withOwnRows(own, longEnough(split, breaking));
  });
}

/** Remembers the lines of a segment in its first cue, unless the cue is the segment with all of its own line breaks. */
function withOwnRows(own: readonly Row[], cues: readonly TimedCue[]): readonly TimedCue[] {
  const [first, ...others] = cues;
  const kept = new Set(lineEnds(cues.flatMap(({ rows }) => rows)));
  if (first === undefined || (others.length === 0 && lineEnds(own).every((end) => kept.has(end)))) return cues;
  return [{ ...first, ownRows: own }, ...others];
}

function lineEnds(rows: readonly Row[]): readonly number[] {
  let count = 0;
  return rows.map(({ length }) => (count += length));
}

const linesOf = (rows: readonly Row[], prefix: string): readonly string[] =>
  rows.map((row, at) => (at === 0 && prefix !== '' ? `${prefix} ` : '') + row.map(({ text }) => text).join(' '));

const timesOf = ({ startMs, endMs }: Segment) => ({ startMs, endMs: Math.max(startMs + 1, endMs) });

function rowsOf(segment: Segment): readonly Row[] {
  const starts = lineStarts(segment.text);
  const words = wordsOf(segment);
  // Words that can't be told apart in the text have no known line.
  if (starts.length === 0 || words.length !== textWordsOf(segment.text).length)
    return words.length === 0 ? [] : [words];
  return [0, ...starts].map((start, at) => words.slice(start, starts[at])).filter((row) => row.length > 0);
}

function inLines(own: readonly Row[], name: string, breaking: Breaking, keepsLines: boolean): readonly Row[] | null {
  const { charactersPerLine: limit, linesPerCue } = breaking.profile;
  const nameOf = (at: number) => (at === 0 ? name : '');
  const isFew = keepsLines || own.length <= linesPerCue;
  if (isFew && own.every((row, at) => linesNeeded(row, nameOf(at), limit) === 1)) return own;
  const needed = own.reduce((sum, row, at) => sum + linesNeeded(row, nameOf(at), limit), 0);
  if (needed <= linesPerCue) return own.flatMap((row, at) => brokenRow(row, nameOf(at), breaking));
  if (isDialogue(own)) return null;
  const joined = joinedLines(own, linesPerCue);
  if (joined.every((row, at) => linesNeeded(row, nameOf(at), limit) === 1)) return joined;
  const all = own.flat();
  return linesNeeded(all, name, limit) <= linesPerCue ? brokenRow(all, name, breaking) : null;
}

/** So many lines: of more, the two that are shortest together become one, and the other line breaks stay. */
function joinedLines(own: readonly Row[], count: number): readonly Row[] {
  const rows = [...own];
  while (rows.length > Math.max(1, count)) {
    const joined = rows.slice(1).map((row, at) => [...(rows[at] ?? []), ...row]);
    const lengths = joined.map((row) => row.reduce((sum, { text }) => sum + text.length + 1, 0));
    const at = lengths.indexOf(Math.min(...lengths));
    rows.splice(at, 2, joined[at] ?? []);
  }
  return rows;
}

function brokenRow(row: Row, name: string, { breakCost, profile }: Breaking): readonly Row[] {
  const texts = row.map(({ text }, at) => (at === 0 ? name + text : text));
  const costs = row.map(({ text }, at) => (row[at + 1] === undefined ? 0 : breakCost(text, row[at + 1]?.text ?? '')));
  return breakIntoLines(texts, costs, profile.charactersPerLine, profile.linesPerCue).map(([from, to]) =>
    row.slice(from, to),
  );
}

const isDialogue = (own: readonly Row[]): boolean =>
  own.length > 1 && own.every(([first]) => hasTurnDash(first?.text ?? ''));

function longEnough(cues: readonly TimedCue[], breaking: Breaking): readonly TimedCue[] {
  const joined = [...cues];
  const isShort = ({ startMs, endMs }: TimedCue) => endMs - startMs < breaking.profile.minimumMs;
  for (let at = joined.findIndex(isShort); at >= 0 && joined.length > 1; at = joined.findIndex(isShort)) {
    const [before, after] = [joined[at - 1], joined[at + 1]];
    const isBefore =
      after === undefined || (before !== undefined && before.rows.flat().length < after.rows.flat().length);
    const from = isBefore ? at - 1 : at;
    const [first, second] = joined.slice(from, from + 2);
    if (first === undefined || second === undefined) break;
    joined.splice(from, 2, { ...first, endMs: second.endMs, rows: [[...first.rows, ...second.rows].flat()] });
  }
  return joined.map((cue) => {
    const { prefix } = cue;
    if (cues.includes(cue)) return cue;
    const rows = brokenRow(cue.rows.flat(), prefix === '' ? '' : `${prefix} `, breaking);
    return { ...cue, rows, lines: linesOf(rows, prefix) };
  });
}

function linesNeeded(row: Row, name: string, limit: number): number {
  let lines = 1;
  let length = -1;
  for (const [at, { text }] of row.entries()) {
    const size = text.length + (at === 0 ? name.length : 0);
    if (size > limit) return Number.POSITIVE_INFINITY;
    length += size + 1;
    if (length > limit) {
      lines += 1;
      length = size;
    }
  }
  return lines;
}

/** The ends of its sentences are good places to split, but no reason to split it further. */
function splitSegment(
  transcript: Transcript,
  segment: Segment,
  profile: SubtitleProfile,
  naming: CueNaming | null,
): readonly TimedCue[] {
  const { startMs, endMs } = timesOf(segment);
  const alone = { ...transcript, durationMs: endMs, segments: [segment] };
  const cues = makeCues(alone, { ...profile, splitsAtSentences: false }, naming);
  return cues.map((cue, at) => ({
    ...cue,
    ...(at === 0 ? { startMs: Math.min(startMs, cue.startMs) } : {}),
    ...(at === cues.length - 1 ? { endMs: Math.max(endMs, cue.endMs) } : {}),
  }));
}
