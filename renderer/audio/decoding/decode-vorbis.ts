import type { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { release, type Decode, type DecodedAudio, type Part } from './decoded-audio.ts';
import { oggPackets } from './ogg-pages.ts';
import { byteStream } from './read-bytes.ts';
import { cutOfOgg, endOf } from './stream-cuts.ts';

type Pages = Parameters<OggVorbisDecoder['decodeOggPages']>[0];

/** A packet of sound holds some 20 ms. */
const packetsPerBlock = 50;
const identificationType = 1;
const setupType = 5;

/**
 * Vorbis in a plain Ogg, decoded in WebAssembly. The packets are taken apart here: the package's own parser takes half
 * of the time, and makes objects for each packet that pile up in long recordings.
 */
export const decodeVorbis: Decode = async function* (url, part = 'all') {
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  let [identification, setup, packets]: [Uint8Array | null, Uint8Array | null, Uint8Array[]] = [null, null, []];
  const decodeBlock = async (): Promise<DecodedAudio | null> => {
    // A page as the package's parser gives it, as far as its decoder reads it.
    const codecFrames = packets.map((data) => ({ data, header: { vorbisSetup: setup } }));
    packets = [];
    if (codecFrames.length === 0 || identification === null || setup === null) return null;
    const page = { data: identification, codecFrames, isLastPage: false };
    const { channelData, samplesDecoded, sampleRate } = await decoder.decodeOggPages([page] as unknown as Pages);
    return samplesDecoded === 0 ? null : { channels: channelData, frames: samplesDecoded, sampleRate };
  };
  try {
    for await (const packet of packetsOf(url, part)) {
      const type = packet[0] ?? 0;
      // Packets of sound have an even first byte (Vorbis I, 4.2.1).
      if (type === identificationType) identification = packet.slice();
      else if (type === setupType) setup = packet.slice();
      else if (type % 2 === 0) packets.push(packet);
      if (packets.length < packetsPerBlock) continue;
      const block = await decodeBlock();
      if (block === null) continue;
      yield block;
      release(block.channels);
    }
    const rest = await decodeBlock();
    if (rest !== null) yield rest;
  } finally {
    decoder.free();
  }
};

/** The packets of the recording or of one half of it, with those of its headers. */
async function* packetsOf(url: string, part: Part): AsyncGenerator<Uint8Array, void, undefined> {
  if (part === 'all') return yield* oggPackets(byteStream(url));
  const cutting = cutOfOgg(url);
  if (part === 'first') return yield* oggPackets(byteStream(url, 0, endOf(cutting)));
  const cut = await cutting;
  if (cut === null) return;
  yield* oggPackets([cut.head]);
  yield* oggPackets(byteStream(url, cut.from));
}
