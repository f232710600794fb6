import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import type { PeakPyramid } from '../peaks/peak-pyramid.ts';
import type { Spectrogram } from './spectrogram.ts';

export interface Area {
  readonly colour: string;
  readonly width: number;
  readonly height: number;
}

export interface LanePicture extends Area {
  /** Added up: of recordings that are alike, the peaks of the sum are the sum of the peaks. */
  readonly parts: readonly (readonly [pyramid: PeakPyramid, gain: number])[];
  readonly span: TimeSpan;
  readonly loudest: number;
}

/** A quiet recording is amplified for drawing, but noise alone must not fill the lane. */
const mostStretch = 6;

export function paintLane(ctx: CanvasRenderingContext2D, picture: LanePicture): void {
  const { parts, span, loudest, colour, width, height } = picture;
  ctx.clearRect(0, 0, width, height);
  if (width < 1) return;
  const drawn = parts.map(([pyramid, gain]) => ({
    gain,
    ...pyramid.columns(span.startMs, span.endMs, Math.floor(width)),
  }));
  const sum = (of: 'min' | 'max' | 'rms', x: number) =>
    drawn.reduce((total, part) => total + (part[of][x] ?? 0) * part.gain, 0);
  const middle = height / 2;
  const half = (height / 2 - 4) * Math.min(mostStretch, 1 / Math.max(0.01, loudest));
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.4;
  for (let x = 0; x < width; x += 1) {
    const top = sum('max', x) * half;
    const bottom = sum('min', x) * half;
    if (top !== bottom) ctx.fillRect(x, middle - top, 1, Math.max(1, top - bottom));
  }
  ctx.globalAlpha = 1;
  for (let x = 0; x < width; x += 1) {
    const loud = sum('rms', x) * half;
    ctx.fillRect(x, middle - Math.max(0.5, loud), 1, Math.max(1, loud * 2));
  }
}

/** Steeper than the levels, so that steady noise is no solid block. */
const opacityOf = (level: number): number => 255 * (level / 255) ** 1.6;

/** A zoom paints it some sixty times a second. */
const masks = new WeakMap<Spectrogram, OffscreenCanvas>();

function maskOf(spectrogram: Spectrogram): OffscreenCanvas | null {
  const known = masks.get(spectrogram);
  if (known !== undefined) return known;
  const { columns, bins, levels } = spectrogram;
  const mask = new OffscreenCanvas(columns, bins);
  const pixels = mask.getContext('2d');
  if (pixels === null) return null;
  const image = pixels.createImageData(columns, bins);
  for (let column = 0; column < columns; column += 1)
    for (let bin = 0; bin < bins; bin += 1)
      image.data[((bins - 1 - bin) * columns + column) * 4 + 3] = opacityOf(levels[column * bins + bin] ?? 0);
  pixels.putImageData(image, 0, 0);
  masks.set(spectrogram, mask);
  return mask;
}

export function paintSpectrogram(
  ctx: CanvasRenderingContext2D,
  spectrogram: Spectrogram,
  { colour, width, height, shares: [start, end] }: Area & { readonly shares: readonly [number, number] },
): void {
  ctx.clearRect(0, 0, width, height);
  if (width < 1 || height < 1) return;
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, width, height);
  const mask = maskOf(spectrogram);
  if (mask === null) return;
  const { columns, bins } = spectrogram;
  // The levels only determine opacity, so the colour follows the theme.
  ctx.globalCompositeOperation = 'destination-in';
  ctx.drawImage(mask, start * columns, 0, (end - start) * columns, bins, 0, 0, width, height);
  ctx.globalCompositeOperation = 'source-over';
}
