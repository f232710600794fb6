import { findOffset } from '../../../shared/domain/audio/find-offset.ts';
import { createLoudnessMeter, type Loudness } from '../../../shared/domain/audio/loudness.ts';
import { createPeakBuilder, type PeakChunk } from '../../../shared/domain/audio/peak-builder.ts';
import { resample } from '../../../shared/domain/media/resample.ts';
import { wavHeader } from '../../../shared/domain/media/wav-header.ts';
import { workerScope } from '../../lib/worker-scope.ts';
import { toMono } from '../samples.ts';
import { openTrack, type TrackReader } from '../track-reader.ts';
import {
  leastCorrelation,
  levelRatio,
  type CompareMeasures,
  type LaneName,
  type Mix,
  type ResultMeasures,
  type TrackUrls,
} from './compare-measures.ts';
import { openMix } from './mix.ts';
import { createSpectrogramBuilder, mostHz, type Spectrogram } from './spectrogram.ts';
import { createLoudestWindow, createWindowAt } from './windows.ts';

export type CompareOrder =
  | { readonly kind: 'measure'; readonly urls: TrackUrls }
  /** Of what the service took out, the peaks alone. */
  | { readonly kind: 'removed' | 'file'; readonly mix: Mix }
  | { readonly kind: 'spectrogram'; readonly lane: LaneName; readonly mix: Mix };

export type CompareReport =
  | { readonly kind: 'peaks'; readonly lane: LaneName; readonly chunk: PeakChunk }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer>; readonly share: number }
  | { readonly kind: 'measure'; readonly measures: CompareMeasures }
  | { readonly kind: 'spectrogram'; readonly lane: LaneName; readonly spectrogram: Spectrogram }
  | { readonly kind: 'removed' | 'file' }
  | { readonly kind: 'failed'; readonly reason: string };

const worker = workerScope<CompareOrder | 'taken', CompareReport>();

const reportEveryMs = 400;
/** Encoders and filters delay by some hundredths of a second. */
const mostOffsetSeconds = 0.2;
const largest = 32_767;

async function measure({ original, isolated, variant }: TrackUrls): Promise<CompareMeasures> {
  // The original comes last: by then it is known which seconds are compared.
  const first = await readResult('isolated', isolated);
  const second = variant === null ? null : await readResult('variant', variant);
  const track = await openTrack(original);
  const { sampleRate } = track;
  const own = createWindowAt(first.window.fromSecond, sampleRate);
  const ownVariant = createWindowAt((second ?? first).window.fromSecond, sampleRate);
  return {
    original: await readWhole('original', track.read(0, sampleRate), track, [own, ownVariant]),
    isolated: align(own.read(), first, sampleRate),
    variant: second && align(ownVariant.read(), second, sampleRate),
  };
}

async function readResult(name: 'isolated' | 'variant', url: string) {
  const track = await openTrack(url);
  const { sampleRate } = track;
  const loudest = createLoudestWindow(sampleRate);
  const loudness = await readWhole(name, track.read(0, sampleRate), track, [loudest]);
  return { loudness, window: loudest.read(), sampleRate };
}

async function readWhole(
  lane: LaneName,
  blocks: AsyncGenerator<readonly Float32Array[]>,
  { sampleRate, channelCount }: Pick<TrackReader, 'sampleRate' | 'channelCount'>,
  windows: readonly { readonly add: (planes: readonly Float32Array[]) => void }[] = [],
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
  { loudness, window, sampleRate }: Awaited<ReturnType<typeof readResult>>,
  rate: number,
): ResultMeasures {
  const other = sampleRate === rate ? window.samples : resample(window.samples, sampleRate, rate);
  const { samples, correlation } = findOffset(own, other, Math.round(mostOffsetSeconds * rate));
  if (correlation < leastCorrelation) return { loudness, offsetMs: 0, correlation, voiceGain: 1 };
  const aligned = [own.subarray(Math.max(0, -samples)), other.subarray(Math.max(0, samples))] as const;
  return { loudness, offsetMs: (samples * 1000) / rate, correlation, voiceGain: levelRatio(...aligned) };
}

async function drawSpectrogram(mix: Mix): Promise<Spectrogram> {
  // One rate for all lanes, so that the same height is the same frequency.
  const { sampleRate, frames, read } = await openMix(mix, mostHz * 2);
  const builder = createSpectrogramBuilder(frames, sampleRate);
  for await (const channels of read()) builder.add(toMono(channels));
  return builder.finish();
}

let goOn: () => void = () => undefined;

async function hand(bytes: Uint8Array<ArrayBuffer>, share: number): Promise<void> {
  const taken = Promise.withResolvers<void>();
  goOn = taken.resolve;
  worker.postMessage({ kind: 'piece', bytes, share }, [bytes.buffer]);
  await taken.promise;
}

async function writeFile(mix: Mix): Promise<void> {
  const { sampleRate, channelCount, frames, read } = await openMix(mix);
  await hand(wavHeader(frames * channelCount * 2, sampleRate, channelCount), 0);
  let written = 0;
  for await (const planes of read()) {
    const length = planes[0]?.length ?? 0;
    const samples = new Int16Array(length * channelCount);
    for (const [channel, plane] of planes.entries())
      for (let at = 0; at < length; at += 1)
        samples[at * channelCount + channel] = Math.round(Math.max(-1, Math.min(1, plane[at] ?? 0)) * largest);
    written += length;
    await hand(new Uint8Array(samples.buffer), written / frames);
  }
}

async function obey(order: CompareOrder): Promise<CompareReport> {
  const { kind } = order;
  if (kind === 'measure') return { kind, measures: await measure(order.urls) };
  if (kind === 'spectrogram') return { kind, lane: order.lane, spectrogram: await drawSpectrogram(order.mix) };
  if (kind === 'file') await writeFile(order.mix);
  else {
    const mix = await openMix(order.mix);
    await readWhole('removed', mix.read(), mix);
  }
  return { kind };
}

worker.addEventListener('message', ({ data }) => {
  if (data === 'taken') goOn();
  else
    obey(data).then(
      (report) => worker.postMessage(report),
      (cause: unknown) =>
        worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) }),
    );
});
