import type { Page } from '@playwright/test';
import type { MixOrder, MixReport } from '../../../renderer/audio/compare/mix-worker.ts';
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

/**
 * How far what is saved and measured, which is read in order, differs from what is played: the largest difference of
 * one sample of the first channel, of 1.
 */
export async function differenceInOrder(page: Page, server: PageServer, path: string): Promise<number> {
  const order = { played: server.workerAddress('stretch-worker'), mixed: server.workerAddress('mix-worker') };
  return page.evaluate(
    async ({ played, mixed, url }) => {
      const run = <Order, Report extends { readonly kind: string }>(
        script: string,
        begin: Order,
        take: (report: Report, send: (order: Order) => void) => boolean,
      ) =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(script, { type: 'module' });
          const send = (message: Order) => {
            worker.postMessage(message);
          };
          worker.addEventListener('error', ({ message }) => {
            reject(new Error(message));
          });
          worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
            if (data.kind === 'failed') reject(new Error(JSON.stringify(data)));
            if (!take(data, send)) return;
            worker.terminate();
            resolve();
          });
          send(begin);
        });
      const whole: number[] = [];
      await run<StretchOrder, StretchReport>(
        played,
        { kind: 'begin', url, fromSecond: 0, seconds: 1e6 },
        (report, send) => {
          if (report.kind === 'block') {
            for (const value of (report.planes[0] ?? new Float32Array()).subarray(0, report.frames)) whole.push(value);
            send({ kind: 'taken', planes: report.planes });
          }
          return report.kind === 'ended';
        },
      );
      const saved: number[] = [];
      let channels = 0;
      const request = { original: url, isolated: url, gains: [1, 0, 0] as const, offsetMs: 0 };
      await run<MixOrder, MixReport>(mixed, { kind: 'begin', request }, (report, send) => {
        if (report.kind === 'piece') {
          const view = new DataView(report.bytes.buffer);
          if (channels === 0) channels = view.getUint16(22, true);
          else for (let at = 0; at < view.byteLength; at += 2 * channels) saved.push(view.getInt16(at, true) / 32_767);
          send({ kind: 'taken' });
        }
        return report.kind === 'done';
      });
      const shared = Math.min(whole.length, saved.length);
      if (shared < whole.length * 0.99) throw new Error(`Only ${String(shared)} of ${String(whole.length)} samples`);
      let largest = 0;
      for (let at = 0; at < shared; at += 1) largest = Math.max(largest, Math.abs((whole[at] ?? 0) - (saved[at] ?? 0)));
      return largest;
    },
    { ...order, url: `${server.origin}/media/${server.addRecording(path)}` },
  );
}
