import { findProblems, type CueProblem, type CueProblemKind } from '../../../../shared/domain/subtitles/check-cues.ts';
import { makeCues } from '../../../../shared/domain/subtitles/make-cues.ts';
import type { SubtitleProfile } from '../../../../shared/domain/subtitles/profiles.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';

/** What is wrong with the captions of a segment, the gravest of each kind, and when the caption begins. */
export interface SegmentProblem extends CueProblem {
  readonly kind: ShownKind;
  readonly startMs: number;
}

/** Rules that a person can do something about in the text; the rest is seen to when captions are made. */
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

/** By the id of the segment in which the caption begins, in the order of the text. Costs the number of words. */
export function captionProblems(
  transcript: Transcript,
  profile: SubtitleProfile,
): ReadonlyMap<string, readonly SegmentProblem[]> {
  const cues = makeCues(transcript, profile);
  const { segments, language, durationMs } = transcript;
  const found = new Map<string, SegmentProblem[]>();
  for (const { cue, kind, is, limit } of findProblems(cues, { profile, language, durationMs })) {
    const at = cues[cue];
    if (at === undefined || !isShown(kind)) continue;
    const own = segments.findLast(
      (segment) => segment.startMs <= at.startMs + 1 && (at.speakerId === null || segment.speakerId === at.speakerId),
    );
    if (own === undefined) continue;
    const known = found.get(own.id) ?? [];
    if (!known.some((one) => one.kind === kind))
      found.set(own.id, [...known, { kind, is, limit, startMs: at.startMs }]);
  }
  return found;
}
