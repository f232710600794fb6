import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readStoredVersion, readStoredVersions } from '../../electron/storage/read-stored-text.ts';
import { readChange } from '../../electron/storage/transcript-rows.ts';
import { listComments, writeComment } from '../../shared/domain/transcript/comments.ts';
import { applyChange } from '../../shared/domain/transcript/change.ts';
import { deleteSegments, replaceText, rippleFrom, splitSegment } from '../../shared/domain/transcript/edit-segments.ts';
import { renameSpeaker } from '../../shared/domain/transcript/edit-speakers.ts';
import { markWords } from '../../shared/domain/transcript/edit-marks.ts';
import { findViolations } from '../../shared/domain/transcript/find-violations.ts';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';
import { packChange, packSegment, unpackChange, unpackSegment } from '../../shared/domain/transcript/packed.ts';
import { toWhole, type LeanTranscript } from '../../shared/domain/transcript/lean-transcript.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { openStore, storeText } from './open-library.ts';
import { folderOfFile } from '../support/test-folders.ts';

const folder = folderOfFile();
const path = join(folder, 'library.db');

const changeIn = (text: unknown) => unpackChange(readChange(text) ?? []);

const program = fileURLToPath(new URL('../support/edit-until-killed.ts', import.meta.url));
const words = 'adras naqsh boʻyoq qoʻlda ipak dastgoh usta'.split(' ');
const spoken = toTranscript(
  {
    text: '',
    segments: Array.from({ length: 120 }, (_, at) => ({
      text: words.join(' '),
      speaker: at % 3 === 0 ? 'a' : 'b',
      words: words.map((text, index) => ({
        text,
        startMs: at * 5000 + index * 600,
        endMs: at * 5000 + index * 600 + 500,
      })),
    })),
  },
  { language: 'uz', durationMs: 700_000 },
);

const open = () => openStore(folder);
function put(id: string): void {
  const { store } = open();
  storeText(store, id, spoken);
  store.close();
}

const textIn = (store: ReturnType<typeof open>['store'], id: string) => {
  const found = store.transcript(id);
  if (!found.ok || found.value === null) throw new Error('no text');
  return found.value;
};

it('killed at any moment, the text is what its saved edits make of it; the original of the service is unchanged', async () => {
  put('a');
  for (let round = 1; round <= 6; round += 1) {
    const child = spawn(process.execPath, [program, path, 'a', String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said.length, { timeout: 20_000 }).toBeGreaterThan(20 * round);
    await delay(round * 7);
    child.kill('SIGKILL');
    await once(child, 'close');
    const lastSaid = Number(said.trim().split('\n').at(-1));
    const { store, database } = open();
    const { transcript, revision } = textIn(store, 'a');
    expect(revision).toBeGreaterThanOrEqual(lastSaid);
    expect(revision).toBeLessThanOrEqual(lastSaid + 1);
    expect(findViolations(transcript)).toEqual([]);
    const body = database.prepare('SELECT body FROM transcript_originals').get()?.['body'];
    expect(toWhole(JSON.parse(String(body)) as LeanTranscript)).toEqual(spoken);
    let replayed: Transcript = spoken;
    const rows = database.prepare('SELECT change, inverse FROM transcript_revisions ORDER BY number').all();
    for (const row of rows) {
      const applied = applyChange(replayed, changeIn(row['change']));
      if (!applied.ok) throw new Error(applied.error);
      expect(applied.value.inverse).toEqual(changeIn(row['inverse']));
      replayed = applied.value.transcript;
    }
    expect(replayed).toEqual(transcript);
    store.close();
  }
});

const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
it.skipIf(!canMount)('on a full disk a thousand edits are still saved, however much was written before', () => {
  put('full');
  const { store } = open();
  const answer = { jobId: 'job-full', atMs: 1, source: 'read', requestId: null, body: 'x'.repeat(100_000) } as const;
  for (let number = 0; number < 30; number += 1) expect(store.saveRawAnswer(answer).ok).toBe(true);
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const script = [
    'mount -t tmpfs -o size=20m tmpfs "$DISK"',
    'cp "$LIBRARY"/library.db* "$LIBRARY"/reserve.bin "$DISK"',
    // Enough is left to open it.
    'fallocate -l $(($(stat -f -c "%a * %S" "$DISK") - 200000)) "$DISK/filler"',
    '"$NODE" "$PROGRAM" "$DISK/library.db" full 1 1000',
  ].join('\n');
  const env = { PATH: process.env['PATH'], NODE: process.execPath, DISK: disk, LIBRARY: folder, PROGRAM: program };
  // Copied as it is in use, with what is in the log.
  const run = spawnSync('unshare', ['-Urm', 'sh', '-c', script], { env, encoding: 'utf8' });
  store.close();
  const lastSaved = run.stdout.trim().split('\n').at(-1);
  expect([lastSaved, run.stderr]).toEqual(['1000', '']);
});

it('every kind of edit is stored as it is on the page, and costs its own size', () => {
  put('b');
  const { store, database } = open();
  const steps = [
    (t: Transcript) => replaceText(t, 's7', 'yangi soʻzlar\nikki qatorda'),
    (t: Transcript) => splitSegment(t, 's9', 14, 'new-1'),
    (t: Transcript) => splitSegment(t, 's9', 3, 'new-2'),
    (t: Transcript) => deleteSegments(t, new Set(['s3', 's4', 's90'])),
    (t: Transcript) => markWords(t, [{ segmentId: 's12', from: 1, to: 3 }], 'redacted'),
    (t: Transcript) => writeComment(t, { id: 'c', text: 'Tekshirish' }, [{ segmentId: 's14', from: 1, to: 3 }]),
    (t: Transcript) => renameSpeaker(t, 'p1', 'Dilnoza'),
    (t: Transcript) => rippleFrom(t, 's40', 250),
  ];
  let transcript: Transcript = spoken;
  const inverses = [];
  for (const [at, step] of steps.entries()) {
    const change = step(transcript);
    if (!change.ok) throw new Error(change.error);
    const applied = applyChange(transcript, change.value);
    if (!applied.ok) throw new Error(applied.error);
    const pagesBefore = Number(database.prepare('SELECT total_changes() AS n').get()?.['n']);
    expect(store.edit('b', at, [{ atMs: 1, label: 'edit', change: packChange(change.value) }])).toEqual({
      ok: true,
      value: at + 1,
    });
    const changed = Number(database.prepare('SELECT total_changes() AS n').get()?.['n']) - pagesBefore;
    if (change.value.every(({ type }) => type !== 'shift')) expect(changed).toBeLessThan(16);
    ({ transcript } = applied.value);
    inverses.unshift(applied.value.inverse);
    // That two words are halves of one is known to the page only.
    const stored = { ...transcript, segments: transcript.segments.map((one) => unpackSegment(packSegment(one))) };
    expect(textIn(store, 'b').transcript).toEqual(stored);
  }
  expect(listComments(textIn(store, 'b').transcript)).toEqual([
    [{ id: 'c', text: 'Tekshirish', segmentId: 's14', from: 1, to: 3 }],
  ]);
  expect(store.wordCount('b')).toEqual({
    ok: true,
    value: transcript.segments.reduce((sum, s) => sum + s.words.length, 0),
  });
  expect(store.edit('b', 3, [{ atMs: 1, label: 'old', change: [] }])).toEqual({ ok: true, value: null });
  const unfit = [{ type: 'splice' as const, at: 0, removed: ['nobody'], inserted: [] }];
  expect(store.edit('b', steps.length, [{ atMs: 1, label: 'unfit', change: unfit }])).toEqual({
    ok: true,
    value: null,
  });
  const [first] = textIn(store, 'b').transcript.segments.map(packSegment);
  if (first === undefined) throw new Error('no segment');
  const backwards = first.words?.toReversed() ?? [];
  for (const one of [
    { ...first, text: 'boshqa' },
    { ...first, endMs: first.startMs },
    { ...first, words: backwards },
  ])
    expect(
      store.edit('b', steps.length, [{ atMs: 1, label: 'unsound', change: [{ type: 'set', segments: [one] }] }]),
    ).toEqual({ ok: true, value: null });
  for (const [at, change] of inverses.entries())
    expect(store.edit('b', steps.length + at, [{ atMs: 1, label: 'undo', change: packChange(change) }]).ok).toBe(true);
  expect(textIn(store, 'b').transcript).toEqual(spoken);
  store.close();
});

it('every saved version of a text can be read again, including the first, and a named one is listed by its name', () => {
  put('c');
  const { store } = open();
  const states = [spoken];
  for (const [at, typed] of ['bir', 'ikki', 'uch', 'toʻrt'].entries()) {
    const before = states.at(-1) ?? spoken;
    const change =
      at === 2
        ? splitSegment(before, 's5', 14, 'cut-1')
        : replaceText(before, `s${at + 4}`, `${before.segments[at + 3]?.text} ${typed}`);
    if (!change.ok) throw new Error(change.error);
    const label = at === 3 ? 'replace-all' : 'type';
    expect(store.edit('c', at, [{ atMs: at, label, change: packChange(change.value) }])).toEqual({
      ok: true,
      value: at + 1,
    });
    states.push(textIn(store, 'c').transcript);
  }
  expect(store.nameRevision('c', 2, 'Tekshirildi')).toEqual({ ok: true, value: true });
  expect(store.nameRevision('c', 9, 'Yoʻq')).toEqual({ ok: true, value: false });
  for (const [revision, state] of states.entries()) {
    const read = readStoredVersion(path, 'c', revision);
    if (!read.ok || read.value === null) throw new Error('no version');
    expect(read.value.ofRevision).toBe(4);
    const applied = applyChange(states[4] ?? spoken, unpackChange(read.value.change));
    expect(applied.ok && applied.value.transcript).toEqual(state);
  }
  expect(readStoredVersion(path, 'c', 5)).toEqual({ ok: true, value: null });
  const listed = readStoredVersions(path, 'c');
  expect(listed.ok && listed.value.map(({ revision, kind, name }) => [revision, kind, name])).toEqual([
    [4, 'now', null],
    [3, 'before', null],
    [2, 'named', 'Tekshirildi'],
    [0, 'service', null],
  ]);
  store.close();
});
