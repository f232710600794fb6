import { Undecodable, type PcmBlock } from '../pcm-block.ts';
import { readAudioConfig } from './audio-config.ts';
import { BitReader } from './bit-reader.ts';
import {
  ChannelRoom,
  frameLength,
  readChannelStream,
  readWindowInfo,
  type ChannelStream,
  type WindowInfo,
} from './channel-stream.ts';
import { FilterBank } from './filter-bank.ts';
import { bandsFor, type Bands } from './scale-factor-bands.ts';
import { dequantise, Noise, undoIntensity, undoMidSide, undoTns } from './spectrum.ts';

const elements = ['single', 'pair', 'coupling', 'lfe', 'data', 'program', 'fill', 'end'] as const;

/** Skips bytes of a fill or data element, which the decoder does not need. */
function skipBytes(bits: BitReader, kind: 'data' | 'fill'): void {
  if (kind === 'fill') {
    const count = bits.read(4);
    bits.skip(8 * (count === 15 ? count + bits.read(8) - 1 : count));
    return;
  }
  bits.skip(4);
  const isAligned = bits.readFlag();
  const count = bits.read(8);
  const total = count === 255 ? count + bits.read(8) : count;
  if (isAligned) bits.alignToByte();
  bits.skip(8 * total);
}

function skipProgramConfig(bits: BitReader): void {
  bits.skip(4 + 2 + 4);
  const [front, side, back, lfe, data, coupling] = [
    bits.read(4),
    bits.read(4),
    bits.read(4),
    bits.read(2),
    bits.read(3),
    bits.read(4),
  ];
  for (const width of [4, 4, 3]) if (bits.readFlag()) bits.skip(width);
  bits.skip(5 * (front + side + back) + 4 * (lfe + data) + 5 * coupling);
  bits.alignToByte();
  bits.skip(8 * bits.read(8));
}

/** Which bands of a channel pair are stored as sum and difference; null: none. */
function readMidSide(bits: BitReader, info: WindowInfo): Uint8Array | null {
  const mode = bits.read(2);
  const size = info.groups.length * info.bandCount;
  if (mode === 0) return null;
  if (mode === 1) return Uint8Array.from({ length: size }, () => bits.read(1));
  return new Uint8Array(size).fill(1);
}

/** What is kept for a channel from frame to frame. */
class Channel {
  readonly room = new ChannelRoom();
  readonly spectrum = new Float64Array(frameLength);
  readonly bank = new FilterBank();
}

/**
 * AAC low complexity (ISO/IEC 14496-3), one raw frame after another. Written for measuring audio: what SBR and
 * parametric stereo add is omitted, which changes no times and few levels.
 */
export class AacDecoder {
  readonly #sampleRate: number;
  readonly #bands: Bands;
  readonly #noise = new Noise();
  readonly #channels: Channel[] = [];
  #channelCount = 1;
  #damaged = 0;
  #decoded = 0;

  /** `description`: the AudioSpecificConfig of the track; a stream without one is low complexity at a known rate. */
  constructor(config: { readonly description: Uint8Array } | { readonly sampleRate: number }) {
    const { sampleRate, channels } =
      'description' in config ? readAudioConfig(config.description) : { ...config, channels: 0 };
    this.#sampleRate = sampleRate;
    this.#channelCount = Math.max(1, channels);
    this.#bands = bandsFor(this.#sampleRate);
  }

  /** The samples are valid until the next frame. A damaged frame becomes silence, unless no frame before it was readable either. */
  decode(frame: Uint8Array): PcmBlock {
    try {
      const channels = this.#readFrame(new BitReader(frame));
      this.#decoded += 1;
      if (channels.length > 0) this.#channelCount = channels.length;
      return { channels: channels.length > 0 ? channels : this.#silence(), sampleRate: this.#sampleRate };
    } catch (error) {
      this.#damaged += 1;
      if (!(error instanceof Undecodable) || error.code === 'unsupported_codec') throw error;
      if (this.#decoded === 0 && this.#damaged > 16) throw error;
      return { channels: this.#silence(), sampleRate: this.#sampleRate };
    }
  }

  #silence(): Float32Array[] {
    return Array.from({ length: this.#channelCount }, () => new Float32Array(frameLength));
  }

  #readFrame(bits: BitReader): Float32Array[] {
    const channels: Float32Array[] = [];
    const emit = ({ bank, spectrum }: Channel, stream: ChannelStream): void => {
      undoTns(spectrum, stream, this.#bands);
      channels.push(bank.toSamples(spectrum, stream.info));
    };
    while (!bits.isPastEnd) {
      const element = elements[bits.read(3)] ?? 'end';
      switch (element) {
        case 'single':
        case 'lfe': {
          bits.skip(4);
          const channel = this.#channel(channels.length);
          const stream = readChannelStream(bits, this.#bands, null, channel.room);
          dequantise(stream, this.#noise, channel.spectrum);
          emit(channel, stream);
          break;
        }
        case 'pair':
          this.#readPair(bits, [this.#channel(channels.length), this.#channel(channels.length + 1)], emit);
          break;
        case 'data':
        case 'fill':
          skipBytes(bits, element);
          break;
        case 'program':
          skipProgramConfig(bits);
          break;
        case 'coupling':
          throw new Undecodable('unsupported_codec', 'AAC with coupled channels');
        case 'end':
          return channels;
      }
    }
    throw new Undecodable('invalid_audio', 'the frame has no end');
  }

  #channel(index: number): Channel {
    return (this.#channels[index] ??= new Channel());
  }

  #readPair(
    bits: BitReader,
    [first, second]: readonly [Channel, Channel],
    emit: (channel: Channel, stream: ChannelStream) => void,
  ): void {
    bits.skip(4);
    const shared = bits.readFlag() ? readWindowInfo(bits, this.#bands) : null;
    const midSide = shared === null ? null : readMidSide(bits, shared);
    const left = readChannelStream(bits, this.#bands, shared, first.room);
    const right = readChannelStream(bits, this.#bands, shared, second.room);
    dequantise(left, this.#noise, first.spectrum);
    dequantise(right, this.#noise, second.spectrum);
    if (midSide !== null) undoMidSide(first.spectrum, second.spectrum, { left, right }, midSide);
    if (shared !== null) undoIntensity(first.spectrum, second.spectrum, right, midSide);
    emit(first, left);
    emit(second, right);
  }
}
