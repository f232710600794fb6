import { ALL_FORMATS, CustomSource, Input, type InputAudioTrack } from 'mediabunny';
import type { ByteSource, Part } from './decoded-audio.ts';

/** Reads small ranges: the demuxer's own reader leaves a request open that fills a pipe of two megabytes. */
export const openMedia = (source: ByteSource): Input =>
  new Input({ formats: ALL_FORMATS, source: blockSource(source) });

const blockBytes = 128 * 1024;

const mostBlocks = 4;

function blockSource(source: ByteSource): CustomSource {
  const blocks = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();
  const fetched = async (start: number, count: number) => {
    const read = await source.read(start, count);
    if (read === null) throw new Error('The recording has no ranges');
    return read;
  };
  const begin = (start: number) => {
    const block = blocks.get(start) ?? fetched(start, blockBytes).then(({ bytes }) => bytes);
    // Who reads the block is told when it can't be read; nobody may want the one after it.
    block.catch(() => blocks.delete(start));
    blocks.delete(start);
    blocks.set(start, block);
    const [oldest] = blocks.keys();
    if (blocks.size > mostBlocks && oldest !== undefined) blocks.delete(oldest);
    return block;
  };
  const blockWith = async (place: number) => {
    const start = place - (place % blockBytes);
    const block = await begin(start);
    if (block.length === blockBytes) void begin(start + blockBytes);
    return block.subarray(place - start);
  };
  return new CustomSource({
    maxCacheSize: 0,
    getSize: async () => (await fetched(0, 1)).size,
    read: async (start, end) => {
      if (end - start > blockBytes) return (await fetched(start, end - start)).bytes;
      const first = (await blockWith(start)).subarray(0, end - start);
      if (first.length === end - start) return first;
      const whole = new Uint8Array(end - start);
      whole.set(first);
      whole.set((await blockWith(start + first.length)).subarray(0, whole.length - first.length), first.length);
      return whole;
    },
  });
}

export async function primaryTrack(input: Input): Promise<InputAudioTrack> {
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Error('The recording has no sound');
  return track;
}

/** Where a part of a track begins and ends, in seconds: at whole ones, where a bucket of every waveform begins. */
export async function secondsOf(track: InputAudioTrack, { index, of }: Part): Promise<{ from: number; to: number }> {
  const duration = of === 1 ? 0 : await track.computeDuration();
  const secondAt = (place: number) => Math.floor((duration * place) / of);
  return { from: secondAt(index), to: index + 1 === of ? Infinity : secondAt(index + 1) };
}

/** AAC without what doubles its sample rate or channels, which our decoder leaves out. */
export const lowComplexity = 'mp4a.40.2';

export const bytesOf = (source: ArrayBuffer | SharedArrayBuffer | ArrayBufferView | undefined): Uint8Array =>
  source === undefined
    ? new Uint8Array()
    : ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source);
