import { findOffset } from '../../../shared/domain/audio/find-offset.ts';
import { createLoudnessMeter, type Loudness } from '../../../shared/domain/audio/loudness.ts';
import { resample } from '../../../shared/domain/media/resample.ts';
import { chooseSameSamples } from '../decoding/choose-engine.ts';
import { decodeInStretches } from './decode-in-stretches.ts';
import { createPeakBuilder } from '../peaks/peak-builder.ts';
import {
  leastCorrelation,
  levelRatio,
  trackNames,
  type CompareMeasures,
  type ResultMeasures,
} from './compare-measures.ts';
import { inPieces } from './in-pieces.ts';
import type { LaneName, MeasureOrder, MeasureReport, TrackUrls } from './measure-messages.ts';
import { createSpectrogramBuilder, mostHz } from './spectrogram.ts';
import { openTrack, type TrackReader } from './track-reader.ts';
import { LoudestWindow, WindowAt, type Window } from './windows.ts';

/** Entry of the measuring worker: reads the recordings as streams, and keeps no more of them than what is drawn. */
interface WorkerScope {
  postMessage(message: MeasureReport, transfer?: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<MeasureOrder>) => void): void;
}

const worker = globalThis as unknown as WorkerScope;

type Planes = AsyncGenerator<readonly Float32Array[], void, undefined>;

/** The opened and measured recordings, for later orders. */
interface Opened {
  readonly tracks: ReadonlyMap<LaneName, TrackReader>;
  readonly measures: CompareMeasures;
}

const reportEveryMs = 400;
/** Encoders and filters delay by some hundredths of a second. */
const mostOffsetSeconds = 0.2;

/**
 * Measures one recording after the other, because each takes memory while it is read. The original comes last: by then
 * it is known which of its seconds are to be compared.
 */
async function measure(urls: TrackUrls, known: CompareMeasures | null): Promise<Opened> {
  const tracks = new Map<LaneName, TrackReader>();
  await Promise.all(
    trackNames.map(async (name) => {
      const url = urls[name];
      if (url !== null) tracks.set(name, await openTrack(url, (await chooseSameSamples(url)) ?? decodeInStretches));
    }),
  );
  if (known !== null) return { tracks, measures: known };
  const original = tracks.get('original');
  if (original === undefined) throw new Error('Nothing to compare');
  const rate = original.sampleRate;
  const [isolated, variant] = [await readResult('isolated', tracks), await readResult('variant', tracks)];
  if (isolated === null) throw new Error('Nothing to compare');
  const [own, ownVariant] = [isolated, variant ?? isolated].map(({ window }) => new WindowAt(window.fromSecond, rate));
  const loudness = await readWhole('original', original.read(0, rate), original, [own!, ownVariant!]);
  return {
    tracks,
    measures: {
      original: loudness,
      isolated: { loudness: isolated.loudness, ...align(own!.read(), isolated, rate) },
      variant: variant === null ? null : { loudness: variant.loudness, ...align(ownVariant!.read(), variant, rate) },
    },
  };
}

interface ReadResult {
  readonly loudness: Loudness;
  readonly window: Window;
  readonly sampleRate: number;
}

/** Reads a result of the service; null when there is none. */
async function readResult(
  name: 'isolated' | 'variant',
  tracks: ReadonlyMap<LaneName, TrackReader>,
): Promise<ReadResult | null> {
  const track = tracks.get(name);
  if (track === undefined) return null;
  const { sampleRate } = track;
  const loudest = new LoudestWindow(sampleRate);
  const loudness = await readWhole(name, track.read(0, sampleRate), track, [loudest]);
  return { loudness, window: loudest.read(), sampleRate };
}

/** Measures a stream of samples to its end and reports its peaks along the way; `windows` are given all of it. */
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

/** How a result lies against the same seconds of the original, which has the sample rate `rate`. */
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

const toMono = ([left = new Float32Array(), right = left]: readonly Float32Array[]): Float32Array =>
  left.map((value, at) => (value + (right[at] ?? 0)) / 2);

/** The original minus the isolated voice, with both aligned. */
async function* removedOf({ tracks, measures }: Opened, rate: number): Planes {
  const [original, isolated] = [tracks.get('original'), tracks.get('isolated')];
  if (original === undefined || isolated === undefined) return;
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

async function measureRemoved(opened: Opened): Promise<void> {
  const original = opened.tracks.get('original');
  if (original === undefined) return;
  const loudness = await readWhole('removed', removedOf(opened, original.sampleRate), original);
  worker.postMessage({ kind: 'removed', loudness });
}

async function drawSpectrogram(lane: LaneName, opened: Opened): Promise<void> {
  const track = opened.tracks.get(lane === 'removed' ? 'original' : lane);
  const original = opened.tracks.get('original');
  if (track === undefined || original === undefined) return;
  // One rate for all lanes, so that the same height is the same frequency.
  const rate = Math.min(mostHz * 2, original.sampleRate);
  const builder = createSpectrogramBuilder(Math.round((original.durationMs * rate) / 1000), rate);
  for await (const channels of lane === 'removed' ? removedOf(opened, rate) : track.read(0, rate))
    builder.add(toMono(channels));
  const spectrogram = builder.finish();
  worker.postMessage({ kind: 'spectrogram', lane, spectrogram }, [spectrogram.levels.buffer]);
}

let opened: Promise<Opened> | null = null;
/** One order after another, because each reads whole recordings. */
let last: Promise<void> = Promise.resolve();

async function obey(order: MeasureOrder): Promise<void> {
  if (order.kind === 'measure') {
    opened = measure(order.urls, order.known);
    worker.postMessage({ kind: 'measured', measures: (await opened).measures });
    return;
  }
  if (opened === null) return;
  const known = await opened;
  if (order.kind === 'removed') await measureRemoved(known);
  else for (const lane of order.lanes) await drawSpectrogram(lane, known);
}

worker.addEventListener('message', ({ data }) => {
  last = last.then(() =>
    obey(data).catch((cause: unknown) => {
      worker.postMessage({ kind: 'failed', reason: cause instanceof Error ? cause.message : String(cause) });
    }),
  );
});
