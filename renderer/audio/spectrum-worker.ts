import transform, { type FFT } from 'wavesurfer.js/dist/fft.js';
import { inPieces } from './compare/in-pieces.ts';
import { openTrack } from './compare/track-reader.ts';
import type { SpectrumAnswer, SpectrumQuestion } from './spectrum.ts';

/** Entry of the thread that computes the frequencies in a stretch of a recording. */
interface WorkerScope {
  postMessage(message: SpectrumAnswer, transfer?: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<SpectrumQuestion>) => void): void;
}
const worker = globalThis as unknown as WorkerScope;

/** It is an old-style constructor, which its types declare as a function. */
const Transform = transform as unknown as typeof FFT;

/** Speech has next to nothing above half of it. */
const rate = 16_000;
const windowFrames = 512;
/** Two bands of the transform make a row of the picture. */
const rows = windowFrames / 4;
/** Quieter parts are invisible, louder ones not more opaque. */
const quietestDb = -84;
const loudestDb = -24;
/** Longer stretches are read in pieces of this many seconds. */
const pieceFrames = 30 * rate;

/** The latest request; older ones are abandoned. */
let asked = 0;

async function answer({ number, url, fromMs, toMs, columns }: SpectrumQuestion): Promise<void> {
  const track = await openTrack(url);
  try {
    const frames = Math.round(((toMs - fromMs) * rate) / 1000);
    const first = Math.round((fromMs * rate) / 1000);
    const picture = new Uint8ClampedArray(columns * rows * 4);
    const fft = new Transform(windowFrames, rate, 'hann', 0);
    let kept = new Float32Array();
    let keptFrom = 0;
    let column = 0;
    for await (const planes of inPieces(track.read(first, rate), frames, pieceFrames)) {
      if (asked !== number) return;
      const piece = mono(planes);
      const joined = new Float32Array(kept.length + piece.length);
      joined.set(kept);
      joined.set(piece, kept.length);
      kept = joined;
      for (; column < columns; column += 1) {
        const at = Math.round((column * frames) / columns) - keptFrom;
        if (at + windowFrames > kept.length) break;
        paintColumn(picture, columns, column, fft.calculateSpectrum(kept.slice(at, at + windowFrames)));
      }
      const used = Math.min(kept.length, Math.max(0, Math.round((column * frames) / columns) - keptFrom));
      kept = kept.slice(used);
      keptFrom += used;
    }
    const bitmap = await createImageBitmap(new ImageData(picture, columns, rows));
    worker.postMessage({ number, bitmap, fromMs, toMs }, [bitmap]);
  } finally {
    track.close();
  }
}

function mono(planes: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const [first = new Float32Array(), second] = planes;
  return Float32Array.from(first, (value, at) => (second === undefined ? value : (value + (second[at] ?? 0)) / 2));
}

/** The lowest frequencies are at the bottom; opacity shows loudness, and the colour comes from the theme. */
function paintColumn(picture: Uint8ClampedArray, columns: number, column: number, bands: Float32Array): void {
  for (let row = 0; row < rows; row += 1) {
    const loudest = Math.max(bands[row * 2] ?? 0, bands[row * 2 + 1] ?? 0);
    const db = 20 * Math.log10(loudest + 1e-9);
    const part = (db - quietestDb) / (loudestDb - quietestDb);
    picture[((rows - 1 - row) * columns + column) * 4 + 3] = 255 * Math.max(0, Math.min(1, part)) ** 1.4;
  }
}

worker.addEventListener('message', ({ data }) => {
  asked = data.number;
  answer(data).catch(() => {
    worker.postMessage({ number: data.number, bitmap: null, fromMs: data.fromMs, toMs: data.toMs });
  });
});
