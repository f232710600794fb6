import { findOffset } from '../../../shared/domain/audio/find-offset.ts';
import { createLoudnessMeter, type Loudness } from '../../../shared/domain/audio/loudness.ts';
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
import { createSpectrogramBuilder, highestHz } from './spectrogram.ts';
import { openTrack, type TrackReader } from './track-reader.ts';

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
const longMs = 20 * 60_000;
/** How much of the recordings is compared to find the offset. */
const windowSeconds = 20;
/**
 * With speech in the beginning, later parts are not examined, because reaching them means reading all packets before.
 */
const beginningSeconds = 20 * 60;
/** The beginning suffices when its loudest seconds have this share of the energy of the loudest of all. */
const leastShare = 0.05;
/** Encoders and filters delay by some hundredths of a second. */
const mostOffsetSeconds = 0.2;

async function measure(urls: TrackUrls, known: CompareMeasures | null): Promise<Opened> {
  const tracks = new Map<LaneName, TrackReader>();
  const named = trackNames.flatMap((name) => {
    const url = urls[name];
    return url === null ? [] : [{ name, url }];
  });
  await Promise.all(
    named.map(
      async ({ name, url }) =>
        void tracks.set(name, await openTrack(url, (await chooseSameSamples(url)) ?? decodeInStretches)),
    ),
  );
  if (known !== null) return { tracks, measures: known };
  const reading = [...tracks].map(([name, track]) => async () => {
    const whole = await readWhole(name, track.read(0, track.sampleRate), track);
    return [name, whole] as const;
  });
  const read = isLong([...tracks.values()])
    ? await oneByOne(reading)
    : await Promise.all(reading.map(async (begin) => begin()));
  const found = new Map(read);
  const original = tracks.get('original');
  const about = async (name: 'isolated' | 'variant'): Promise<ResultMeasures | null> => {
    const [track, whole] = [tracks.get(name), found.get(name)];
    if (original === undefined || track === undefined || whole === undefined) return null;
    return { loudness: whole.loudness, ...(await align(original, track, loudestWindow(whole.energies))) };
  };
  const [isolated, variant] = [await about('isolated'), await about('variant')];
  const own = found.get('original');
  if (own === undefined || isolated === null) throw new Error('Nothing to compare');
  return { tracks, measures: { original: own.loudness, isolated, variant } };
}

/** Decoding several long recordings at once would take the memory of each. */
const isLong = (tracks: readonly TrackReader[]): boolean => tracks.some(({ durationMs }) => durationMs > longMs);

async function oneByOne<T>(works: readonly (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = [];
  for (const work of works) done.push(await work());
  return done;
}

/** Measures a stream of samples to its end and reports its peaks along the way. */
async function readWhole(
  lane: LaneName,
  blocks: Planes,
  { sampleRate, channelCount }: Pick<TrackReader, 'sampleRate' | 'channelCount'>,
): Promise<{ readonly loudness: Loudness; readonly energies: readonly number[] }> {
  const meter = createLoudnessMeter(sampleRate, channelCount);
  const builder = createPeakBuilder();
  /** Of each second. */
  const energies: number[] = [];
  let frame = 0;
  let reportedAt = -Infinity;
  const report = () => {
    const chunk = builder.take();
    if (chunk.min.length === 0) return;
    worker.postMessage({ kind: 'peaks', lane, chunk }, [chunk.min.buffer, chunk.max.buffer, chunk.rms.buffer]);
    reportedAt = performance.now();
  };
  for await (const channels of blocks) {
    const [samples = new Float32Array()] = channels;
    meter.add(channels);
    builder.add(channels, samples.length, sampleRate);
    const second = Math.floor(frame / sampleRate);
    let energy = 0;
    for (const value of samples) energy += value * value;
    energies[second] = (energies[second] ?? 0) + energy;
    frame += samples.length;
    if (performance.now() - reportedAt >= reportEveryMs) report();
  }
  builder.finish();
  report();
  return { loudness: meter.read(), energies };
}

/** The first of the loudest twenty seconds: in a track with only the voice, those contain speech. */
function loudestWindow(energies: readonly number[]): number {
  const all = loudestOf(energies);
  const early = loudestOf(energies.slice(0, beginningSeconds));
  return early.energy >= leastShare * all.energy ? early.from : all.from;
}

function loudestOf(energies: readonly number[]): { readonly from: number; readonly energy: number } {
  let best = 0;
  let most = -1;
  for (let from = 0; from === 0 || from + windowSeconds <= energies.length; from += 1) {
    const sum = energies.slice(from, from + windowSeconds).reduce((total, energy) => total + energy, 0);
    if (sum > most) [best, most] = [from, sum];
  }
  return { from: best, energy: most };
}

async function align(
  original: TrackReader,
  result: TrackReader,
  fromSecond: number,
): Promise<Pick<ResultMeasures, 'offsetMs' | 'correlation' | 'voiceGain'>> {
  const rate = original.sampleRate;
  const [first, second] = await Promise.all([
    readWindow(original, fromSecond * rate, rate),
    readWindow(result, fromSecond * rate, rate),
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
    const part = toMono(channels).subarray(0, mono.length - filled);
    mono.set(part, filled);
    filled += part.length;
    if (filled === mono.length) break;
  }
  return mono.subarray(0, filled);
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
  const { loudness } = await readWhole('removed', removedOf(opened, original.sampleRate), original);
  worker.postMessage({ kind: 'removed', loudness });
}

async function drawSpectrogram(lane: LaneName, opened: Opened): Promise<void> {
  const rate = highestHz * 2;
  const track = opened.tracks.get(lane === 'removed' ? 'original' : lane);
  const total = opened.tracks.get('original')?.durationMs;
  if (track === undefined || total === undefined) return;
  const builder = createSpectrogramBuilder(Math.round((total * rate) / 1000));
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
