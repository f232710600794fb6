import { open } from 'node:fs/promises';
import { ADTS, FilePathSource, FLAC, Input, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM } from 'mediabunny';
import type { ProbedMedia } from '../../../../shared/domain/media/audio-plan.ts';

/** The containers whose tracks are read; recognised by their bytes, not by names. */
export const openMedia = (path: string): Input =>
  new Input({
    source: new FilePathSource(path, { maxCacheSize: 4 * 1024 * 1024 }),
    formats: [ADTS, MATROSKA, MP4, MPEG_TS, QTFF, WEBM],
  });

/** In addition the formats that the service accepts unchanged, because parts are cut out of those too. */
export const openRecording = (path: string): Input =>
  new Input({
    source: new FilePathSource(path, { maxCacheSize: 4 * 1024 * 1024 }),
    formats: [ADTS, FLAC, MATROSKA, MP3, MP4, MPEG_TS, OGG, QTFF, WAVE, WEBM],
  });

/** Tracks and length of a recording, from its headers. Throws when it is damaged. */
export async function probeAudio(path: string): Promise<ProbedMedia> {
  const input = openMedia(path);
  try {
    const [audio, video] = await Promise.all([input.getPrimaryAudioTrack(), input.getPrimaryVideoTrack()]);
    const seconds = await input.getDurationFromMetadata().catch(() => null);
    const durationMs = seconds !== null && Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null;
    if (audio === null) return { hasVideo: video !== null, durationMs, sound: null };
    const codec = await audio.getCodec();
    // Broadcast streams begin at an arbitrary time; what counts is how much later than the picture the audio begins.
    const lateBy = (await audio.getFirstTimestamp()) - (await input.getFirstTimestamp());
    return { hasVideo: video !== null, durationMs, sound: { codec, startMs: Math.max(0, Math.round(lateBy * 1000)) } };
  } finally {
    input.dispose();
  }
}

/** Below this nobody hears anything, and a microphone that is muted or not connected stays below it. */
const silentPower = 10 ** (-60 / 10);
const windowsPerSecond = 10;

/**
 * Whether every tenth of a second is quieter than −60 dB, whatever its samples swing around. Reads no further than the
 * first sound, so that only silence is decoded as a whole. Throws what the decoders throw.
 */
export async function isSilent(path: string, sign: () => void): Promise<boolean> {
  // Decoders are a part of the thread that headers don't need.
  const { openAudio } = await import('../../../audio/decode/open-audio.ts');
  const file = await open(path, 'r');
  try {
    for await (const { channels, sampleRate } of (await openAudio(file, path)).blocks) {
      if (channels.some((samples) => isHeard(samples, Math.round(sampleRate / windowsPerSecond)))) return false;
      sign();
    }
    return true;
  } finally {
    await file.close();
  }
}

function isHeard(samples: Float32Array, window: number): boolean {
  for (let from = 0; from < samples.length; from += window) {
    const piece = samples.subarray(from, from + window);
    let [sum, squares] = [0, 0];
    for (const value of piece) {
      sum += value;
      squares += value * value;
    }
    if (squares / piece.length - (sum / piece.length) ** 2 > silentPower) return true;
  }
  return false;
}
