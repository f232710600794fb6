import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { newJobMemory, type JobState } from '../../shared/domain/jobs/job-state.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import { keepReserve } from '../../electron/storage/disk-reserve.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import type { NewTranscript, StoredJob } from '../../electron/services/library/store.ts';
import { writeText } from '../../electron/services/library/write-text.ts';

const firstAddedAtMs = Date.UTC(2026, 0, 5, 9);
const words = 'Bugun biz Rishtonda kulolchilik ustaxonasidamiz va usta bilan gaplashamiz'.split(' ');

const stateOf = (index: number, transcriptId: string, finishedAtMs: number): JobState => {
  if (index % 10 === 7) return { tag: 'failed', failure: makeFailure('E-048', { status: 413 }), hasRawAnswer: false };
  if (index % 10 === 9) return { tag: 'cancelled', isAcceptedByService: false };
  return { tag: 'done', transcriptId, speakerCount: 0, finishedAtMs };
};

/** Twenty segments, as in a short recording. */
function someTranscript(job: StoredJob, id: string): NewTranscript {
  const segments = Array.from({ length: 20 }, (_, segment) => ({
    id: `s${String(segment)}`,
    speakerId: null,
    startMs: segment * 5_000,
    endMs: segment * 5_000 + 4_500,
    text: words.join(' '),
    words: words.map((text, word) => ({
      id: `s${String(segment)}w${String(word)}`,
      text,
      startMs: segment * 5_000 + word * 450,
      endMs: segment * 5_000 + word * 450 + 400,
    })),
  }));
  return {
    id,
    jobId: job.id,
    title: job.name,
    sourceName: job.name,
    createdAtMs: job.addedAtMs,
    mediaPath: job.path,
    mediaSha256: createHash('sha256').update(job.id).digest('hex'),
    remoteId: null,
    rawAnswerId: null,
    model: null,
    written: writeText({
      language: job.kind === 'transcribe' ? job.language : 'uz',
      durationMs: 100_000,
      speakers: [],
      segments,
    }),
  };
}

/** A failed row, for benches that retry all of them. */
export const allFailed = (): JobState => ({
  tag: 'failed',
  failure: makeFailure('E-048', { status: 413 }),
  hasRawAnswer: false,
});

/** Creates the data folder of a long-time user: settings, and a library with this many ended jobs. */
export function seedLibrary(dataDir: string, jobs: number, endOf: typeof stateOf = stateOf): void {
  const settings = { mode: 'service', serviceAddress: 'https://service.invalid', interfaceLanguage: 'en' };
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  const file = openLibraryFile(join(dataDir, 'library.db'), Date.now());
  if (!file.ok) throw new Error(`the library could not be made: ${file.error.row}`);
  const store = createSqliteLibraryStore(file.value.database, keepReserve(dataDir), () => file.value.close());
  for (let index = 0; index < jobs; index += 1) {
    const addedAtMs = firstAddedAtMs + index * 3_600_000;
    const name = `Recording ${String(index + 1)}, conversation at the market.mp3`;
    const transcriptId = randomUUID();
    const job: StoredJob = {
      id: randomUUID(),
      seq: index + 1,
      path: join(dataDir, 'recordings', name),
      name,
      sizeBytes: 4_000_000 + index,
      durationMs: 100_000,
      kind: 'transcribe',
      language: speechLanguages[index % speechLanguages.length] ?? 'uz',
      includeSpeakers: false,
      addedAtMs,
      rank: index + 1,
      memory: { ...newJobMemory, state: endOf(index, transcriptId, addedAtMs + 60_000) },
    };
    const added = store.addJobs([{ ...job, memory: newJobMemory }]);
    const text = job.memory.state.tag === 'done' ? someTranscript(job, transcriptId) : null;
    const ended = store.commit(
      job,
      { type: 'recovered' },
      addedAtMs + 60_000,
      text === null ? null : { transcript: text },
    );
    if (!added.ok || !ended.ok) throw new Error('a job could not be stored');
  }
  store.close();
}
