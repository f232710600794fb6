import { err, ok, type Result } from '../../result/result.ts';
import type { Segment, Speaker, TimeSpan, Transcript } from './transcript.ts';

/** One step of a change. It contains the result and not the operation, so that it can be stored and repeated. */
export type Step =
  | { readonly type: 'set'; readonly segments: readonly Segment[] }
  | {
      readonly type: 'splice';
      readonly at: number;
      readonly removed: readonly string[];
      readonly inserted: readonly Segment[];
    }
  | { readonly type: 'shift'; readonly from: number; readonly byMs: number }
  | { readonly type: 'speakers'; readonly speakers: readonly Speaker[] }
  | { readonly type: 'cuts'; readonly cuts: readonly TimeSpan[] }
  /** How long the transcript is, where no recording decides that. */
  | { readonly type: 'duration'; readonly durationMs: number };

export type Change = readonly Step[];

/** Why an operation is not possible; the interface shows it as a message, or does nothing. */
export type EditRefusal =
  | 'unknown-segment'
  | 'unknown-speaker'
  | 'nothing-to-change'
  | 'nothing-to-split'
  | 'nothing-to-merge'
  | 'no-room'
  | 'does-not-fit';

export interface Applied {
  readonly transcript: Transcript;
  /** Restores `transcript` exactly. */
  readonly inverse: Change;
}

/** Applies a change completely or not at all. Costs the number of segments, not of words. */
export function applyChange(transcript: Transcript, change: Change): Result<Applied, EditRefusal> {
  let current = transcript;
  const inverse: Step[] = [];
  for (const step of change) {
    const applied = applyStep(current, step);
    if (applied === null) return err('does-not-fit');
    current = applied.transcript;
    inverse.unshift(applied.inverse);
  }
  return ok({ transcript: current, inverse });
}

type AppliedStep = { readonly transcript: Transcript; readonly inverse: Step };

function applyStep(transcript: Transcript, step: Step): AppliedStep | null {
  switch (step.type) {
    case 'set':
      return applySet(transcript, step.segments);
    case 'splice':
      return applySplice(transcript, step);
    case 'shift':
      if (step.from < 0 || step.from > transcript.segments.length) return null;
      return {
        transcript: {
          ...transcript,
          segments: transcript.segments.map((segment, at) =>
            at < step.from ? segment : shiftSegment(segment, step.byMs),
          ),
        },
        inverse: { type: 'shift', from: step.from, byMs: -step.byMs },
      };
    case 'speakers':
      return {
        transcript: { ...transcript, speakers: step.speakers },
        inverse: { type: 'speakers', speakers: transcript.speakers },
      };
    case 'duration':
      return {
        transcript: { ...transcript, durationMs: step.durationMs },
        inverse: { type: 'duration', durationMs: transcript.durationMs },
      };
    case 'cuts': {
      const { cuts, ...rest } = transcript;
      return {
        transcript: step.cuts.length === 0 ? rest : { ...rest, cuts: step.cuts },
        inverse: { type: 'cuts', cuts: cuts ?? [] },
      };
    }
  }
}

function applySet(transcript: Transcript, replacing: readonly Segment[]): AppliedStep | null {
  const segments = [...transcript.segments];
  const before: Segment[] = [];
  const places = replacing.length > 8 ? new Map(segments.map(({ id }, at) => [id, at])) : null;
  for (const segment of replacing) {
    const at = places === null ? segments.findIndex(({ id }) => id === segment.id) : (places.get(segment.id) ?? -1);
    const old = segments[at];
    if (old === undefined) return null;
    before.push(old);
    segments[at] = segment;
  }
  return { transcript: { ...transcript, segments }, inverse: { type: 'set', segments: before } };
}

function applySplice(
  transcript: Transcript,
  { at, removed, inserted }: Extract<Step, { type: 'splice' }>,
): AppliedStep | null {
  const { segments } = transcript;
  if (at < 0 || at + removed.length > segments.length) return null;
  const old = segments.slice(at, at + removed.length);
  if (old.some(({ id }, index) => id !== removed[index])) return null;
  return {
    transcript: { ...transcript, segments: segments.toSpliced(at, removed.length, ...inserted) },
    inverse: { type: 'splice', at, removed: inserted.map(({ id }) => id), inserted: old },
  };
}

export const shiftSegment = (segment: Segment, byMs: number): Segment => ({
  ...segment,
  startMs: segment.startMs + byMs,
  endMs: segment.endMs + byMs,
  words: segment.words.map((word) => ({ ...word, startMs: word.startMs + byMs, endMs: word.endMs + byMs })),
});

export function joinChanges(first: Change, second: Change): Change {
  const [last] = first.slice(-1);
  const [next] = second;
  if (last?.type !== 'set' || next?.type !== 'set') return [...first, ...second];
  const replaced = new Set(next.segments.map(({ id }) => id));
  const kept = last.segments.filter(({ id }) => !replaced.has(id));
  const joined: Step = { type: 'set', segments: [...kept, ...next.segments] };
  return [...first.slice(0, -1), joined, ...second.slice(1)];
}
