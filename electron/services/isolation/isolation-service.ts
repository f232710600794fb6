import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { IsolationFormat } from '../../api/resources/isolate.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { optionsOf } from '../../../shared/domain/jobs/job-kind.ts';
import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import type { OpenDictation } from '../dictation/phrase-sender.ts';
import { mediaPathOf } from '../jobs/kinds/transcribe.ts';
import type { JobService, NewJob } from '../jobs/job-service.ts';
import type { QueuePorts } from '../jobs/ports.ts';
import type { StoredAudio, StoredJob } from '../library/store.ts';
import { placeOfAudio } from '../media/audio-extractor.ts';
import { createExcerptTexts } from './excerpt-texts.ts';
import { createRecordingParts } from './recording-parts.ts';
import { createHidingAtService } from './hide-at-service.ts';
import { awaitExport, createKeptExports, type ResultFile } from './kept-exports.ts';
import { createRecordingSwap } from './use-as-recording.ts';

/** The recording that isolated audio was made from, wherever it is now. */
export interface IsolatedSource {
  readonly path: string;
  readonly sha256: string;
  readonly restoresSpeech: boolean;
  /** Of what was sent. */
  readonly durationMs: number | null;
}

export interface HiddenRow {
  readonly jobId: string;
  readonly name: string;
  readonly durationMs: number | null;
}

/** Audio that the queue produced, available to the user as files. */
export interface IsolationService {
  /** E-040 when there is none. */
  find(audioId: string): Result<StoredAudio, Failure>;
  /** Newest first. */
  list(): Result<readonly StoredAudio[], Failure>;
  /** Its path in the library; for main only. */
  pathOf(audio: StoredAudio): string;
  /** Null when its job is no longer known. */
  sourceOf(audio: StoredAudio): Result<IsolatedSource | null, Failure>;
  /** Every format that the service offers, and its state. */
  results(audio: StoredAudio): Promise<readonly ResultFile[]>;
  /** Lets the service make formats, for free, and downloads them; `results` reports the state. */
  prepare(audio: StoredAudio, formats: readonly IsolationFormat[]): Promise<void>;
  /** Copies a format, after the service has made it if necessary. Failures are reported. */
  copyResult(audio: StoredAudio, format: IsolationFormat, target: string): Promise<Result<null, Failure>>;
  /** The file extension of a format, including the dot. */
  extensionOf(audio: StoredAudio, format: IsolationFormat): Promise<string>;
  /**
   * Removes an ended row from the list, and some seconds later from the list of the service, which hides it without
   * deleting or refunding anything. The audio in the library stays.
   */
  hide(jobId: string): Promise<Result<null, Failure>>;
  /** False when there is nothing to restore. */
  unhide(jobId: string): Promise<Result<boolean, Failure>>;
  /** Hidden rows that can be restored, newest first. */
  hidden(): Result<readonly HiddenRow[], Failure>;
  /** The same recording, isolated with the other choice about restoring speech; null when there is none. */
  variantOf(audio: StoredAudio): Result<StoredAudio | null, Failure>;
  /** The job to add for that variant; E-040 when the original job is no longer known. */
  variantJob(
    audio: StoredAudio,
    restorationModel: string | undefined,
  ): Result<{ readonly job: NewJob; readonly lengthMs: number }, Failure>;
  /** A transcription of it, with its own copy of the audio. E-010 when the audio is gone. */
  transcriptionOf(
    audio: StoredAudio,
    options: { readonly language: SpeechLanguage; readonly includeSpeakers: boolean; readonly isLegacy?: boolean },
  ): Promise<Result<NewJob, Failure>>;
  /** Writes a WAV file in another format, completely or not at all. E-214 when it can't be written. */
  convert(wav: string, target: string, format: AudioExtension, signal: AbortSignal): Promise<Result<null, Failure>>;
  /** Uses isolated audio in place of the recording of a transcript. */
  readonly recordings: ReturnType<typeof createRecordingSwap>;
  readonly texts: ReturnType<typeof createExcerptTexts>;
  /** Recordings that are sent in parts. */
  readonly parts: ReturnType<typeof createRecordingParts>;
  close(): void;
  /**
   * Writes it to a path where nothing exists yet. The stored format is copied from the library; others are made by the
   * service, for free and without another run of its models. E-023 after `waitMs`.
   */
  save(
    audioId: string,
    format: IsolationFormat,
    target: string,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<Result<null, Failure>>;
}

type Ports = Pick<QueuePorts, 'store' | 'audio' | 'client' | 'downloader' | 'clock' | 'extractor' | 'files'>;

export function createIsolationService(
  ports: Ports,
  jobs: Pick<JobService, 'remove' | 'bringBack'>,
  dictate: OpenDictation,
): IsolationService {
  const { store, audio, client, downloader, clock } = ports;

  const find: IsolationService['find'] = (audioId) => {
    const found = store.audio(audioId);
    if (!found.ok) return found;
    return found.value === null ? err(localFailure('E-040', { code: 'no_audio' })) : ok(found.value);
  };

  const kept = createKeptExports(ports);
  const hiding = createHidingAtService(ports);

  const recordings = createRecordingSwap(ports);

  return {
    find,
    parts: createRecordingParts(ports),
    recordings,
    texts: createExcerptTexts({ store, dictate, now: () => clock.now() }),
    variantOf({ jobId }) {
      const job = isolationOf(store.job(jobId));
      if (!job.ok || job.value?.memory.intent == null) return job.ok ? ok(null) : job;
      const found = store.findVariant(job.value.memory.intent.sha256, !job.value.restoresSpeech);
      if (!found.ok) return found;
      const state = found.value?.memory.state;
      return state?.tag === 'done' && state.audioId !== undefined ? store.audio(state.audioId) : ok(null);
    },
    variantJob({ jobId, durationMs }, restorationModel) {
      const job = isolationOf(store.job(jobId));
      if (!job.ok) return job;
      if (job.value === null) return err(localFailure('E-040', { code: 'unknown_job' }));
      const { path, name, part, isExcerpt } = job.value;
      const restoresSpeech = !job.value.restoresSpeech;
      const options = optionsOf({ kind: 'isolate', restoresSpeech, restorationModel, part, isExcerpt });
      return ok({ job: { path, name, ...options }, lengthMs: durationMs ?? 0 });
    },
    async transcriptionOf(isolated, options) {
      const path = await recordings.copy(isolated);
      const name = `${isolated.title}.${isolated.format}`;
      return path.ok ? ok({ path: path.value, name, kind: 'transcribe', ...options }) : path;
    },
    convert: (wav, target, format, signal) =>
      ports.extractor.join([{ path: wav, startMs: 0, endMs: 0 }], target, format, signal, () => undefined),
    sourceOf({ jobId }) {
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
    results: (result) => kept.list(result),
    async prepare(result, formats) {
      await Promise.all(formats.map((format) => kept.prepare(result, format)));
    },
    async copyResult(result, format, target) {
      const { ended } = await kept.prepare(result, format);
      const made = await ended;
      if (!made.ok) return made;
      const found = await kept.find(result, format);
      if (found === null) return err(localFailure('E-040', { code: 'no_audio' }));
      return (await audio.copyTo(found.fileName, target)) ? ok(null) : err(localFailure('E-175'));
    },
    extensionOf: async (result, format) => {
      const found = await kept.find(result, format);
      const name = found?.fileName ?? (format === 'original' ? result.sourceName : `.${format}`);
      return /[.][^.]+$/u.exec(name)?.[0] ?? '';
    },
    async hide(jobId) {
      const removed = await jobs.remove(jobId);
      if (!removed.ok) return removed;
      const remoteId = remoteIdOf(store.job(jobId));
      if (remoteId === null) return ok(null);
      hiding.add(jobId, remoteId);
      return ok(null);
    },
    async unhide(jobId) {
      hiding.cancel(jobId);
      const restored = await jobs.bringBack([jobId]);
      return restored.ok ? ok(restored.value > 0) : restored;
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
    close() {
      hiding.close();
      kept.close();
    },
    list: () => store.listAudio(),
    pathOf: ({ fileName }) => audio.pathOf(fileName),
    async save(audioId, format, target, options) {
      const found = find(audioId);
      if (!found.ok) return found;
      const { fileName, remoteId } = found.value;
      if (format === found.value.format) {
        // The file may be missing from the library's folder; the service still has it then.
        if (await audio.copyTo(fileName, target)) return ok(null);
      }
      if (remoteId === null) return err(localFailure('E-040', { code: 'no_audio' }));
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
        freshUrl: async (signal) => {
          const read = await client.isolate.readExport(remoteId, format, signal);
          if (!read.ok) return read;
          return read.value.audio === null ? err(localFailure('E-028')) : ok(read.value.audio);
        },
      });
      return received.ok ? ok(null) : received;
    },
  };
}

const isolationOf = (found: Result<StoredJob | null, Failure>) =>
  found.ok ? ok(found.value?.kind === 'isolate' ? found.value : null) : found;

const remoteIdOf = (found: Result<StoredJob | null, Failure>): string | null =>
  found.ok ? (found.value?.memory.intent?.remoteId ?? null) : null;
