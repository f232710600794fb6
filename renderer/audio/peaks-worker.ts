import { chooseEngine, engines } from './decoding/choose-engine.ts';
import { takeHead } from './decoding/read-bytes.ts';
import type { PeaksReport, PeaksRequest } from './load-peaks.ts';
import { createPeakBuilder } from './peaks/peak-builder.ts';

/**
 * Entry of the peaks worker. It is a file of its own because only this file's own policy allows WebAssembly: the page
 * never does. One worker reads one recording and is then terminated by the page.
 */
interface WorkerScope {
  postMessage(message: PeaksReport, transfer?: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<PeaksRequest>) => void): void;
}

const worker = globalThis as unknown as WorkerScope;

/** The first picture at once, then a few a second, because painting uses the same cores as decoding. */
const reportEveryMs = 300;
const soonReports = 4;
const soonMs = 60;

async function readPeaks({ url, head, engine: wanted, part }: PeaksRequest): Promise<void> {
  takeHead(url, head);
  const engine = wanted === 'auto' ? await chooseEngine(url) : wanted;
  worker.postMessage({ kind: 'engine', engine });
  const builder = createPeakBuilder();
  let reportedAt = -Infinity;
  let reports = 0;
  const report = () => {
    const chunk = builder.take();
    if (chunk.min.length === 0) return;
    worker.postMessage({ kind: 'peaks', chunk }, [chunk.min.buffer, chunk.max.buffer, chunk.rms.buffer]);
    reportedAt = performance.now();
    reports += 1;
  };
  for await (const { channels, frames, sampleRate } of engines[engine](url, part)) {
    builder.add(channels, frames, sampleRate);
    const pause = reports < soonReports ? soonMs : reportEveryMs;
    if (performance.now() - reportedAt >= pause) report();
  }
  builder.finish();
  report();
  if (builder.durationMs === 0 && part !== 'second') throw new Error('The decoder gave no sound');
  worker.postMessage({ kind: 'done' });
}

worker.addEventListener('message', (event) => {
  readPeaks(event.data).catch((cause: unknown) => {
    worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) });
  });
});
