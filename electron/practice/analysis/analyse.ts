import { open } from 'node:fs/promises';
import { findSpeech } from '../../recogniser/find-speech.ts';
import { LoudnessTrack } from '../../recogniser/loudness-track.ts';
import { openAudio } from '../../audio/decode/open-audio.ts';
import { Undecodable } from '../../../shared/domain/audio/pcm-block.ts';
import { refuseTooMuch } from '../../audio/decode/pcm-block.ts';
import type { AnalysisOutcome } from './measured.ts';

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
