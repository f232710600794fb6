import { timeSegments } from '../transcript/from-received.ts';
import type { ReceivedSegment } from '../transcript/received.ts';
import type { TimeSpan } from '../transcript/transcript.ts';

/** What can happen to a caption of a file, the worst first; the words are in `transcripts.report.kinds`. */
export const importProblemKinds = [
  'unreadable',
  'empty',
  'end',
  'order',
  'untimed',
  'half-timed',
  'marks',
  'position',
] as const;
type ImportProblemKind = (typeof importProblemKinds)[number];

/** What the places in a file are numbers of: a file of captions has lines, one of data may have only one. */
export const importCounts = ['lines', 'segments'] as const;
export type ImportCount = (typeof importCounts)[number];

export interface ImportProblem {
  readonly kind: ImportProblemKind;
  /** Its first or its time line, or its number among the segments; from 1. */
  readonly place: number;
  readonly caption?: number;
  readonly times?: { readonly before: TimeSpan; readonly after: TimeSpan };
}

export interface PlacedSegment {
  readonly place: number;
  readonly segment: ReceivedSegment;
}

/** The captions whose times the transcript can't have as they are: it has no negative lengths. */
export function findChangedTimes(captions: readonly PlacedSegment[]): readonly ImportProblem[] {
  const { segments } = timeSegments(
    captions.map(({ segment }) => segment),
    null,
    'kept',
  );
  const timed = new Map(segments.map((segment) => [segment.received, segment]));
  return captions.flatMap(({ place, segment }): ImportProblem[] => {
    // Words can have the times that their segment lacks.
    const startMs = segment.startMs ?? segment.words.find((word) => word.startMs !== undefined)?.startMs;
    const endMs = segment.endMs ?? segment.words.findLast((word) => word.endMs !== undefined)?.endMs;
    if (startMs === undefined && endMs === undefined) return [{ kind: 'untimed', place }];
    if (startMs === undefined || endMs === undefined) return [{ kind: 'half-timed', place }];
    const result = timed.get(segment);
    const after = { startMs: result?.startMs ?? startMs, endMs: result?.endMs ?? endMs };
    const times = { before: { startMs, endMs }, after };
    return endMs < startMs ? [{ kind: 'end', place, times }] : [];
  });
}

export function findMoved(captions: readonly PlacedSegment[]): readonly ImportProblem[] {
  const timed = captions.flatMap(({ place, segment: { startMs } }) =>
    startMs === undefined ? [] : { place, startMs },
  );
  return timed.flatMap(({ place, startMs }, at) =>
    startMs < (timed[at - 1]?.startMs ?? 0) ? [{ kind: 'order', place } as const] : [],
  );
}

export interface ImportReport {
  /** A caption with several problems counts once. */
  readonly changedCount: number;
  readonly countedIn: ImportCount;
  readonly kinds: readonly {
    readonly kind: ImportProblemKind;
    readonly count: number;
    readonly places: readonly number[];
    /** The captions there, in the same order; empty where there are none or they are counted as the places are. */
    readonly captions: readonly number[];
    /** How their times changed, in the same order; empty for problems of other kinds. */
    readonly changes: readonly { readonly before: TimeSpan; readonly after: TimeSpan }[];
  }[];
}

const mostPlaces = 20;

export function reportProblems(problems: readonly ImportProblem[], countedIn: ImportCount): ImportReport | null {
  if (problems.length === 0) return null;
  const kinds = importProblemKinds.flatMap((kind) => {
    const own = problems.filter((problem) => problem.kind === kind);
    const first = own.slice(0, mostPlaces);
    const captions = first.flatMap(({ caption }) => caption ?? []);
    const changes = first.flatMap(({ times }) => times ?? []);
    if (own.length === 0) return [];
    return [{ kind, count: own.length, places: first.map(({ place }) => place), captions, changes }];
  });
  return { changedCount: new Set(problems.map(({ place }) => place)).size, countedIn, kinds };
}
