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
import { openPacketDecoder, type PacketDecoder } from './packet-decoders.ts';
import { Undecodable, type PcmBlock } from '../../../shared/domain/audio/pcm-block.ts';
import { refuseTooMuch, type OpenedAudio } from './pcm-block.ts';

const formats = [ADTS, MATROSKA, MP4, OGG, QTFF, WEBM];

const cut = (block: PcmBlock, from: number, to: number): PcmBlock =>
  from === 0 && to >= (block.channels[0]?.length ?? 0)
    ? block
    : { ...block, channels: block.channels.map((channel) => channel.subarray(from, to)) };

/** Recorders leave out silence, and streams lose packets; longer gaps than this come from broken clocks. */
const holeSeconds = { least: 0.1, most: 600 };

function* silence(seconds: number, like: PcmBlock): Generator<PcmBlock> {
  for (let left = seconds; left > 0; left -= 1) {
    const samples = new Float32Array(Math.round(Math.min(1, left) * like.sampleRate));
    yield { ...like, channels: like.channels.map(() => samples) };
  }
}

/** Damage at the end must not cost the audio before it, so an unknown end counts as no end. */
const endOf = (track: InputAudioTrack): Promise<number> =>
  track.computeDuration().catch(() => Number.POSITIVE_INFINITY);

/**
 * Decodes packet by packet along the times of the container. Encoder padding at the start (times below zero) and at the
 * end (after the last packet) is removed, and gaps become silence.
 */
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
export async function openPackets(path: string, container: string): Promise<OpenedAudio> {
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
