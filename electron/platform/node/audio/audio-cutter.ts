import { randomBytes } from 'node:crypto';
import { access, constants, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../../shared/result/result.ts';
import type { CopiedPiece, ReplacedAudio } from '../../../audio/copy-video.ts';
import type { PlannedVideo } from '../../../audio/read-pieces.ts';
import { copySamples, plainSamplesOf } from '../../../audio/cut-samples.ts';
import type { AudioCut, AudioCutter, CutWatch } from '../../../services/exports/write-request.ts';
import { WorkThread } from '../../../threads/work-thread.ts';
import { asUsersFile } from '../users-files.ts';
import { readFailure, writeFailure } from '../storage-failure.ts';
import type { RecordingPart, HeardIn } from '../../../../shared/domain/jobs/job-state.ts';
import type { ProbedMedia, AudioExtension } from '../../../../shared/domain/media/audio-plan.ts';
import type { SpeechJoin, SpokenPart } from '../../../services/speech/speech-file.ts';

/** What is copied byte by byte needs no thread: that takes longer to start than minutes of sound take to copy. */
export function createAudioCutter(workerUrl: URL): AudioCutter {
  const inThread = async (cut: AudioCut, part: string, { signal, onShare }: CutWatch): Promise<AudioOutcome> => {
    const thread = new WorkThread<AudioRequest, AudioOutcome>({
      workerUrl,
      workerData: audioWorkerRole,
      silenceLimitMs: 30_000,
      triesOnce: true,
      youngGenerationMb: 4,
      lost: () => ({ kind: 'failed', system: null }),
    });
    const stop = () => void thread.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await thread.run({ kind: 'cut', ...cut, to: part }, onShare);
    } finally {
      signal.removeEventListener('abort', stop);
      await thread.close();
    }
  };
  return async (cut, watch) => {
    const { from, to } = cut;
    const params = { name: basename(from) };
    const cancelled = err(localFailure('export-unfinished', { code: 'cancelled' }));
    const trouble = await access(from, constants.R_OK).then(
      () => null,
      (error: unknown) => ({ ...readFailure(error), params }),
    );
    if (trouble !== null) return err(trouble);
    if (watch.signal.aborted) return cancelled;
    const part = join(dirname(to), `.${randomBytes(6).toString('hex')}.part`);
    try {
      const outcome = (await copied(cut, part, watch)) ?? (await inThread(cut, part, watch));
      if (watch.signal.aborted) return cancelled;
      if (outcome.kind === 'failed' && outcome.system !== null) return err(writeFailure({ code: outcome.system }));
      if (outcome.kind !== 'cut') return err(localFailure('not-a-recording', { code: 'not_convertible', params }));
      const { size } = await stat(part);
      await asUsersFile(part);
      await rename(part, to);
      return ok({ sizeBytes: size, durationMs: outcome.durationMs });
    } catch (error) {
      return err(writeFailure(error));
    } finally {
      await rm(part, { force: true }).catch(() => undefined);
    }
  };
}

/** A WAV of 16 bits that stays one; null for what has to be decoded. */
async function copied(
  { from, format, isMono = false, spans, durationMs }: AudioCut,
  part: string,
  { signal, onShare }: CutWatch,
): Promise<AudioOutcome | null> {
  if (format !== 'wav' || isMono || spans.some(({ cover }) => cover !== undefined)) return null;
  const source = await open(from, 'r');
  try {
    const plain = await plainSamplesOf(source);
    if (plain === null) return null;
    const endMs = Math.max(1, Math.min(durationMs, spans.at(-1)?.endMs ?? 0));
    const target = await open(part, 'w', 0o600);
    try {
      const written = await copySamples(source, target, plain, spans, (sample) => {
        onShare(Math.min(1, (sample * 1000) / plain.sampleRate / endMs));
        return !signal.aborted;
      });
      if (written === 0) return { kind: 'failed', system: null };
      await target.sync();
      return { kind: 'cut', durationMs: Math.round((written * 1000) / plain.sampleRate) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

export const audioWorkerRole = { role: 'sound' } as const;

/** The requests to the audio thread. Paths are absolute. */
export type AudioRequest =
  | { readonly kind: 'probe'; readonly path: string }
  | { readonly kind: 'listen'; readonly path: string }
  | ({ readonly kind: 'cut' } & AudioCut)
  | {
      readonly kind: 'copy';
      readonly from: string;
      readonly to: string;
      readonly extension: AudioExtension;
      readonly part?: RecordingPart | undefined;
    }
  | {
      readonly kind: 'join';
      readonly parts: readonly (RecordingPart & { readonly path: string })[];
      readonly to: string;
      readonly format: AudioExtension;
    }
  | ({ readonly kind: 'video' } & ReplacedAudio)
  | ({ readonly kind: 'pieces' } & PlannedVideo)
  | ({ readonly kind: 'speech'; readonly parts: readonly SpokenPart[]; readonly to: string } & SpeechJoin);

export type AudioOutcome =
  | { readonly kind: 'probed'; readonly media: ProbedMedia }
  | { readonly kind: 'listened'; readonly heard: HeardIn }
  | { readonly kind: 'copied' }
  | { readonly kind: 'cut'; readonly durationMs: number }
  | { readonly kind: 'joined' }
  | { readonly kind: 'planned'; readonly pieces: readonly CopiedPiece[]; readonly longerMs: number }
  | { readonly kind: 'spoken'; readonly subtitles: string; readonly quietestLufs: number | null }
  | { readonly kind: 'failed'; readonly system: string | null };
