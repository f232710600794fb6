import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import type { WaveformColours } from './waveform-colours.ts';

/** A stretch of time as it is painted; sizes in CSS pixels. */
export interface PaintedStretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly width: number;
  readonly height: number;
  readonly colours: WaveformColours;
}

/** Spans of time from `top` to the bottom of a picture. */
export function paintSpans(
  ctx: CanvasRenderingContext2D,
  { fromMs, toMs, width, height, colours }: PaintedStretch,
  spans: readonly TimeSpan[],
  top: number,
  look: 'veiled' | 'hatched' | 'tinted',
): void {
  const perMs = width / (toMs - fromMs);
  for (const { startMs, endMs } of spans) {
    if (endMs <= fromMs) continue;
    if (startMs >= toMs) break;
    const x = (startMs - fromMs) * perMs;
    const w = Math.max(1, (endMs - startMs) * perMs);
    ctx.fillStyle = look === 'tinted' ? colours.accent : colours.veil;
    ctx.globalAlpha = look === 'tinted' ? 0.28 : 0.72;
    ctx.fillRect(x, top, w, height - top);
    ctx.globalAlpha = 1;
    if (look === 'hatched' && w > 3)
      hatch(ctx, colours.neutral, { x: Math.max(0, x), top, w: Math.min(w, width), height });
  }
}

function hatch(
  ctx: CanvasRenderingContext2D,
  colour: string,
  { x, top, w, height }: { readonly x: number; readonly top: number; readonly w: number; readonly height: number },
): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, top, w, height - top);
  ctx.clip();
  ctx.beginPath();
  // Hatching at multiples of the distance, so that lines stay when a span's start moves.
  for (let at = Math.floor((x - height) / 9) * 9; at < x + w; at += 9) {
    ctx.moveTo(at, height);
    ctx.lineTo(at + height - top, top);
  }
  ctx.strokeStyle = colour;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.restore();
}
