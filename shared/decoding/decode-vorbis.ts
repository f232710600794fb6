import type { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { decodeInBlocks, whole, type Decode } from './decoded-audio.ts';
import { oggPackets } from './ogg-pages.ts';
import { cutOfOgg, headOfOgg, stretchOf } from './stream-cuts.ts';

type Pages = Parameters<OggVorbisDecoder['decodeOggPages']>[0];

/** A packet of sound holds some 20 ms. */
const packetsPerBlock = 50;
const identificationType = 1;
const setupType = 5;

/**
 * Vorbis in a plain Ogg, decoded in WebAssembly. The packets are taken apart here: the package's own parser takes half
 * of the time, and makes objects for each packet that pile up in long recordings.
 */
export const decodeVorbis: Decode = async function* (source, part = whole) {
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
      // A page as the package's parser gives it, as far as its decoder reads it.
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
