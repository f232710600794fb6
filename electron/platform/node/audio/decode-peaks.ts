import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource, Part } from '../../../../shared/decoding/decoded-audio.ts';
import { chooseEngine, engines } from '../../../../shared/decoding/choose-engine.ts';
import { createPeakBuilder, type PeakChunk } from '../../../../shared/domain/audio/peak-builder.ts';
import { openFlags } from '../hash-file.ts';

const pieceBytes = 64 * 1024;

/** The first picture at once, then a few a second, because painting uses the same cores as decoding. */
const reportEveryMs = 300;
const soonReports = 4;
const soonMs = 60;

export interface PartEnd {
  readonly durationMs: number;
  /** The last bucket if it is shorter than the others, otherwise none. */
  readonly rest: PeakChunk;
}

/** Throws when there is no decoder for it here. */
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

/** The disk takes a fifth of the time of asking for each piece. Throws when it can't be opened. */
function openFileSource(path: string): ByteSource & { readonly close: () => void } {
  const file = openSync(path, openFlags);
  const { size } = fstatSync(file);
  const read = (into: Uint8Array<ArrayBuffer>, from: number) =>
    into.subarray(0, readSync(file, into, 0, into.length, from));

  return {
    close: () => closeSync(file),
    read: (from, count) =>
      Promise.resolve(from >= size ? null : { bytes: read(new Uint8Array(Math.min(count, size - from)), from), size }),
    async *stream(from = 0, to = Infinity) {
      const end = Math.min(await to, size);
      const piece = new Uint8Array(pieceBytes);
      for (let at = from; at < end;) {
        const bytes = read(piece.subarray(0, end - at), at);
        // The file became shorter.
        if (bytes.length === 0) return;
        at += bytes.length;
        yield bytes;
      }
    },
  };
}
