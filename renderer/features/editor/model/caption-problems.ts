import {
  checkCue,
  findProblems,
  type CueProblem,
  type CueProblemKind,
} from '../../../../shared/domain/subtitles/check-cues.ts';
import { giveTime } from '../../../../shared/domain/subtitles/fix-cues.ts';
import { makeCues } from '../../../../shared/domain/subtitles/make-cues.ts';
import type { SubtitleProfile } from '../../../../shared/domain/subtitles/profiles.ts';
import { applyChange, type Change, type EditRefusal, type Step } from '../../../../shared/domain/transcript/change.ts';
import { stretchCaption } from '../../../../shared/domain/transcript/edit-segments.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import type { TimeSpan, Transcript } from '../../../../shared/domain/transcript/transcript.ts';

/** The caption problems of a segment, the most serious of each kind, and when the caption starts. */
export interface SegmentProblem extends CueProblem {
  readonly kind: ShownKind;
  readonly startMs: number;
  /** The fix that changes no word; null where only other words would help. See `stretchCaption`. */
  readonly mend: { readonly span: TimeSpan; readonly wanted: TimeSpan } | null;
}

/** Rules that can be fixed in the text; the others are handled when captions are made. */
export const shownKinds = [
  'too-many-lines',
  'line-too-long',
  'too-fast',
  'too-short',
  'too-long',
  'gap-too-short',
] as const satisfies readonly CueProblemKind[];
type ShownKind = (typeof shownKinds)[number];

const isShown = (kind: CueProblemKind): kind is ShownKind => shownKinds.some((one) => one === kind);

/** Gives these captions the time that they lack, as one change. */
export function mendCaptions(transcript: Transcript, problems: readonly SegmentProblem[]): Result<Change, EditRefusal> {
  let current = transcript;
  const change: Step[] = [];
  for (const { span, wanted } of problems.flatMap(({ mend }) => mend ?? [])) {
    const made = stretchCaption(current, span, wanted);
    const applied = made.ok ? applyChange(current, made.value) : made;
    if (!made.ok || !applied.ok) continue;
    change.push(...made.value);
    current = applied.value.transcript;
  }
  return change.length === 0 ? err('no-room') : ok(change);
}

/** By the id of the segment in which the caption starts, in text order. The cost grows with the number of words. */
export function captionProblems(
  transcript: Transcript,
  profile: SubtitleProfile,
): ReadonlyMap<string, readonly SegmentProblem[]> {
  const cues = makeCues(transcript, profile);
  const { segments, language, durationMs } = transcript;
  const facts = { profile, language, durationMs };
  const mended = giveTime(cues, facts);
  const mendOf = (cue: number, kind: CueProblemKind): SegmentProblem['mend'] => {
    const [before, after] = [cues[cue], mended[cue]];
    const words = before?.rows.flat() ?? [];
    const [first, last] = [words[0], words.at(-1)];
    const isMended =
      after !== undefined && !checkCue(after, mended[cue + 1] ?? null, facts).some((p) => p.kind === kind);
    if (!isMended || first === undefined || last === undefined) return null;
    return {
      span: { startMs: first.startMs, endMs: last.endMs },
      wanted: { startMs: after.startMs, endMs: after.endMs },
    };
  };
  const found = new Map<string, SegmentProblem[]>();
  for (const { cue, kind, is, limit } of findProblems(cues, facts)) {
    const at = cues[cue];
    if (at === undefined || !isShown(kind)) continue;
    const own = segments.findLast(
      (segment) => segment.startMs <= at.startMs + 1 && (at.speakerId === null || segment.speakerId === at.speakerId),
    );
    if (own === undefined) continue;
    const known = found.get(own.id) ?? [];
    if (!known.some((one) => one.kind === kind))
      found.set(own.id, [...known, { kind, is, limit, startMs: at.startMs, mend: mendOf(cue, kind) }]);
  }
  return found;
}
