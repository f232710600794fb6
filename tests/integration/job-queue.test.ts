import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import type { JobsChange } from '../../electron/services/jobs/job-service.ts';
import { openQueueRig, refuse, takesAll, TestClock, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

let rig: QueueRig;
let online = true;
const clock = new TestClock(50);

beforeEach(async () => {
  online = true;
  rig = await openQueueRig(takesAll, { clock, isOnline: () => online });
});
afterEach(() => rig.close());

describe('the queue', () => {
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

  it('asks before content that was transcribed already is sent again, and sends it on request (E-212)', async () => {
    await rig.add(rig.record('a.wav'));
    await rig.until(['done']);
    await rig.add(rig.record('copy.wav'));
    await rig.until(['done', 'needs-user']);
    expect(rig.posts()).toHaveLength(1);
    const [first, asked] = rig.library.jobs.list().jobs;
    const transcriptId = first?.state.tag === 'done' ? (first.state.transcriptId ?? '') : '';
    expect(asked?.state).toMatchObject({
      failure: {
        row: 'E-212',
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

  it('a row of which nothing was sent gets another language in place; one that was sent keeps its own', async () => {
    await rig.library.jobs.hold(true);
    await rig.add(rig.record('a.wav', 230), rig.record('b.wav', 240));
    await rig.until(['waiting', 'waiting']);
    const rows = () =>
      rig.library.jobs
        .list()
        .jobs.toSorted((one, other) => one.rank - other.rank)
        .map((job) => [job.name, job.kind === 'transcribe' ? job.language : '']);
    const first = rig.library.jobs.list().jobs.find(({ name }) => name === 'a.wav');
    expect(await rig.library.jobs.changeLanguage(first?.id ?? '', 'en')).toEqual({ ok: true, value: null });
    expect(rows()).toEqual([
      ['a.wav', 'en'],
      ['b.wav', 'uz'],
    ]);
    await rig.reopen();
    expect(rows()[0]).toEqual(['a.wav', 'en']);
    await rig.library.jobs.hold(false);
    await rig.until(['done', 'done']);
    expect(rig.posts().filter(({ body }) => /name="language"\r\n\r\nen\r\n/u.test(body.toString()))).toHaveLength(1);
    const done = rig.library.jobs.list().jobs.find(({ name }) => name === 'b.wav');
    expect(await rig.library.jobs.changeLanguage(done?.id ?? '', 'en')).toMatchObject({ ok: false });
  });

  it('a paused row that gets another language stays paused and with its API, also after a restart', async () => {
    await rig.library.jobs.hold(true);
    const path = rig.record('a.wav', 230);
    const options = { kind: 'transcribe', language: 'uz', includeSpeakers: true, isLegacy: true } as const;
    const added = await rig.library.jobs.add([{ path, ...options }]);
    await rig.library.jobs.act(added.jobIds, 'pause');
    await rig.until(['paused']);
    expect(await rig.library.jobs.changeLanguage(added.jobIds[0] ?? '', 'ru')).toEqual({ ok: true, value: null });
    const expected = [{ state: { tag: 'paused' }, language: 'ru', includeSpeakers: true, isLegacy: true }];
    expect(rig.library.jobs.list().jobs).toMatchObject(expected);
    await rig.library.jobs.hold(false);
    await rig.reopen();
    expect(rig.library.jobs.list().jobs).toMatchObject(expected);
    expect(rig.server.seen).toEqual([]);
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

  it('a refused key stops everything, a new key resumes it under the same idempotency keys', async () => {
    rig.server.script = refuse(401, 'invalid_api_key');
    await rig.add(rig.record('a.wav'));
    await rig.until(['blocked']);
    expect(rig.states()[0]).toMatchObject({ by: 'key', failure: { row: 'E-032' } });
    rig.server.script = takesAll;
    rig.connection = { kind: 'service', baseUrl: rig.server.url, key: new Secret('sk-test-0000000002') };
    rig.library.jobs.noteConnectionChange();
    await rig.until(['done']);
    expect(rig.keys().size).toBe(1);
  });

  it('without a model each row is tried once and waits, holds no other language back, and goes on when a model is here', async () => {
    const missing = refuse(503, 'model_missing');
    const isRussian = (body: Buffer) => /name="language"\r\n\r\nru\r\n/u.test(body.toString());
    rig.server.script = (request, response, place) =>
      (request.method === 'POST' && !isRussian(request.body) ? missing : takesAll)(request, response, place);
    await rig.add(rig.record('a.wav', 210), rig.record('b.wav', 220));
    await rig.until(['blocked', 'blocked']);
    expect(rig.states()[0]).toMatchObject({ by: 'model', failure: { row: 'E-250' } });
    const options = { kind: 'transcribe', language: 'ru', includeSpeakers: false } as const;
    await rig.library.jobs.add([{ path: rig.record('c.wav', 230), ...options }]);
    await expect.poll(() => rig.tags().toSorted(), { timeout: 10_000 }).toEqual(['blocked', 'blocked', 'done']);
    expect(rig.posts()).toHaveLength(3);
    rig.server.script = takesAll;
    rig.library.jobs.noteConnectionChange();
    await rig.until(['done', 'done', 'done']);
    expect(rig.keys().size).toBe(3);
  });

  it('after 429 nothing is sent before its time, by anything', async () => {
    const at: number[] = [];
    rig.server.script = (request, response, place) => {
      at.push(clock.now());
      if (place.number === 1) return refuse(429, 'rate_limited', { 'retry-after': '20' })(request, response, place);
      return takesAll(request, response, place);
    };
    await rig.add(rig.record('a.wav', 210));
    await rig.until(['retrying']);
    await rig.add(rig.record('b.wav', 220));
    await rig.until(['done', 'done']);
    for (const later of at.slice(1)) expect(later - (at[0] ?? 0)).toBeGreaterThanOrEqual(20_000);
  });

  it('offline: nothing is sent, and it resumes automatically when the network is back', async () => {
    online = false;
    await rig.add(rig.record('a.wav'));
    await rig.until(['blocked']);
    expect(rig.states()[0]).toMatchObject({ by: 'offline' });
    expect(rig.posts()).toHaveLength(0);
    online = true;
    rig.library.jobs.noteConnectionChange();
    await rig.until(['done']);
  });

  it('a completed job whose record shows no text gets it from its export; if that is empty the user is asked', async () => {
    let exported: object = { text: 'Eksportdan kelgan matn.' };
    rig.server.script = (request, response, at) => {
      if (request.method === 'POST') return sendJson(response, 202, { id: `tr_${at.number}`, status: 'queued' });
      if (request.url.includes('/export')) return sendJson(response, 200, exported);
      return sendJson(response, 200, { id: 'tr_9', status: 'completed' });
    };
    await rig.add(rig.record('a.wav', 210));
    await rig.until(['done']);
    // An envelope without words is no transcript, though its letters could be shown as one.
    exported = { items: [] };
    const { jobIds } = await rig.add(rig.record('b.wav', 220));
    await expect.poll(() => rig.tags()[1], { timeout: 15_000 }).not.toBe('preparing');
    await expect.poll(() => rig.tags()[1], { timeout: 15_000 }).toBe('needs-user');
    expect(jobIds).toHaveLength(1);
    expect(rig.posts()).toHaveLength(2);
  });

  it('a lost job is looked up and never uploaded again automatically (E-041)', async () => {
    rig.server.script = (request, response) => {
      if (request.method === 'POST') return sendJson(response, 202, { id: 'tr_lost' });
      if (request.url.includes('tr_lost'))
        return sendJson(response, 404, { error: { code: 'not_found' }, message: 'x' });
      return sendJson(response, 200, { data: [], next_cursor: null });
    };
    await rig.add(rig.record('a.wav'));
    await rig.until(['needs-user']);
    expect(rig.states()[0]).toMatchObject({ failure: { row: 'E-041' } });
    expect(rig.posts()).toHaveLength(1);
  });

  it('a file that changed after it was added needs confirmation, and its new version has a new key (E-011)', async () => {
    rig.server.script = (_request, _response, at) => void at.socket.resetAndDestroy();
    online = false;
    const path = rig.record('a.wav');
    await rig.add(path);
    await rig.until(['blocked']);
    appendFileSync(path, 'more');
    rig.server.script = takesAll;
    online = true;
    rig.library.jobs.noteConnectionChange();
    await rig.until(['needs-user']);
    expect(rig.states()[0]).toMatchObject({ failure: { row: 'E-011' } });
    expect(rig.posts()).toHaveLength(0);
    await rig.library.jobs.retry(rig.library.jobs.list().jobs[0]?.id ?? '', true);
    await rig.until(['done']);
  });

  it('cancels one row without touching others, keeps what the service accepted, and removes rows for good', async () => {
    rig.server.script = (request, response) =>
      request.method === 'POST'
        ? sendJson(response, 202, { id: 'tr_1' })
        : sendJson(response, 200, { id: 'tr_1', status: 'processing' });
    const { jobIds } = await rig.add(rig.record('a.wav'));
    await expect.poll(() => rig.tags()[0], { timeout: 10_000 }).toMatch(/queued-at-service|processing/);
    expect(await rig.library.jobs.cancel(jobIds[0] ?? '')).toEqual({ ok: true, value: { isAcceptedByService: true } });
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
    expect((await rig.library.jobs.cancel('nobody')).ok).toBe(false);
  });

  it('stops within three seconds although the service never answers, and resumes under the same key', async () => {
    rig.server.script = () => undefined;
    await rig.add(rig.record('a.wav'));
    await expect.poll(() => rig.posts().length, { timeout: 10_000 }).toBe(1);
    rig.server.script = takesAll;
    const begun = performance.now();
    await rig.reopen();
    expect(performance.now() - begun).toBeLessThan(3_000);
    await rig.until(['done']);
    expect(rig.keys().size).toBe(1);
  });
});
