import { openMediaInput } from './media-input.ts';
import type { Decode, Engine } from './decoded-audio.ts';
import { decodeOpus } from './decode-opus.ts';
import { decodeFlac, decodeMp3, decodeVorbis } from './decode-streamed.ts';
import { decodeWav } from './decode-wav.ts';
import { decodeWebCodecs } from './decode-webcodecs.ts';

export const engines: Readonly<Record<Engine, Decode>> = {
  wav: decodeWav,
  mp3: decodeMp3,
  flac: decodeFlac,
  vorbis: decodeVorbis,
  opus: decodeOpus,
  webcodecs: decodeWebCodecs,
};

/** Looks into the recording itself: names of files lie. */
export async function chooseEngine(url: string): Promise<Engine> {
  const input = openMediaInput(url);
  try {
    const format = await input.getFormat();
    const track = await input.getPrimaryAudioTrack();
    if (track === null) return 'webcodecs';
    return engineFor(format.name, await track.getCodec(), await track.getNumberOfChannels());
  } finally {
    input.dispose();
  }
}

/** Which engine reads a container (by mediabunny's name) with a codec in it; measured, see the performance notes. */
export function engineFor(container: string, codec: string | null, channels: number): Engine {
  if (container === 'WAVE') return 'wav';
  if (container === 'MP3') return 'mp3';
  if (container === 'FLAC' || (container === 'Ogg' && codec === 'flac')) return 'flac';
  if (container === 'Ogg' && codec === 'vorbis') return 'vorbis';
  // More than two channels need a mapping table, which the browser reads for us.
  if (codec === 'opus' && channels <= 2) return 'opus';
  return 'webcodecs';
}
