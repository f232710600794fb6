import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { listBackups } from '../../electron/storage/library-backups.ts';
import { migrations } from '../../electron/storage/library-schema.ts';
import { listStoredTranscripts, readStoredText } from '../../electron/storage/read-stored-text.ts';
import { openStore, valueOf } from './open-library.ts';
import { folderOfFile } from '../support/test-folders.ts';

const root = folderOfFile();
const made = join(root, 'made.db');

/** One item of every kind that lies in the library file per number, as version 11 stored them. */
const each = 1_250;
const numbers = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${String(each)})`;
const text = (number: string) => `printf('Salom %d. Boshqa gap.', ${number})`;
const fill = `
  ${numbers} INSERT INTO jobs (id, seq, path, name, size_bytes, language, include_speakers, added_at_ms, tag, memory, kind)
    SELECT kind || n, n, '/' || kind || n, kind || n, 1, 'uz', 0, n, 'done', '{}', kind
    FROM n, (SELECT 'transcribe' AS kind UNION SELECT 'isolate');
  ${numbers} INSERT INTO media (sha256, path, size_bytes, seen_at_ms) SELECT printf('%064d', n), '/' || n, 9, n FROM n;
  ${numbers} INSERT INTO transcripts (id, job_id, title, source_name, created_at_ms, media_sha256, remote_id, language,
      word_count, duration_ms)
    SELECT 't' || n, 'transcribe' || n, 'Suhbat ' || n, n || '.wav', 4 * n, printf('%064d', n), 'tr_' || n, 'uz', 4, 900 FROM n;
  ${numbers} INSERT INTO transcript_segments (transcript_id, segment_id, position, start_ms, end_ms, text)
    SELECT 't' || n, 's1', 1, 0, 900, ${text('n')} FROM n;
  ${numbers} INSERT INTO audio (id, job_id, title, source_name, created_at_ms, file_name, format, sha256, size_bytes)
    SELECT 'a' || n, 'isolate' || n, 'Toza ' || n, n || '.wav', 4 * n + 1, n || '.mp3', 'mp3', printf('%064d', n), 7 FROM n;
  ${numbers} INSERT INTO speech_documents SELECT 'd' || n, 'Matn ' || n, ${text('n')}, '[]',
    '{"defaults":{"language":"uz","voiceId":"v","otherVoices":{},"speed":1}}', 4 * n + 2 FROM n;
  ${numbers} INSERT INTO conversations SELECT 'c' || n, 'Savol ' || n, n, 4 * n + 3, '[]' FROM n;
`;
const keysTo = (value: (number: number) => unknown) =>
  Object.fromEntries(
    Array.from({ length: each }, (_, at) => [
      [`transcript:t${String(at + 1)}`, value(at)],
      [`speech:d${String(at + 1)}`, value(at)],
    ]).flat(),
  );
const filed = {
  folders: [
    { id: 'f2', name: 'Ish', parentId: null },
    { id: 'f1', name: 'Arxiv', parentId: 'f2' },
  ],
  placed: { ...keysTo((at) => (at % 2 === 0 ? 'f1' : 'f2')), 'dictation:k1': 'f2', 'isolation:unknown': 'f1' },
  trashed: { 'conversation:c1': 5_000, 'dictation:k1': 6_000 },
  tags: [
    { id: 'g2', name: 'muhim' },
    { id: 'g1', name: 'eski' },
  ],
  tagged: { ...keysTo(() => ['g1', 'g2', 'removed']), 'dictation:k2': ['g1'] },
};
const leaving = { remoteId: null, wasListed: false, atMs: 7_000, isErased: false, origin: 'service' };
const deleted = [
  { ...leaving, id: 't1', jobId: 'transcribe1', wasListed: true, trashedUntilMs: 9_000 },
  { ...leaving, id: 't2', jobId: 'transcribe2', remoteId: 'tr_2' },
  // Of a version that knew no other service.
  { id: 'gone', jobId: 'x', remoteId: 'tr_gone', wasListed: false, atMs: 1, isErased: true },
];

beforeAll(() => {
  const old = new DatabaseSync(made);
  for (const step of migrations.slice(0, 11)) old.exec(step);
  old.exec(`PRAGMA user_version = 11; ${fill}`);
  const note = old.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  note.run('note-folders', JSON.stringify(filed));
  note.run('note-deleted', JSON.stringify(deleted));
  old.close();
});

const copyTo = (name: string): string => {
  const folder = join(root, name);
  mkdirSync(folder);
  copyFileSync(made, join(folder, 'library.db'));
  return folder;
};

/** Everything that version 11 had. */
function expectAll(folder: string): void {
  const { store, database, notice } = openStore(folder);
  expect(notice).toBeNull();
  const listed = valueOf(store.items.list());
  const of = (id: string) => listed.find(({ item }) => item.id === id)?.item;
  // Two dictations have a row from when they were filed; one transcript is gone and can be brought back.
  expect(listed).toHaveLength(4 * each + 2 - 1);
  expect(of('t3')).toMatchObject({ kind: 'transcript', title: 'Suhbat 3', sourceName: '3.wav', createdAtMs: 12 });
  expect(of('t3')).toMatchObject({ durationMs: 900, sizeBytes: 9, folderId: 'f1', tagIds: ['g1', 'g2'] });
  expect(of('a4')).toMatchObject({ kind: 'isolation', title: 'Toza 4', createdAtMs: 17, sizeBytes: 7, folderId: null });
  expect(of('d4')).toMatchObject({
    kind: 'speech',
    title: 'Matn 4',
    createdAtMs: 18,
    folderId: 'f2',
    tagIds: ['g1', 'g2'],
  });
  expect(of('c4')).toMatchObject({ kind: 'conversation', title: 'Savol 4', createdAtMs: 19, tagIds: [] });
  expect(listed.filter(({ item }) => item.folderId !== null)).toHaveLength(2 * each);
  expect([of('t1'), of('c1'), of('k1')].map((item) => item?.trashedAtMs)).toEqual([7_000, 5_000, 6_000]);
  expect(of('k2')?.tagIds).toEqual(['g1']);
  expect(valueOf(store.items.folders())).toEqual(filed.folders);
  expect(valueOf(store.items.tags())).toEqual(filed.tags);
  expect(valueOf(store.items.leaving()).map(({ id, eraseAtMs }) => [id, eraseAtMs])).toEqual([
    ['t1', 9_000],
    ['t2', 67_000],
    ['c1', 5_000 + 30 * 86_400_000],
    ['k1', 6_000 + 30 * 86_400_000],
  ]);
  expect(valueOf(store.items.removals())).toEqual([{ id: 'gone', remoteId: 'tr_gone', boundTo: null }]);
  expect(valueOf(store.items.bringBack([{ kind: 'transcript', id: 't1' }]))).toEqual(['transcribe1']);
  expect(valueOf(store.transcript('t1250'))?.transcript.segments[0]?.text).toBe('Salom 1250. Boshqa gap.');
  expect(valueOf(store.speech.document('d9'))).toMatchObject({ title: 'Matn 9', text: 'Salom 9. Boshqa gap.' });
  expect(valueOf(store.conversations.find('c9'))).toMatchObject({ title: 'Savol 9', createdAtMs: 9, changedAtMs: 39 });
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  store.close();
}

it('a library of version 11 with 5,000 items opens with everything, and is backed up first', () => {
  const folder = copyTo('whole');
  expectAll(folder);
  expect(listBackups(join(folder, 'library.db'))).toHaveLength(1);
});

it('it is read without being opened too, without what is gone', () => {
  const folder = copyTo('read');
  const path = join(folder, 'library.db');
  expect(valueOf(listStoredTranscripts(path))).toHaveLength(each - 2);
  expect(valueOf(readStoredText(path, 't3'))).toMatchObject({ title: 'Suhbat 3', transcript: { durationMs: 900 } });
  expectAll(folder);
});

it.each([
  [
    'in the middle of the move',
    "text.includes('CREATE TABLE items')",
    "text.slice(0, text.indexOf('ALTER TABLE'))",
    11,
  ],
  ['before the commit of the move', "text === 'COMMIT'", "'SELECT 1'", 11],
  ['after the move', "text === 'COMMIT'", 'text', 12],
] as const)(
  'killed %s of its items into one table, it still opens with everything',
  async (when, isThen, last, version) => {
    const folder = copyTo(when);
    const module = fileURLToPath(new URL('../../electron/storage/open-library-file.ts', import.meta.url));
    const program = `
    const { DatabaseSync } = await import('node:sqlite');
    const { exec } = DatabaseSync.prototype;
    DatabaseSync.prototype.exec = function (text) {
      if (!(${isThen})) return exec.call(this, text);
      exec.call(this, ${last});
      process.kill(process.pid, 'SIGKILL');
    };
    (await import(process.argv[1])).openLibraryFile(process.argv[2], Date.now());`;
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e'];
    const child = spawn(process.execPath, [...flags, program, module, join(folder, 'library.db')], {
      stdio: 'inherit',
    });
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    const found = new DatabaseSync(join(folder, 'library.db'));
    expect(found.prepare('PRAGMA user_version').get()?.['user_version']).toBe(version);
    found.close();
    expectAll(folder);
  },
);
