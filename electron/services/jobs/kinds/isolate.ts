import { baseName } from '../../../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import { optionsOf } from '../../../../shared/domain/jobs/job-state.ts';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import { isolationLimits, type IsolationJob } from '../../../service/isolate.ts';
import type { JobKind, JobOf } from './job-kind.ts';
import type { QueueDeps } from '../ports.ts';
import type { StoredAudio } from '../../library/store.ts';
import { verifyAudio } from '../../media/audio-extractor.ts';

/** The signed address of the result is never stored: after a restart a new one is requested, free. */
export const isolation: JobKind<'isolate', IsolationJob> = {
  name: 'isolate',
  check: (_options, { sizeBytes }) =>
    sizeBytes > isolationLimits.fileBytes
      ? makeFailure('file-too-large', { code: 'file_too_large', outcome: 'not_sent', layer: 'local' })
      : null,
  prepareOptions: ({ part }) => ({
    packedAboveBytes: isolationLimits.fileBytes,
    ...(part === undefined ? {} : { part }),
  }),

  confirmsWithoutVoice: true,
  isRepeatable: () => true,

  async send(ports, { job, intent }, source, signal, onProgress) {
    // Work whose result this key may not download is not started (key-cannot-collect).
    const reason = await ports.client.missingPermission('isolate', signal);
    if (reason !== null) return err({ ...reason, outcome: 'not_sent' });
    return ports.client.isolate.submit({
      source,
      sha256: intent.sha256,
      title: baseName(job.name),
      speechRestoration: job.restoresSpeech,
      ...(job.restorationModel === undefined ? {} : { restorationModel: job.restorationModel }),
      idempotencyKey: intent.idempotencyKey,
      onFileBytes: (sentBytes) => onProgress(Math.min(sentBytes, source.sizeBytes), source.sizeBytes),
      signal,
    });
  },

  poll: (ports, _job, remoteId, signal) => ports.client.isolate.read(remoteId, signal),

  save: (_ports, _job, answer) =>
    ok({
      output: null,
      facts: {
        remoteId: answer.id,
        status: statusOf(answer),
        rawStatus: phaseOf(answer),
        hasRawAnswer: false,
        errorCode: answer.errorCode,
        requestId: answer.requestId,
        result: null,
        isToDownload: answer.progress === 'completed',
      },
    }),

  async fetchResult(ports, job, remoteId, signal) {
    const audio = await download(ports, job, remoteId, signal);
    if (!audio.ok) return audio;
    return ok(() => ok({ result: { audioId: audio.value.id }, output: { audio: audio.value } }));
  },

  async list(ports, _job, signal) {
    const page = await ports.client.isolate.list({ limit: isolationLimits.listed }, signal);
    if (!page.ok) return page;
    return ok(page.value.items.map(({ id, title, createdAt }) => ({ remoteId: id, title, createdAt, language: null })));
  },

  /** The file is shared, because audio in the library never changes. */
  copy(ports, job, sha256) {
    const options = optionsOf(job);
    const twin = ports.store.findTwin({ sha256, ...options }, job.id);
    if (!twin.ok) return err(twin.error);
    const state = twin.value?.memory.state;
    if (state?.tag !== 'done' || state.audioId === undefined) return ok(null);
    const known = ports.store.audio(state.audioId);
    if (!known.ok || known.value === null) return known.ok ? ok(null) : err(known.error);
    const audio = { ...known.value, id: ports.newId(), jobId: job.id, createdAtMs: ports.clock.now() };
    return ok({ result: { audioId: audio.id }, output: { audio } });
  },
};

function statusOf({ progress, status }: IsolationJob): 'queued' | 'processing' | 'completed' | 'failed' {
  if (progress !== 'working') return progress;
  return /^(?:queued|held|pending|waiting|created|accepted)$/iu.test(status ?? '') ? 'queued' : 'processing';
}

/** The model finishes before the MP3 does: from then on the state of the audio is more precise. */
const phaseOf = ({ progress, status, audioStatus }: IsolationJob): string | null =>
  progress === 'working' && /^(?:completed|complete|done|succeeded)$/iu.test(status ?? '')
    ? (audioStatus ?? 'converting')
    : status;

/** Downloads the audio into the library's folder, and verifies it before anything records that it is there. */
async function download(
  ports: QueueDeps,
  job: JobOf<'isolate'>,
  remoteId: string,
  signal: AbortSignal,
): Promise<Result<StoredAudio>> {
  // Each job has its own file name: the leftover of an interrupted run is replaced, and never mistaken for the result.
  const target = await ports.audio.prepare(job.id);
  if (!target.ok) return target;
  let credits: string | null = null;
  const received = await ports.downloader.download({
    target: target.value,
    signal,
    freshUrl: async (fresh) => {
      const found = await ports.client.isolate.read(remoteId, fresh);
      if (!found.ok) return found;
      ({ credits } = found.value);
      return found.value.audio === null ? err(localFailure('result-missing')) : ok(found.value.audio);
    },
  });
  if (!received.ok) return received;
  const verified = await verifyAudio(ports, target.value);
  if (!verified.ok) return verified;
  const { durationMs, sizeBytes, format } = verified.value;
  const hashed = await ports.files.hash(target.value, signal);
  if (!hashed.ok) return hashed;
  const kept = await ports.audio.keep(job.id, format);
  if (!kept.ok) return kept;
  return ok({
    id: ports.newId(),
    jobId: job.id,
    title: baseName(job.name),
    sourceName: job.name,
    createdAtMs: ports.clock.now(),
    fileName: kept.value,
    format,
    sha256: hashed.value.sha256,
    sizeBytes,
    durationMs,
    remoteId,
    credits,
  });
}
