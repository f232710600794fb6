import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { newJobRecord } from '../../shared/domain/jobs/job-state.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import { ok } from '../../shared/result/result.ts';
import type { StoredJob } from '../../electron/services/library/store.ts';
import { createDeletion } from '../../electron/services/library-items/deletion.ts';
import { systemClientClock } from '../../electron/service/transport.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import { addedJob, textOf } from '../support/library-to-damage.ts';
import { openStore, valueOf } from './open-library.ts';
import { folderOfFile } from '../support/test-folders.ts';

const folder = folderOfFile();
const file = openStore(folder);
const { close } = file;
const storeOf = (origin: Origin) => createSqliteLibraryStore(file, origin);
const stores = { service: storeOf('service'), local: storeOf('local') };
afterAll(() => {
  close();
});
const sha256 = 'ab'.repeat(32);
const same = { sha256, kind: 'transcribe', language: 'uz', includeSpeakers: false } as const;

/** A recording that was transcribed, under an id of its own at whoever did it. */
function add(origin: Origin): void {
  const id = `row of ${origin}`;
  const intent = {
    idempotencyKey: randomUUID(),
    sha256,
    sizeBytes: 1,
    mtimeMs: 1,
    firstSentAtMs: 1,
    isUnsettled: false,
    boundTo: null,
    remoteId: `tr_${id}`,
    acceptedAtMs: 1,
  };
  const state = { tag: 'done', transcriptId: `text of ${origin}`, speakerCount: 0, finishedAtMs: 5 } as const;
  const job: StoredJob = {
    ...addedJob(1),
    id,
    ...same,
    memory: { ...newJobRecord, intent, state },
  };
  const transcript = { ...textOf(job, 1, `text of ${origin}`, () => 0), mediaSha256: sha256, model: `model ${origin}` };
  stores[origin].addJobs([job]);
  stores[origin].commit(job, { type: 'recovered' }, 5, { transcript });
}
add('service');
add('local');

describe.each(['service', 'local'] as const)(
  'a library that is filled by the service and by this computer: to %s',
  (origin) => {
    const other = origin === 'service' ? 'local' : 'service';
    const store = stores[origin];

    it('the queue is its own, and so are the ids that were given there', () => {
      expect(valueOf(store.loadJobs()).map(({ id }) => id)).toEqual([`row of ${origin}`]);
      expect(valueOf(store.showJobs([`row of ${other}`]))).toEqual([]);
      expect(valueOf(store.transcriptFacts(`text of ${other}`))?.remoteId).toBeNull();
      expect(valueOf(store.transcriptFacts(`text of ${origin}`))?.remoteId).toBe(`tr_row of ${origin}`);
      expect(valueOf(store.job(`row of ${other}`))?.memory.intent?.remoteId).toBeNull();
      expect(valueOf(store.items.list()).map(({ item }) => item.isAtService)).toEqual([
        origin === 'local',
        origin === 'service',
      ]);
    });

    it('a text has the cost of its own work', () => {
      const listed = valueOf(store.items.list()).filter(({ remoteId }) => remoteId === `tr_row of ${origin}`);
      expect(listed).toMatchObject([{ item: { id: `text of ${origin}` } }]);
    });

    it('what the other one transcribed is no repetition here', () => {
      expect(valueOf(store.findText(same, 'a new row'))).toBe(`text of ${origin}`);
      expect(valueOf(store.findText(same, `row of ${origin}`))).toBeNull();
      expect(valueOf(store.findTwin(same, `row of ${origin}`))).toBeNull();
      expect(valueOf(store.findSame(same)).map(({ id }) => id)).toEqual([`row of ${origin}`]);
    });

    it('notes about its queue and its account are its own; the book of speakers is everybody’s', () => {
      store.saveNote('synced', origin);
      store.saveNote('speaker-book', origin);
      expect(valueOf(stores[other].note('synced'))).not.toBe(origin);
      expect(valueOf(stores[other].note('speaker-book'))).toBe(origin);
    });
  },
);

it('what is to be deleted at the service is asked of the service alone', async () => {
  const asked: string[] = [];
  const deletionOf = (origin: Origin) =>
    createDeletion({
      store: stores[origin],
      jobs: { list: () => ({ jobs: [] }), act: async () => ({ changedCount: 0 }), bringBack: async () => 0 } as never,
      api: {
        remove: async (id) => {
          asked.push(`${origin} ${id}`);
          return { ok: false, error: { kind: 'offline' } } as never;
        },
      },
      account: () => 'account',
      backups: { settled: async () => undefined },
      sweep: async () => undefined,
      eraseOthers: async () => ok(null),
      clock: systemClientClock,
      log: { write: () => undefined },
    });
  const there = deletionOf('service');
  await there.remove('text of service', true);
  await there.close();
  await there.start();
  await there.close();
  expect(asked).toEqual(['service tr_row of service']);
  const here = deletionOf('local');
  await here.start();
  await here.close();
  expect(asked).toHaveLength(1);
});
