import { basename } from 'node:path';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { optionsOf, type RecordingPart } from '../../../shared/domain/jobs/job-state.ts';
import { areSeamless, excerptFrom, splitRecording } from '../../../shared/domain/jobs/recording-parts.ts';
import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { isolationLimits } from '../../service/isolate.ts';
import type { NewJob } from '../../queue/rows.ts';
import type { QueueDeps } from '../../queue/effects.ts';
import type { StoredAudio, StoredJob } from '../library/store.ts';

type IsolationJob = Extract<StoredJob, { readonly kind: 'isolate' }>;

export interface PartOfRecording extends RecordingPart {
  readonly index: number | null;
  readonly count: number;
  readonly isJoinable: boolean;
}

type Ports = Pick<QueueDeps, 'store' | 'audio' | 'extractor'>;

export function createRecordingParts({ store, audio, extractor }: Ports) {
  const jobOf = (jobId: string): Result<IsolationJob | null> => {
    const found = store.job(jobId);
    if (!found.ok) return found;
    return ok(found.value?.kind === 'isolate' ? found.value : null);
  };

  const partsOf = (job: IsolationJob): Result<readonly IsolationJob[]> => {
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
    split(jobId: string): Result<readonly (NewJob & { readonly part: RecordingPart })[]> {
      const job = jobOf(jobId);
      if (!job.ok) return job;
      if (job.value?.durationMs == null) return err(localFailure('deleted-at-service', { code: 'unknown_job' }));
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

    /** The whole recording of a part as a new job, with its length in milliseconds. file-unreadable when it is gone. */
    async whole(jobId: string): Promise<Result<{ readonly job: NewJob; readonly lengthMs: number }>> {
      const job = jobOf(jobId);
      if (!job.ok) return job;
      if (job.value === null) return err(localFailure('deleted-at-service', { code: 'unknown_job' }));
      const { path, name } = job.value;
      const options = optionsOf({ ...job.value, part: undefined, isExcerpt: undefined });
      const looked = await extractor.look(path);
      if (!looked.ok) return looked;
      return ok({ job: { path, name, ...options }, lengthMs: looked.value.durationMs ?? 0 });
    },

    /** Some seconds of the same recording from another place, with their length. file-unreadable when it is gone. */
    async excerpt(jobId: string, startMs: number): ReturnType<typeof this.whole> {
      const whole = await this.whole(jobId);
      if (!whole.ok) return whole;
      const { job, lengthMs } = whole.value;
      const part = excerptFrom(startMs, lengthMs);
      return ok({ job: { ...job, part, isExcerpt: true }, lengthMs: part.endMs - part.startMs });
    },

    recordingTitle({ jobId, title }: StoredAudio): string {
      const job = jobOf(jobId);
      return job.ok && job.value !== null ? baseName(basename(job.value.path)) : title;
    },

    describe({ jobId }: StoredAudio): Result<PartOfRecording | null> {
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

    async saveJoined(
      { jobId }: StoredAudio,
      target: string,
      format: AudioExtension,
      signal: AbortSignal,
    ): Promise<Result<null>> {
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
        return err(localFailure('deleted-at-service', { code: 'no_audio' }));
      return extractor.join(files, target, format, signal, () => undefined);
    },
  };
}

export function nameOfPart(name: string, index: number, count: number): string {
  const [, stem = name, extension = ''] = /^(.*?)([.][^.]+)?$/su.exec(name) ?? [];
  return `${stem} (${String(index + 1)}/${String(count)})${extension}`;
}
