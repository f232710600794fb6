import { useCallback, useEffect, useRef, type PointerEvent } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { LaneName } from '../../../audio/compare/measure-messages.ts';
import type { PairState } from '../../../audio/compare/measure-pair.ts';
import { paintLane, paintSpectrogram } from '../../../audio/compare/paint-lane.ts';
import { cx } from '../../../lib/class-names.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { moved, seenSpan } from '../model/shown-span.ts';
import css from './lanes.module.css';
import { usePlayerState, type Comparison } from './use-comparison.ts';

interface Area {
  readonly colour: string;
  readonly width: number;
  readonly height: number;
}

/** Repaints when `paint`, the size or the theme colours change, and when `onGrowth` says so. */
export function Picture({
  paint,
  onGrowth,
  className,
}: {
  readonly paint: (ctx: CanvasRenderingContext2D, area: Area) => void;
  readonly onGrowth?: PairState['onGrowth'];
  readonly className?: string | undefined;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const repaint = useRef<() => void>(() => undefined);
  useEffect(() => {
    repaint.current = () => {
      const element = canvas.current;
      const ctx = element?.getContext('2d') ?? null;
      if (element === null || ctx === null) return;
      const { clientWidth: width, clientHeight: height } = element;
      const ratio = window.devicePixelRatio;
      const [pixels, lines] = [Math.round(width * ratio), Math.round(height * ratio)];
      // Setting the size reallocates the bitmap, so do it only when the size changes: this runs several times a second
      // while a recording is measured.
      if (element.width !== pixels) element.width = pixels;
      if (element.height !== lines) element.height = lines;
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(ctx, { colour: getComputedStyle(element).color, width, height });
    };
    repaint.current();
    return onGrowth?.(() => {
      repaint.current();
    });
  }, [paint, onGrowth]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const again = () => {
      repaint.current();
    };
    const sizes = new ResizeObserver(again);
    sizes.observe(element);
    scope.add(() => {
      sizes.disconnect();
    });
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
    scope.add(() => {
      theme.disconnect();
    });
    scope.listen(matchMedia('(prefers-color-scheme: dark)'), 'change', again);
    return () => {
      scope.dispose();
    };
  }, []);
  return <canvas ref={canvas} aria-hidden className={cx(css['wave'], className)} />;
}

/** One lane over a span of time. */
export function Wave({
  lane,
  pair,
  view,
  span: { startMs, endMs },
  totalMs,
}: {
  readonly lane: LaneName;
  readonly pair: PairState;
  readonly view: Comparison['view'];
  readonly span: TimeSpan;
  readonly totalMs: number;
}) {
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, area: Area) => {
      const { peaks, spectrograms } = pair;
      const spectrogram = spectrograms[lane];
      if (view === 'waveform') {
        const loudest = Math.max(peaks.original.loudest, peaks.isolated.loudest, peaks.variant.loudest);
        paintLane(ctx, { ...area, pyramid: peaks[lane], span: { startMs, endMs }, loudest });
      } else if (spectrogram !== undefined)
        paintSpectrogram(ctx, spectrogram, { ...area, shares: [startMs / totalMs, endMs / totalMs] });
      else ctx.clearRect(0, 0, area.width, area.height);
    },
    [lane, pair, view, startMs, endMs, totalMs],
  );
  return <Picture paint={paint} onGrowth={pair.onGrowth} />;
}

/** The frequencies of a spectrogram; each half is as high as the other. */
export function Scale({ highestHz }: { readonly highestHz: number | null }) {
  const t = useText();
  const formats = useFormats();
  if (highestHz === null) return null;
  return (
    <span aria-hidden className={css['scale']}>
      {[highestHz, highestHz / 2].map((hertz) => (
        <span key={hertz}>
          <span>{t('isolate.compare.kilohertz', { value: formats.number(Math.round(hertz / 100) / 10) })}</span>
        </span>
      ))}
    </span>
  );
}

/** As a percentage for CSS. */
export const percent = (share: number): string => `${String(share * 100)}%`;

/** The whole recording in a narrow strip with the visible part marked; a click or drag moves that part. */
export function Overview({ comparison }: { readonly comparison: Comparison }) {
  const { player, pair, shown, setShown } = comparison;
  const { durationMs } = usePlayerState(player);
  const playhead = useRef<HTMLDivElement>(null);
  const totalMs = Math.max(durationMs, 1);
  useEffect(() => {
    const show = (timeMs: number) =>
      playhead.current?.style.setProperty('inset-inline-start', percent(timeMs / totalMs));
    show(player.timeMs());
    return player.onTime(show);
  }, [player, totalMs]);
  const go = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const timeMs = ((event.clientX - left) / Math.max(1, width)) * totalMs;
    if (shown === null) player.seek(timeMs);
    else setShown(moved(shown, durationMs, timeMs - (shown.endMs - shown.startMs) / 2));
  };
  return (
    <div
      aria-hidden
      className={css['overview']}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) go(event);
      }}
    >
      <Wave lane="original" pair={pair} view="waveform" span={seenSpan(null, durationMs)} totalMs={totalMs} />
      {shown !== null && (
        <div
          className={css['seen']}
          style={{
            insetInlineStart: percent(shown.startMs / totalMs),
            inlineSize: percent((shown.endMs - shown.startMs) / totalMs),
          }}
        />
      )}
      <div ref={playhead} className={css['playhead']} />
    </div>
  );
}

/** Seconds between two marks. */
const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
const mostMarks = 8;

/** A time axis with at most eight marks, counted from the beginning of the whole recording. */
export function Ruler({ span, originMs }: { readonly span: TimeSpan; readonly originMs: number }) {
  const { timeCode } = useFormats();
  const [startMs, endMs] = [originMs + span.startMs, originMs + span.endMs];
  const lengthMs = endMs - startMs;
  const step = (steps.find((seconds) => lengthMs / (seconds * 1000) <= mostMarks) ?? 14_400) * 1000;
  const first = Math.ceil(startMs / step);
  const marks = Array.from({ length: Math.floor(endMs / step) - first + 1 }, (_, index) => (first + index) * step);
  return (
    <div aria-hidden className={css['ruler']}>
      {lengthMs > 1 &&
        // A mark at the very end would be cut off.
        marks
          .filter((timeMs) => (timeMs - startMs) / lengthMs < 0.95)
          .map((timeMs) => (
            <span key={timeMs} style={{ insetInlineStart: percent((timeMs - startMs) / lengthMs) }}>
              {step < 1000 ? timeCode(timeMs) : clock(timeMs)}
            </span>
          ))}
    </div>
  );
}
