import { chooseEngine, engines } from '../../../../shared/decoding/choose-engine.ts';
import type { ByteSource } from '../../../../shared/decoding/byte-source.ts';
import type { Part } from '../../../../shared/decoding/decoded-audio.ts';
import { createPeakBuilder, type PeakChunk } from '../../../../shared/domain/audio/peak-builder.ts';
import { openFileSource } from './file-source.ts';

/** The first picture at once, then a few a second, because painting uses the same cores as decoding. */
const reportEveryMs = 300;
const soonReports = 4;
const soonMs = 60;

/** What is known at the end of a part. */
export interface PartEnd {
  readonly durationMs: number;
  /** The last bucket if it is shorter than the others, otherwise none. */
  readonly rest: PeakChunk;
}

/**
 * Decodes a part of a recording and folds it into peaks, as long as somebody wants them. Throws when there is no decoder
 * for it here.
 */
export async function decodePeaks(
  path: string,
  part: Part,
  onPeaks: (chunk: PeakChunk) => void,
  isLeft: () => boolean = () => false,
): Promise<PartEnd> {
  const source = openFileSource(path);
  try {
    return await fold(source, part, onPeaks, isLeft);
  } finally {
    source.close();
  }
}

async function fold(
  source: ByteSource,
  part: Part,
  onPeaks: (chunk: PeakChunk) => void,
  isLeft: () => boolean,
): Promise<PartEnd> {
  const engine = await chooseEngine(source);
  if (engine === null) throw new Error('Only a browser may have a decoder for this sound');
  const builder = createPeakBuilder();
  const isBeginning = part.index === 0;
  let reportedAt = isBeginning ? -Infinity : performance.now();
  let reports = 0;
  const report = () => {
    const chunk = builder.take();
    if (chunk.min.length === 0) return;
    onPeaks(chunk);
    reportedAt = performance.now();
    reports += 1;
  };
  for await (const audio of engines[engine](source, part)) {
    if (isLeft()) break;
    const { frames, sampleRate } = audio;
    if (audio.shorts === undefined) builder.add(audio.channels, frames, sampleRate);
    else builder.addShorts(audio.shorts, frames, sampleRate);
    const pause = isBeginning && reports < soonReports ? soonMs : reportEveryMs;
    if (performance.now() - reportedAt >= pause) report();
  }
  report();
  builder.finish();
  return { durationMs: builder.durationMs, rest: builder.take() };
}
