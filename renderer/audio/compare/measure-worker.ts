import { findOffset } from '../../../shared/domain/audio/find-offset.ts';
import { createLoudnessMeter, type Loudness } from '../../../shared/domain/audio/loudness.ts';
import { resample } from '../../../shared/domain/media/resample.ts';
import { createPeakBuilder } from '../../../shared/domain/audio/peak-builder.ts';
import {
  leastCorrelation,
  levelRatio,
  type CompareMeasures,
  type ResultMeasures,
  type LaneName,
  type MeasureOrder,
  type MeasureReport,
  type ReadResult,
  type TrackUrls,
} from './compare-measures.ts';
import { inPieces } from './in-pieces.ts';
import { createSpectrogramBuilder, mostHz, type Spectrogram } from './spectrogram.ts';
import { toMono } from '../samples.ts';
import { openTrack, type TrackReader } from '../track-reader.ts';
import { LoudestWindow, WindowAt } from './windows.ts';
import { workerScope } from '../../lib/worker-scope.ts';

const worker = workerScope<MeasureOrder, MeasureReport>();

type Planes = AsyncGenerator<readonly Float32Array[], void, undefined>;

const reportEveryMs = 400;
/** Encoders and filters delay by some hundredths of a second. */
const mostOffsetSeconds = 0.2;

async function readResult(name: 'isolated' | 'variant', url: string): Promise<ReadResult> {
  const track = await openTrack(url);
  const { sampleRate } = track;
  const loudest = new LoudestWindow(sampleRate);
  const loudness = await readWhole(name, track.read(0, sampleRate), track, [loudest]);
  return { loudness, window: loudest.read(), sampleRate };
}

async function readOriginal(url: string, isolated: ReadResult, variant: ReadResult | null): Promise<CompareMeasures> {
  const track = await openTrack(url);
  const { sampleRate } = track;
  const own = new WindowAt(isolated.window.fromSecond, sampleRate);
  const ownVariant = new WindowAt((variant ?? isolated).window.fromSecond, sampleRate);
  return {
    original: await readWhole('original', track.read(0, sampleRate), track, [own, ownVariant]),
    isolated: { loudness: isolated.loudness, ...align(own.read(), isolated, sampleRate) },
    variant: variant && { loudness: variant.loudness, ...align(ownVariant.read(), variant, sampleRate) },
  };
}

async function readWhole(
  lane: LaneName,
  blocks: Planes,
  { sampleRate, channelCount }: Pick<TrackReader, 'sampleRate' | 'channelCount'>,
  windows: readonly Pick<LoudestWindow | WindowAt, 'add'>[] = [],
): Promise<Loudness> {
  const meter = createLoudnessMeter(sampleRate, channelCount);
  const builder = createPeakBuilder();
  let reportedAt = -Infinity;
  const report = () => {
    const chunk = builder.take();
    if (chunk.min.length === 0) return;
    worker.postMessage({ kind: 'peaks', lane, chunk }, [chunk.min.buffer, chunk.max.buffer, chunk.rms.buffer]);
    reportedAt = performance.now();
  };
  for await (const channels of blocks) {
    meter.add(channels);
    builder.add(channels, channels[0]?.length ?? 0, sampleRate);
    for (const window of windows) window.add(channels);
    if (performance.now() - reportedAt >= reportEveryMs) report();
  }
  builder.finish();
  report();
  return meter.read();
}

function align(
  own: Float32Array,
  { window, sampleRate }: ReadResult,
  rate: number,
): Pick<ResultMeasures, 'offsetMs' | 'correlation' | 'voiceGain'> {
  const other = sampleRate === rate ? window.samples : resample(window.samples, sampleRate, rate);
  const { samples, correlation } = findOffset(own, other, Math.round(mostOffsetSeconds * rate));
  if (correlation < leastCorrelation) return { offsetMs: 0, correlation, voiceGain: 1 };
  const aligned = [own.subarray(Math.max(0, -samples)), other.subarray(Math.max(0, samples))] as const;
  return { offsetMs: (samples * 1000) / rate, correlation, voiceGain: levelRatio(...aligned) };
}

type Pair = Extract<MeasureOrder, { readonly urls: TrackUrls }>;

async function* removedOf(original: TrackReader, { urls, measures }: Pair, rate: number): Planes {
  const isolated = await openTrack(urls.isolated);
  const { offsetMs, voiceGain } = measures.isolated;
  const frames = Math.round((original.durationMs * rate) / 1000);
  const voices = inPieces(isolated.read(Math.round((offsetMs * rate) / 1000), rate), frames, rate);
  for await (const planes of inPieces(original.read(0, rate), frames, rate)) {
    const voice = (await voices.next()).value ?? [];
    yield planes.map((plane, channel) => {
      const own = voice[channel] ?? voice[0];
      return plane.map((value, at) => value - (own?.[at] ?? 0) / voiceGain);
    });
  }
}

async function measureRemoved(pair: Pair): Promise<Loudness> {
  const original = await openTrack(pair.urls.original);
  return readWhole('removed', removedOf(original, pair, original.sampleRate), original);
}

async function drawSpectrogram(lane: LaneName, pair: Pair): Promise<Spectrogram> {
  const original = await openTrack(pair.urls.original);
  // One rate for all lanes, so that the same height is the same frequency.
  const rate = Math.min(mostHz * 2, original.sampleRate);
  const builder = createSpectrogramBuilder(Math.round((original.durationMs * rate) / 1000), rate);
  const url = lane === 'removed' ? null : pair.urls[lane];
  const blocks = url === null ? removedOf(original, pair, rate) : (await openTrack(url)).read(0, rate);
  for await (const channels of blocks) builder.add(toMono(channels));
  return builder.finish();
}

async function obey(order: MeasureOrder): Promise<void> {
  switch (order.kind) {
    case 'result': {
      const result = await readResult(order.name, order.url);
      worker.postMessage({ kind: 'read', result }, [result.window.samples.buffer]);
      return;
    }
    case 'original':
      worker.postMessage({
        kind: 'measured',
        measures: await readOriginal(order.url, order.isolated, order.variant),
      });
      return;
    case 'removed':
      worker.postMessage({ kind: 'removed', loudness: await measureRemoved(order) });
      return;
    case 'spectrogram': {
      const spectrogram = await drawSpectrogram(order.lane, order);
      worker.postMessage({ kind: 'spectrogram', lane: order.lane, spectrogram }, [spectrogram.levels.buffer]);
    }
  }
}

worker.addEventListener('message', ({ data }) => {
  obey(data).catch((cause: unknown) =>
    worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) }),
  );
});
