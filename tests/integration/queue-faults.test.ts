import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { untilAtRest } from '../../electron/cli/watch-run.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { toneWav } from '../support/wav-files.ts';
import { finished, openQueueRig, refuse, takesAll, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

let rig: QueueRig;
beforeEach(async () => {
  rig = await openQueueRig();
});
afterEach(() => rig.close());

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => rig.record(`${from + at}.wav`, 200 + (from + at) * 7));
const all = (count: number, tag: string) => Array.from({ length: count }, () => tag);
const contentOf = (body: Buffer): string => {
  const head = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4;
  const boundary = Buffer.concat([Buffer.from('\r\n'), body.subarray(0, body.indexOf('\r\n'))]);
  return createHash('sha256')
    .update(body.subarray(head, body.indexOf(boundary, head)))
    .digest('hex');
};

it('F-31: 402 after 8 of 30 files causes no more refusals than uploads run, and resuming finishes all with the same keys', async () => {
  let accepted = 0;
  rig.server.script = (request, response, at) => {
    if (request.method === 'POST' && accepted >= 8) return refuse(402, 'insufficient_credits')(request, response, at);
    accepted += request.method === 'POST' ? 1 : 0;
    return takesAll(request, response, at);
  };
  await rig.add(...many(30));
  await expect.poll(() => rig.tags().filter((tag) => tag === 'blocked').length, { timeout: 15_000 }).toBe(22);
  expect(rig.posts().length).toBeLessThanOrEqual(8 + 2);
  const refusedKeys = new Set(
    rig
      .posts()
      .slice(8)
      .map(({ headers }) => headers['idempotency-key']),
  );
  rig.server.script = takesAll;
  await rig.library.jobs.resumeQueue();
  await rig.until(all(30, 'done'));
  expect(rig.keys().size).toBe(30);
  const later = rig
    .posts()
    .slice(-22)
    .map(({ headers }) => headers['idempotency-key']);
  for (const key of refusedKeys) expect(later).toContain(key);
});

it('F-32: a key refused in mid-batch stops it at once; with another key all is sent under the same idempotency keys', async () => {
  rig.server.script = refuse(401, 'invalid_api_key');
  await rig.add(...many(12));
  await rig.until(all(12, 'blocked'));
  expect(rig.posts().length).toBeLessThanOrEqual(2);
  const before = rig.keys();
  rig.connection = { kind: 'service', baseUrl: rig.server.url, key: new Secret('sk-test-0000000002') };
  rig.server.script = takesAll;
  rig.library.jobs.noteConnectionChange();
  await rig.until(all(12, 'done'));
  expect(rig.keys().size).toBe(12);
  for (const key of before) expect(rig.keys()).toContain(key);
});

it('files that a program queued keep the library open no longer than they go on', async () => {
  rig.server.script = refuse(402, 'insufficient_credits');
  await rig.add(...many(3));
  const { jobs } = rig.library;
  const ids = jobs.list().jobs.map(({ id }) => id);
  await untilAtRest(jobs, ids, 60_000, new AbortController().signal);
  expect(rig.tags()).toContain('blocked');
  for (const id of ids) await jobs.cancel(id);
  await untilAtRest(jobs, ids, 60_000, new AbortController().signal);
  expect(rig.tags()).toEqual(all(3, 'cancelled'));
});

it.each([404, 403])(
  'F-32: jobs of another key (%i) are parked and stop no others; under their own key they go on',
  async (status) => {
    let isReady = false;
    rig.server.script = (request, response, at) => {
      if (request.method === 'POST' && rig.posts().length > 2) return takesAll(request, response, at);
      if (request.method === 'POST')
        return sendJson(response, 202, { data: { id: `tr_${at.number}`, status: 'queued' } });
      const isOwn = request.headers.authorization?.endsWith('0001') === true;
      if (!isOwn)
        return refuse(status, status === 404 ? 'transcription_not_found' : 'forbidden')(request, response, at);
      return sendJson(response, 200, isReady ? finished('tr') : { data: { id: 'tr', status: 'queued' } });
    };
    const own = rig.connection;
    await rig.add(...many(2));
    await rig.until(all(2, 'queued-at-service'));
    rig.connection = { ...own, key: new Secret('sk-test-0000000002') };
    rig.library.jobs.noteConnectionChange();
    await rig.until(all(2, 'needs-user'));
    expect(rig.states().map((state) => 'failure' in state && state.failure.row)).toEqual(['E-042', 'E-042']);
    await rig.add(rig.record('another.wav', 700));
    await rig.until([...all(2, 'needs-user'), 'done']);

    isReady = true;
    rig.connection = own;
    rig.library.jobs.noteConnectionChange();
    await rig.until(all(3, 'done'));
    expect(rig.posts()).toHaveLength(3);
  },
);

it.each([1, 3])(
  'F-37: a job that is not found %i times after it was accepted is waited for and never sent again',
  async (misses) => {
    let reads = 0;
    rig.server.script = (request, response) => {
      if (request.method === 'POST') return sendJson(response, 202, { data: { id: 'tr_late', status: 'queued' } });
      // On a slow machine the grace period may pass; then the list shows what was accepted.
      if (request.url.includes('?')) return sendJson(response, 200, { data: [{ id: 'tr_late', status: 'queued' }] });
      reads += 1;
      return reads <= misses
        ? sendJson(response, 404, { error: { code: 'transcription_not_found' } })
        : sendJson(response, 200, finished('tr_late'));
    };
    await rig.add(rig.record('a.wav'));
    await rig.until(['done']);
    expect(rig.posts()).toHaveLength(1);
  },
);

it('F-40: the same files dropped twice, and one under two names, are sent once each; the duplicates ask', async () => {
  const files = many(5);
  copyFileSync(files[0] ?? '', join(rig.folder, 'other name.wav'));
  await rig.add(...files);
  await rig.until(all(5, 'done'));
  await rig.add(...files, join(rig.folder, 'other name.wav'));
  await rig.until([...all(5, 'done'), ...all(6, 'needs-user')]);
  expect(rig.posts()).toHaveLength(5);
  expect(rig.states().slice(5)).toMatchObject(all(6, '').map(() => ({ failure: { row: 'E-212' } })));
});

it('F-41: a file that is changed, cut or replaced by a link before it is sent is never sent under the old key', async () => {
  await rig.library.jobs.hold(true);
  const [edited = '', cut = '', linked = '', gone = ''] = many(4);
  await rig.add(edited, cut, linked, gone);
  await rig.until(all(4, 'waiting'));
  writeFileSync(edited, toneWav(999, 0.3));
  writeFileSync(cut, readFileSync(cut).subarray(0, 100));
  rmSync(linked);
  symlinkSync(edited, linked);
  rmSync(gone);
  await rig.library.jobs.hold(false);
  await rig.until(all(4, 'needs-user'));
  expect(rig.states().map((state) => 'failure' in state && state.failure.row)).toEqual([
    'E-011',
    'E-011',
    'E-011',
    'E-010',
  ]);
  const byKey = new Map<unknown, Set<string>>();
  for (const { headers, body } of rig.posts()) {
    const key = headers['idempotency-key'];
    byKey.set(key, (byKey.get(key) ?? new Set()).add(contentOf(body)));
  }
  for (const contents of byKey.values()) expect(contents.size).toBe(1);
});

it('F-45: rows cancelled before, during and after acceptance say so, and keep their keys', async () => {
  rig.server.script = (request, response) => {
    if (request.method === 'POST') sendJson(response, 202, { data: { id: 'tr_taken', status: 'queued' } });
    else sendJson(response, 200, { data: { id: 'tr_taken', status: 'queued' } });
  };
  await rig.add(rig.record('taken.wav', 440));
  await rig.until(['queued-at-service']);
  await rig.library.jobs.hold(true);
  await rig.add(rig.record('waiting.wav', 550));
  await rig.until(['queued-at-service', 'waiting']);
  const ids = rig.library.jobs.list().jobs.map(({ id }) => id);
  const cancelled = await Promise.all(ids.map((id) => rig.library.jobs.cancel(id)));
  expect(cancelled).toMatchObject([
    { value: { isAcceptedByService: true } },
    { value: { isAcceptedByService: false } },
  ]);
  await rig.reopen();
  expect(rig.states()).toEqual([
    { tag: 'cancelled', isAcceptedByService: true },
    { tag: 'cancelled', isAcceptedByService: false },
  ]);
  expect(rig.posts()).toHaveLength(1);
});

it.skipIf(process.platform === 'win32')(
  'F-43: only regular files are added: no pipe, device, or circle of links blocks anything',
  async () => {
    const inside = join(rig.folder, 'in', 'deep', 'deeper');
    mkdirSync(inside, { recursive: true });
    symlinkSync(join(rig.folder, 'in'), join(inside, 'circle'));
    spawnSync('mkfifo', [join(inside, 'pipe.wav')]);
    symlinkSync('/dev/zero', join(inside, 'zero.wav'));
    writeFileSync(join(inside, 'real.wav'), toneWav(440, 0.2));
    const { files, refused } = await rig.library.files.inspect([join(rig.folder, 'in')]);
    expect(files.map(({ name }) => name)).toEqual(['real.wav']);
    expect(refused.map(({ name }) => name).toSorted()).toEqual(expect.arrayContaining(['pipe.wav']));
  },
);

it('F-83: of 60 bad files dropped at once each is reported by name or judged by the service, and good ones among them finish', async () => {
  const bad = join(rig.folder, 'bad');
  mkdirSync(bad);
  const wav = toneWav(440, 0.2);
  const lying = Buffer.from(wav);
  lying.writeUInt32LE(0xffff_ffff, 40);
  const contents: readonly (readonly [string, Buffer])[] = [
    ['empty.mp3', Buffer.alloc(0)],
    ...[1, 4, 44, 512].map((size) => [`cut ${size}.wav`, wav.subarray(0, size)] as const),
    ['text.mp3', Buffer.from('hello there, this is no sound')],
    ['page.m4a', Buffer.from('<!doctype html><html><body>no</body></html>')],
    ['zip.mp3', Buffer.from('PK\u0003\u0004 and so on')],
    ['lying.wav', lying],
    ['name\u202Egpj.mp3', Buffer.from('not sound either')],
    ['box.mp4', Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from('ftypisom'), Buffer.alloc(64, 255)])],
    ['noise.avi', Buffer.concat([Buffer.from('RIFF\u0000\u0000\u0000\u0000AVI '), Buffer.alloc(400, 3)])],
  ];
  for (let round = 0; round < 5; round += 1) {
    for (const [name, content] of contents) writeFileSync(join(bad, `${round} ${name}`), content);
  }
  const locked = join(bad, 'locked.mp3');
  writeFileSync(locked, wav);
  chmodSync(locked, 0o000);
  const good = many(3, 50);
  const { files, refused } = await rig.library.files.inspect([bad, ...good]);
  for (const { failure } of refused) expect(['E-211', 'E-010']).toContain(failure.row);
  expect(new Set(refused.map(({ name }) => name)).size).toBe(refused.length);
  expect(files.length + refused.length).toBe(5 * contents.length + 1 + good.length);
  await rig.add(...good);
  await rig.until(all(3, 'done'));
  for (const name of ['empty.mp3', 'text.mp3', 'page.m4a', 'zip.mp3'])
    expect(refused.filter((one) => one.name.endsWith(name))).toHaveLength(5);
});
