import { findOffset } from '../../../shared/domain/audio/find-offset.ts';
import { createLoudnessMeter, type Loudness } from '../../../shared/domain/audio/loudness.ts';
import { createPeakBuilder } from '../peaks/peak-builder.ts';
import { leastCorrelation, levelRatio, type CompareMeasures } from './compare-measures.ts';
import type { MeasureReport, MeasureRequest, TrackName } from './measure-messages.ts';
import { openTrack, type TrackReader } from './track-reader.ts';

/** Entry of the measuring worker: reads both recordings as streams, then a piece with speech in it once more. */
interface WorkerScope {
  postMessage(message: MeasureReport, transfer?: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<MeasureRequest>) => void): void;
}

const worker = globalThis as unknown as WorkerScope;

const reportEveryMs = 250;
/** So much is set against each other to find the offset. */
const windowSeconds = 20;
/** Encoders and filters delay by some hundredths of a second. */
const mostOffsetSeconds = 0.2;

async function measure(request: MeasureRequest): Promise<CompareMeasures> {
  const original = await openTrack(request.original);
  const isolated = await openTrack(request.isolated);
  try {
    const [first, second] = await Promise.all([readWhole('original', original), readWhole('isolated', isolated)]);
    return {
      original: first.loudness,
      isolated: second.loudness,
      ...(await align(original, isolated, loudestWindow(second.energies))),
    };
  } finally {
    original.close();
    isolated.close();
  }
}

async function readWhole(
  track: TrackName,
  reader: TrackReader,
): Promise<{ readonly loudness: Loudness; readonly energies: readonly number[] }> {
  const { sampleRate, channelCount } = reader;
  const meter = createLoudnessMeter(sampleRate, channelCount);
  const builder = createPeakBuilder();
  /** Of each second. */
  const energies: number[] = [];
  let frame = 0;
  let reportedAt = -Infinity;
  const report = () => {
    const chunk = builder.take();
    if (chunk.min.length === 0) return;
    worker.postMessage({ kind: 'peaks', track, chunk }, [chunk.min.buffer, chunk.max.buffer, chunk.rms.buffer]);
    reportedAt = performance.now();
  };
  for await (const channels of reader.read(0, sampleRate)) {
    const [samples = new Float32Array()] = channels;
    meter.add(channels);
    builder.add(channels, samples.length, sampleRate);
    const second = Math.floor(frame / sampleRate);
    energies[second] = (energies[second] ?? 0) + samples.reduce((sum, value) => sum + value * value, 0);
    frame += samples.length;
    if (performance.now() - reportedAt >= reportEveryMs) report();
  }
  builder.finish();
  report();
  return { loudness: meter.read(), energies };
}

/** The second that the loudest twenty begin with: where there is only the voice, those have speech in them. */
function loudestWindow(energies: readonly number[]): number {
  let best = 0;
  let most = -1;
  for (let from = 0; from === 0 || from + windowSeconds <= energies.length; from += 1) {
    const sum = energies.slice(from, from + windowSeconds).reduce((total, energy) => total + energy, 0);
    if (sum > most) [best, most] = [from, sum];
  }
  return best;
}

async function align(
  original: TrackReader,
  isolated: TrackReader,
  fromSecond: number,
): Promise<Pick<CompareMeasures, 'offsetMs' | 'correlation' | 'voiceGain'>> {
  const rate = original.sampleRate;
  const [first, second] = await Promise.all([
    readWindow(original, fromSecond * rate, rate),
    readWindow(isolated, fromSecond * rate, rate),
  ]);
  const { samples, correlation } = findOffset(first, second, Math.round(mostOffsetSeconds * rate));
  if (correlation < leastCorrelation) return { offsetMs: 0, correlation, voiceGain: 1 };
  const aligned = [first.subarray(Math.max(0, -samples)), second.subarray(Math.max(0, samples))] as const;
  return { offsetMs: (samples * 1000) / rate, correlation, voiceGain: levelRatio(...aligned) };
}

/** Some seconds as one channel. */
async function readWindow(reader: TrackReader, fromFrame: number, rate: number): Promise<Float32Array> {
  const mono = new Float32Array(windowSeconds * rate);
  let filled = 0;
  for await (const channels of reader.read(fromFrame, rate)) {
    const [left = mono, right = left] = channels;
    for (let at = 0; at < left.length && filled < mono.length; at += 1, filled += 1)
      mono[filled] = ((left[at] ?? 0) + (right[at] ?? 0)) / 2;
    if (filled === mono.length) break;
  }
  return mono.subarray(0, filled);
}

worker.addEventListener('message', ({ data }) => {
  measure(data).then(
    (measures) => {
      worker.postMessage({ kind: 'done', measures });
    },
    (cause: unknown) => {
      worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) });
    },
  );
});
