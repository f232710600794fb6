import { createHash } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
    expect(rig.states().map((state) => 'failure' in state && state.failure.kind)).toEqual(['other-key', 'other-key']);
    await rig.add(rig.record('another.wav', 700));
    await rig.until([...all(2, 'needs-user'), 'done']);

    isReady = true;
    rig.connection = own;
    rig.library.jobs.noteConnectionChange();
    await rig.until(all(3, 'done'));
    expect(rig.posts()).toHaveLength(3);
  },
);

it('F-37: a job that is not found three times after it was accepted is waited for and never sent again', async () => {
  const misses = 3;
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
  expect(rig.states().map((state) => 'failure' in state && state.failure.kind)).toEqual([
    'file-changed',
    'file-changed',
    'file-changed',
    'file-unreadable',
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
  const cancelled = await Promise.all(ids.map((id) => rig.library.jobs.act([id], 'cancel')));
  expect(cancelled).toMatchObject([
    { value: { changedCount: 1, acceptedCount: 1 } },
    { value: { changedCount: 1, acceptedCount: 0 } },
  ]);
  await rig.reopen();
  expect(rig.states()).toEqual([
    { tag: 'cancelled', isAcceptedByService: true },
    { tag: 'cancelled', isAcceptedByService: false },
  ]);
  expect(rig.posts()).toHaveLength(1);
});
