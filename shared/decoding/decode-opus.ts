import { decodeInBlocks, whole, type Decode, type DecodedAudio, type Part, type ByteSource } from './decoded-audio.ts';
import { codecOfOgg, oggPackets } from './ogg-pages.ts';
import { cutOfOgg, stretchOf } from './stream-cuts.ts';

type OpusRate = 16_000 | 48_000;
const packetsPerBlock = 50;
const runUpSeconds = 0.08;

interface OpusPackets {
  readonly channels: number;
  readonly toSkip: number;
  readonly packets: AsyncIterable<Uint8Array>;
  readonly runUp?: number;
  readonly most?: number;
}

/** Opus from any container for waveforms: a quarter less work than 48 kHz, and peaks of 10 ms look the same. */
export const decodeOpus: Decode = (source, part) => decodeAt(16_000, source, part);

export const decodeOpusFully: Decode = (source, part) => decodeAt(48_000, source, part);

async function* decodeAt(
  outputRate: OpusRate,
  source: ByteSource,
  part = whole,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const held = new DisposableStack();
  try {
    const [{ OpusDecoder }, read] = await Promise.all([import('opus-decoder'), openOgg(outputRate, source, part)]);
    const {
      channels,
      toSkip: padding,
      most = Infinity,
      packets,
      runUp,
    } = read ?? (await openContainer(outputRate, source, part, held));
    const decoder = new OpusDecoder({ sampleRate: outputRate, channels });
    await decoder.ready;
    held.defer(() => {
      decoder.free();
    });
    let [toSkip, left] = [padding, most];
    const decode = (block: readonly Uint8Array[]) => {
      const { channelData, samplesDecoded } = decoder.decodeFrames([...block]);
      const skip = Math.min(toSkip, samplesDecoded);
      const frames = Math.min(samplesDecoded - skip, left);
      toSkip -= skip;
      left -= frames;
      return {
        channels: channelData.map((samples) => samples.subarray(skip, skip + frames)),
        frames,
        sampleRate: outputRate,
      };
    };
    yield* decodeInBlocks(packets, packetsPerBlock, decode, runUp);
  } finally {
    held.dispose();
  }
}

async function openOgg(outputRate: OpusRate, source: ByteSource, part: Part): Promise<OpusPackets | null> {
  const first = await source.read(0, 4096);
  if (first === null || codecOfOgg(first.bytes) !== 'opus') return null;
  const head = readHead(outputRate, first.bytes.subarray(28));
  const stretch = await stretchOf(source, part, cutOfOgg);
  if (stretch === null) return { ...head, packets: nothing() };
  const { start, end } = stretch;
  const packets = oggPackets(source.stream(start?.from, end));
  return start === null ? { ...head, packets } : { ...head, toSkip: 0, packets, runUp: start.runUp };
}

async function openContainer(
  outputRate: OpusRate,
  source: ByteSource,
  part: Part,
  held: DisposableStack,
): Promise<OpusPackets> {
  const [{ EncodedPacketSink }, { bytesOf, openMedia, primaryTrack, secondsOf }] = await Promise.all([
    import('mediabunny'),
    import('./media-input.ts'),
  ]);
  const input = openMedia(source);
  held.defer(() => {
    input.dispose();
  });
  const track = await primaryTrack(input);
  const { from, to } = await secondsOf(track, part);
  const sink = new EncodedPacketSink(track);
  const begins = part.index > 0 ? await sink.getPacket(from - runUpSeconds) : null;
  const head = readHead(outputRate, bytesOf((await track.getDecoderConfig())?.description));
  return {
    channels: await track.getNumberOfChannels(),
    toSkip: begins === null ? head.toSkip : Math.round((from - begins.timestamp) * outputRate),
    most: (to - from) * outputRate,
    packets: (async function* () {
      for await (const packet of sink.packets(begins ?? undefined)) {
        if (packet.timestamp >= to) return;
        yield packet.data;
      }
    })(),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}

/** What an `OpusHead` says, which every container carries: its padding is counted at 48 kHz. */
function readHead(outputRate: OpusRate, bytes: Uint8Array): Pick<OpusPackets, 'channels' | 'toSkip'> {
  if (bytes.byteLength < 12) return { channels: 2, toSkip: 0 };
  const padding = (bytes[10] ?? 0) + (bytes[11] ?? 0) * 256;
  return { channels: bytes[9] ?? 2, toSkip: Math.round((padding / 48_000) * outputRate) };
}
