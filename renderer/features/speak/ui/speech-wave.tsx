import { useEffect, useMemo, useRef } from 'react';
import { cx } from '../../../lib/class-names.ts';
import type { BlockState } from '../model/block-status.ts';
import css from '../speak-screen.module.css';

export interface WavePart {
  readonly state: BlockState;
  readonly lengthMs: number;
  /** Twenty peaks a second in base64; empty without audio. */
  readonly bars: string;
}

const peaksOf = (bars: string): Uint8Array => Uint8Array.from(atob(bars), (character) => character.charCodeAt(0));
const barWidth = 4;

/** Bars for parts with audio, and a thin line for the others. `playedShare` is 0 to 1. */
export function Bars(props: {
  readonly parts: readonly WavePart[];
  readonly playedShare: number;
  readonly className?: string | undefined;
}) {
  const { parts, playedShare, className } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const decoded = useMemo(() => parts.map((part) => ({ ...part, peaks: peaksOf(part.bars) })), [parts]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const paint = () => paintBars(element, decoded, playedShare);
    paint();
    const sizes = new ResizeObserver(paint);
    sizes.observe(element);
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      theme.disconnect();
    };
  }, [decoded, playedShare]);
  return <canvas ref={canvas} aria-hidden className={cx(css['wave'], className)} />;
}

function paintBars(
  canvas: HTMLCanvasElement,
  parts: readonly (WavePart & { readonly peaks: Uint8Array })[],
  playedShare: number,
): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  const totalMs = parts.reduce((sum, { lengthMs }) => sum + lengthMs, 0);
  if (context === null || totalMs === 0) return;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const played = style.getPropertyValue('--played');
  const colours = {
    played: style.color,
    ready: style.getPropertyValue('border-top-color'),
    stale: style.getPropertyValue('outline-color'),
  };
  context.lineCap = 'round';
  context.lineWidth = 2;
  let part = 0;
  let partFromMs = 0;
  for (let x = 2; x < width; x += barWidth) {
    const atMs = (x / width) * totalMs;
    while (part < parts.length - 1 && atMs >= partFromMs + (parts[part]?.lengthMs ?? 0)) {
      partFromMs += parts[part]?.lengthMs ?? 0;
      part += 1;
    }
    const current = parts[part];
    if (current === undefined) break;
    const share = (atMs - partFromMs) / Math.max(1, current.lengthMs);
    const peak = current.peaks[Math.floor(share * current.peaks.length)] ?? 0;
    const half = Math.max(1, (peak / 255) * (height / 2 - 2));
    const isHeard = played !== 'none' && x / width < playedShare;
    context.strokeStyle = isHeard ? colours.played : current.state === 'changed' ? colours.stale : colours.ready;
    context.beginPath();
    context.moveTo(x, height / 2 - half);
    context.lineTo(x, height / 2 + half);
    context.stroke();
  }
}
