import type { PeakPyramid } from '../peaks/peak-pyramid.ts';

export interface LanePicture {
  readonly pyramid: PeakPyramid;
  readonly totalMs: number;
  /** Full extent of the loudest of the lanes; all are drawn to one scale. */
  readonly loudest: number;
  readonly colour: string;
  readonly width: number;
  readonly height: number;
}

/** A quiet recording is stretched, but noise alone is not blown up to fill the lane. */
const mostStretch = 6;

/** The whole recording in one lane: extremes pale, loudness full. */
export function paintLane(ctx: CanvasRenderingContext2D, picture: LanePicture): void {
  const { pyramid, totalMs, loudest, colour, width, height } = picture;
  ctx.clearRect(0, 0, width, height);
  if (width < 1 || totalMs <= 0) return;
  const columns = pyramid.columns(0, totalMs, Math.floor(width));
  const middle = height / 2;
  const half = (height / 2 - 4) * Math.min(mostStretch, 1 / Math.max(0.01, loudest));
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.4;
  for (let x = 0; x < columns.max.length; x += 1) {
    const top = (columns.max[x] ?? 0) * half;
    const bottom = (columns.min[x] ?? 0) * half;
    if (top !== bottom) ctx.fillRect(x, middle - top, 1, Math.max(1, top - bottom));
  }
  ctx.globalAlpha = 1;
  for (let x = 0; x < columns.rms.length; x += 1) {
    const loud = (columns.rms[x] ?? 0) * half;
    ctx.fillRect(x, middle - Math.max(0.5, loud), 1, Math.max(1, loud * 2));
  }
}
