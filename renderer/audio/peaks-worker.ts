import { createPeakBuilder } from '../../shared/domain/audio/peak-builder.ts';
import { decodeWebCodecs } from './decoding/decode-webcodecs.ts';
import { fetchSource } from './decoding/fetch-source.ts';
import type { PeaksReport, PeaksRequest } from './load-peaks.ts';
import { workerScope } from '../lib/worker-scope.ts';

/** For recordings that main has no decoder for; it reads one of them and is then terminated. */
const worker = workerScope<PeaksRequest, PeaksReport>();

/** A few pictures a second, because painting uses the same cores as decoding. */
const reportEveryMs = 300;

async function readPeaks({ url }: PeaksRequest): Promise<void> {
  const builder = createPeakBuilder();
  let reportedAt = -Infinity;
  const report = () => {
    const chunk = builder.take();
    if (chunk.min.length === 0) return;
    worker.postMessage({ kind: 'peaks', chunk }, [chunk.min.buffer, chunk.max.buffer, chunk.rms.buffer]);
    reportedAt = performance.now();
  };
  for await (const { channels, frames, sampleRate } of decodeWebCodecs(fetchSource(url))) {
    builder.add(channels, frames, sampleRate);
    if (performance.now() - reportedAt >= reportEveryMs) report();
  }
  builder.finish();
  report();
  if (builder.durationMs === 0) throw new Error('The decoder gave no sound');
  worker.postMessage({ kind: 'done' });
}

worker.addEventListener('message', (event) => {
  readPeaks(event.data).catch((cause: unknown) =>
    worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) }),
  );
});
