import { timeSegments } from '../transcript/time-segments.ts';
import type { ReceivedSegment } from '../transcript/received.ts';

/** What can happen to a caption of a file, the worst first; the words are in `transcripts.problems`. */
export const importProblemKinds = ['unreadable', 'empty', 'end', 'overlap', 'marks'] as const;
type ImportProblemKind = (typeof importProblemKinds)[number];

/** A caption that is not in the transcript as it is in the file, by its first or its time line. */
export interface ImportProblem {
  readonly kind: ImportProblemKind;
  readonly line: number;
}

/** A segment made of the caption whose times are in this line. */
export interface SegmentOfLine {
  readonly line: number;
  readonly segment: ReceivedSegment;
}

/** The captions whose times the transcript can't have as they are: it has no negative lengths, and no overlaps. */
export function findChangedTimes(captions: readonly SegmentOfLine[]): readonly ImportProblem[] {
  const { segments } = timeSegments(
    captions.map(({ segment }) => segment),
    null,
  );
  const timed = new Map(segments.map((segment) => [segment.received, segment]));
  return captions.flatMap(({ line, segment }): ImportProblem[] => {
    const { startMs = 0, endMs = 0 } = segment;
    if (endMs < startMs) return [{ kind: 'end', line }];
    const result = timed.get(segment);
    return result?.startMs === startMs && result.endMs === endMs ? [] : [{ kind: 'overlap', line }];
  });
}

/** A summary of any number of problems. */
export interface ImportReport {
  readonly captionCount: number;
  readonly kinds: readonly {
    readonly kind: ImportProblemKind;
    readonly count: number;
    /** The first ones. */
    readonly lines: readonly number[];
  }[];
}

const mostLines = 20;

/** Null: every caption was taken as it was. */
export function reportProblems(problems: readonly ImportProblem[]): ImportReport | null {
  if (problems.length === 0) return null;
  const kinds = importProblemKinds.flatMap((kind) => {
    const lines = problems.filter((problem) => problem.kind === kind).map(({ line }) => line);
    return lines.length === 0 ? [] : [{ kind, count: lines.length, lines: lines.slice(0, mostLines) }];
  });
  return { captionCount: new Set(problems.map(({ line }) => line)).size, kinds };
}
