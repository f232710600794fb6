import { headBytes, type ByteSource } from './byte-source.ts';
import { whole, type Decode, type DecodedAudio, type Part } from './decoded-audio.ts';
import { createUnpacker, shortsOf } from './wav-samples.ts';
import { readWavFormat, type WavFormat } from './wav-format.ts';

const maxFrames = 32_768;

/** WAV by our own reader: it needs no decoder, and no browser reads every variant. */
export const decodeWav: Decode = async function* (source, part = whole) {
  const stretch = part.of === 1 ? null : await stretchOf(source, part);
  if (stretch !== null)
    yield* unpackFrames(source.stream(stretch.from, stretch.to), stretch.format, stretch.to - stretch.from);
  else if (part.index === 0) yield* unpackWav(source.stream());
};

/** Where the samples of a part begin and end; null for an incomplete header. */
async function stretchOf(source: ByteSource, { index, of }: Part) {
  const head = await source.read(0, headBytes);
  const read = head === null ? null : readWavFormat(head.bytes);
  if (head === null || read?.ok !== true) return null;
  const { dataOffset, dataBytes, frameBytes, sampleRate } = read.value;
  const end = Math.min(head.size, dataOffset + (dataBytes ?? Infinity));
  const seconds = (end - dataOffset) / frameBytes / sampleRate;
  // At a whole second, where a bucket of every waveform begins.
  const placeOf = (share: number) => dataOffset + Math.floor(seconds * share) * sampleRate * frameBytes;
  return { format: read.value, from: placeOf(index / of), to: index + 1 === of ? end : placeOf((index + 1) / of) };
}

/** The samples of a WAV that arrives in pieces of any size. Throws when it is no WAV, or an unsupported one. */
export async function* unpackWav(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const source = pieces[Symbol.asyncIterator]();
  let head: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  try {
    for (let piece = await source.next(); piece.done !== true; piece = await source.next()) {
      head = join(head, piece.value);
      const format = readWavFormat(head);
      if (format.ok) {
        const samples = head.subarray(format.value.dataOffset);
        yield* unpackFrames(chained(samples, source), format.value, format.value.dataBytes ?? Infinity);
        return;
      }
      if (format.error !== 'need-more') throw new Error(`This WAV can't be read: ${format.error}`);
      head = head.slice();
    }
  } finally {
    await source.return?.();
  }
  throw new Error('This WAV ends before its sound begins');
}

async function* chained<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T, void, undefined> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** The samples of this many bytes, starting with a whole frame. */
async function* unpackFrames(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  format: WavFormat,
  dataBytes: number,
): AsyncGenerator<DecodedAudio, void, undefined> {
  const { frameBytes, sampleRate } = format;
  const unpack = createUnpacker(format, maxFrames);
  const unpacked = (bytes: Uint8Array<ArrayBuffer>, count: number): DecodedAudio => {
    const shorts = shortsOf(format, bytes, count);
    if (shorts === null) return { channels: unpack(bytes, count), frames: count, sampleRate };
    let channels: readonly Float32Array[] | null = null;
    return {
      shorts,
      frames: count,
      sampleRate,
      // Once: loops over samples ask for it again and again.
      get channels() {
        return (channels ??= unpack(bytes, count));
      },
    };
  };
  let bytesLeft = dataBytes;
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  for await (const piece of pieces) {
    rest = join(rest, piece);
    while (rest.byteLength >= frameBytes && bytesLeft >= frameBytes) {
      const frames = Math.min(maxFrames, Math.floor(Math.min(rest.byteLength, bytesLeft) / frameBytes));
      const bytes = frames * frameBytes;
      yield unpacked(rest.subarray(0, bytes), frames);
      rest = rest.subarray(bytes);
      bytesLeft -= bytes;
    }
    if (bytesLeft < frameBytes) return;
    // The piece is gone with the next one.
    rest = rest.slice();
  }
}

function join(a: Uint8Array<ArrayBuffer>, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.byteLength === 0) return b;
  const both = new Uint8Array(a.byteLength + b.byteLength);
  both.set(a);
  both.set(b, a.byteLength);
  return both;
}
