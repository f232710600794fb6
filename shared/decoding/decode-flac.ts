import { decodeInBlocks, whole, type Decode, type Part } from './decoded-audio.ts';
import { flacFrames } from './flac-frames.ts';
import { isOggPage, oggPackets } from './ogg-pages.ts';
import type { ByteSource } from './byte-source.ts';
import { cutOfFlac, cutOfOgg, stretchOf } from './stream-cuts.ts';

/** A frame holds some 0.1 s. */
const framesPerBlock = 16;

/**
 * FLAC, plain or in an Ogg, decoded in WebAssembly. The frames are taken apart here: the package's own parser takes half
 * of the time, and makes objects for each frame that pile up in long recordings.
 */
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

/** The frames of a part of the recording; none depends on another. */
async function* framesOf(source: ByteSource, part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  const isOgg = isOggPage((await source.read(0, 5))?.bytes ?? new Uint8Array(), 0);
  const [take, cutOf] = isOgg ? ([oggFrames, cutOfOgg] as const) : ([flacFrames, cutOfFlac] as const);
  const stretch = await stretchOf(source, part, cutOf);
  if (stretch !== null) yield* take(source.stream(stretch.start?.at, stretch.end));
}

/** In an Ogg each packet is a frame, after those of the headers. */
async function* oggFrames(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const packet of oggPackets(pieces)) if (packet[0] === 0xff) yield packet;
}
