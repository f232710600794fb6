import { registerDecoder } from 'mediabunny';
import { AacSampleDecoder } from './aac-sample-decoder.ts';
import type { StretchOrder, StretchReport } from './decode-in-stretches.ts';
import { openTrack } from './track-reader.ts';

/** Entry of the worker that decodes one stretch of a recording and is terminated then. */
interface WorkerScope {
  postMessage(message: StretchReport, transfer?: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<StretchOrder>) => void): void;
}

type Planes = readonly Float32Array<ArrayBuffer>[];

const worker = globalThis as unknown as WorkerScope;
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

/** Whether the recording ended before the stretch did. */
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
    (isLast) => {
      worker.postMessage({ kind: 'ended', isLast });
    },
    (cause: unknown) => {
      worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) });
    },
  );
});
