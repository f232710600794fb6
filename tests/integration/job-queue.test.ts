import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret, type Connection } from '../../electron/api/connection.ts';
import { openLibrary } from '../../electron/entries/compose/open-library.ts';
import type { Clock } from '../../electron/services/jobs/ports.ts';
import type { JobsChange, Library } from '../../electron/services/library/library.ts';
import type { JobViewState } from '../../shared/domain/jobs/job-view.ts';
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from '../support/scripted-server.ts';
import { toneWav } from '../support/tone-wav.ts';

/** Time of the queue runs fifty times as fast: its waits are seconds and minutes. */
const speed = 50;
const start = Date.now();
const fastClock: Clock = {
  now: () => start + (Date.now() - start) * speed,
  monotonic: () => performance.now() * speed,
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.max(0, ms) / speed);
    return () => clearTimeout(timer);
  },
};

const root = mkdtempSync(join(tmpdir(), 'ovoz-queue-'));
let server: ScriptedServer;
let library: Library;
let folder = '';
let number = 0;
let online = true;
let connection: Connection | null;

const done = (id: string) => ({
  data: { id, status: 'completed', text: 'Salom dunyo.', segments: [{ start: 0, end: 1.5, text: 'Salom dunyo.' }] },
});
const takesAll: Script = (request, response, at) =>
  sendJson(response, 200, request.method === 'POST' ? done(`tr_${at.number}`) : { data: [], next_cursor: null });
const refuse =
  (status: number, code: string, headers = {}): Script =>
  (_request, response) =>
    sendJson(response, status, { error: { code }, message: 'no', request_id: 'req_1' }, headers);
const posts = () => server.seen.filter(({ method }) => method === 'POST');
const keys = () => new Set(posts().map(({ headers }) => headers['idempotency-key']));
const record = (name: string, hertz = 300): string => {
  const path = join(folder, name);
  writeFileSync(path, toneWav(hertz, 0.2));
  return path;
};
const add = (...paths: readonly string[]) =>
  library.jobs.add(paths.map((path) => ({ path, language: 'uz', includeSpeakers: false })));
const states = (): readonly JobViewState[] => library.jobs.list().jobs.map(({ state }) => state);
const tags = () => states().map(({ tag }) => tag);
const until = (expected: readonly string[]) => expect.poll(tags, { timeout: 15_000, interval: 20 }).toEqual(expected);

async function open(): Promise<void> {
  const opened = await openLibrary({
    kind: 'service',
    dataDir: join(folder, 'data'),
    source: () => connection,
    soundWorker: new URL('../../electron/entries/sound.ts', import.meta.url),
    log: { write: () => undefined },
    isOnline: () => online,
    allowsLoopbackHttp: true,
    clock: fastClock,
  });
  if (!opened.ok) throw new Error(opened.error.row);
  library = opened.value;
  await library.jobs.start();
}

beforeEach(async () => {
  number += 1;
  folder = join(root, String(number));
  mkdirSync(folder);
  online = true;
  server = await startScriptedServer(takesAll);
  connection = { kind: 'service', baseUrl: server.url, key: new Secret('sk-test-0000000001') };
  await open();
});
afterEach(async () => {
  await library.close();
  await server.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the queue', () => {
  it('takes files to text, tells each change with a higher number, and shows it all again after a restart', async () => {
    const changes: JobsChange[] = [];
    library.jobs.onChanged((change) => changes.push(change));
    await add(record('a.wav', 210), record('b.wav', 220));
    await until(['done', 'done']);
    const [first] = states();
    if (first?.tag !== 'done') throw new Error('not done');
    const opened = await library.transcripts.open(first.transcriptId);
    expect(opened.ok && opened.value).toMatchObject({
      title: 'a',
      sourceName: 'a.wav',
      isPractice: false,
      transcript: { segments: [{ text: 'Salom dunyo.', endMs: 1500 }] },
    });
    const seqs = changes.flatMap(({ jobs }) => jobs.map(({ seq }) => seq));
    expect(Math.max(...seqs)).toBeLessThanOrEqual(library.jobs.list().seq);
    expect(changes.every((change, index) => index === 0 || change.seq >= (changes[index - 1]?.seq ?? 0))).toBe(true);
    await library.close();
    await open();
    expect(tags()).toEqual(['done', 'done']);
    expect(posts()).toHaveLength(2);
  });

  it('asks before content that was transcribed already is sent again, and sends it when a person says so (E-212)', async () => {
    await add(record('a.wav'));
    await until(['done']);
    await add(record('copy.wav'));
    await until(['done', 'needs-user']);
    expect(posts()).toHaveLength(1);
    const [first, asked] = library.jobs.list().jobs;
    const transcriptId = first?.state.tag === 'done' ? first.state.transcriptId : '';
    expect(asked?.state).toMatchObject({
      failure: { row: 'E-212', params: { date: expect.any(Number), transcriptId } },
    });
    expect((await library.jobs.retry(asked?.id ?? '', true)).ok).toBe(true);
    await until(['done', 'done']);
    expect(keys().size).toBe(2);
  });

  it('402 stops paid work once, one item is tried when a person says so, and the rest follow', async () => {
    server.script = refuse(402, 'insufficient_credits');
    await add(...[1, 2, 3, 4].map((at) => record(`${at}.wav`, 200 + at * 11)));
    await until(['blocked', 'blocked', 'blocked', 'blocked']);
    const before = posts().length;
    expect(before).toBeLessThanOrEqual(2);
    await library.jobs.resumeQueue();
    await expect.poll(() => posts().length).toBe(before + 1);
    await until(['blocked', 'blocked', 'blocked', 'blocked']);
    expect(posts()).toHaveLength(before + 1);
    server.script = takesAll;
    await library.jobs.resumeQueue();
    await until(['done', 'done', 'done', 'done']);
    expect(keys().size).toBe(4);
  });

  it('a refused key stops everything, a new key lets it go on under the same idempotency keys', async () => {
    server.script = refuse(401, 'invalid_api_key');
    await add(record('a.wav'));
    await until(['blocked']);
    expect(states()[0]).toMatchObject({ by: 'key', failure: { row: 'E-032' } });
    server.script = takesAll;
    connection = { kind: 'service', baseUrl: server.url, key: new Secret('sk-test-0000000002') };
    library.jobs.noteConnectionChange();
    await until(['done']);
    expect(keys().size).toBe(1);
  });

  it('429 is not asked again before its time, by anybody', async () => {
    const at: number[] = [];
    server.script = (request, response, place) => {
      at.push(fastClock.now());
      if (place.number === 1) return refuse(429, 'rate_limited', { 'retry-after': '20' })(request, response, place);
      return takesAll(request, response, place);
    };
    await add(record('a.wav', 210));
    await until(['retrying']);
    await add(record('b.wav', 220));
    await until(['done', 'done']);
    for (const later of at.slice(1)) expect(later - (at[0] ?? 0)).toBeGreaterThanOrEqual(20_000);
  });

  it('offline: nothing is sent, and it goes on by itself when the network is back', async () => {
    online = false;
    await add(record('a.wav'));
    await until(['blocked']);
    expect(states()[0]).toMatchObject({ by: 'offline' });
    expect(posts()).toHaveLength(0);
    online = true;
    library.jobs.noteConnectionChange();
    await until(['done']);
  });

  it('a completed job whose record shows no text gives it by its export; when that is empty a person is asked', async () => {
    let exported: object = { text: 'Eksportdan kelgan matn.' };
    server.script = (request, response, at) => {
      if (request.method === 'POST') return sendJson(response, 202, { id: `tr_${at.number}`, status: 'queued' });
      if (request.url.includes('/export')) return sendJson(response, 200, exported);
      return sendJson(response, 200, { id: 'tr_9', status: 'completed' });
    };
    await add(record('a.wav', 210));
    await until(['done']);
    // An envelope without words is no text, though its letters could be shown as one.
    exported = { items: [] };
    const { jobIds } = await add(record('b.wav', 220));
    await expect.poll(() => tags()[1], { timeout: 15_000 }).not.toBe('preparing');
    await expect.poll(() => tags()[1], { timeout: 15_000 }).toBe('needs-user');
    expect(jobIds).toHaveLength(1);
    expect(posts()).toHaveLength(2);
  });

  it('a lost job is looked for and never uploaded again by itself (E-041)', async () => {
    server.script = (request, response) => {
      if (request.method === 'POST') return sendJson(response, 202, { id: 'tr_lost' });
      if (request.url.includes('tr_lost'))
        return sendJson(response, 404, { error: { code: 'not_found' }, message: 'x' });
      return sendJson(response, 200, { data: [], next_cursor: null });
    };
    await add(record('a.wav'));
    await until(['needs-user']);
    expect(states()[0]).toMatchObject({ failure: { row: 'E-041' } });
    expect(posts()).toHaveLength(1);
  });

  it('a file that changed after it was added is asked about, and its new version has a new key (E-011)', async () => {
    server.script = (_request, _response, at) => void at.socket.resetAndDestroy();
    online = false;
    const path = record('a.wav');
    await add(path);
    await until(['blocked']);
    appendFileSync(path, 'more');
    server.script = takesAll;
    online = true;
    library.jobs.noteConnectionChange();
    await until(['needs-user']);
    expect(states()[0]).toMatchObject({ failure: { row: 'E-011' } });
    expect(posts()).toHaveLength(0);
    await library.jobs.retry(library.jobs.list().jobs[0]?.id ?? '', true);
    await until(['done']);
  });

  it('cancels one row without touching others, keeps what the service took, and removes rows for good', async () => {
    server.script = (request, response) =>
      request.method === 'POST'
        ? sendJson(response, 202, { id: 'tr_1' })
        : sendJson(response, 200, { id: 'tr_1', status: 'processing' });
    const { jobIds } = await add(record('a.wav'));
    await expect.poll(() => tags()[0], { timeout: 10_000 }).toMatch(/queued-at-service|processing/);
    expect(await library.jobs.cancel(jobIds[0] ?? '')).toEqual({ ok: true, value: { isAcceptedByService: true } });
    expect(states()[0]).toEqual({ tag: 'cancelled', isAcceptedByService: true });
    await library.jobs.remove(jobIds[0] ?? '');
    expect(tags()).toEqual([]);
    await library.close();
    await open();
    expect(tags()).toEqual([]);
    expect((await library.jobs.cancel('nobody')).ok).toBe(false);
  });

  it('stops within three seconds although the service never answers, and goes on under the same key', async () => {
    server.script = () => undefined;
    await add(record('a.wav'));
    await expect.poll(() => posts().length, { timeout: 10_000 }).toBe(1);
    const begun = performance.now();
    await library.close();
    expect(performance.now() - begun).toBeLessThan(3_000);
    server.script = takesAll;
    await open();
    await until(['done']);
    expect(keys().size).toBe(1);
  });
});

describe('a person’s hand on the queue', () => {
  const idsByName = () => new Map(library.jobs.list().jobs.map(({ name, id }) => [name, id]));
  const idOf = (name: string) => idsByName().get(name) ?? '';
  const stateOf = (name: string) => library.jobs.list().jobs.find((job) => job.name === name)?.state.tag;
  const uploadNames = () => posts().map(({ body }) => /filename="([^"]+)"/.exec(body.toString())?.[1]);
  const hold = (isHeld: boolean) => library.jobs.hold(isHeld);

  it('paused, it begins nothing, also after a restart; going on, it sends in the order that was chosen meanwhile', async () => {
    await hold(true);
    library.jobs.setUploadsAtOnce(1);
    await add(...['a', 'b', 'c', 'd'].map((name, at) => record(`${name}.wav`, 200 + at * 13)));
    await library.close();
    await open();
    library.jobs.setUploadsAtOnce(1);
    expect(library.jobs.list().queue.isHeld).toBe(true);
    await until(['waiting', 'waiting', 'waiting', 'waiting']);
    await library.jobs.move([idOf('d.wav'), idOf('c.wav')], idOf('a.wav'));
    await library.jobs.runNext(idOf('b.wav'));
    expect(posts()).toHaveLength(0);
    await hold(false);
    await until(['done', 'done', 'done', 'done']);
    expect(uploadNames()).toEqual(['b.wav', 'c.wav', 'd.wav', 'a.wav']);
    expect(keys().size).toBe(4);
  });

  it('a pause in the middle of an upload stops it; going on sends the same file under the same key', async () => {
    server.script = () => undefined;
    await add(record('a.wav', 210), record('b.wav', 220));
    await expect.poll(() => posts().length).toBe(2);
    const acted = await library.jobs.act([idOf('a.wav'), 'nobody'], 'pause');
    expect(acted).toEqual({ ok: true, value: { changedCount: 1, acceptedCount: 0 } });
    expect(stateOf('a.wav')).toBe('paused');
    server.script = takesAll;
    await hold(true);
    expect(stateOf('b.wav')).toBe('waiting');
    await hold(false);
    await expect.poll(() => stateOf('b.wav')).toBe('done');
    expect(stateOf('a.wav')).toBe('paused');
    await library.jobs.act([idOf('a.wav')], 'go-on');
    await until(['done', 'done']);
    expect(keys().size).toBe(2);
  });

  it('more uploads at once begin at once, and fewer let those that run come to their end', async () => {
    const waiting: (() => void)[] = [];
    server.script = (request, response, at) => {
      if (request.method === 'POST') waiting.push(() => void takesAll(request, response, at));
      else void takesAll(request, response, at);
    };
    await add(...[1, 2, 3, 4, 5, 6].map((at) => record(`${String(at)}.wav`, 200 + at * 11)));
    await expect.poll(() => waiting.length).toBe(2);
    library.jobs.setUploadsAtOnce(5);
    await expect.poll(() => waiting.length).toBe(5);
    library.jobs.setUploadsAtOnce(1);
    for (const answer of waiting.splice(0, 4)) answer();
    await expect.poll(() => tags().filter((tag) => tag === 'done').length).toBe(4);
    expect([waiting.length, tags().filter((tag) => tag === 'uploading').length]).toEqual([1, 1]);
    for (const answer of waiting.splice(0)) answer();
    await expect.poll(() => waiting.length).toBe(1);
    for (const answer of waiting.splice(0)) answer();
    await until(['done', 'done', 'done', 'done', 'done', 'done']);
    expect(posts()).toHaveLength(6);
  });

  it('the text of a twin can be taken over without a send, and the copy is edited by itself', async () => {
    await add(record('a.wav'));
    await until(['done']);
    await add(record('copy.wav'));
    await until(['done', 'needs-user']);
    expect(await library.jobs.copyResult(idOf('copy.wav'))).toEqual({ ok: true, value: null });
    await until(['done', 'done']);
    const [first, second] = states();
    if (first?.tag !== 'done' || second?.tag !== 'done') throw new Error('not done');
    expect(second.transcriptId).not.toBe(first.transcriptId);
    const copy = await library.transcripts.open(second.transcriptId);
    expect(copy.ok && copy.value).toMatchObject({
      title: 'copy',
      transcript: { segments: [{ text: 'Salom dunyo.' }] },
    });
    expect(posts()).toHaveLength(1);
    expect((await library.jobs.copyResult(idOf('a.wav'))).ok).toBe(false);
  });

  it('one wish cancels or removes many rows, and says how many of them the service has all the same', async () => {
    server.script = (request, response, at) =>
      request.method === 'POST'
        ? sendJson(response, 202, { id: `tr_${String(at.number)}` })
        : sendJson(response, 200, { id: 'tr', status: 'processing' });
    await add(record('a.wav', 210), record('b.wav', 220));
    await expect.poll(() => tags().every((tag) => /queued-at-service|processing/.test(tag))).toBe(true);
    await hold(true);
    await add(record('c.wav', 230));
    const ids = library.jobs.list().jobs.map(({ id }) => id);
    expect(await library.jobs.act(ids, 'cancel')).toEqual({ ok: true, value: { changedCount: 3, acceptedCount: 2 } });
    expect((await library.jobs.act(ids, 'remove')).ok).toBe(true);
    expect(tags()).toEqual([]);
    await library.close();
    await open();
    expect(tags()).toEqual([]);
  });

  it('a recording that was moved is found again by a person and goes on (E-010)', async () => {
    await hold(true);
    const path = record('a.wav');
    await add(path);
    const moved = join(folder, 'elsewhere.wav');
    renameSync(path, moved);
    await hold(false);
    await until(['needs-user']);
    expect(states()[0]).toMatchObject({ failure: { row: 'E-010' } });
    expect((await library.jobs.relocate(idOf('a.wav'), moved)).ok).toBe(true);
    await until(['done']);
  });

  it('learns how long uploads and the service take, and knows it after a restart', async () => {
    await add(...Array.from({ length: 10 }, (_, at) => record(`${String(at)}.wav`, 200 + at * 11)));
    await expect.poll(() => tags().filter((tag) => tag === 'done').length, { timeout: 15_000 }).toBe(10);
    expect(library.jobs.list().queue.pace.sampleCount).toBe(10);
    await library.close();
    await open();
    expect(library.jobs.list().queue.pace).toMatchObject({ sampleCount: 10, serviceMs: expect.any(Number) });
  });
});

describe('transcripts and exports', () => {
  it('rename here at once and there when it can be reached; relocating takes the same content only', async () => {
    const path = record('a.wav');
    await add(path);
    await until(['done']);
    const [state] = states();
    const id = state?.tag === 'done' ? state.transcriptId : '';
    expect(await library.transcripts.rename(id, 'Yangi nom: 1/2')).toEqual({
      ok: true,
      value: { title: 'Yangi nom: 1/2' },
    });
    await expect
      .poll(() => server.seen.some(({ method, body }) => method === 'PATCH' && body.includes('Yangi nom')))
      .toBe(true);
    const rendered = await library.exports.render(id, 'srt');
    expect(rendered.ok && rendered.value.suggestedName).toBe('Yangi nom- 1-2.srt');
    const cyrillic = await library.exports.render(id, 'txt', 'cyrillic');
    const stored = await library.exports.render(id, 'txt');
    expect(cyrillic.ok && stored.ok && cyrillic.value.text).not.toBe(stored.ok && stored.value.text);
    expect(cyrillic.ok && cyrillic.value.text).toMatch(/[Ѐ-ӿ]/u);
    const moved = record('moved.wav');
    expect((await library.transcripts.relocateMedia(id, moved)).ok).toBe(true);
    const other = await library.transcripts.relocateMedia(id, record('other.wav', 999));
    expect(other.ok ? null : other.error.row).toBe('E-011');
    const opened = await library.transcripts.open(id);
    expect(opened.ok && opened.value.mediaPath).toBe(moved);
    const missing = await library.exports.save(id, 'txt', join(folder, 'no', 'such', 'folder', 'a.txt'));
    expect(missing.ok ? null : missing.error.row).toBe('E-214');
  });
});
