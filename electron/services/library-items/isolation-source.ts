import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { JobService } from '../jobs/job-service.ts';
import type { LibraryStore } from '../library/store.ts';
import type { AudioFolder } from '../media/audio-folder.ts';
import type { Traces } from '../transcripts/deletion.ts';
import type { LibrarySource } from './library-items.ts';

export interface IsolationSourcePorts extends Traces {
  readonly store: Pick<LibraryStore, 'listAudio' | 'audio' | 'renameAudio' | 'eraseTranscripts'>;
  readonly jobs: Pick<JobService, 'list' | 'act'>;
  readonly audio: AudioFolder;
}

/** Isolated audio. It is in the library's folder and is deleted with its row of the queue. */
export const isolationSource = ({ store, jobs, audio, copies, sweep }: IsolationSourcePorts): LibrarySource => ({
  kind: 'isolation',
  list() {
    const listed = store.listAudio();
    if (!listed.ok) return listed;
    const excerpts = new Set(
      jobs.list().jobs.flatMap((job) => (job.kind === 'isolate' && job.isExcerpt === true ? job.id : [])),
    );
    return ok(
      listed.value.map(({ id, jobId, title, sourceName, createdAtMs, durationMs, sizeBytes, credits }) => ({
        kind: 'isolation' as const,
        id,
        title,
        sourceName,
        language: null,
        createdAtMs,
        durationMs,
        speakers: [],
        sizeBytes,
        credits,
        characters: null,
        states: excerpts.has(jobId) ? (['excerpt'] as const) : [],
        isAtService: null,
        trashedAtMs: null,
      })),
    );
  },
  rename: async (id, title) => store.renameAudio(id, title),
  audio(id) {
    const found = store.audio(id);
    if (!found.ok) return found;
    if (found.value === null) return err(localFailure('E-040', { code: 'unknown_audio' }));
    const { fileName, sha256, sourceName } = found.value;
    return ok({ path: audio.pathOf(fileName), sha256, name: sourceName });
  },
  async erase(ids) {
    const found = ids.flatMap((id) => {
      const one = store.audio(id);
      return one.ok && one.value !== null ? [one.value] : [];
    });
    await copies.settled();
    const listed = new Set(jobs.list().jobs.map(({ id }) => id));
    const rows = found.map(({ jobId }) => jobId).filter((id) => listed.has(id));
    if (rows.length > 0) await jobs.act(rows, 'remove');
    const erased = store.eraseTranscripts(ids);
    if (!erased.ok) return erased;
    const left = store.listAudio();
    // A copy of an earlier result plays the same file, which stays as long as one of them does.
    const isUsed = (name: string) => left.ok && left.value.some(({ fileName }) => fileName === name);
    // Its other formats are named after its id.
    await Promise.all(
      found
        .flatMap(({ id, fileName }) => (isUsed(fileName) ? [id] : [id, fileName.split('.')[0] ?? id]))
        .map((name) => audio.removeAll(name)),
    );
    await sweep({ transcriptIds: ids, contents: erased.value.unusedContents });
    return ok(null);
  },
});
