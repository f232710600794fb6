import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import {
  ADTS,
  AudioSampleSink,
  EncodedPacketSink,
  type EncodedPacket,
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
import { OpusDecoder } from 'opus-decoder';
import { AacDecoder } from '../../../shared/domain/audio/aac/aac-decoder.ts';
import { type PcmBlock, Undecodable } from '../../../shared/domain/audio/pcm-block.ts';
import { refuseTooMuch, release, type OpenedAudio } from './opened-audio.ts';

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

function* silence(seconds: number, like: PcmBlock): Generator<PcmBlock> {
  for (let left = seconds; left > 0; left -= 1) {
    const samples = new Float32Array(Math.round(Math.min(1, left) * like.sampleRate));
    yield { ...like, channels: like.channels.map(() => samples) };
  }
}

/** Decoders need some audio before to settle. */
const runUpSeconds = 1;

/** Encoder padding at the start and at the end is removed, and gaps become silence. */
async function* decodeTrack(
  track: InputAudioTrack,
  fromSecond: number,
  end: number,
  { first, lateBy }: { readonly first: EncodedPacket | null; readonly lateBy: number },
  decoder: PacketDecoder,
): AsyncGenerator<PcmBlock> {
  let hasSound = false;
  try {
    let position = first === null ? Math.min(0, await track.getFirstTimestamp()) : first.timestamp - lateBy;
    for await (const packet of new EncodedPacketSink(track).packets(first ?? undefined)) {
      const block = await decoder.decode(packet.data);
      const length = block?.channels[0]?.length ?? 0;
      if (block === null || length === 0) {
        // The first packet of Vorbis only prepares for the next.
        if (first !== null && !hasSound) position = packet.timestamp + packet.duration - lateBy;
        continue;
      }
      hasSound = true;
      const hole = packet.timestamp - position;
      if (hole >= holeSeconds.least && hole <= holeSeconds.most) {
        yield* silence(hole, block);
        position = packet.timestamp;
      }
      const rate = block.sampleRate;
      const from = Math.min(length, Math.max(0, Math.round((fromSecond - position) * rate)));
      const to = Math.min(length, Math.round((end - position) * rate));
      position += length / rate;
      if (to > from) yield cut(block, from, to);
      decoder.release(block.channels);
    }
  } catch (error) {
    if (!hasSound)
      throw new Undecodable('invalid_audio', error instanceof Error ? error.message : 'the file is damaged');
  } finally {
    decoder.free();
  }
}

/** Uncompressed sound in a container, which mediabunny decodes. */
async function* readSamples(track: InputAudioTrack, fromSecond: number): AsyncGenerator<PcmBlock> {
  for await (const sample of new AudioSampleSink(track).samples(fromSecond)) {
    const { numberOfChannels, numberOfFrames, sampleRate, timestamp } = sample;
    const skip = Math.max(0, Math.round((fromSecond - timestamp) * sampleRate));
    const channels = Array.from({ length: numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
      return plane.subarray(skip);
    });
    sample.close();
    if (skip < numberOfFrames) yield { channels, sampleRate };
  }
}

/** Containers with packets: Ogg, WebM, MP4 and bare AAC. Reads the file piece by piece. */
export async function openPackets(path: string, container: string, fromSecond: number): Promise<OpenedAudio> {
  const input = new Input({ source: new FilePathSource(path, { maxCacheSize: 4 * 1024 * 1024 }), formats });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null) throw new Undecodable('no_audio', 'the file has no sound track');
    const codec = await track.getCodec();
    const config = await track.getDecoderConfig();
    if (codec === null || config === null) throw new Undecodable('unsupported_codec', 'the sound has an unknown codec');
    const end = await endOf(track);
    refuseTooMuch(end, config.sampleRate * config.numberOfChannels);
    const seconds = async () => (Number.isFinite(end) ? end : null);
    const opened = (blocks: AsyncIterable<PcmBlock>): OpenedAudio => ({
      container,
      codec,
      seconds,
      blocks: closing(blocks, () => input.dispose()),
    });
    if (isUncompressed(codec)) return opened(readSamples(track, fromSecond));
    const first =
      fromSecond > runUpSeconds ? await new EncodedPacketSink(track).getPacket(fromSecond - runUpSeconds) : null;
    const decoder = await openPacketDecoder(codec, config, first === null);
    // Times of Matroska count what decoders leave out at the beginning, those of Ogg do not.
    const lateBy = first === null || container !== 'webm' ? 0 : await withheldSeconds(track, codec, config);
    return opened(decodeTrack(track, fromSecond, end, { first, lateBy }, decoder));
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
  /** What it reuses stays. */
  release(channels: readonly Float32Array[]): void;
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

const preSkipOf = (head: Uint8Array): number => (head.length >= 12 ? (head[10] ?? 0) + (head[11] ?? 0) * 256 : 0);

/** Opus skips a beginning, and the first packet of Vorbis only prepares for the next. */
async function withheldSeconds(track: InputAudioTrack, codec: string, config: CodecConfig): Promise<number> {
  if (codec === 'opus') return preSkipOf(bytesOf(config.description)) / 48_000;
  const sink = new EncodedPacketSink(track);
  const first = codec === 'vorbis' ? await sink.getFirstPacket() : null;
  const second = first && (await sink.getNextPacket(first));
  return first === null || second === null ? 0 : second.timestamp - first.timestamp;
}

const isUncompressed = (codec: string): boolean => codec.startsWith('pcm-') || codec === 'ulaw' || codec === 'alaw';

/** The identification header of Opus (RFC 7845 5.1) says how much to skip and how streams become channels. */
async function openOpus(config: CodecConfig, isBeginning: boolean): Promise<PacketDecoder> {
  const head = bytesOf(config.description);
  const channels = head[9] ?? config.numberOfChannels;
  const preSkip = isBeginning ? preSkipOf(head) : 0;
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
    release,
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

/** Its parser of Ogg takes most of the time, and the packets of other containers come without pages. */
async function openVorbis(config: CodecConfig): Promise<PacketDecoder> {
  const laced = bytesOf(config.description);
  if (laced[0] !== 2) throw new Undecodable('invalid_audio', 'the Vorbis headers are damaged');
  const [identification, , setup] = splitVorbisHeaders(laced);
  if (identification === undefined || setup === undefined)
    throw new Undecodable('invalid_audio', 'the Vorbis headers are missing');
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  return {
    decode: async (data) => {
      const page = { data: identification, codecFrames: [{ data, header: { vorbisSetup: setup } }], isLastPage: false };
      const { channelData, sampleRate } = await decoder.decodeOggPages([page] as unknown as VorbisPages);
      return { channels: channelData, sampleRate };
    },
    release,
    free: () => decoder.free(),
  };
}

type VorbisPages = Parameters<OggVorbisDecoder['decodeOggPages']>[0];

async function openFlacFrames(): Promise<PacketDecoder> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  return {
    decode: async (frame) => {
      const { channelData, sampleRate } = await decoder.decodeFrames([frame]);
      return { channels: channelData, sampleRate };
    },
    release,
    free: () => decoder.free(),
  };
}

async function openMp3Frames(): Promise<PacketDecoder> {
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  return {
    decode: (frame) => {
      const { channelData, sampleRate } = decoder.decode(frame);
      return { channels: channelData, sampleRate };
    },
    release,
    free: () => decoder.free(),
  };
}

function openAac(config: CodecConfig): PacketDecoder {
  const description = bytesOf(config.description);
  const decoder = new AacDecoder(description.length > 0 ? { description } : { sampleRate: config.sampleRate });
  return {
    decode: (packet) => decoder.decode(description.length > 0 ? packet : withoutAdtsHeader(packet)),
    release: () => undefined,
    free: () => undefined,
  };
}

async function openPacketDecoder(codec: string, config: CodecConfig, isBeginning: boolean): Promise<PacketDecoder> {
  switch (codec) {
    case 'opus':
      return openOpus(config, isBeginning);
    case 'vorbis':
      return openVorbis(config);
    case 'aac':
      return openAac(config);
    case 'flac':
      return openFlacFrames();
    case 'mp3':
      return openMp3Frames();
    default:
      throw new Undecodable('unsupported_codec', `the codec ${codec} is not supported`);
  }
}
