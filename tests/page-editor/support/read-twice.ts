import type { Page } from '@playwright/test';
import type { StretchOrder, StretchReport } from '../../../renderer/audio/compare/decode-in-stretches.ts';
import type { PageServer } from './serve-built-page.ts';

export interface Joined {
  /** Frames of the recording read as a whole. */
  readonly whole: number;
  /** Where its last stretch ends. */
  readonly end: number;
  /** The largest difference between a sample read as a whole and the same sample read in stretches. */
  readonly largest: number;
}

/**
 * Reads a recording as a whole and in stretches, with the worker that comparing and blending use. The page may be any of
 * the server's.
 */
export async function readTwice(page: Page, server: PageServer, path: string, seconds: number): Promise<Joined> {
  const order = { script: server.workerAddress('stretch-worker'), seconds };
  return page.evaluate(
    async ({ script, url, seconds: length }) => {
      const read = (fromSecond: number, most: number) =>
        new Promise<{ readonly blocks: Float32Array[]; readonly rate: number; readonly isLast: boolean }>(
          (resolve, reject) => {
            const worker = new Worker(script, { type: 'module' });
            const blocks: Float32Array[] = [];
            let rate = 0;
            const send = (message: StretchOrder) => {
              worker.postMessage(message);
            };
            worker.addEventListener('error', ({ message }) => {
              reject(new Error(message));
            });
            worker.addEventListener('message', ({ data }: MessageEvent<StretchReport>) => {
              if (data.kind === 'block') {
                rate = data.sampleRate;
                blocks.push((data.planes[0] ?? new Float32Array()).slice(0, data.frames));
                send({ kind: 'taken', planes: data.planes });
                return;
              }
              worker.terminate();
              if (data.kind === 'failed') reject(new Error(data.reason));
              else resolve({ blocks, rate, isLast: data.isLast });
            });
            send({ kind: 'begin', url, fromSecond, seconds: most });
          },
        );
      const { blocks, rate } = await read(0, 1e6);
      const frames = blocks.reduce((sum, block) => sum + block.length, 0);
      const samples = new Float32Array(frames);
      for (let at = 0; blocks.length > 0;) {
        const block = blocks.shift() ?? new Float32Array();
        samples.set(block, at);
        at += block.length;
      }
      let [at, largest] = [length * rate, 0];
      for (let isLast = false; !isLast;) {
        const stretch = await read(at / rate, length);
        ({ isLast } = stretch);
        for (const block of stretch.blocks) {
          for (let index = 0; index < block.length; index += 1) {
            const difference = Math.abs((block[index] ?? 9) - (samples[at + index] ?? 9));
            if (difference > largest) largest = difference;
          }
          at += block.length;
        }
      }
      return { whole: frames, end: at, largest };
    },
    { ...order, url: `${server.origin}/media/${server.addRecording(path)}` },
  );
}
