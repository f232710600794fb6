import { timeSegments } from '../transcript/time-segments.ts';
import type { ReceivedSegment } from '../transcript/received.ts';

/** What can happen to a caption of a file, the worst first; the words are in `transcripts.report.kinds`. */
export const importProblemKinds = [
  'unreadable',
  'empty',
  'end',
  'overlap',
  'untimed',
  'half-timed',
  'marks',
  'place',
] as const;
type ImportProblemKind = (typeof importProblemKinds)[number];

/** A file of captions has lines; one of data may have only one, and its segments are counted instead. */
export const importUnits = ['line', 'segment'] as const;
export type ImportUnit = (typeof importUnits)[number];

/** A caption that is not in the transcript as it is in the file. */
export interface ImportProblem {
  readonly kind: ImportProblemKind;
  /** Its first or its time line, or its number among the segments; from 1. */
  readonly line: number;
}

/** A segment made of the caption whose times are in this line, or that has this number. */
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
    // Words can have the times that their segment lacks.
    const startMs = segment.startMs ?? segment.words.find((word) => word.startMs !== undefined)?.startMs;
    const endMs = segment.endMs ?? segment.words.findLast((word) => word.endMs !== undefined)?.endMs;
    if (startMs === undefined && endMs === undefined) return [{ kind: 'untimed', line }];
    if (startMs === undefined || endMs === undefined) return [{ kind: 'half-timed', line }];
    if (endMs < startMs) return [{ kind: 'end', line }];
    const result = timed.get(segment);
    return result?.startMs === startMs && result.endMs === endMs ? [] : [{ kind: 'overlap', line }];
  });
}

/** A summary of any number of problems. */
export interface ImportReport {
  readonly captionCount: number;
  readonly unit: ImportUnit;
  readonly kinds: readonly {
    readonly kind: ImportProblemKind;
    readonly count: number;
    /** The first ones. */
    readonly lines: readonly number[];
  }[];
}

const mostLines = 20;

/** Null: every caption was taken as it was. */
export function reportProblems(problems: readonly ImportProblem[], unit: ImportUnit): ImportReport | null {
  if (problems.length === 0) return null;
  const kinds = importProblemKinds.flatMap((kind) => {
    const lines = problems.filter((problem) => problem.kind === kind).map(({ line }) => line);
    return lines.length === 0 ? [] : [{ kind, count: lines.length, lines: lines.slice(0, mostLines) }];
  });
  return { captionCount: new Set(problems.map(({ line }) => line)).size, unit, kinds };
}
