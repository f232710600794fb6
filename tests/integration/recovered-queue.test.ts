import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { listBackups } from '../../electron/storage/library-backups.ts';
import { finished, openQueueRig, takesAll, type QueueRig } from '../support/queue-rig.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';

const pageBytes = 4096;
let rig: QueueRig;
afterEach(() => rig.close());

const libraryOf = (): string => join(rig.folder, 'data', 'library.db');
const withoutCopies = (): void => rmSync(join(rig.folder, 'data', 'backups'), { recursive: true, force: true });

/** A row that is waiting in the newest backup, and that was sent and done since then. */
async function sendAfterCopy(name: string): Promise<void> {
  await rig.library.jobs.hold(true);
  await rig.add(rig.record(name));
  await rig.until(['waiting']);
  await rig.reopen(withoutCopies);
  await expect.poll(() => listBackups(libraryOf()).length).toBe(1);
  await rig.library.jobs.hold(false);
  await rig.until(['done']);
  expect(rig.posts()).toHaveLength(1);
}

it('a row that only the backup has, as waiting, is found at the service and not sent again (F-49)', async () => {
  const script: Script = (request, response, call) => {
    const isList = request.method === 'GET' && !/tr_/.test(request.url ?? '');
    const item = { id: 'tr_1', title: 'b.wav', status: 'completed', created_at: new Date().toISOString() };
    if (isList) sendJson(response, 200, { data: [item], next_cursor: null });
    else if (request.method === 'GET') sendJson(response, 200, finished('tr_1'));
    else void takesAll(request, response, call);
  };
  rig = await openQueueRig(script);
  await sendAfterCopy('b.wav');
  await rig.reopen(() => writeFileSync(libraryOf(), 'nothing that can be read'));
  expect(rig.library.recovery.report()).toMatchObject({ kind: 'library-damaged', code: 'library_restored' });
  await rig.until(['done']);
  expect(rig.posts()).toHaveLength(1);
});

it('one that the service does not list needs confirmation, and is sent again only on request (F-49)', async () => {
  rig = await openQueueRig();
  await sendAfterCopy('c.wav');
  await rig.reopen(() => writeFileSync(libraryOf(), 'nothing that can be read'));
  await rig.until(['needs-user']);
  expect(rig.states()[0]).toMatchObject({ failure: { kind: 'job-not-found', code: 'maybe_sent' } });
  const [job] = rig.library.jobs.list().jobs;
  // Without consent it is looked up once more.
  await rig.library.jobs.retry(job?.id ?? '', false);
  await rig.until(['needs-user']);
  expect(rig.posts()).toHaveLength(1);
  await rig.library.jobs.retry(job?.id ?? '', true);
  // The backup was made while the queue was paused, so it is paused again.
  await rig.library.jobs.hold(false);
  await rig.until(['done']);
  expect(rig.posts()).toHaveLength(2);
});

it('a row unknown to library and service needs confirmation, and is sent anew only on request', async () => {
  rig = await openQueueRig();
  const path = rig.record('a.wav');
  await rig.add(path);
  await rig.until(['done']);
  rig.server.script = (request, response, at) =>
    request.method === 'GET' && request.url.includes('transcriptions/')
      ? sendJson(response, 404, { error: { code: 'not_found' } })
      : takesAll(request, response, at);
  await rig.reopen(() => {
    withoutCopies();
    truncateSync(libraryOf(), pageBytes);
  });
  expect(rig.tags()).toEqual([]);
  const options = { kind: 'transcribe', language: 'uz', includeSpeakers: false } as const;
  expect((await rig.library.jobs.attach({ path, ...options }, new AbortController().signal)).ok).toBe(true);
  await rig.until(['needs-user']);
  expect(rig.posts()).toHaveLength(1);
  const [row] = rig.library.jobs.list().jobs;
  expect((await rig.library.jobs.retry(row?.id ?? '', true)).ok).toBe(true);
  await rig.until(['done']);
  expect(rig.posts()).toHaveLength(2);
});
