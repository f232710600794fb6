import { inPieces } from './compare/in-pieces.ts';
import { joinSamples, toMono } from './samples.ts';
import { openTrack } from './track-reader.ts';
import { Transform } from './transform.ts';
import type { SpectrumAnswer, SpectrumQuestion } from './spectrum.ts';
import { workerScope } from '../lib/worker-scope.ts';

const worker = workerScope<SpectrumQuestion, SpectrumAnswer>();

/** Speech has next to nothing above half of it. */
const rate = 16_000;
const windowFrames = 512;
const rows = windowFrames / 4;
const quietestDb = -84;
const loudestDb = -24;
const pieceFrames = 30 * rate;

let asked = 0;

async function answer({ number, url, fromMs, toMs, columns }: SpectrumQuestion): Promise<void> {
  const track = await openTrack(url);
  const frames = Math.round(((toMs - fromMs) * rate) / 1000);
  const first = Math.round((fromMs * rate) / 1000);
  const picture = new Uint8ClampedArray(columns * rows * 4);
  const fft = new Transform(windowFrames, rate, 'hann', 0);
  let kept = new Float32Array();
  let keptFrom = 0;
  let column = 0;
  for await (const planes of inPieces(track.read(first, rate), frames, pieceFrames)) {
    if (asked !== number) return;
    kept = joinSamples([kept, toMono(planes)]);
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
}

/** The lowest frequencies are at the bottom; the colour comes from the theme. */
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
  answer(data).catch(() =>
    worker.postMessage({ number: data.number, bitmap: null, fromMs: data.fromMs, toMs: data.toMs }),
  );
});
