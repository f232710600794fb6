import type { Decode, Engine } from './decoded-audio.ts';
import { decodeFlac } from './decode-flac.ts';
import { decodeMp3, decodeMp3WithPadding } from './decode-mp3.ts';
import { decodeVorbis } from './decode-vorbis.ts';
import { decodeWav } from './decode-wav.ts';
import { areFramesAt } from './mp3-frames.ts';
import { codecOfOgg } from './ogg-pages.ts';
import { headBytes, type ByteSource } from './byte-source.ts';

/** The demuxer is large, and most recordings are plain files, so it is loaded on demand. */
export const engines: Readonly<Record<Engine, Decode>> = {
  wav: decodeWav,
  mp3: decodeMp3,
  flac: decodeFlac,
  vorbis: decodeVorbis,
  opus: async function* (source, part) {
    yield* (await import('./decode-opus.ts')).decodeOpus(source, part);
  },
  aac: async function* (source, part) {
    const decode = (await openPlainAac(source)) ?? (await import('./decode-aac.ts')).decodeAac;
    yield* decode(source, part);
  },
};

/** Judges by the content of the recording, because file names lie. Null: only WebCodecs may have a decoder for it. */
export async function chooseEngine(source: ByteSource): Promise<Engine | null> {
  const head = (await source.read(0, headBytes))?.bytes ?? new Uint8Array();
  const plain = plainEngine(head);
  if (plain !== null) return plain;
  if (isWord(head, 4, 'ftyp') && (await openPlainAac(source)) !== null) return 'aac';
  const { lowComplexity, openMedia } = await import('./media-input.ts');
  const input = openMedia(source);
  try {
    const format = await input.getFormat();
    const track = await input.getPrimaryAudioTrack();
    if (track === null) return null;
    const codec = await track.getCodecParameterString();
    if (codec === lowComplexity && format.name !== 'ADTS') return 'aac';
    return engineFor(format.name, await track.getCodec(), await track.getNumberOfChannels());
  } finally {
    input.dispose();
  }
}

/** The engine by the first bytes of a plain file; null when they are not enough. */
function plainEngine(bytes: Uint8Array): Engine | null {
  const word = (at: number, letters: string) => isWord(bytes, at, letters);
  if (word(0, 'RIFF') && word(8, 'WAVE')) return 'wav';
  if (word(0, 'fLaC')) return 'flac';
  if (word(0, 'OggS')) return codecOfOgg(bytes);
  // An ID3 tag gives its length in four times seven bits.
  const tag = word(0, 'ID3') ? 10 + bytes.slice(6, 10).reduce((sum, byte) => sum * 128 + byte, 0) : 0;
  return areFramesAt(bytes, tag) ? 'mp3' : null;
}

const isWord = (bytes: Uint8Array, at: number, letters: string): boolean =>
  Array.from(letters).every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

const openPlainAac = async (source: ByteSource, readsVideo = false): Promise<Decode | null> =>
  (await import('./decode-aac-in-order.ts')).openAacInOrder(source, readsVideo);

/** The engine for a container (mediabunny's name) and codec; measured, see the performance notes. */
export function engineFor(container: string, codec: string | null, channels: number): Engine | null {
  if (container === 'WAVE') return 'wav';
  if (container === 'MP3') return 'mp3';
  if (container === 'FLAC' || (container === 'Ogg' && codec === 'flac')) return 'flac';
  if (container === 'Ogg' && codec === 'vorbis') return 'vorbis';
  // More than two channels need a mapping table, which the browser handles.
  if (codec === 'opus' && channels <= 2) return 'opus';
  return null;
}

const sameSamples: Readonly<Record<Engine, Decode | null>> = {
  ...engines,
  mp3: decodeMp3WithPadding,
  opus: async function* (source, part) {
    yield* (await import('./decode-opus.ts')).decodeOpusFully(source, part);
  },
  // In a plain MP4 it is read in order, see below; in others the demuxer's objects for each packet pile up.
  aac: null,
};

/**
 * A decoder that reads a recording from beginning to end with the samples of WebCodecs, in constant memory; null where
 * there is none. For workers, because it is WebAssembly.
 */
export async function chooseSameSamples(source: ByteSource): Promise<Decode | null> {
  const engine = await chooseEngine(source);
  if (engine === null) return null;
  return engine === 'aac' ? openPlainAac(source, true) : sameSamples[engine];
}
