import { registerDecoder, AudioSample, CustomAudioDecoder, type AudioCodec, type EncodedPacket } from 'mediabunny';
import { bytesOf, lowComplexity } from '../../../shared/decoding/media-input.ts';
import { AacDecoder } from '../../../shared/domain/audio/aac/aac-decoder.ts';
import { readAudioConfig } from '../../../shared/domain/audio/aac/audio-config.ts';
import type { StretchOrder, StretchReport } from './decode-in-stretches.ts';
import { openTrack } from './track-reader.ts';
import { workerScope } from '../../lib/worker-scope.ts';

/** The browser's takes several times as long and lets go of packets late. */
class AacSampleDecoder extends CustomAudioDecoder {
  #decoder: AacDecoder | null = null;

  static override supports(codec: AudioCodec, config: AudioDecoderConfig): boolean {
    if (codec !== 'aac' || config.codec !== lowComplexity || config.description === undefined) return false;
    try {
      readAudioConfig(bytesOf(config.description));
      return true;
    } catch {
      return false;
    }
  }

  override init(): void {
    this.#decoder = new AacDecoder({ description: bytesOf(this.config.description) });
  }

  override decode({ data, timestamp }: EncodedPacket): void {
    const { channels, sampleRate } = this.#decoder!.decode(data);
    const frames = channels[0]?.length ?? 0;
    const planes = new Float32Array(frames * channels.length);
    for (const [index, plane] of channels.entries()) planes.set(plane, index * frames);
    const numberOfChannels = channels.length;
    this.onSample(new AudioSample({ data: planes, format: 'f32-planar', numberOfChannels, sampleRate, timestamp }));
  }

  override flush(): void {
    // Each packet gives its samples at once.
  }

  override close(): void {
    this.#decoder = null;
  }
}

type Planes = readonly Float32Array<ArrayBuffer>[];

const worker = workerScope<StretchOrder, StretchReport>();
registerDecoder(AacSampleDecoder);
/** While one block is measured, the next one is decoded. */
const blockCount = 2;
const free: Planes[] = [];
let wake: () => void = () => undefined;

async function freeBlock(): Promise<Planes> {
  for (;;) {
    const block = free.pop();
    if (block !== undefined) return block;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

async function decode(url: string, fromSecond: number, seconds: number): Promise<boolean> {
  const track = await openTrack(url);
  const { sampleRate, channelCount } = track;
  for (let count = 0; count < blockCount; count += 1)
    free.push(Array.from({ length: channelCount }, () => new Float32Array(sampleRate)));
  let left = seconds * sampleRate;
  let block = await freeBlock();
  let filled = 0;
  const hand = async () => {
    worker.postMessage(
      { kind: 'block', planes: block, frames: filled, sampleRate },
      block.map(({ buffer }) => buffer),
    );
    filled = 0;
    if (left > 0) block = await freeBlock();
  };
  for await (const planes of track.read(fromSecond * sampleRate, sampleRate)) {
    const length = planes[0]?.length ?? 0;
    for (let at = 0; at < length && left > 0;) {
      const count = Math.min(length - at, sampleRate - filled, left);
      for (const [index, plane] of block.entries())
        plane.set((planes[index] ?? new Float32Array()).subarray(at, at + count), filled);
      at += count;
      filled += count;
      left -= count;
      if (filled === sampleRate || left === 0) await hand();
    }
    if (left === 0) return false;
  }
  if (filled > 0) await hand();
  return true;
}

worker.addEventListener('message', ({ data }) => {
  if (data.kind === 'taken') {
    free.push(data.planes);
    wake();
    return;
  }
  decode(data.url, data.fromSecond, data.seconds).then(
    (isLast) => worker.postMessage({ kind: 'ended', isLast }),
    (cause: unknown) =>
      worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) }),
  );
});
