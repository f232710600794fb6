import { Undecodable, type PcmBlock } from '../pcm-block.ts';
import { readAudioConfig, BitReader, bandsFor, type Bands } from './audio-config.ts';
import {
  ChannelRoom,
  frameLength,
  readChannelStream,
  readWindowInfo,
  bandKinds,
  type ChannelStream,
  type WindowInfo,
  type TnsFilter,
} from './channel-stream.ts';
import { FilterBank } from './filter-bank.ts';

const powers = Float64Array.from({ length: 8192 }, (_, value) => value ** (4 / 3));

/** Noise needs only a level; a generator of our own makes every decoding of a file identical. */
class Noise {
  #state = 0x1f2e3d4c;

  fill(spectrum: Float64Array, start: number, end: number, level: number): void {
    let energy = 0;
    for (let at = start; at < end; at += 1) {
      this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
      spectrum[at] = this.#state;
      energy += this.#state * this.#state;
    }
    const scale = energy === 0 ? 0 : level / Math.sqrt(energy);
    for (let at = start; at < end; at += 1) spectrum[at] = (spectrum[at] ?? 0) * scale;
  }
}

const elements = ['single', 'pair', 'coupling', 'lfe', 'data', 'program', 'fill', 'end'] as const;

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

class Channel {
  readonly room = new ChannelRoom();
  readonly spectrum = new Float64Array(frameLength);
  readonly bank = new FilterBank();
}

/** AAC low complexity (ISO/IEC 14496-3) for measuring: what SBR and parametric stereo add is left out. */
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

function toPower(value: number): number {
  const size = Math.abs(value);
  const power = powers[size] ?? size ** (4 / 3);
  return value < 0 ? -power : power;
}

function eachBand({ info }: ChannelStream, visit: (index: number, start: number, end: number) => void): void {
  let window = 0;
  for (const [group, size] of info.groups.entries()) {
    for (let band = 0; band < info.bandCount; band += 1) {
      for (let member = 0; member < size; member += 1) {
        const base = (window + member) * info.windowLength;
        visit(group * info.bandCount + band, base + (info.borders[band] ?? 0), base + (info.borders[band + 1] ?? 0));
      }
    }
    window += size;
  }
}

/** Quantised values to `spectrum`: power law, gain of the band, noise where the encoder only kept its level. */
function dequantise(stream: ChannelStream, noise: Noise, spectrum: Float64Array): void {
  spectrum.fill(0);
  eachBand(stream, (index, start, end) => {
    const book = stream.bandBooks[index];
    const factor = stream.scaleFactors[index] ?? 0;
    if (book === bandKinds.noise) noise.fill(spectrum, start, end, 2 ** (factor / 4));
    if (book === bandKinds.zero || book === undefined || book >= bandKinds.noise) return;
    const gain = 2 ** ((factor - 100) / 4);
    for (let at = start; at < end; at += 1) {
      const value = stream.quantised[at] ?? 0;
      if (value !== 0) spectrum[at] = toPower(value) * gain;
    }
  });
}

function undoMidSide(
  left: Float64Array,
  right: Float64Array,
  pair: { readonly left: ChannelStream; readonly right: ChannelStream },
  used: Uint8Array,
): void {
  eachBand(pair.left, (index, start, end) => {
    const isPlain =
      (pair.left.bandBooks[index] ?? 0) < bandKinds.noise && (pair.right.bandBooks[index] ?? 0) < bandKinds.noise;
    if (used[index] !== 1 || !isPlain) return;
    for (let at = start; at < end; at += 1) {
      const middle = left[at] ?? 0;
      const side = right[at] ?? 0;
      left[at] = middle + side;
      right[at] = middle - side;
    }
  });
}

function undoIntensity(left: Float64Array, right: Float64Array, stream: ChannelStream, used: Uint8Array | null): void {
  eachBand(stream, (index, start, end) => {
    const book = stream.bandBooks[index];
    if (book !== bandKinds.intensity && book !== bandKinds.intensityInverse) return;
    const isInverted = (book === bandKinds.intensityInverse) !== (used?.[index] === 1);
    const scale = (isInverted ? -1 : 1) * 0.5 ** ((stream.scaleFactors[index] ?? 0) / 4);
    for (let at = start; at < end; at += 1) right[at] = (left[at] ?? 0) * scale;
  });
}

function toLinear(reflections: readonly number[]): readonly number[] {
  const linear = [1];
  for (const [m, reflection] of reflections.entries()) {
    const before = [...linear];
    for (let n = 1; n <= m; n += 1) linear[n] = (before[n] ?? 0) + reflection * (before[m + 1 - n] ?? 0);
    linear[m + 1] = reflection;
  }
  return linear;
}

function runFilter(spectrum: Float64Array, start: number, end: number, filter: TnsFilter): void {
  const linear = toLinear(filter.coefficients);
  const step = filter.isBackward ? -1 : 1;
  const first = filter.isBackward ? end - 1 : start;
  const size = end - start;
  for (let n = 0; n < size; n += 1) {
    const at = first + n * step;
    let value = spectrum[at] ?? 0;
    for (let lag = 1; lag < linear.length && lag <= n; lag += 1)
      value -= (spectrum[at - lag * step] ?? 0) * (linear[lag] ?? 0);
    spectrum[at] = value;
  }
}

/** Temporal noise shaping: the encoder filtered along the spectrum, this filters back. */
function undoTns(spectrum: Float64Array, stream: ChannelStream, bands: Bands): void {
  const { info } = stream;
  const most = Math.min(info.sequence === 'short' ? bands.tnsShort : bands.tnsLong, info.bandCount);
  const border = (band: number): number => info.borders[Math.min(Math.max(band, 0), most)] ?? 0;
  for (const [window, filters] of stream.tns.entries()) {
    const base = window * info.windowLength;
    let top = info.borders.length - 1;
    for (const filter of filters) {
      const bottom = Math.max(top - filter.length, 0);
      const start = base + border(bottom);
      const end = base + border(top);
      if (filter.coefficients.length > 0 && end > start) runFilter(spectrum, start, end, filter);
      top = bottom;
    }
  }
}
