import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { OpusDecoder } from 'opus-decoder';
import { AacDecoder } from '../../../shared/domain/audio/aac/aac-decoder.ts';
import { OggWriter } from './ogg-writer.ts';
import { Undecodable, type PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';

export interface PacketDecoder {
  /** Null: this packet gives no audio by itself. */
  decode(packet: Uint8Array): PcmBlock | null | Promise<PcmBlock | null>;
  free(): void;
}

export interface CodecConfig {
  readonly sampleRate: number;
  readonly numberOfChannels: number;
  readonly description?: ArrayBuffer | SharedArrayBuffer | ArrayBufferView;
}

function bytesOf(description: ArrayBuffer | SharedArrayBuffer | ArrayBufferView | undefined): Uint8Array {
  if (description === undefined) return new Uint8Array();
  return ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
}

/** The identification header of Opus (RFC 7845 5.1) says how much to skip and how streams become channels. */
async function openOpus(config: CodecConfig): Promise<PacketDecoder> {
  const head = bytesOf(config.description);
  const channels = head[9] ?? config.numberOfChannels;
  const preSkip = head.length >= 12 ? (head[10] ?? 0) + (head[11] ?? 0) * 256 : 0;
  const isMapped = head.length >= 21 + channels && (head[18] ?? 0) !== 0;
  const decoder = new OpusDecoder({
    channels,
    preSkip,
    ...(isMapped
      ? {
          streamCount: head[19] ?? 1,
          coupledStreamCount: head[20] ?? 0,
          channelMappingTable: [...head.subarray(21, 21 + channels)],
        }
      : {}),
  });
  await decoder.ready;
  return {
    decode: (packet) => {
      const { channelData, sampleRate } = decoder.decodeFrame(packet);
      return { channels: channelData, sampleRate };
    },
    free: () => decoder.free(),
  };
}

/** The three Vorbis headers are stored together in the description, laced as in Matroska. */
function splitVorbisHeaders(laced: Uint8Array): readonly Uint8Array[] {
  const lengths: number[] = [];
  let at = 1;
  for (let header = 0; header < 2; header += 1) {
    let length = 0;
    while (laced[at] === 255) {
      length += 255;
      at += 1;
    }
    lengths.push(length + (laced[at] ?? 0));
    at += 1;
  }
  const [first = 0, second = 0] = lengths;
  return [
    laced.subarray(at, at + first),
    laced.subarray(at + first, at + first + second),
    laced.subarray(at + first + second),
  ];
}

/** The decoder reads only Ogg, so packets from every container are put into Ogg pages again. */
async function openVorbis(config: CodecConfig): Promise<PacketDecoder> {
  const laced = bytesOf(config.description);
  if (laced[0] !== 2) throw new Undecodable('invalid_audio', 'the Vorbis headers are damaged');
  const [identification, comment, setup] = splitVorbisHeaders(laced);
  if (identification === undefined || comment === undefined || setup === undefined)
    throw new Undecodable('invalid_audio', 'the Vorbis headers are missing');
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  const writer = new OggWriter();
  await decoder.decode(writer.page([identification]));
  // The comment may hold a cover picture and is not needed: an empty one always fits into a page.
  await decoder.decode(writer.page([emptyVorbisComment, setup]));
  return {
    decode: async (packet) => {
      const { channelData, sampleRate } = await decoder.decode(writer.page([packet]));
      return { channels: channelData, sampleRate };
    },
    free: () => decoder.free(),
  };
}

const emptyVorbisComment = new Uint8Array([3, ...Buffer.from('vorbis'), 0, 0, 0, 0, 0, 0, 0, 0, 1]);

/** Bare AAC (ADTS) repeats in front of each frame what a container stores once: the header has 7 or 9 bytes. */
const withoutAdtsHeader = (packet: Uint8Array): Uint8Array =>
  packet[0] === 0xff && ((packet[1] ?? 0) & 0xf6) === 0xf0
    ? packet.subarray(((packet[1] ?? 0) & 1) === 1 ? 7 : 9)
    : packet;

function openAac(config: CodecConfig): PacketDecoder {
  const description = bytesOf(config.description);
  const decoder = new AacDecoder(description.length > 0 ? { description } : { sampleRate: config.sampleRate });
  return {
    decode: (packet) => decoder.decode(description.length > 0 ? packet : withoutAdtsHeader(packet)),
    free: () => undefined,
  };
}

/** A decoder for the packets of one track. */
export async function openPacketDecoder(codec: string, config: CodecConfig): Promise<PacketDecoder> {
  switch (codec) {
    case 'opus':
      return openOpus(config);
    case 'vorbis':
      return openVorbis(config);
    case 'aac':
      return openAac(config);
    default:
      throw new Undecodable('unsupported_codec', `the codec ${codec} is not supported`);
  }
}
