import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appIn, compareStarts, startFigures } from './compare-starts.ts';
import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { newJobRecord, type JobState } from '../../shared/domain/jobs/job-state.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import { writeText, type NewTranscript, type StoredJob } from '../../electron/services/library/store.ts';

const firstAddedAtMs = Date.UTC(2026, 0, 5, 9);
const words = 'Bugun biz Rishtonda kulolchilik ustaxonasidamiz va usta bilan gaplashamiz'.split(' ');

const stateOf = (index: number, transcriptId: string, finishedAtMs: number): JobState => {
  if (index % 10 === 7)
    return { tag: 'failed', failure: makeFailure('file-too-large', { status: 413 }), hasRawAnswer: false };
  if (index % 10 === 9) return { tag: 'cancelled', isAcceptedByService: false };
  return { tag: 'done', transcriptId, speakerCount: 0, finishedAtMs };
};

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

function seedLibrary(dataDir: string, jobs: number): void {
  const settings = { mode: 'service', serviceAddress: 'https://service.invalid', interfaceLanguage: 'en' };
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  const file = openLibraryFile(join(dataDir, 'library.db'), Date.now());
  if (!file.ok) throw new Error(`the library could not be made: ${file.error.kind}`);
  const store = createSqliteLibraryStore(file.value);
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
      memory: { ...newJobRecord, state: stateOf(index, transcriptId, addedAtMs + 60_000) },
    };
    const added = store.addJobs([{ ...job, memory: newJobRecord }]);
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

const root = fileURLToPath(new URL('../..', import.meta.url));
const jobs = 1_000;
const goals: Readonly<Record<string, number>> = { 'until it can be used': 1.6, 'memory at idle (PSS)': 1.2 };

export const benchStart = (): Promise<void> =>
  compareStarts({
    title: `Start and idle with ${String(jobs)} jobs`,
    names: ['studio', 'empty window'],
    figures: startFigures.map((one) => {
      const goal = goals[one.name];
      return goal === undefined ? one : { ...one, goal };
    }),
    pairs: 7,
    idlePairs: 3,
    prepare: (folder) => {
      const studio = appIn(folder, 'studio', root, '[role="row"]');
      seedLibrary(studio.dataDir, jobs);
      return [studio, appIn(folder, 'empty', join(root, 'scripts', 'bench', 'empty-app'), 'h1')];
    },
  });

const finishedJobs = 10_000;

export const benchStore = (): Promise<void> =>
  compareStarts({
    title: `Start and memory with ${String(finishedJobs)} finished jobs`,
    names: ['full library', 'empty library'],
    figures: startFigures,
    pairs: 5,
    idlePairs: 2,
    prepare: (folder) => {
      const full = appIn(folder, 'full', root, '[role="row"]');
      seedLibrary(full.dataDir, finishedJobs);
      const empty = appIn(folder, 'none', root, 'main section > h2');
      seedLibrary(empty.dataDir, 0);
      return [full, empty];
    },
  });
