/** The threads that decode for the page, each one task after another. */
import { parentPort } from 'node:worker_threads';
import type { DecoderOrder, DecoderReport } from '../platform/node/audio/decoder-threads.ts';
import { runTask, type DecoderPart } from '../platform/node/audio/decoder-tasks.ts';

// The decoders complain about damaged audio. Main would stay alive for reading it.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

let parts: AsyncGenerator<DecoderPart, void, undefined> | null = null;

async function obey(order: DecoderOrder): Promise<DecoderReport> {
  try {
    if (order.kind === 'begin') parts = runTask(order.task);
    const { value = null } = (await (order.kind === 'leave' ? parts?.return() : parts?.next())) ?? {};
    return { number: order.number, kind: 'part', part: value };
  } catch (cause) {
    return { number: order.number, kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

parentPort?.on('message', (order: DecoderOrder) => {
  void obey(order).then((report) => {
    const isSamples = report.kind === 'part' && report.part instanceof Float32Array;
    parentPort?.postMessage(report, isSamples ? [(report.part as Float32Array<ArrayBuffer>).buffer] : []);
  });
});
