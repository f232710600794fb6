import { chooseSameSamples } from '../../../shared/decoding/choose-engine.ts';
import type { DecodedAudio } from '../../../shared/decoding/decoded-audio.ts';
import { fetchSource } from '../decoding/fetch-source.ts';
import { openTrack, type TrackReader } from './track-reader.ts';

export type StretchOrder =
  | { readonly kind: 'begin'; readonly url: string; readonly fromSecond: number; readonly seconds: number }
  | { readonly kind: 'taken'; readonly planes: readonly Float32Array<ArrayBuffer>[] };
export type StretchReport =
  | {
      readonly kind: 'block';
      readonly planes: readonly Float32Array<ArrayBuffer>[];
      readonly frames: number;
      readonly sampleRate: number;
    }
  | { readonly kind: 'ended'; readonly isLast: boolean }
  | { readonly kind: 'failed'; readonly reason: string };

/** More packets than this let memory grow, and a worker takes a tenth of a second to start. */
const stretchSeconds = 120;

/** Reads from the beginning, in constant memory. Throws when there is no decoder for it. */
export async function openInOrder(url: string): Promise<TrackReader> {
  const source = fetchSource(url);
  const decode = await chooseSameSamples(source);
  return openTrack(url, decode === null ? () => decodeInStretches(url) : () => decode(source));
}

/** Each stretch has a worker of its own: the engine lets go of packets late, if not with the worker. */
async function* decodeInStretches(url: string): AsyncGenerator<DecodedAudio, void, undefined> {
  for (let fromSecond = 0, isLast = false; !isLast; fromSecond += stretchSeconds) {
    const worker = new Worker(new URL('./stretch-worker.ts', import.meta.url), { type: 'module', name: 'stretch' });
    const order = (message: StretchOrder) =>
      worker.postMessage(message, message.kind === 'taken' ? message.planes.map(({ buffer }) => buffer) : []);
    const reports: StretchReport[] = [];
    let wake = () => {};
    const tell = (report: StretchReport) => {
      reports.push(report);
      wake();
    };
    worker.addEventListener('message', ({ data }: MessageEvent<StretchReport>) => tell(data));
    worker.addEventListener('error', ({ message }) => tell({ kind: 'failed', reason: message }));
    try {
      order({ kind: 'begin', url, fromSecond, seconds: stretchSeconds });
      for (let isOver = false; !isOver;) {
        const report = reports.shift();
        if (report === undefined)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        else if (report.kind === 'failed') throw new Error(report.reason);
        else if (report.kind === 'ended') [isOver, isLast] = [true, report.isLast];
        else {
          const { planes, frames, sampleRate } = report;
          yield { channels: planes.map((plane) => plane.subarray(0, frames)), frames, sampleRate };
          order({ kind: 'taken', planes });
        }
      }
    } finally {
      worker.terminate();
    }
  }
}
