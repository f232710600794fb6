import { timeWithoutCuts } from '../../../../shared/domain/exports/prepare.ts';
import type { CueProblemKind } from '../../../../shared/domain/subtitles/check-cues.ts';
import type { CueWord } from '../../../../shared/domain/subtitles/cue.ts';
import { middleOf } from '../../../../shared/domain/subtitles/fix-cues.ts';
import { breakRules } from '../../../../shared/domain/subtitles/line-breaks.ts';
import { applyChange, type Change, type EditRefusal, type Step } from '../../../../shared/domain/transcript/change.ts';
import { moveEdge, stretchCaption } from '../../../../shared/domain/transcript/edit-segments.ts';
import { editUntil } from '../../../../shared/domain/transcript/open-end.ts';
import { isCut, isRedacted, type TimeSpan, type Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';

/** More time for a caption, see `stretchCaption`; `end`: a segment that should end earlier, and when; null for none. */
export interface Mend {
  readonly segmentIds: readonly string[];
  readonly span: TimeSpan;
  readonly wanted: TimeSpan;
  readonly end: { readonly segmentId: string; readonly toMs: number } | null;
}

export function mendCaptions(
  transcript: Transcript,
  problems: readonly { readonly mend: Mend | null }[],
): Result<Change, EditRefusal> {
  let current = transcript;
  const change: Step[] = [];
  const take = (made: Result<Change, EditRefusal>) => {
    const applied = made.ok ? applyChange(current, made.value) : made;
    if (!made.ok || !applied.ok) return;
    change.push(...made.value);
    current = applied.value.transcript;
  };
  // Two problems of one caption ask for the same times, and its words may be elsewhere once it has them.
  const mends = problems.flatMap(({ mend }) => mend ?? []);
  const byCaption = new Map(mends.map((mend) => [`${mend.segmentIds.join(' ')} ${String(mend.span.startMs)}`, mend]));
  for (const { segmentIds, span, wanted, end } of byCaption.values()) {
    // Only what has no recording is given more time than there is.
    take(editUntil(current, wanted.endMs, (now) => stretchCaption(now, segmentIds, span, wanted)));
    if (end !== null) take(moveEdge(current, end.segmentId, 'end', end.toMs));
  }
  return change.length === 0 ? err('no-room') : ok(change);
}

export function movedBy(before: Transcript, after: Transcript): { readonly startMs: number; readonly endMs: number } {
  const changed = after.segments.flatMap((segment, at) => {
    const was = before.segments[at];
    return was === undefined || was === segment ? [] : [{ was, segment }];
  });
  const [first, last] = [changed[0], changed.at(-1)];
  return {
    startMs: first === undefined ? 0 : first.segment.startMs - first.was.startMs,
    endMs: last === undefined ? 0 : last.segment.endMs - last.was.endMs,
  };
}

/**
 * Finds when the words of a caption are said in the recording, where the captions have times without these cuts. What is
 * left out is no silence that a caption could get, and a redacted word is not made longer. Null for words that are not
 * found there, and where cuts leave no silence.
 */
export function spanInRecording(transcript: Transcript, cuts: readonly TimeSpan[]) {
  const withoutCuts = timeWithoutCuts(cuts);
  const byId = new Map(cuts.length === 0 ? [] : transcript.segments.map((segment) => [segment.id, segment]));
  return (
    segmentIds: readonly string[],
    shown: TimeSpan,
    { startMs, endMs }: TimeSpan,
    end: Mend['end'],
  ): Mend | null => {
    if (cuts.length === 0) return { segmentIds, span: shown, wanted: { startMs, endMs }, end };
    const words = segmentIds.flatMap((id) => byId.get(id)?.words.filter((word) => !isCut(word)) ?? []);
    const first = words.find((word) => withoutCuts(word.startMs) === shown.startMs);
    const last = words.findLast((word) => withoutCuts(word.endMs) === shown.endMs);
    if (first === undefined || last === undefined) return null;
    const cutBefore = cuts.findLast((cut) => cut.endMs <= first.startMs)?.endMs ?? 0;
    const cutAfter = cuts.find((cut) => cut.startMs >= last.endMs)?.startMs ?? transcript.durationMs;
    const span = { startMs: first.startMs, endMs: last.endMs };
    const wanted = {
      startMs: isRedacted(first) ? span.startMs : Math.max(cutBefore, span.startMs - (shown.startMs - startMs)),
      endMs: isRedacted(last) ? span.endMs : Math.min(cutAfter, span.endMs + (endMs - shown.endMs)),
    };
    return wanted.startMs < span.startMs || wanted.endMs > span.endMs ? { segmentIds, span, wanted, end: null } : null;
  };
}

export interface CaptionSplit {
  readonly segmentId: string;
  readonly offset: number;
}

const helpedBySplit: ReadonlySet<CueProblemKind> = new Set([
  'too-many-lines',
  'line-too-long',
  'too-long',
  'lines-changed',
]);

/**
 * The first word of the second half of a caption that has too much in it: of several lines at the start of one, or else where
 * a sentence ends near the middle. Null where half the words would not help.
 */
export function secondHalf(
  kind: CueProblemKind,
  rows: readonly (readonly CueWord[])[],
  language: Transcript['language'],
): CueWord | null {
  const words = rows.flat();
  if (!helpedBySplit.has(kind) || words.length < 2) return null;
  if (rows.length > 1) return rows[Math.ceil(rows.length / 2)]?.[0] ?? null;
  const texts = words.map(({ text }) => text);
  const breakCost = breakRules(language);
  const costs = texts.map((text, at) => (at + 1 < texts.length ? breakCost(text, texts[at + 1] ?? '') : 0));
  return words[middleOf(texts, costs)] ?? null;
}
