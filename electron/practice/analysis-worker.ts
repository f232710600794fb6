import { refuseTooMuch } from '../audio/decode/opened-audio.ts';
import { isInRole, serveThread } from '../threads/work-thread.ts';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { Undecodable, type UndecodableCode } from '../../shared/domain/audio/pcm-block.ts';
import { openAudio } from '../audio/decode/open-audio.ts';
import { findSpeech, type Span } from '../recogniser/find-speech.ts';
import { LoudnessTrack } from '../recogniser/loudness-track.ts';

/** Passed as `workerData`, so that one bundle can be both the server and its workers. */
export const analysisWorkerRole = { role: 'practice-analysis' } as const;

export interface Measured {
  readonly container: string;
  readonly codec: string;
  readonly durationMs: number;
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Largest absolute sample; 1 is full scale. */
  readonly peak: number;
  /** Root mean square over all samples and channels. */
  readonly rms: number;
  readonly speech: readonly Span[];
}

export type AnalysisOutcome =
  | { readonly kind: 'measured'; readonly sound: Measured }
  /** There is more audio than `stopAfterMs`; nothing else is known yet. */
  | { readonly kind: 'longer' }
  | { readonly kind: 'undecodable'; readonly code: UndecodableCode; readonly detail: string };

export interface AnalysisRequest {
  readonly path: string;
  readonly stopAfterMs: number | null;
}

const request = z.object({ path: z.string(), stopAfterMs: z.number().nullable() });

/** Decoding happens here and never in the thread that serves HTTP. */
async function measure(message: unknown, sign: () => void): Promise<AnalysisOutcome> {
  const { path, stopAfterMs } = request.parse(message);
  return analyse(path, stopAfterMs ?? undefined, sign).catch((error: unknown) => ({
    kind: 'undecodable',
    code: 'invalid_audio',
    detail: error instanceof Error ? error.message : 'unknown trouble',
  }));
}

if (isInRole(analysisWorkerRole.role)) serveThread(measure);

/**
 * Decodes a whole file as a stream and measures it. With `stopAfterMs` it gives up with `longer` as soon as there is
 * more audio than that. `onProgress` is called along the way. Broken files are outcomes; only disk errors throw.
 */
export async function analyse(
  path: string,
  stopAfterMs = Number.POSITIVE_INFINITY,
  onProgress: () => void = () => undefined,
): Promise<AnalysisOutcome> {
  const file = await open(path, 'r');
  try {
    const audio = await openAudio(file, path);
    const track = new LoudnessTrack();
    for await (const block of audio.blocks) {
      track.add(block);
      refuseTooMuch(track.durationMs / 1000, block.sampleRate * block.channels.length);
      onProgress();
      if (track.durationMs > stopAfterMs) return { kind: 'longer' };
    }
    const { loudnessDb, ...totals } = track.finish();
    if (totals.durationMs === 0)
      return { kind: 'undecodable', code: 'invalid_audio', detail: 'no sound could be decoded' };
    const speech = findSpeech(loudnessDb, totals.durationMs);
    return { kind: 'measured', sound: { container: audio.container, codec: audio.codec, ...totals, speech } };
  } catch (error) {
    if (error instanceof Undecodable) return { kind: 'undecodable', code: error.code, detail: error.message };
    throw error;
  } finally {
    await file.close();
  }
}
