import { z } from 'zod';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { IsolationFormat } from '../../service/isolate.ts';
import { optionsOf } from '../../../shared/domain/jobs/job-state.ts';
import type { LiveDictation } from '../../service/dictation-socket.ts';
import { createExcerptTexts } from './excerpt-texts.ts';
import { addressOfExport, awaitExport, createKeptExports } from './kept-exports.ts';
import { createRecordingParts } from './recording-parts.ts';
import type { Queue } from '../../queue/queue.ts';
import { mediaPathOf } from '../../queue/kinds.ts';
import type { NewJob } from '../../queue/rows.ts';
import type { QueueDeps } from '../../queue/effects.ts';
import { readNote, type MadeFrom, type StoredAudio, type StoredJob } from '../library/store.ts';
import { markPrepared, placeOfAudio, videoAt, type VideoSource } from '../media/audio-extractor.ts';

type Ports = Pick<QueueDeps, 'store' | 'audio' | 'client' | 'downloader' | 'clock' | 'extractor' | 'files'>;

export function createIsolationService(ports: Ports, jobs: Pick<Queue, 'remove' | 'bringBack'>, live: LiveDictation) {
  const { store, audio, client, downloader, clock } = ports;

  const find = (audioId: string): Result<StoredAudio> => {
    const found = store.audio(audioId);
    if (!found.ok) return found;
    return found.value === null ? err(localFailure('deleted-at-service', { code: 'no_audio' })) : ok(found.value);
  };

  const kept = createKeptExports(ports);
  const hiding = createHidingAtService(ports);

  const recordings = createRecordingSwap(ports);

  return {
    find,
    parts: createRecordingParts(ports),
    recordings,
    texts: createExcerptTexts({ store, live, now: () => clock.now() }),
    variantOf({ jobId }: StoredAudio): Result<StoredAudio | null> {
      const job = isolationOf(store.job(jobId));
      if (!job.ok || job.value?.memory.intent == null) return job.ok ? ok(null) : job;
      const found = store.findVariant(job.value.memory.intent.sha256, !job.value.restoresSpeech);
      if (!found.ok) return found;
      const state = found.value?.memory.state;
      return state?.tag === 'done' && state.audioId !== undefined ? store.audio(state.audioId) : ok(null);
    },
    variantJob(
      { jobId, durationMs }: StoredAudio,
      restorationModel: string | undefined,
    ): Result<{ readonly job: NewJob; readonly lengthMs: number }> {
      const job = isolationOf(store.job(jobId));
      if (!job.ok) return job;
      if (job.value === null) return err(localFailure('deleted-at-service', { code: 'unknown_job' }));
      const { path, name, part, isExcerpt } = job.value;
      const restoresSpeech = !job.value.restoresSpeech;
      const options = optionsOf({ kind: 'isolate', restoresSpeech, restorationModel, part, isExcerpt });
      return ok({ job: { path, name, ...options }, lengthMs: durationMs ?? 0 });
    },
    async transcriptionOf(
      isolated: StoredAudio,
      options: { readonly language: SpeechLanguage; readonly includeSpeakers: boolean; readonly isLegacy?: boolean },
    ): Promise<Result<NewJob>> {
      const path = await recordings.copy(isolated);
      const name = `${isolated.title}.${isolated.format}`;
      return path.ok ? ok({ path: path.value, name, kind: 'transcribe', ...options }) : path;
    },
    convert: (wav: string, target: string, format: AudioExtension, signal: AbortSignal): Promise<Result<null>> =>
      ports.extractor.join([{ path: wav, startMs: 0, endMs: 0 }], target, format, signal, () => undefined),
    /** Null for audio and for parts, and when the video is gone. */
    async videoOf({ jobId }: StoredAudio): Promise<VideoSource | null> {
      const job = isolationOf(store.job(jobId));
      if (!job.ok || job.value === null || job.value.part !== undefined) return null;
      const video = await videoAt(ports.extractor, job.value.path);
      return video.ok ? video.value : null;
    },
    replaceAudio: ports.extractor.replaceAudio,
    sourceOf({ jobId }: StoredAudio) {
      const job = store.job(jobId);
      if (!job.ok || job.value === null) return job.ok ? ok(null) : job;
      if (job.value.kind !== 'isolate') return ok(null);
      return ok({
        path: placeOfAudio(ports.extractor, mediaPathOf(job.value)),
        sha256: job.value.memory.intent?.sha256 ?? jobId,
        restoresSpeech: job.value.restoresSpeech,
        durationMs: job.value.durationMs,
      });
    },
    async copyResult(result: StoredAudio, format: IsolationFormat, target: string): Promise<Result<null>> {
      const { ended } = await kept.prepare(result, format);
      const made = await ended;
      if (!made.ok) return made;
      const found = await kept.find(result, format);
      if (found === null) return err(localFailure('deleted-at-service', { code: 'no_audio' }));
      return (await audio.copyTo(found.fileName, target)) ? ok(null) : err(localFailure('disk-space-short'));
    },
    extensionOf: async (result: StoredAudio, format: IsolationFormat): Promise<string> => {
      const found = await kept.find(result, format);
      const name = found?.fileName ?? (format === 'original' ? result.sourceName : `.${format}`);
      return /[.][^.]+$/u.exec(name)?.[0] ?? '';
    },
    /** How many were hidden. Nothing is deleted or refunded, and the audio in the library stays. */
    async hide(jobIds: readonly string[]): Promise<Result<number>> {
      for (const [count, jobId] of jobIds.entries()) {
        const removed = await jobs.remove(jobId);
        if (!removed.ok) return count === 0 ? removed : ok(count);
        const remoteId = remoteIdOf(store.job(jobId));
        if (remoteId !== null) hiding.add(jobId, remoteId);
      }
      return ok(jobIds.length);
    },
    unhide(jobIds: readonly string[]): Promise<Result<number>> {
      for (const jobId of jobIds) hiding.cancel(jobId);
      return jobs.bringBack(jobIds);
    },
    hidden() {
      const rows = store.hiddenJobs('isolate');
      if (!rows.ok) return rows;
      const isThere = ({ memory: { state } }: StoredJob) => {
        if (state.tag !== 'done' || state.audioId === undefined) return true;
        const found = store.audio(state.audioId);
        return found.ok && found.value !== null;
      };
      return ok(rows.value.filter(isThere).map(({ id, name, durationMs }) => ({ jobId: id, name, durationMs })));
    },
    close(): void {
      hiding.close();
      kept.close();
    },
    list: (): Result<readonly StoredAudio[]> => store.listAudio(),
    pathOf: ({ fileName }: StoredAudio): string => audio.pathOf(fileName),
    /** still-processing after `waitMs`. Formats other than the stored one are made by the service, for free. */
    async save(
      audioId: string,
      format: IsolationFormat,
      target: string,
      options: { readonly waitMs: number; readonly signal: AbortSignal },
    ): Promise<Result<null>> {
      const found = find(audioId);
      if (!found.ok) return found;
      const { fileName, remoteId } = found.value;
      if (format === found.value.format) {
        // The file may be missing from the library's folder; the service still has it then.
        if (await audio.copyTo(fileName, target)) return ok(null);
      }
      if (remoteId === null) return err(localFailure('deleted-at-service', { code: 'no_audio' }));
      const made = await awaitExport(ports, remoteId, format, options);
      if (!made.ok) {
        // When the export does not report its result, only the job's own audio is left, which is MP3.
        const isUnreported = made.error.code === 'unreadable_answer' || made.error.outcome === 'refused';
        const isCopied = format === 'mp3' && isUnreported && (await audio.copyTo(fileName, target));
        return isCopied ? ok(null) : made;
      }
      const received = await downloader.download({
        target,
        signal: options.signal,
        freshUrl: addressOfExport(client, remoteId, format),
      });
      return received.ok ? ok(null) : received;
    },
  };
}

const isolationOf = (found: Result<StoredJob | null>) =>
  found.ok ? ok(found.value?.kind === 'isolate' ? found.value : null) : found;

const remoteIdOf = (found: Result<StoredJob | null>): string | null =>
  found.ok ? (found.value?.memory.intent?.remoteId ?? null) : null;

const playable: ReadonlySet<string> = new Set<AudioExtension>(['wav', 'mp3', 'flac', 'ogg', 'm4a']);
const isPlayable = (format: string): format is AudioExtension => playable.has(format);

/** A copy stays when the isolated audio is deleted, and the change can always be undone. */
export function createRecordingSwap({ store, audio, extractor }: Ports) {
  const keepCopy = async ({ fileName, format }: StoredAudio) =>
    isPlayable(format)
      ? extractor.keep(audio.pathOf(fileName), format)
      : err(localFailure('not-a-recording', { code: 'not_audio', params: { name: fileName } }));
  /** Parts have none, because their times are not those of the transcript. */
  const madeFrom = ({ jobId }: StoredAudio): Result<readonly MadeFrom[]> => {
    const job = store.job(jobId);
    if (!job.ok) return job;
    if (job.value?.kind !== 'isolate' || job.value.part !== undefined) return ok([]);
    const { path, memory } = job.value;
    return store.transcriptsMadeFrom({ sha256: memory.intent?.sha256 ?? '', path });
  };
  return {
    /** The copy stays when the isolated audio is erased and when the library moves. file-unreadable. */
    async copy(isolated: StoredAudio): Promise<Result<string>> {
      const kept = await keepCopy(isolated);
      return kept.ok ? ok(markPrepared(kept.value.preparedName)) : kept;
    },

    transcriptsOf(isolated: StoredAudio) {
      const made = madeFrom(isolated);
      if (!made.ok) return made;
      return ok(
        made.value.map(({ transcriptId, title, mediaSha256 }) => ({
          transcriptId,
          title,
          usesThis: mediaSha256 === isolated.sha256,
        })),
      );
    },

    /** Returns which isolated audio it played before, null for its recording. deleted-at-service, file-unreadable. */
    async use(isolated: StoredAudio, transcriptId: string): Promise<Result<{ formerAudioId: string | null }>> {
      const [known, all] = [madeFrom(isolated), store.listAudio()];
      if (!known.ok) return known;
      if (!all.ok) return all;
      const transcript = known.value.find((one) => one.transcriptId === transcriptId);
      if (transcript === undefined) return err(localFailure('deleted-at-service', { code: 'unknown_transcript' }));
      const kept = await keepCopy(isolated);
      if (!kept.ok) return kept;
      const former = all.value.find(({ sha256 }) => sha256 === transcript.mediaSha256);
      const attached = store.attachMedia(transcriptId, markPrepared(kept.value.preparedName), kept.value);
      return attached.ok ? ok({ formerAudioId: former?.id ?? null }) : attached;
    },

    isReplaced(transcriptId: string): Result<boolean> {
      const replaced = store.replacedRecording(transcriptId);
      return replaced.ok ? ok(replaced.value !== null) : replaced;
    },

    useOriginal(transcriptId: string): Result<null> {
      const replaced = store.replacedRecording(transcriptId);
      if (!replaced.ok) return replaced;
      const job = replaced.value;
      if (job?.memory.intent == null) return ok(null);
      const content = { sha256: job.memory.intent.sha256, sizeBytes: job.sizeBytes };
      return store.attachMedia(transcriptId, mediaPathOf(job), content, 'unless-known');
    },
  };
}

/** Until then a hidden job can be shown again, because the service offers no way to unhide it. */
export const hiddenAfterMs = 20_000;

const noted = lazySchema(() => z.array(z.strictObject({ jobId: z.string(), remoteId: z.string() })));
const mostNoted = 500;

/** What is left to hide is noted, so that the next start does what a quit left undone. */
export function createHidingAtService({ store, client, clock }: Pick<QueueDeps, 'store' | 'client' | 'clock'>) {
  const left = new Map(readNote(store, 'hiding', noted(), []).map(({ jobId, remoteId }) => [jobId, remoteId]));
  const timers = new Map<string, () => void>();
  // A job that stays in the list of the service costs nothing, so failures are not reported; the next start tries again.
  const save = () =>
    store.saveNote(
      'hiding',
      JSON.stringify([...left].slice(-mostNoted).map(([jobId, remoteId]) => ({ jobId, remoteId }))),
    );
  const schedule = (jobId: string, remoteId: string, afterMs: number) => {
    const hideNow = async () => {
      timers.delete(jobId);
      const done = await client.isolate.remove(remoteId);
      if (done.ok && left.delete(jobId)) save();
    };
    timers.set(
      jobId,
      clock.after(afterMs, () => void hideNow()),
    );
  };
  for (const [jobId, remoteId] of left) schedule(jobId, remoteId, 0);
  return {
    add(jobId: string, remoteId: string) {
      left.set(jobId, remoteId);
      save();
      schedule(jobId, remoteId, hiddenAfterMs);
    },
    cancel(jobId: string) {
      timers.get(jobId)?.();
      timers.delete(jobId);
      if (left.delete(jobId)) save();
    },
    /** What is left stays noted. */
    close() {
      for (const stop of timers.values()) stop();
    },
  };
}
