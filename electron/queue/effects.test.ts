import { expect, it } from 'vitest';
import { addedJob, movedOn } from '../../tests/support/library-to-damage.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { SttApi } from '../service/stt.ts';
import type { StoredJob } from '../services/library/store.ts';
import type { LibraryStore } from '../storage/sqlite-library-store.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { findAtService, runEffect } from './effects.ts';

const added = movedOn(addedJob(1), () => 0.2);
const sentAtMs = Date.UTC(2026, 10, 20);
const { intent } = added.memory;
if (intent === null) throw new Error('a job that was sent');
const job = { ...added, memory: { ...added.memory, intent: { ...intent, remoteId: null, firstSentAtMs: sentAtMs } } };

const item = (remoteId: string, more: { readonly language?: string; readonly createdAt?: string } = {}) => ({
  remoteId,
  title: job.name,
  language: 'uz',
  createdAt: new Date(sentAtMs + 1000).toISOString(),
  ...more,
});
type Item = ReturnType<typeof item>;

const find = async (items: readonly Item[], taken: readonly string[] = [], searched: StoredJob = job) => {
  const api = { list: async () => ok({ items, nextCursor: null }) } as unknown as SttApi;
  const store = { isRemoteIdTaken: (id: string) => taken.includes(id) } as unknown as LibraryStore;
  const found = await findAtService(
    { api, store } as unknown as Parameters<typeof findAtService>[0],
    searched,
    new AbortController().signal,
  );
  return found.ok ? found.value : found.error.kind;
};

const longBefore = { createdAt: new Date(sentAtMs - 3_600_000).toISOString() };
it.each([
  ['that matches by name, time and language is adopted', [item('a')], [], 'a'],
  ['from before the sending is not', [item('a', longBefore)], [], null],
  ['in another language is not', [item('a', { language: 'ru' })], [], null],
  ['of another row is not: two recordings of one name would share a text', [item('a')], ['a'], null],
  ['is adopted beside one of another row', [item('a'), item('b')], ['a'], 'b'],
  ['of several that match is not', [item('a'), item('b')], [], null],
])('a job at the service %s', async (_which, items, taken, adopted) => {
  expect(await find(items, taken)).toBe(adopted);
});

it('a video is found by the name under which its audio was sent', async () => {
  const memory = { ...job.memory, intent: { ...job.memory.intent, preparedName: `${'a'.repeat(64)}.m4a` } };
  const video = { ...job, name: 'talk.mp4', memory };
  expect(await find([{ ...item('a'), title: 'talk.m4a' }], [], video)).toBe('a');
  expect(await find([{ ...item('a'), title: 'talk.wav' }], [], video)).toBeNull();
});

it('a job that is found at the legacy API keeps its id, although it can’t be read yet', async () => {
  const legacy = {
    longTranscriptions: async () => ok({ items: [{ ...item('a'), id: 'a' }] }),
    longTranscription: async () => err(makeFailure('offline')),
  };
  const state = { tag: 'sending', wasUnsettled: true } as const;
  const lost = { ...job, isLegacy: true, memory: { ...job.memory, state } } as StoredJob;
  const deps = { client: { legacy }, store: { isRemoteIdTaken: () => false }, random: () => 0 };
  const report = await runEffect(
    deps as unknown as Parameters<typeof runEffect>[0],
    'send',
    lost,
    new AbortController().signal,
    () => undefined,
  );
  expect(report().event).toMatchObject({ type: 'answered', answer: { remoteId: 'a' } });
});
