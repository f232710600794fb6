import type { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import type { MPEGDecoder } from 'mpg123-decoder';
import {
  headBytes,
  decodeInBlocks,
  whole,
  release,
  type ByteSource,
  type Decode,
  type Engine,
  type Part,
  type DecodedAudio,
} from './decoded-audio.ts';
import { decodeWav } from './decode-wav.ts';
import { flacFrames, areFramesAt, cutOfFlac, cutOfOgg, stretchOf, headOfOgg, cutOfMp3 } from './stream-cuts.ts';
import { codecOfOgg, isOggPage, oggPackets } from './ogg-pages.ts';

/** The samples of a piece, a second of speech, stay in the processor's cache: 64 KiB take a tenth more time. */
const pieceBytes = 8 * 1024;

const decodeMp3: Decode = async function* (source, part = whole) {
  const stretch = await stretchOf(source, part, cutOfMp3);
  if (stretch === null) return;
  const { start, end } = stretch;
  let toSkip = -1;
  for await (const audio of decodeStretch(source, { isGapless: start === null, from: start?.from ?? 0, end })) {
    // A frame has 1,152 samples, half as many at lower sample rates.
    if (toSkip < 0) toSkip = (start?.runUp ?? 0) * (audio.sampleRate >= 32_000 ? 1152 : 576);
    const skip = Math.min(toSkip, audio.frames);
    toSkip -= skip;
    if (skip === 0) yield audio;
    else if (skip < audio.frames)
      yield {
        ...audio,
        channels: audio.channels.map((samples) => samples.subarray(skip)),
        frames: audio.frames - skip,
      };
  }
};

/** Keeps the encoder's padding before the recording, like WebCodecs, so that samples correspond. */
export const decodeMp3WithPadding: Decode = (source) =>
  decodeStretch(source, { isGapless: false, from: 0, end: Infinity });
const toAudio = ({ channelData, samplesDecoded, sampleRate }: ReturnType<MPEGDecoder['decode']>): DecodedAudio => ({
  channels: isTwiceTheSame(channelData, samplesDecoded) ? channelData.slice(0, 1) : channelData,
  frames: samplesDecoded,
  sampleRate,
});

const packetsPerBlock = 50;
const identificationType = 1;
const setupType = 5;

/** Its parser takes half of the time and makes objects that pile up, so packets are taken apart here. */
const decodeVorbis: Decode = async function* (source, part = whole) {
  const stretch = await stretchOf(source, part, cutOfOgg);
  if (stretch === null) return;
  const { start, end } = stretch;
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  let [identification, setup]: [Uint8Array | null, Uint8Array | null] = [null, null];
  const withHead = async function* () {
    if (start !== null) yield await headOfOgg(source);
    yield* source.stream(start?.from, end);
  };
  const soundPackets = async function* () {
    for await (const packet of oggPackets(withHead())) {
      const type = packet[0] ?? 0;
      if (type === identificationType) identification = packet.slice();
      else if (type === setupType) setup = packet.slice();
      // Packets of sound have an even first byte (Vorbis I, 4.2.1).
      else if (type % 2 === 0) yield packet;
    }
  };
  try {
    const decode = async (packets: readonly Uint8Array[]) => {
      if (identification === null || setup === null) return null;
      const codecFrames = packets.map((data) => ({ data, header: { vorbisSetup: setup } }));
      const page = { data: identification, codecFrames, isLastPage: false };
      const { channelData, samplesDecoded, sampleRate } = await decoder.decodeOggPages([page] as unknown as Pages);
      return samplesDecoded === 0 ? null : { channels: channelData, frames: samplesDecoded, sampleRate };
    };
    yield* decodeInBlocks(soundPackets(), packetsPerBlock, decode, start?.runUp);
  } finally {
    decoder.free();
  }
};

const framesPerBlock = 16;

/** Its parser takes half of the time and makes objects that pile up, so frames are taken apart here. */
export const decodeFlac: Decode = async function* (source, part = whole) {
  const { FLACDecoder } = await import('@wasm-audio-decoders/flac');
  const decoder = new FLACDecoder();
  await decoder.ready;
  try {
    yield* decodeInBlocks(framesOf(source, part), framesPerBlock, async (frames) => {
      const { channelData, samplesDecoded, sampleRate } = await decoder.decodeFrames([...frames]);
      return samplesDecoded === 0 ? null : { channels: channelData, frames: samplesDecoded, sampleRate };
    });
  } finally {
    decoder.free();
  }
};

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

/** For workers, in constant memory: the same samples as WebCodecs. Null where there is no such decoder. */
export async function chooseSameSamples(source: ByteSource): Promise<Decode | null> {
  const engine = await chooseEngine(source);
  if (engine === null) return null;
  return engine === 'aac' ? openPlainAac(source, true) : sameSamples[engine];
}

async function* framesOf(source: ByteSource, part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  const isOgg = isOggPage((await source.read(0, 5))?.bytes ?? new Uint8Array(), 0);
  const [take, cutOf] = isOgg ? ([oggFrames, cutOfOgg] as const) : ([flacFrames, cutOfFlac] as const);
  const stretch = await stretchOf(source, part, cutOf);
  if (stretch !== null) yield* take(source.stream(stretch.start?.at, stretch.end));
}

async function* oggFrames(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const packet of oggPackets(pieces)) if (packet[0] === 0xff) yield packet;
}

type Pages = Parameters<OggVorbisDecoder['decodeOggPages']>[0];

interface Stretch {
  readonly isGapless: boolean;
  readonly from: number;
  readonly end: number | Promise<number>;
}

/** The decoder runs in the calling worker: the package's own worker starts from a blob, which the policy forbids. */
async function* decodeStretch(
  source: ByteSource,
  { isGapless, from, end }: Stretch,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder({ enableGapless: isGapless });
  await decoder.ready;
  try {
    for await (const bytes of source.stream(from, end)) {
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
        const block = decoder.decode(bytes.subarray(at, at + pieceBytes));
        // Before the first frame is complete it knows no sample rate either.
        if (block.samplesDecoded > 0) yield toAudio(block);
        release(block.channelData);
      }
    }
  } finally {
    decoder.free();
  }
}

/** The decoder returns mono as two equal channels; comparing some samples is enough to process only one. */
function isTwiceTheSame([left, right]: readonly Float32Array[], frames: number): boolean {
  if (left === undefined || right === undefined) return false;
  const step = Math.max(1, Math.floor(frames / 257));
  for (let i = 0; i < frames; i += step) if (left[i] !== right[i]) return false;
  return true;
}
