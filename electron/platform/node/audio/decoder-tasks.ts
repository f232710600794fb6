import { open, type FileHandle } from 'node:fs/promises';
import { openAudio } from '../../../audio/decode/open-audio.ts';
import type { OpenedAudio } from '../../../audio/decode/opened-audio.ts';
import type { PcmBlock } from '../../../../shared/domain/audio/pcm-block.ts';
import { createPeakBuilder, type PeakBuilder, type PeakChunk } from '../../../../shared/domain/audio/peak-builder.ts';
import { Resampler } from '../../../../shared/domain/media/resample.ts';
import { openFlags } from '../hash-file.ts';

export type DecoderTask =
  | { readonly kind: 'peaks'; readonly path: string; readonly fromSecond: number }
  | {
      readonly kind: 'samples';
      readonly path: string;
      readonly fromSecond: number;
      /** Samples per second that are wanted; null: those of the recording. */
      readonly rate: number | null;
    };

export interface PeaksPart {
  readonly chunk: PeakChunk;
  /** The length of the recording, with every chunk but the first; null where it does not say so. */
  readonly seconds: number | null;
}

export interface SampleFacts {
  readonly sampleRate: number;
  readonly channelCount: number;
  readonly seconds: number;
}

/** What comes first are the facts, then samples of all channels by turns, values -1..1. */
export type SamplesPart = SampleFacts | Float32Array<ArrayBuffer>;

export type DecoderPart = PeaksPart | SamplesPart;

export const runTask = (task: DecoderTask): AsyncGenerator<DecoderPart, void, undefined> =>
  task.kind === 'peaks' ? readPeaks(task.path, task.fromSecond) : readSamples(task.path, task.fromSecond, task.rate);

/** The first picture at once, then a few a second, because painting uses the same cores as decoding. */
const reportEveryMs = 300;
const soonReports = 4;
const soonMs = 60;

async function* readPeaks(path: string, fromSecond: number): AsyncGenerator<PeaksPart, void, undefined> {
  const file = await open(path, openFlags);
  try {
    const audio = await openAudio(file, path, fromSecond);
    const builder = createPeakBuilder();
    let reportedAt = fromSecond === 0 ? -Infinity : performance.now();
    let [reports, seconds]: [number, number | null] = [0, null];
    for await (const block of audio.blocks) {
      addTo(builder, block);
      const pause = fromSecond === 0 && reports < soonReports ? soonMs : reportEveryMs;
      if (performance.now() - reportedAt < pause) continue;
      const chunk = builder.take();
      if (chunk.min.length === 0) continue;
      // Not before the first picture, which it would delay.
      if (reports === 1) seconds = await audio.seconds();
      yield { chunk, seconds };
      reportedAt = performance.now();
      reports += 1;
    }
    builder.finish();
    const chunk = builder.take();
    if (builder.durationMs > 0) yield { chunk, seconds };
  } finally {
    await file.close();
  }
}

function addTo(builder: PeakBuilder, block: PcmBlock): void {
  const { shorts, sampleRate } = block;
  if (shorts !== undefined) return builder.addShorts(shorts.samples, shorts.frames, sampleRate);
  const { channels } = block;
  builder.add(isTwiceTheSame(channels) ? channels.slice(0, 1) : channels, channels[0]?.length ?? 0, sampleRate);
}

/** MP3 of one channel is decoded to two; comparing some samples is enough to process only one. */
function isTwiceTheSame([left, right, ...others]: readonly Float32Array[]): boolean {
  if (left === undefined || right === undefined || others.length > 0) return false;
  const step = Math.max(1, Math.floor(left.length / 257));
  for (let at = 0; at < left.length; at += step) if (left[at] !== right[at]) return false;
  return true;
}

/** Listeners of speech gain nothing from more than two channels. */
const mostChannels = 2;
const pieceSamples = 64 * 1024;

async function* readSamples(
  path: string,
  fromSecond: number,
  rate: number | null,
): AsyncGenerator<SamplesPart, void, undefined> {
  const file = await open(path, openFlags);
  try {
    const audio = await openAudio(file, path, fromSecond);
    let resamplers: Resampler[] | null = null;
    let channelCount = 0;
    let piece = new Float32Array(0);
    let filled = 0;
    const fill = function* (planes: readonly Float32Array[]): Generator<Float32Array<ArrayBuffer>> {
      const length = planes[0]?.length ?? 0;
      for (let at = 0; at < length;) {
        if (filled === 0) piece = new Float32Array(pieceSamples);
        const count = Math.min(length - at, (piece.length - filled) / channelCount);
        for (let channel = 0; channel < channelCount; channel += 1) {
          const plane = planes[channel] ?? planes[0];
          for (let frame = 0, to = filled + channel; frame < count; frame += 1, to += channelCount)
            piece[to] = plane?.[at + frame] ?? 0;
        }
        at += count;
        filled += count * channelCount;
        if (filled < piece.length) continue;
        filled = 0;
        yield piece;
      }
    };
    for await (const { channels, sampleRate } of audio.blocks) {
      if (resamplers === null) {
        channelCount = Math.min(mostChannels, channels.length);
        yield { sampleRate, channelCount, seconds: (await audio.seconds()) ?? (await countedSeconds(file, path)) };
        const count = rate === null || rate === sampleRate ? 0 : channelCount;
        resamplers = Array.from({ length: count }, () => new Resampler(sampleRate, rate ?? sampleRate));
      }
      yield* fill(
        resamplers.length === 0 ? channels : resamplers.map((one, at) => one.push(channels[at] ?? new Float32Array())),
      );
    }
    if (resamplers !== null) yield* fill(resamplers.map((one) => one.flush()));
    if (filled > 0) yield piece.slice(0, filled);
  } finally {
    await file.close();
  }
}

/** The length of a recording that does not say so. */
async function countedSeconds(file: FileHandle, path: string): Promise<number> {
  let seconds = 0;
  const audio: OpenedAudio = await openAudio(file, path);
  for await (const { channels, sampleRate } of audio.blocks) seconds += (channels[0]?.length ?? 0) / sampleRate;
  return seconds;
}
