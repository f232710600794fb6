import { truncateSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JobsChange } from '../../electron/queue/queue.ts';
import type { FileSize } from '../../electron/queue/rows.ts';
import { finished, openQueueRig, refuse, takesAll, TestClock, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

let rig: QueueRig;
let online = true;
const clock = new TestClock(50);

beforeEach(async () => {
  online = true;
  rig = await openQueueRig(takesAll, { clock, isOnline: () => online });
});
afterEach(() => rig.close());

it('transcribes files, publishes each change with a higher number, and shows everything again after a restart', async () => {
  const changes: JobsChange[] = [];
  rig.library.jobs.onChanged((change) => changes.push(change));
  await rig.add(rig.record('a.wav', 210), rig.record('b.wav', 220));
  await rig.until(['done', 'done']);
  const [first] = rig.states();
  if (first?.tag !== 'done') throw new Error('not done');
  const opened = await rig.library.transcripts.open(first.transcriptId ?? '');
  expect(opened.ok && opened.value).toMatchObject({
    title: 'a',
    sourceName: 'a.wav',
    isPractice: false,
    transcript: { segments: [{ text: 'Salom dunyo.', endMs: 1500 }] },
  });
  const latest = new Map<string, number>();
  for (const { id, seq } of changes.flatMap(({ jobs }) => jobs)) {
    expect(seq).toBeGreaterThanOrEqual(latest.get(id) ?? 0);
    latest.set(id, seq);
  }
  await rig.reopen();
  expect(rig.tags()).toEqual(['done', 'done']);
  expect(rig.posts()).toHaveLength(2);
});

it('asks before content that was transcribed already is sent again, and sends it on request (already-in-queue)', async () => {
  await rig.add(rig.record('a.wav'));
  await rig.until(['done']);
  await rig.add(rig.record('copy.wav'));
  await rig.until(['done', 'needs-user']);
  expect(rig.posts()).toHaveLength(1);
  const [first, asked] = rig.library.jobs.list().jobs;
  const transcriptId = first?.state.tag === 'done' ? (first.state.transcriptId ?? '') : '';
  expect(asked?.state).toMatchObject({
    failure: {
      kind: 'already-in-queue',
      code: 'duplicate',
      params: { date: expect.any(Number), name: 'a.wav', jobId: first?.id, transcriptId },
    },
  });
  // Cancelling and undoing that is no consent.
  await rig.library.jobs.act([asked?.id ?? ''], 'cancel');
  await rig.library.jobs.act([asked?.id ?? ''], 'undo-cancel');
  await rig.until(['done', 'needs-user']);
  expect(rig.posts()).toHaveLength(1);
  expect((await rig.library.jobs.retry(asked?.id ?? '', true)).ok).toBe(true);
  await rig.until(['done', 'done']);
  expect(rig.keys().size).toBe(2);
});

it('asks also before a text in another language is paid for, whose words are never copied; then charges once', async () => {
  const path = rig.record('a.wav');
  await rig.add(path);
  await rig.until(['done']);
  const [first] = rig.library.jobs.list().jobs;
  const transcriptId = first?.state.tag === 'done' ? (first.state.transcriptId ?? '') : '';
  const other = { path, kind: 'transcribe', language: 'ru', includeSpeakers: true } as const;
  const { jobIds } = await rig.library.jobs.add([other]);
  const [jobId = ''] = jobIds;
  await rig.until(['done', 'needs-user']);
  expect(rig.states()[1]).toMatchObject({
    failure: {
      kind: 'already-in-queue',
      code: 'other_language',
      params: { language: 'uz', name: 'a.wav', transcriptId },
    },
  });
  expect((await rig.library.jobs.copyResult(jobId)).ok).toBe(false);
  expect(rig.posts()).toHaveLength(1);
  await rig.library.jobs.retry(jobId, true);
  await rig.until(['done', 'done']);
  expect(rig.keys().size).toBe(2);
});

it('a recording that is cut short waits for the user, who is asked about it only when it is to be sent all the same', async () => {
  const path = rig.record('cut.wav', 300, 2);
  truncateSync(path, 20_000);
  const request = { path, kind: 'transcribe', language: 'uz', includeSpeakers: false } as const;
  const options = { skipsRepeats: true, holdsCutShort: true };
  const judged: (number | null)[] = [];
  const watch = {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    admit: async (files: readonly FileSize[]) => (judged.push(...files.map(({ durationMs }) => durationMs)), true),
  };
  const added = await rig.library.jobs.add([request, { ...request, path: rig.record('whole.wav') }], watch, options);
  expect([added.cutShort, judged]).toEqual([['cut.wav'], [200]]);
  await rig.until(['paused', 'done']);
  expect(rig.posts()).toHaveLength(1);
  await rig.library.jobs.act(added.jobIds, 'go-on');
  await rig.until(['done', 'done']);
});

it('402 stops paid work once, one item is tried on request, and the rest follow', async () => {
  rig.server.script = refuse(402, 'insufficient_credits');
  await rig.add(...[1, 2, 3, 4].map((at) => rig.record(`${at}.wav`, 200 + at * 11)));
  await rig.until(['blocked', 'blocked', 'blocked', 'blocked']);
  const before = rig.posts().length;
  expect(before).toBeLessThanOrEqual(2);
  await rig.library.jobs.resumeQueue();
  await expect.poll(() => rig.posts().length).toBe(before + 1);
  await rig.until(['blocked', 'blocked', 'blocked', 'blocked']);
  expect(rig.posts()).toHaveLength(before + 1);
  rig.server.script = takesAll;
  await rig.library.jobs.resumeQueue();
  await rig.until(['done', 'done', 'done', 'done']);
  expect(rig.keys().size).toBe(4);
});

it('cancels one row without touching others, keeps what the service accepted, and removes rows for good', async () => {
  rig.server.script = (request, response) =>
    request.method === 'POST'
      ? sendJson(response, 202, { id: 'tr_1' })
      : sendJson(response, 200, { id: 'tr_1', status: 'processing' });
  const { jobIds } = await rig.add(rig.record('a.wav'));
  await expect.poll(() => rig.tags()[0], { timeout: 10_000 }).toMatch(/queued-at-service|processing/);
  const cancelled = await rig.library.jobs.act(jobIds, 'cancel');
  expect(cancelled).toEqual({ ok: true, value: { changedCount: 1, acceptedCount: 1 } });
  expect(rig.states()[0]).toEqual({ tag: 'cancelled', isAcceptedByService: true });
  await rig.library.jobs.remove(jobIds[0] ?? '');
  expect(rig.tags()).toEqual([]);
  // Undone, once; then gone again.
  expect(await rig.library.jobs.bringBack([...jobIds, 'nobody'])).toEqual({ ok: true, value: 1 });
  expect(await rig.library.jobs.bringBack(jobIds)).toEqual({ ok: true, value: 0 });
  expect(rig.tags()).toEqual(['cancelled']);
  await rig.library.jobs.remove(jobIds[0] ?? '');
  await rig.reopen();
  expect(rig.tags()).toEqual([]);
  expect((await rig.library.jobs.remove('nobody')).ok).toBe(false);
});

const idsByName = () => new Map(rig.library.jobs.list().jobs.map(({ name, id }) => [name, id]));
const idOf = (name: string) => idsByName().get(name) ?? '';
const stateOf = (name: string) => rig.library.jobs.list().jobs.find((job) => job.name === name)?.state.tag;
const uploadNames = () => rig.posts().map(({ body }) => /filename="([^"]+)"/.exec(body.toString())?.[1]);
const hold = (isHeld: boolean) => rig.library.jobs.hold(isHeld);

it('paused, it starts nothing, even after a restart; resumed, it sends in the order chosen meanwhile, what is new last', async () => {
  await hold(true);
  rig.library.jobs.setUploadsAtOnce(1);
  await rig.add(...['a', 'b', 'c', 'd', 'e'].map((name, at) => rig.record(`${name}.wav`, 200 + at * 13)));
  await rig.reopen();
  await rig.add(rig.record('new.wav', 300));
  rig.library.jobs.setUploadsAtOnce(1);
  expect(rig.library.jobs.list().queue.isHeld).toBe(true);
  await rig.until(Array.from({ length: 6 }, () => 'waiting'));
  await rig.library.jobs.move([idOf('d.wav'), idOf('c.wav')], idOf('a.wav'));
  await rig.library.jobs.runNext(idOf('b.wav'));
  expect(rig.posts()).toHaveLength(0);
  await hold(false);
  await rig.until(Array.from({ length: 6 }, () => 'done'));
  expect(uploadNames()).toEqual(['b.wav', 'c.wav', 'd.wav', 'a.wav', 'e.wav', 'new.wav']);
  expect(rig.keys().size).toBe(6);
});

it('a pause of one row in the middle of its upload stops it; resuming sends the same file under the same key', async () => {
  rig.server.script = () => undefined;
  await rig.add(rig.record('a.wav', 210));
  await expect.poll(() => rig.posts().length).toBe(1);
  const acted = await rig.library.jobs.act([idOf('a.wav'), 'nobody'], 'pause');
  expect(acted).toEqual({ ok: true, value: { changedCount: 1, acceptedCount: 0 } });
  expect(stateOf('a.wav')).toBe('paused');
  rig.server.script = takesAll;
  await rig.library.jobs.act([idOf('a.wav')], 'go-on');
  await rig.until(['done']);
  expect(rig.keys().size).toBe(1);
});

it('the transcript of a duplicate can be reused without sending, and the copy is edited separately', async () => {
  await rig.add(rig.record('a.wav'));
  await rig.until(['done']);
  await rig.add(rig.record('copy.wav'));
  await rig.until(['done', 'needs-user']);
  expect(await rig.library.jobs.copyResult(idOf('copy.wav'))).toEqual({ ok: true, value: null });
  await rig.until(['done', 'done']);
  const [first, second] = rig.states();
  if (first?.tag !== 'done' || second?.tag !== 'done') throw new Error('not done');
  expect(second.transcriptId).not.toBe(first.transcriptId);
  const copy = await rig.library.transcripts.open(second.transcriptId ?? '');
  expect(copy.ok && copy.value).toMatchObject({
    title: 'copy',
    transcript: { segments: [{ text: 'Salom dunyo.' }] },
  });
  expect(rig.posts()).toHaveLength(1);
  expect((await rig.library.jobs.copyResult(idOf('a.wav'))).ok).toBe(false);
});

it('keeps the answer of the service beside a text, and that to a recording which failed there', async () => {
  await rig.add(rig.record('a.wav', 210));
  await rig.until(['done']);
  rig.server.script = (_request, response) => sendJson(response, 200, { data: { id: 'tr_2', status: 'failed' } });
  await rig.add(rig.record('b.wav', 220));
  await rig.until(['done', 'failed']);
  const ids = rig.library.jobs.list().jobs.map(({ id }) => id);
  const kept = await Promise.all(ids.map((id) => rig.library.jobs.rawAnswer(id)));
  expect(kept.map((answer) => (answer.ok ? JSON.parse(answer.value.text) : answer.error.kind))).toMatchObject([
    { data: { status: 'completed' } },
    { data: { status: 'failed' } },
  ]);
});

it('a read that comes due while the computer is offline is made as soon as it is back', async () => {
  rig.server.script = (request, response) => {
    if (request.method === 'POST') sendJson(response, 202, { data: { id: 'tr_1', status: 'queued' } });
    else sendJson(response, 200, { data: { id: 'tr_1', status: 'queued' } });
  };
  await rig.add(rig.record('a.wav', 210));
  await rig.until(['queued-at-service']);
  await rig.library.jobs.hold(true);
  await rig.add(rig.record('b.wav', 220));
  await rig.until(['queued-at-service', 'waiting']);
  online = false;
  await rig.until(['queued-at-service', 'blocked']);
  rig.server.script = (_request, response) => sendJson(response, 200, finished('tr_1'));
  online = true;
  rig.library.jobs.noteNetworkChange(new Set());
  await rig.until(['done', 'waiting']);
});
