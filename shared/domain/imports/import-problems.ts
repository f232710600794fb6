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
  'position',
] as const;
type ImportProblemKind = (typeof importProblemKinds)[number];

/** What the places in a file are numbers of: a file of captions has lines, one of data may have only one. */
export const importCounts = ['lines', 'segments'] as const;
export type ImportCount = (typeof importCounts)[number];

/** A caption that is not in the transcript as it is in the file. */
export interface ImportProblem {
  readonly kind: ImportProblemKind;
  /** Its first or its time line, or its number among the segments; from 1. */
  readonly place: number;
}

/** A segment and where it is in the file: the line of its times, or its number among the segments; from 1. */
export interface PlacedSegment {
  readonly place: number;
  readonly segment: ReceivedSegment;
}

/** The captions whose times the transcript can't have as they are: it has no negative lengths, and no overlaps. */
export function findChangedTimes(captions: readonly PlacedSegment[]): readonly ImportProblem[] {
  const { segments } = timeSegments(
    captions.map(({ segment }) => segment),
    null,
  );
  const timed = new Map(segments.map((segment) => [segment.received, segment]));
  return captions.flatMap(({ place, segment }): ImportProblem[] => {
    // Words can have the times that their segment lacks.
    const startMs = segment.startMs ?? segment.words.find((word) => word.startMs !== undefined)?.startMs;
    const endMs = segment.endMs ?? segment.words.findLast((word) => word.endMs !== undefined)?.endMs;
    if (startMs === undefined && endMs === undefined) return [{ kind: 'untimed', place }];
    if (startMs === undefined || endMs === undefined) return [{ kind: 'half-timed', place }];
    if (endMs < startMs) return [{ kind: 'end', place }];
    const result = timed.get(segment);
    return result?.startMs === startMs && result.endMs === endMs ? [] : [{ kind: 'overlap', place }];
  });
}

/** A summary of any number of problems. */
export interface ImportReport {
  /** A caption with several problems counts once. */
  readonly changedCount: number;
  readonly countedIn: ImportCount;
  readonly kinds: readonly {
    readonly kind: ImportProblemKind;
    readonly count: number;
    /** The first ones. */
    readonly places: readonly number[];
  }[];
}

const mostPlaces = 20;

/** Null: every caption was taken as it was. */
export function reportProblems(problems: readonly ImportProblem[], countedIn: ImportCount): ImportReport | null {
  if (problems.length === 0) return null;
  const kinds = importProblemKinds.flatMap((kind) => {
    const places = problems.filter((problem) => problem.kind === kind).map(({ place }) => place);
    return places.length === 0 ? [] : [{ kind, count: places.length, places: places.slice(0, mostPlaces) }];
  });
  return { changedCount: new Set(problems.map(({ place }) => place)).size, countedIn, kinds };
}
