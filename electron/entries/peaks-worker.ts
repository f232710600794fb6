/** The threads that read waveforms, each one part of a recording after another. */
import { parentPort } from 'node:worker_threads';
import { decodePeaks } from '../platform/node/audio/decode-peaks.ts';
import type { PeakChunk } from '../../shared/domain/audio/peak-builder.ts';
import type { PeaksReport, PeaksTask } from '../platform/node/audio/read-peaks.ts';

// The decoders complain about damaged audio. Main would stay alive for reading it.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

const report = (message: PeaksReport) => parentPort?.postMessage(message);

parentPort?.on('message', ({ path, part, isLeft }: PeaksTask) => {
  const sendPeaks = (chunk: PeakChunk) => report({ kind: 'peaks', chunk });
  decodePeaks(path, part, sendPeaks, () => Atomics.load(isLeft, 0) === 1).then(
    (end) => report({ kind: 'done', ...end }),
    (cause: unknown) => report({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) }),
  );
});
