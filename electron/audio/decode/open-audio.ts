import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import {
  ADTS,
  EncodedPacketSink,
  FilePathSource,
  Input,
  MATROSKA,
  MP4,
  OGG,
  QTFF,
  WEBM,
  type InputAudioTrack,
} from 'mediabunny';
import { MPEGDecoder } from 'mpg123-decoder';
import type { FileHandle } from 'node:fs/promises';
import { OpusDecoder } from 'opus-decoder';
import { AacDecoder } from '../../../shared/domain/audio/aac/aac-decoder.ts';
import { type PcmBlock, Undecodable } from '../../../shared/domain/audio/pcm-block.ts';
import { fileKindOf } from './file-kind.ts';
import { refuseTooMuch, openWav, type OpenedAudio } from './wav.ts';

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ ((value & 0x8000_0000) === 0 ? 0 : 0x04c1_1db7);
  return value >>> 0;
});

class OggWriter {
  #sequence = 0;

  page(packets: readonly Uint8Array[]): Uint8Array {
    const segments = packets.flatMap((packet) => segmentsOf(packet.length));
    if (segments.length > 255) throw new RangeError('the packets do not fit into one Ogg page');
    const header = Buffer.alloc(27 + segments.length);
    header.write('OggS', 0, 'latin1');
    header[5] = this.#sequence === 0 ? 2 : 0;
    header.writeUInt32LE(1, 14);
    header.writeUInt32LE(this.#sequence, 18);
    header[26] = segments.length;
    header.set(segments, 27);
    this.#sequence += 1;
    const page = Buffer.concat([header, ...packets]);
    page.writeUInt32LE(crc(page), 22);
    return page;
  }
}

const emptyVorbisComment = new Uint8Array([3, ...Buffer.from('vorbis'), 0, 0, 0, 0, 0, 0, 0, 0, 1]);

/** Bare AAC (ADTS) repeats in front of each frame what a container stores once: the header has 7 or 9 bytes. */
const withoutAdtsHeader = (packet: Uint8Array): Uint8Array =>
  packet[0] === 0xff && ((packet[1] ?? 0) & 0xf6) === 0xf0
    ? packet.subarray(((packet[1] ?? 0) & 1) === 1 ? 7 : 9)
    : packet;

const formats = [ADTS, MATROSKA, MP4, OGG, QTFF, WEBM];
const cut = (block: PcmBlock, from: number, to: number): PcmBlock =>
  from === 0 && to >= (block.channels[0]?.length ?? 0)
    ? block
    : { ...block, channels: block.channels.map((channel) => channel.subarray(from, to)) };

/** Recorders leave out silence, and streams lose packets; longer gaps than this come from broken clocks. */
const holeSeconds = { least: 0.1, most: 600 };

/** Damage at the end must not cost the audio before it, so an unknown end counts as no end. */
const endOf = (track: InputAudioTrack): Promise<number> =>
  track.computeDuration().catch(() => Number.POSITIVE_INFINITY);

const chunkBytes = 16 * 1024;

async function* decodeMp3(file: FileHandle): AsyncGenerator<PcmBlock> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const buffer = Buffer.alloc(chunkBytes);
    let position = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const { channelData, sampleRate, samplesDecoded } = decoder.decode(buffer.subarray(0, bytesRead));
      if (samplesDecoded > 0) yield { channels: channelData, sampleRate };
    }
  } finally {
    decoder.free();
  }
}

/** The decoder finds the frames, skips tags and removes the encoder's padding. */
const openMp3 = (file: FileHandle): OpenedAudio => ({
  container: 'mp3',
  codec: 'mp3',
  blocks: decodeMp3(file),
});

const mostBytes = 32 * 1024;
const leastBytes = 128;
/** Silence compresses to a few bytes a second, so pieces get smaller when one yields this many samples. */
const samplesAtOnce = 2 ** 20;

async function* decodeFlac(file: FileHandle): AsyncGenerator<PcmBlock> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  try {
    let position = 0;
    let chunkBytes = 1024;
    for (;;) {
      // The parser keeps unused bytes of its input, so each piece needs memory of its own.
      const buffer = new Uint8Array(chunkBytes);
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
      position += bytesRead;
      const decoded = bytesRead === 0 ? await decoder.flush() : await decoder.decode(buffer.subarray(0, bytesRead));
      const samples = decoded.samplesDecoded * decoded.channelData.length;
      if (samples > samplesAtOnce) chunkBytes = Math.max(leastBytes, chunkBytes / 2);
      else if (samples < samplesAtOnce / 4) chunkBytes = Math.min(mostBytes, chunkBytes * 2);
      if (decoded.samplesDecoded > 0) yield { channels: decoded.channelData, sampleRate: decoded.sampleRate };
      if (bytesRead === 0) return;
    }
  } finally {
    decoder.free();
  }
}

/**
 * Offset at which the first block of a FLAC file has rate (20 bits), channels (3), depth (5) and number of samples
 * (36).
 */
const factsAt = 18;

/** mediabunny's reader of this container never returns from some files that are cut short. */
function openFlac(file: FileHandle, head: Buffer): OpenedAudio {
  if (head.toString('latin1', 0, 4) === 'fLaC' && head.length >= factsAt + 8) {
    const facts = head.readBigUInt64BE(factsAt);
    const rate = Number(facts >> 44n);
    const channels = Number((facts >> 41n) & 7n) + 1;
    if (rate > 0) refuseTooMuch(Number(facts & 0xf_ffff_ffffn) / rate, rate * channels);
  }
  return { container: 'flac', codec: 'flac', blocks: decodeFlac(file) };
}

/** Judges by the first bytes, never by the name, and delegates to the reader of that container. */
export async function openAudio(file: FileHandle, path: string): Promise<OpenedAudio> {
  const { size } = await file.stat();
  const head = Buffer.alloc(Math.min(size, 4096));
  await file.read(head, 0, head.length, 0);
  const kind = fileKindOf(head);
  switch (kind) {
    case null:
      throw new Undecodable('unsupported_media_type', 'not a sound file of a known kind');
    case 'wav':
      return openWav(file, size);
    case 'mp3':
      return openMp3(file);
    case 'flac':
      return openFlac(file, head);
    case 'ogg':
    case 'webm':
    case 'mp4':
    case 'adts':
      return openPackets(path, kind);
  }
}

function* silence(seconds: number, like: PcmBlock): Generator<PcmBlock> {
  for (let left = seconds; left > 0; left -= 1) {
    const samples = new Float32Array(Math.round(Math.min(1, left) * like.sampleRate));
    yield { ...like, channels: like.channels.map(() => samples) };
  }
}

/** Encoder padding at the start and at the end is removed, and gaps become silence. */
async function* decodeTrack(track: InputAudioTrack, end: number, decoder: PacketDecoder): AsyncGenerator<PcmBlock> {
  let hasSound = false;
  try {
    let position = Math.min(0, await track.getFirstTimestamp());
    for await (const packet of new EncodedPacketSink(track).packets()) {
      const block = await decoder.decode(packet.data);
      const length = block?.channels[0]?.length ?? 0;
      if (block === null || length === 0) continue;
      hasSound = true;
      const hole = packet.timestamp - position;
      if (hole >= holeSeconds.least && hole <= holeSeconds.most) {
        yield* silence(hole, block);
        position = packet.timestamp;
      }
      const rate = block.sampleRate;
      const from = Math.min(length, Math.max(0, Math.round(-position * rate)));
      const to = Math.min(length, Math.round((end - position) * rate));
      position += length / rate;
      if (to > from) yield cut(block, from, to);
    }
  } catch (error) {
    if (!hasSound)
      throw new Undecodable('invalid_audio', error instanceof Error ? error.message : 'the file is damaged');
  } finally {
    decoder.free();
  }
}

/** Containers with packets: Ogg, WebM, MP4 and bare AAC. Reads the file piece by piece. */
async function openPackets(path: string, container: string): Promise<OpenedAudio> {
  const input = new Input({ source: new FilePathSource(path, { maxCacheSize: 4 * 1024 * 1024 }), formats });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null) throw new Undecodable('no_audio', 'the file has no sound track');
    const codec = await track.getCodec();
    const config = await track.getDecoderConfig();
    if (codec === null || config === null) throw new Undecodable('unsupported_codec', 'the sound has an unknown codec');
    const end = await endOf(track);
    refuseTooMuch(end, config.sampleRate * config.numberOfChannels);
    const decoder = await openPacketDecoder(codec, config);
    return { container, codec, blocks: closing(decodeTrack(track, end, decoder), () => input.dispose()) };
  } catch (error) {
    input.dispose();
    if (error instanceof Undecodable) throw error;
    throw new Undecodable('invalid_audio', error instanceof Error ? error.message : 'the file is damaged');
  }
}

async function* closing(blocks: AsyncIterable<PcmBlock>, close: () => void): AsyncGenerator<PcmBlock> {
  try {
    yield* blocks;
  } finally {
    close();
  }
}

interface PacketDecoder {
  decode(packet: Uint8Array): PcmBlock | null | Promise<PcmBlock | null>;
  free(): void;
}

interface CodecConfig {
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

function openAac(config: CodecConfig): PacketDecoder {
  const description = bytesOf(config.description);
  const decoder = new AacDecoder(description.length > 0 ? { description } : { sampleRate: config.sampleRate });
  return {
    decode: (packet) => decoder.decode(description.length > 0 ? packet : withoutAdtsHeader(packet)),
    free: () => undefined,
  };
}

async function openPacketDecoder(codec: string, config: CodecConfig): Promise<PacketDecoder> {
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

function crc(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ (crcTable[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return value;
}

/** A packet ends with a segment below 255, so one that is a multiple of 255 long needs an empty one. */
function segmentsOf(length: number): number[] {
  return [...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255];
}
