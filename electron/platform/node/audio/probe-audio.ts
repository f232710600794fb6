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
