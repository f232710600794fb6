import { EncodedPacketSink } from 'mediabunny';
import type { Decode, DecodedAudio } from './decoded-audio.ts';
import { middleOf, openMediaInput, primaryTrack } from './media-input.ts';

/** A quarter less work than 48 kHz, and peaks of 10 ms look the same. */
const outputRate = 16_000;
const packetsPerBlock = 50;
/** How far back a packet depends on earlier ones. */
const runUpSeconds = 0.08;

/** Opus from any container: packets from the demuxer, decoded in WebAssembly. */
export const decodeOpus: Decode = async function* (url, part = 'all') {
  const { OpusDecoder } = await import('opus-decoder');
  const input = openMediaInput(url);
  const decoder = new OpusDecoder({ sampleRate: outputRate });
  try {
    await decoder.ready;
    const track = await primaryTrack(input);
    const middle = part === 'all' ? null : await middleOf(track);
    const sink = new EncodedPacketSink(track);
    const begins = part === 'second' && middle !== null ? await sink.getPacket(middle - runUpSeconds) : null;
    let toSkip =
      begins === null || middle === null
        ? Math.round((preSkipOf(await track.getDecoderConfig()) / 48_000) * outputRate)
        : Math.round((middle - begins.timestamp) * outputRate);
    let packets: Uint8Array[] = [];
    const decodeBlock = (): DecodedAudio => {
      const { channelData, samplesDecoded } = decoder.decodeFrames(packets);
      packets = [];
      const skip = Math.min(toSkip, samplesDecoded);
      toSkip -= skip;
      return {
        channels: channelData.map((samples) => samples.subarray(skip)),
        frames: samplesDecoded - skip,
        sampleRate: outputRate,
      };
    };
    for await (const packet of sink.packets(begins ?? undefined)) {
      if (part === 'first' && middle !== null && packet.timestamp >= middle) break;
      packets.push(packet.data);
      if (packets.length === packetsPerBlock) yield decodeBlock();
    }
    if (packets.length > 0) yield decodeBlock();
  } finally {
    decoder.free();
    input.dispose();
  }
};

/** The number of padding samples at 48 kHz, from the `OpusHead` that every container carries. */
function preSkipOf(config: AudioDecoderConfig | null): number {
  const description = config?.description;
  if (description === undefined) return 0;
  const bytes = ArrayBuffer.isView(description)
    ? new DataView(description.buffer, description.byteOffset, description.byteLength)
    : new DataView(description);
  return bytes.byteLength >= 12 ? bytes.getUint16(10, true) : 0;
}
