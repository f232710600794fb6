import { decodeInBlocks, type Decode, type DecodedAudio, type Part } from './decoded-audio.ts';
import { codecOfOgg, oggPackets } from './ogg-pages.ts';
import type { ByteSource } from './byte-source.ts';
import { cutOfOgg, endOf } from './stream-cuts.ts';

type OpusRate = 16_000 | 48_000;
const packetsPerBlock = 50;
/** How far back a packet depends on earlier ones. */
const runUpSeconds = 0.08;

/** The packets of a recording, and what is needed to decode them. */
interface OpusPackets {
  readonly channels: number;
  /** Samples to leave out at the beginning, at the output rate. */
  readonly toSkip: number;
  readonly packets: AsyncIterable<Uint8Array>;
}

/** Opus from any container for waveforms: a quarter less work than 48 kHz, and peaks of 10 ms look the same. */
export const decodeOpus: Decode = (source, part) => decodeAt(16_000, source, part);

/** With all samples of the recording. */
export const decodeOpusFully: Decode = (source, part) => decodeAt(48_000, source, part);

/** Opus from any container, decoded in WebAssembly. */
async function* decodeAt(
  outputRate: OpusRate,
  source: ByteSource,
  part: Part = 'all',
): AsyncGenerator<DecodedAudio, void, undefined> {
  const held = new DisposableStack();
  try {
    const [{ OpusDecoder }, read] = await Promise.all([import('opus-decoder'), openOgg(outputRate, source, part)]);
    const { channels, toSkip: padding, packets } = read ?? (await openContainer(outputRate, source, part, held));
    const decoder = new OpusDecoder({ sampleRate: outputRate, channels });
    await decoder.ready;
    held.defer(() => {
      decoder.free();
    });
    let toSkip = padding;
    yield* decodeInBlocks(packets, packetsPerBlock, (block) => {
      const { channelData, samplesDecoded } = decoder.decodeFrames([...block]);
      const skip = Math.min(toSkip, samplesDecoded);
      toSkip -= skip;
      return {
        channels: channelData.map((samples) => samples.subarray(skip)),
        frames: samplesDecoded - skip,
        sampleRate: outputRate,
      };
    });
  } finally {
    held.dispose();
  }
}

/** The packets of a plain Ogg, which need no demuxer; null for other containers. */
async function openOgg(outputRate: OpusRate, source: ByteSource, part: Part): Promise<OpusPackets | null> {
  const first = await source.read(0, 4096);
  if (first === null || codecOfOgg(first.bytes) !== 'opus') return null;
  const head = readHead(outputRate, first.bytes.subarray(28));
  if (part === 'all') return { ...head, packets: oggPackets(source.stream()) };
  const cutting = cutOfOgg(source);
  if (part === 'first') return { ...head, packets: oggPackets(source.stream(0, endOf(cutting))) };
  const cut = await cutting;
  const rest = cut === null ? nothing() : oggPackets(source.stream(cut.from));
  return { ...head, toSkip: 0, packets: rest };
}

async function openContainer(
  outputRate: OpusRate,
  source: ByteSource,
  part: Part,
  held: DisposableStack,
): Promise<OpusPackets> {
  const [{ EncodedPacketSink }, { bytesOf, middleOf, openMedia, primaryTrack }] = await Promise.all([
    import('mediabunny'),
    import('./media-input.ts'),
  ]);
  const input = openMedia(source);
  held.defer(() => {
    input.dispose();
  });
  const track = await primaryTrack(input);
  const middle = part === 'all' ? null : await middleOf(track);
  const sink = new EncodedPacketSink(track);
  const begins = part === 'second' && middle !== null ? await sink.getPacket(middle - runUpSeconds) : null;
  const head = readHead(outputRate, bytesOf((await track.getDecoderConfig())?.description));
  const runUp = begins === null || middle === null ? null : Math.round((middle - begins.timestamp) * outputRate);
  return {
    channels: await track.getNumberOfChannels(),
    toSkip: runUp ?? head.toSkip,
    packets: (async function* () {
      for await (const packet of sink.packets(begins ?? undefined)) {
        if (part === 'first' && middle !== null && packet.timestamp >= middle) return;
        yield packet.data;
      }
    })(),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {
  // The first worker reads all of it.
}

/** What an `OpusHead` says, which every container carries: its padding is counted at 48 kHz. */
function readHead(outputRate: OpusRate, bytes: Uint8Array): Pick<OpusPackets, 'channels' | 'toSkip'> {
  if (bytes.byteLength < 12) return { channels: 2, toSkip: 0 };
  const padding = (bytes[10] ?? 0) + (bytes[11] ?? 0) * 256;
  return { channels: bytes[9] ?? 2, toSkip: Math.round((padding / 48_000) * outputRate) };
}
