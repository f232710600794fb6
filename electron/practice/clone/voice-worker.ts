import { open, rm } from 'node:fs/promises';
import { z } from 'zod';
import { findSpeech } from '../../recogniser/find-speech.ts';
import { LoudnessTrack } from '../../recogniser/loudness-track.ts';
import { openAudio } from '../../audio/decode/open-audio.ts';
import { Undecodable } from '../../../shared/domain/audio/pcm-block.ts';
import type { Span } from '../../recogniser/find-speech.ts';
import { suppressFile } from '../isolation/suppress-file.ts';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { VoiceMeter, type VoiceProfile } from './voice-profile.ts';

/** Passed as `workerData`, so that one bundle can be both the server and its workers. */
export const voiceWorkerRole = { role: 'practice-voice' } as const;

const request = z.object({ path: z.string(), removesNoise: z.boolean(), mostMs: z.number() });
export type VoiceRequest = Readonly<z.output<typeof request>>;

export type VoiceOutcome =
  | {
      readonly kind: 'heard';
      readonly durationMs: number;
      readonly speech: readonly Span[];
      readonly profile: VoiceProfile;
    }
  | { readonly kind: 'undecodable'; readonly detail: string }
  | { readonly kind: 'too-long' }
  /** The recording could not be judged: the listening thread crashed. */
  | { readonly kind: 'lost' };

async function listen(path: string, mostMs: number, sign: () => void): Promise<VoiceOutcome> {
  const file = await open(path, 'r');
  try {
    const track = new LoudnessTrack();
    let meter: VoiceMeter | null = null;
    for await (const block of (await openAudio(file, path)).blocks) {
      track.add(block);
      // A rejected recording needs no measurements.
      if (track.durationMs > mostMs) return { kind: 'too-long' };
      meter ??= new VoiceMeter(block.sampleRate);
      meter.add(block.channels);
      sign();
    }
    const { loudnessDb, durationMs } = track.finish();
    if (meter === null || durationMs === 0) return { kind: 'undecodable', detail: 'no sound could be decoded' };
    return { kind: 'heard', durationMs, speech: findSpeech(loudnessDb, durationMs), profile: meter.finish() };
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
    return error instanceof Undecodable ? { kind: 'undecodable', detail: error.message } : { kind: 'lost' };
  } finally {
    await rm(cleanPath, { force: true });
  }
}

if (isInRole(voiceWorkerRole.role)) serveThread(work);
