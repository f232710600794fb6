import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JobView, JobViewState } from '../../../../shared/domain/jobs/job-view.ts';
import { moveBefore } from '../../../../shared/domain/jobs/rank.ts';
import { beforeAfterStep, countByFilter, lineOf, queueItems, sameItems, shownJobs } from './queue-order.ts';

const job = (
  id: string,
  state: JobViewState,
  change: Partial<Extract<JobView, { kind: 'transcribe' }>> = {},
): JobView => ({
  id,
  seq: 1,
  name: `${id}.wav`,
  sizeBytes: 10,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 0,
  rank: 0,
  state,
  ...change,
});
const waiting = (id: string, rank: number) => job(id, { tag: 'waiting', placeInQueue: rank }, { rank });
const done = (id: string, change: Partial<Extract<JobView, { kind: 'transcribe' }>> = {}) =>
  job(id, { tag: 'done', transcriptId: 't', speakerCount: 0, finishedAtMs: 0 }, change);

it('each filter shows the rows it counts, and all of them together are the list', () => {
  const jobs = [waiting('a', 1), done('b'), job('c', { tag: 'cancelled', isAcceptedByService: false })];
  const counts = countByFilter(jobs);
  expect(counts).toEqual({ all: 3, attention: 0, progress: 1, ended: 2 });
  for (const filter of ['all', 'attention', 'progress', 'ended'] as const)
    expect(shownJobs(jobs, filter, 'queue')).toHaveLength(counts[filter]);
});

it('names are sorted naturally: 2 before 10; the longest and the newest come first', () => {
  const jobs = [
    done('10', { durationMs: 5, addedAtMs: 1 }),
    done('2', { durationMs: null, addedAtMs: 3 }),
    done('1', { durationMs: 9, addedAtMs: 2 }),
  ];
  const ids = (order: 'name' | 'length' | 'added') => shownJobs(jobs, 'all', order).map(({ id }) => id);
  expect(ids('name')).toEqual(['1', '2', '10']);
  expect(ids('length')).toEqual(['1', '10', '2']);
  expect(ids('added')).toEqual(['2', '1', '10']);
});

it('a step up and a step down return to the same place, and never go past the ends', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(7), (count, pick) => {
      const jobs = Array.from({ length: count }, (_, at) => waiting(String(at), at + 1));
      const moved = String(pick % count);
      const step = (rows: readonly JobView[], by: -1 | 1): readonly JobView[] => {
        const before = beforeAfterStep(lineOf(rows), moved, by);
        if (before === undefined) return rows;
        const ranks = new Map(moveBefore(rows, new Set([moved]), before).map(({ id, rank }) => [id, rank]));
        return rows.map((row) => ({ ...row, rank: ranks.get(row.id) ?? row.rank }));
      };
      const at = (rows: readonly JobView[]) => lineOf(rows).findIndex(({ id }) => id === moved);
      const down = step(jobs, 1);
      expect(at(down)).toBe(Math.min(count - 1, at(jobs) + 1));
      if (at(down) !== at(jobs)) expect(at(step(down, -1))).toBe(at(jobs));
      expect(at(step(jobs, -1))).toBe(Math.max(0, at(jobs) - 1));
    }),
  );
});

it('finished rows of one title are told apart by their files', () => {
  const text = { language: 'en' as const, wordCount: 1, credits: null };
  const titlesOf = (rows: readonly (readonly [name: string, title: string])[]) =>
    queueItems(
      rows.map(([name], at) => {
        const id = String(at);
        return job(id, { tag: 'done', transcriptId: id, speakerCount: 1, finishedAtMs: 1 }, { name });
      }),
      new Map(rows.map(([, title], at) => [String(at), { ...text, title }])),
      null,
    ).map(({ title }) => title);
  const talks = ['talk.m4a', 'talk.flac'].map((name) => [name, 'talk'] as const);
  expect(titlesOf([...talks, ['other.mp3', 'other']])).toEqual(['talk.m4a', 'talk.flac', 'other']);
  expect(titlesOf([...talks, ['a.wav', 'talk']])[2]).toBe('talk (a.wav)');
  expect(titlesOf([talks[0]!, talks[0]!])).toEqual(['talk', 'talk']);
});

it('a finished row shows the title, the words and the cost of its transcript, and becomes another object only when one of them changes', () => {
  const jobs = [done('a'), waiting('b', 1)];
  const text = { title: 'Rishton kulollari', language: 'uz' as const, wordCount: 812, credits: '4.7' };
  const itemsWith = (facts: typeof text) => queueItems(jobs, new Map([['t', facts]]), null);
  const keepSame = sameItems();
  const [first, second] = keepSame(itemsWith(text));
  expect([first?.title, first?.text, second?.title, second?.text]).toEqual([text.title, text, 'b.wav', null]);
  expect(keepSame(itemsWith({ ...text }))[0]).toBe(first);
  expect(keepSame(itemsWith({ ...text, wordCount: 813 }))[0]).not.toBe(first);
});
