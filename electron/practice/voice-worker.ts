import { isInRole, serveThread } from '../threads/work-thread.ts';
import { open, rm } from 'node:fs/promises';
import { z } from 'zod';
import { Undecodable } from '../../shared/domain/audio/pcm-block.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';
import { openAudio } from '../audio/decode/open-audio.ts';
import { findSpeech, type Span } from '../recogniser/find-speech.ts';
import { LoudnessTrack } from '../recogniser/loudness-track.ts';
import { suppressFile } from './suppress-file.ts';

/** Passed as `workerData`, so that one bundle can be both the server and its workers. */
export const voiceWorkerRole = { role: 'practice-voice' } as const;

const request = z.object({ path: z.string(), removesNoise: z.boolean(), mostMs: z.number() });
export type VoiceRequest = Readonly<z.output<typeof request>>;

export type VoiceOutcome =
  | {
      readonly kind: 'heard';
      readonly durationMs: number;
      readonly speech: readonly Span[];
      /** Null: nothing voiced was heard. */
      readonly pitchHz: number | null;
    }
  | { readonly kind: 'undecodable' }
  | { readonly kind: 'too-long' }
  /** The recording could not be judged: the listening thread crashed. */
  | { readonly kind: 'lost' };

const rate = 16_000;
/** Long enough for two periods of the deepest voice. */
const frameLength = 1024;
const pitchRange = { least: 65, most: 400 };
/** How similar one period and the next must be. */
const leastPeriodicity = 0.6;

/** Pitch in one frame, by its similarity to itself one period later; null: unvoiced. */
function pitchAt(samples: Float32Array, start: number): number | null {
  let best = { lag: 0, likeness: leastPeriodicity };
  for (let lag = Math.floor(rate / pitchRange.most); lag <= Math.ceil(rate / pitchRange.least); lag += 1) {
    let [both, earlier, later] = [0, 0, 0];
    // Every other sample is enough to recognise a period.
    for (let at = start; at + lag < start + frameLength; at += 2) {
      const [one, other] = [samples[at] ?? 0, samples[at + lag] ?? 0];
      both += one * other;
      earlier += one * one;
      later += other * other;
    }
    const likeness = both / Math.sqrt(earlier * later || 1);
    // Two periods match as well as one, so a longer lag must be better by far.
    if (likeness > best.likeness * (best.lag === 0 ? 1 : 1.05)) best = { lag, likeness };
  }
  return best.lag === 0 ? null : rate / best.lag;
}

/** The median pitch of a voice at 16 kHz, in its loud half; null: nothing voiced was heard. */
export function pitchOf(samples: Float32Array): number | null {
  const frames = Array.from({ length: Math.floor(samples.length / frameLength) }, (_, at) => {
    const start = at * frameLength;
    const energy = samples.subarray(start, start + frameLength).reduce((sum, value) => sum + value * value, 0);
    return { start, energy };
  });
  const loud = frames.toSorted((one, other) => other.energy - one.energy).slice(0, Math.ceil(frames.length / 2));
  const pitches = loud.map(({ start }) => pitchAt(samples, start)).filter((pitch) => pitch !== null);
  return pitches.toSorted((one, other) => one - other)[Math.floor(pitches.length / 2)] ?? null;
}

async function listen(path: string, mostMs: number, sign: () => void): Promise<VoiceOutcome> {
  const file = await open(path, 'r');
  try {
    const track = new LoudnessTrack();
    const parts: Float32Array[] = [];
    let resampler: Resampler | null = null;
    for await (const block of (await openAudio(file, path)).blocks) {
      track.add(block);
      if (track.durationMs > mostMs) return { kind: 'too-long' };
      resampler ??= new Resampler(block.sampleRate, rate);
      parts.push(resampler.push(block.channels[0] ?? new Float32Array()));
      sign();
    }
    const { loudnessDb, durationMs } = track.finish();
    if (durationMs === 0) return { kind: 'undecodable' };
    const pitchHz = pitchOf(Float32Array.from(parts.flatMap((part) => [...part])));
    return { kind: 'heard', durationMs, speech: findSpeech(loudnessDb, durationMs), pitchHz };
  } finally {
    await file.close();
  }
}

async function work(message: unknown, sign: () => void): Promise<VoiceOutcome> {
  const { path, removesNoise, mostMs } = request.parse(message);
  const cleanPath = `${path}.clean`;
  try {
    const raw = await listen(path, mostMs, sign);
    if (!removesNoise || raw.kind !== 'heard') return raw;
    await suppressFile(path, cleanPath, true, sign);
    const clean = await listen(cleanPath, mostMs, sign);
    return clean.kind === 'heard' ? { ...clean, durationMs: raw.durationMs } : clean;
  } catch (error) {
    return { kind: error instanceof Undecodable ? 'undecodable' : 'lost' };
  } finally {
    await rm(cleanPath, { force: true });
  }
}

if (isInRole(voiceWorkerRole.role)) serveThread(work);
