import { basename } from 'node:path';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { optionsOf, type RecordingPart } from '../../../shared/domain/jobs/job-kind.ts';
import { areSeamless, excerptFrom, splitRecording } from '../../../shared/domain/jobs/recording-parts.ts';
import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { isolationLimits } from '../../api/resources/isolate.ts';
import type { NewJob } from '../jobs/job-service.ts';
import type { QueuePorts } from '../jobs/ports.ts';
import type { StoredAudio, StoredJob } from '../library/store.ts';

type IsolationJob = Extract<StoredJob, { readonly kind: 'isolate' }>;

/** How isolated audio relates to a longer recording. */
export interface PartOfRecording extends RecordingPart {
  /** Index among the parts that the recording was split into; null for an excerpt. */
  readonly index: number | null;
  readonly count: number;
  /** All parts are isolated, and there is no gap between them. */
  readonly isJoinable: boolean;
}

type Ports = Pick<QueuePorts, 'store' | 'audio' | 'extractor'>;

/**
 * Recordings that are sent in parts: split when they are too large, tried with an excerpt of some seconds, and joined
 * again.
 */
export function createRecordingParts({ store, audio, extractor }: Ports) {
  const jobOf = (jobId: string): Result<IsolationJob | null, Failure> => {
    const found = store.job(jobId);
    if (!found.ok) return found;
    return ok(found.value?.kind === 'isolate' ? found.value : null);
  };

  /** All parts of the same recording with the same options, including this one, in order of time. */
  const partsOf = (job: IsolationJob): Result<readonly IsolationJob[], Failure> => {
    const jobs = store.loadJobs();
    if (!jobs.ok) return jobs;
    const own = jobs.value.filter(
      (other): other is IsolationJob =>
        other.kind === 'isolate' &&
        other.path === job.path &&
        other.restoresSpeech === job.restoresSpeech &&
        other.restorationModel === job.restorationModel &&
        other.part !== undefined &&
        other.isExcerpt !== true,
    );
    const newest = new Map(own.toSorted((a, b) => a.addedAtMs - b.addedAtMs).map((one) => [one.part?.startMs, one]));
    return ok([...newest.values()].toSorted((a, b) => (a.part?.startMs ?? 0) - (b.part?.startMs ?? 0)));
  };

  const audioOf = ({ memory: { state } }: IsolationJob): StoredAudio | null => {
    if (state.tag !== 'done' || state.audioId === undefined) return null;
    const found = store.audio(state.audioId);
    return found.ok ? found.value : null;
  };

  return {
    /** The parts in which the recording of this row is sent. E-040 when its length is not known. */
    split(jobId: string): Result<readonly (NewJob & { readonly part: RecordingPart })[], Failure> {
      const job = jobOf(jobId);
      if (!job.ok) return job;
      if (job.value?.durationMs == null) return err(localFailure('E-040', { code: 'unknown_job' }));
      const { path, name, sizeBytes, durationMs, part } = job.value;
      const options = optionsOf({ ...job.value, part: undefined, isExcerpt: undefined });
      const whole = part ?? { startMs: 0, endMs: durationMs };
      const parts = splitRecording(whole, sizeBytes, isolationLimits.fileBytes);
      return ok(
        parts.map((one, index) => ({
          path,
          name: nameOfPart(name, index, parts.length),
          ...options,
          part: one,
        })),
      );
    },

    /** The whole recording of a part as a new job, with its length in milliseconds. E-010 when it is gone. */
    async whole(jobId: string): Promise<Result<{ readonly job: NewJob; readonly lengthMs: number }, Failure>> {
      const job = jobOf(jobId);
      if (!job.ok) return job;
      if (job.value === null) return err(localFailure('E-040', { code: 'unknown_job' }));
      const { path, name } = job.value;
      const options = optionsOf({ ...job.value, part: undefined, isExcerpt: undefined });
      const looked = await extractor.look(path);
      if (!looked.ok) return looked;
      return ok({ job: { path, name, ...options }, lengthMs: looked.value.durationMs ?? 0 });
    },

    /** Some seconds of the same recording from another place, with their length. E-010 when it is gone. */
    async excerpt(jobId: string, startMs: number): ReturnType<typeof this.whole> {
      const whole = await this.whole(jobId);
      if (!whole.ok) return whole;
      const { job, lengthMs } = whole.value;
      const part = excerptFrom(startMs, lengthMs);
      return ok({ job: { ...job, part, isExcerpt: true }, lengthMs: part.endMs - part.startMs });
    },

    /** The title of the whole recording, without extension. */
    recordingTitle({ jobId, title }: StoredAudio): string {
      const job = jobOf(jobId);
      return job.ok && job.value !== null ? baseName(basename(job.value.path)) : title;
    },

    /** Null for audio of a whole recording. */
    describe({ jobId }: StoredAudio): Result<PartOfRecording | null, Failure> {
      const job = jobOf(jobId);
      if (!job.ok) return job;
      if (job.value?.part === undefined) return ok(null);
      const parts = partsOf(job.value);
      if (!parts.ok) return parts;
      const index = parts.value.findIndex(({ id }) => id === jobId);
      const ranges = parts.value.flatMap(({ part }) => part ?? []);
      return ok({
        ...job.value.part,
        index: index === -1 ? null : index,
        count: parts.value.length,
        isJoinable:
          index !== -1 &&
          parts.value.length > 1 &&
          areSeamless(ranges) &&
          parts.value.every((one) => audioOf(one) !== null),
      });
    },

    /** Writes the isolated audio of all parts as one file. E-040 when one of them is missing. */
    async saveJoined(
      { jobId }: StoredAudio,
      target: string,
      format: AudioExtension,
      signal: AbortSignal,
    ): Promise<Result<null, Failure>> {
      const job = jobOf(jobId);
      if (!job.ok) return job;
      const parts = job.value === null ? ok([]) : partsOf(job.value);
      if (!parts.ok) return parts;
      const files = parts.value.flatMap((one) => {
        const isolated = audioOf(one);
        return isolated === null || one.part === undefined
          ? []
          : [{ ...one.part, path: audio.pathOf(isolated.fileName) }];
      });
      if (files.length === 0 || files.length < parts.value.length)
        return err(localFailure('E-040', { code: 'no_audio' }));
      return extractor.join(files, target, format, signal, () => undefined);
    },
  };
}

/** The name of a recording with the part number before the extension. */
export function nameOfPart(name: string, index: number, count: number): string {
  const [, stem = name, extension = ''] = /^(.*?)([.][^.]+)?$/su.exec(name) ?? [];
  return `${stem} (${String(index + 1)}/${String(count)})${extension}`;
}
