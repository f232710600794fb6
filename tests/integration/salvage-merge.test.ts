import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { migrate } from '../../electron/storage/library-schema.ts';
import { openDamagedPages } from '../../electron/storage/salvage/damaged-pages.ts';
import { pageBytes } from '../../electron/storage/sqlite-log.ts';
import type { StoredValue } from '../../electron/storage/salvage/damaged-records.ts';
import { salvageLibrary } from '../../electron/storage/salvage/salvage-library.ts';
import { jobColumnNames, jobColumns, memoryColumns } from '../../electron/storage/sqlite-rows.ts';
import type { StoredJob } from '../../electron/services/library/store.ts';
import type { JobMemory } from '../../shared/domain/jobs/job-state.ts';
import { craftedFile } from '../support/crafted-pages.ts';
import { addedJob, movedOn } from '../support/library-to-damage.ts';

const root = mkdtempSync(join(tmpdir(), 'salvage-merge-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let number = 0;

const key1 = '11111111-1111-4111-8111-111111111111';
const key2 = '22222222-2222-4222-8222-222222222222';
const at = 1_763_000_000_000;
const sha = (letter: string) => letter.repeat(64);
const done = (transcriptId: string) => ({ tag: 'done', transcriptId, speakerCount: 0, finishedAtMs: at }) as const;

/** A row that was sent under this key and is in this state. */
function sentJob(id: string, seq: number, key: string, state: JobMemory['state'], remoteId: string | null): StoredJob {
  const job = movedOn({ ...addedJob(1), id, seq }, () => 0);
  const { intent } = job.memory;
  if (intent === null) throw new Error('a row that was sent has an intent');
  return { ...job, seq, memory: { ...job.memory, state, intent: { ...intent, idempotencyKey: key, remoteId } } };
}
/** The order in the file: columns of later versions last. */
const jobRow = (job: StoredJob): StoredValue[] => {
  const [id, seq, path, name, size, duration, language, speakers, kind, options, addedAtMs] = jobColumns(job);
  const first = [id, seq, path, name, size, duration, language, speakers, addedAtMs, 0];
  return [...first, ...memoryColumns(job.memory), job.rank, kind, options];
};
const body = (text: string) =>
  JSON.stringify({
    language: 'uz',
    durationMs: 1000,
    speakers: [],
    segments: [{ id: 's1', speakerId: null, startMs: 0, endMs: 1000, text }],
  });
const textRow = (id: string, jobId: string, rawId: number | null, words: number): StoredValue[] => [
  id,
  jobId,
  'Title',
  'a.wav',
  at,
  sha('a'),
  null,
  rawId,
  'uz',
  words,
  1000,
  '[]',
  null,
  0,
];
/** What belongs to the row of a text: the words as the service returned them. */
const originalRow = (id: string): StoredValue[] => [id, body('bir ikki uch')];

/** A backup after the rows of a damaged file were merged into it. */
function merged(
  copy: (database: DatabaseSync) => void,
  rows: readonly (readonly [10 | 13, readonly StoredValue[], number?])[],
) {
  number += 1;
  const path = join(root, `damaged-${String(number)}.db`);
  writeFileSync(path, craftedFile(rows));
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  migrate(database, 0);
  copy(database);
  const counts = salvageLibrary(database, path, at, () => undefined);
  return {
    counts,
    all: (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)),
  };
}
const put = (database: DatabaseSync, job: StoredJob): void => {
  database
    .prepare(
      `INSERT INTO jobs (${jobColumnNames}, tag, sha256, idempotency_key, remote_id, memory)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(...jobColumns(job), ...memoryColumns(job.memory));
};
const nothing = (): void => undefined;
const failed = { tag: 'cancelled', isAcceptedByService: false } as const;

describe('merging a damaged file and its backup', () => {
  it('a row whose columns contradict its stored facts is rejected', () => {
    const job = sentJob('one', 5, key1, failed, null);
    expect(merged(nothing, [[10, jobRow(job)]]).counts.jobCount).toBe(1);
    for (const [column, wrong] of [
      [10, 'queued'],
      [11, sha('f')],
      [12, 'other-key'],
      [13, 'tr_other'],
    ] as const) {
      const row = jobRow(job).with(column, wrong);
      expect([column, merged(nothing, [[10, row]]).counts.jobCount]).toEqual([column, 0]);
    }
  });

  it('the row with the higher number wins, whichever has it', () => {
    const older = sentJob('one', 3, key1, failed, null);
    const newer = sentJob('one', 9, key2, failed, null);
    const keyOf = (copy: StoredJob, found: StoredJob) =>
      merged((database) => put(database, copy), [[10, jobRow(found)]]).all('SELECT seq, idempotency_key FROM jobs');
    expect(keyOf(older, newer)).toEqual([[9, key2]]);
    expect(keyOf(newer, older)).toEqual([[9, key2]]);
  });

  it('a key stays with the row that has it in the backup', () => {
    const { all, counts } = merged(
      (database) => put(database, sentJob('one', 3, key1, failed, null)),
      [[10, jobRow(sentJob('two', 9, key1, failed, null))]],
    );
    expect(all('SELECT id, idempotency_key FROM jobs')).toEqual([['one', key1]]);
    expect(counts.jobCount).toBe(0);
  });

  it('a text is restored if it has as many words as its row says', () => {
    const job = sentJob('one', 9, key1, done('text-1'), 'tr_1');
    const brought = (words: number) => {
      const { counts, all } = merged(nothing, [
        [10, jobRow(job)],
        [10, textRow('text-1', 'one', null, words)],
        [10, originalRow('text-1')],
      ]);
      return [counts.transcriptCount, counts.refetchCount, ...all('SELECT tag FROM jobs')];
    };
    expect(brought(3)).toEqual([1, 0, ['done']]);
    // An incomplete one is fetched from the service again.
    expect(brought(4)).toEqual([0, 1, ['fetching']]);
  });

  it('edits after the backup are applied again, up to the first missing one', () => {
    const rename = (name: string) => JSON.stringify([{ type: 'speakers', speakers: [{ id: 'p1', name }] }]);
    const revision = (number: number, change: string) =>
      [10, ['text-1', number, at, 'rename', change, '[]', null]] as const;
    const job = sentJob('one', 9, key1, done('text-1'), 'tr_1');
    const spoken = { id: 's1', speakerId: null, startMs: 0, endMs: 900, text: 'bir besh', words: null };
    const { all } = merged(nothing, [
      [10, jobRow(job)],
      [10, textRow('text-1', 'one', null, 3)],
      [10, originalRow('text-1')],
      revision(2, rename('Dilnoza')),
      revision(1, JSON.stringify([{ type: 'set', segments: [spoken] }])),
      revision(4, rename('Nobody')),
    ]);
    expect(all('SELECT revision, speakers, word_count FROM transcripts')).toEqual([
      [2, '[{"id":"p1","name":"Dilnoza"}]', 2],
    ]);
    expect(all('SELECT text, end_ms FROM transcript_segments')).toEqual([['bir besh', 900]]);
    expect(all('SELECT number FROM transcript_revisions')).toEqual([[1], [2]]);
  });

  it('a row that is done with another text than the restored one reads its own again', () => {
    const job = sentJob('one', 9, key1, done('text-2'), 'tr_1');
    const { counts, all } = merged(nothing, [
      [10, jobRow(job)],
      [10, textRow('text-1', 'one', null, 3)],
      [10, originalRow('text-1')],
    ]);
    expect([counts.refetchCount, all('SELECT tag FROM jobs')]).toEqual([1, [['fetching']]]);
  });

  it('of two paths of a recording the one that was seen last wins', () => {
    const job = sentJob('one', 9, key1, done('text-1'), 'tr_1');
    const media = (path: string, seenAtMs: number) => [10, [sha('a'), path, 5, 1000, seenAtMs]] as const;
    for (const places of [
      [media('/new', at + 9), media('/old', at)],
      [media('/old', at), media('/new', at + 9)],
    ]) {
      const { all } = merged(nothing, [
        [10, jobRow(job)],
        [10, textRow('text-1', 'one', null, 3)],
        [10, originalRow('text-1')],
        ...places,
      ]);
      expect(all('SELECT path FROM media')).toEqual([['/new']]);
    }
  });

  it('an answer whose number is used by another row gets a new one, and its text refers to it', () => {
    const { all } = merged(
      (database) => {
        put(database, sentJob('one', 3, key1, failed, null));
        database.exec(
          "INSERT INTO raw_answers (id, job_id, at_ms, source, body) VALUES (7, 'one', 1, 'read', 'of one')",
        );
      },
      [
        [10, jobRow(sentJob('two', 9, key2, done('text-2'), 'tr_2'))],
        [13, [null, 'two', 5, 'read', null, 'of two'], 7],
        [10, textRow('text-2', 'two', 7, 3)],
        [10, originalRow('text-2')],
      ],
    );
    expect(all('SELECT id, body FROM raw_answers ORDER BY body')).toEqual([
      [7, 'of one'],
      [8, 'of two'],
    ]);
    expect(all('SELECT raw_answer_id FROM transcripts')).toEqual([[8]]);
  });

  it('automatic actions keep their latest state', () => {
    const entry = (atMs: number, outcome: string) => ['copy', 'key', atMs, 'name', outcome, null];
    const outcomes = (inCopy: number, found: number) =>
      merged(
        (database) => {
          database.exec(
            `INSERT INTO automation (kind, key, at_ms, name, outcome) VALUES ('copy', 'key', ${inCopy}, 'name', 'failed')`,
          );
        },
        [[10, entry(found, 'done')]],
      ).all('SELECT outcome FROM automation');
    expect([outcomes(5, 9), outcomes(9, 5)]).toEqual([[['done']], [['failed']]]);
  });
});

describe('of a log beside the file as much is applied as SQLite applies, and what is whole behind a broken frame', () => {
  const folder = mkdtempSync(join(root, 'log-'));
  const path = join(folder, 'a.db');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (id INTEGER PRIMARY KEY, x)');
  const add = (count: number) => {
    database.exec('BEGIN');
    for (let row = 0; row < count; row += 1)
      database.prepare('INSERT INTO t (x) VALUES (?)').run(`${'x'.repeat(900)}${row}`);
    database.exec('COMMIT');
  };
  add(200);
  // Frames of earlier use follow the present ones.
  database.exec('PRAGMA wal_checkpoint(RESTART)');
  for (const count of [3, 20, 3, 20]) add(count);
  const frameBytes = 24 + pageBytes;
  const frameCount = (readFileSync(`${path}-wal`).length - 32) / frameBytes;

  const ways: readonly (readonly [string, (log: string) => void, number])[] = [
    ['a whole one', () => undefined, 0],
    ...[1, 4, 9, 12].map(
      (frame) =>
        [
          `a bit of frame ${String(frame)} is wrong`,
          (log: string) => {
            const bytes = readFileSync(log);
            bytes.writeUInt8(bytes.readUInt8(32 + frame * frameBytes + 2_000) ^ 4, 32 + frame * frameBytes + 2_000);
            writeFileSync(log, bytes);
          },
          1,
        ] as const,
    ),
    ...[3, 5, 8, 11].map(
      (frames) =>
        [
          `cut behind frame ${String(frames)}`,
          (log: string) => truncateSync(log, 32 + frames * frameBytes),
          0,
        ] as const,
    ),
  ];

  it.each(ways)('%s', (_what, damage, brokenCount) => {
    expect(frameCount).toBeGreaterThan(40);
    number += 1;
    const copy = join(root, `log-${String(number)}.db`);
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
    damage(`${copy}-wal`);
    const pages = openDamagedPages(copy);
    const read = Array.from({ length: pages.count }, (_, index) => pages.read(index + 1));
    pages.close();
    // SQLite merges the valid log into the file when the last connection closes; a broken log is not merged completely.
    if (brokenCount > 0) for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
    const own = new DatabaseSync(copy);
    own.prepare('SELECT count(*) FROM t').get();
    const pageCount = Number(own.prepare('PRAGMA page_count').get()?.['page_count']);
    own.close();
    const merged = readFileSync(copy);
    const others = Array.from({ length: pageCount }, (_, page) => page).filter(
      (page) => read[page]?.equals(merged.subarray(page * pageBytes, (page + 1) * pageBytes)) !== true,
    );
    expect(pageCount).toBeGreaterThan(10);
    // A later frame may contain the page of the broken one too.
    expect(others.length).toBeLessThanOrEqual(brokenCount);
  });

  afterAll(() => database.close());
});
