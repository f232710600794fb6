import type { TranscribeOptions } from '../../shared/domain/jobs/job-kind.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keepReserve } from '../../electron/storage/disk-reserve.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import type { StoredJob } from '../../electron/services/library/store.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { textOf } from '../support/library-to-damage.ts';
import { newJobMemory, type JobState } from '../../shared/domain/jobs/job-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-twins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = openLibraryFile(join(folder, 'library.db'), Date.now());
if (!file.ok) throw new Error(file.error.row);
const store = createSqliteLibraryStore(file.value.database, keepReserve(folder), () => file.value.close());
afterAll(() => store.close());

const sha256 = 'ab'.repeat(32);
const asked: JobState = { tag: 'needs-user', failure: localFailure('E-212') };
const cancelled: JobState = { tag: 'cancelled', isAcceptedByService: false };
const done: JobState = { tag: 'done', transcriptId: 't1', speakerCount: 1, finishedAtMs: 5 };

function row(at: number, state: JobState, language: TranscribeOptions['language'] = 'uz'): StoredJob {
  const intent = {
    idempotencyKey: `b4a1c0de-0000-4000-8000-${String(at).padStart(12, '0')}`,
    sha256,
    sizeBytes: 1,
    mtimeMs: 1,
    firstSentAtMs: null,
    isUnsettled: false,
    boundTo: null,
    remoteId: null,
    acceptedAtMs: null,
  };
  return {
    id: `row ${String(at)}`,
    seq: at,
    path: `/${String(at)}.wav`,
    name: `${String(at)}.wav`,
    sizeBytes: 1,
    durationMs: null,
    kind: 'transcribe',
    language,
    includeSpeakers: false,
    addedAtMs: at,
    rank: at,
    memory: { ...newJobMemory, intent, state },
  };
}
const twinOf = (id: string): string | null => {
  const twin = store.findTwin({ sha256, kind: 'transcribe', language: 'uz', includeSpeakers: false }, id);
  if (!twin.ok) throw new Error(twin.error.row);
  return twin.value?.id ?? null;
};

const count = 3000;

it(`among ${String(count)} rows with one content the transcribed one is found without reading the others`, () => {
  store.addJobs(Array.from({ length: count }, (_, at) => row(at, at === 7 ? done : at % 2 === 0 ? asked : cancelled)));
  const beganAtMs = performance.now();
  for (let at = 0; at < count; at += 1) expect(twinOf(`row ${String(at)}`)).toBe(at === 7 ? null : 'row 7');
  // Reading all of them each time takes most of a minute.
  expect(performance.now() - beganAtMs).toBeLessThan(5000);
});

it(`each of ${String(count)} waiting duplicates finds the earlier transcript without reading the others`, () => {
  const same = { sha256, kind: 'transcribe', language: 'uz', includeSpeakers: false } as const;
  expect(store.findText(same, 'row 0')).toEqual({ ok: true, value: null });
  const base = row(7, done);
  const text = textOf(base, 7, 't1', () => 0);
  expect(
    store.commit(base, { type: 'recovered' }, 5, { transcript: { ...text, jobId: base.id, mediaSha256: sha256 } }).ok,
  ).toBe(true);
  const beganAtMs = performance.now();
  for (let at = 0; at < count; at += 1)
    expect(store.findText(same, `row ${String(at)}`)).toEqual({ ok: true, value: at === 7 ? null : 't1' });
  // Reading all of them each time takes most of a minute.
  expect(performance.now() - beganAtMs).toBeLessThan(5000);
});

it('of several that are done or running the newest is reported, hidden or not, and none in another language', () => {
  store.addJobs([row(count, { tag: 'prepared' }), row(count + 1, { tag: 'prepared' }, 'ru')]);
  expect(twinOf('row 0')).toBe(`row ${String(count)}`);
  expect(twinOf(`row ${String(count)}`)).toBe('row 7');
  store.hideJobs(['row 7']);
  expect(twinOf(`row ${String(count)}`)).toBe('row 7');
});

it('a row that can no longer be read counts as nothing running', () => {
  file.value.database.prepare(`UPDATE jobs SET memory = '{' WHERE id = ?`).run(`row ${String(count)}`);
  expect(twinOf('row 0')).toBe('row 7');
});
