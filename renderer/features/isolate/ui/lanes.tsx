import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { leastCorrelation, loudnessOf } from '../../../audio/compare/compare-measures.ts';
import type { LaneName } from '../../../audio/compare/measure-messages.ts';
import type { PairState } from '../../../audio/compare/measure-pair.ts';
import { paintLane, paintSpectrogram } from '../../../audio/compare/paint-lane.ts';
import { cx } from '../../../lib/class-names.ts';
import { Scope } from '../../../lib/scope.ts';
import type { Formats } from '../../../lib/formats.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import css from './lanes.module.css';
import { usePlayerState, type Comparison } from './use-comparison.ts';

const stepMs = 5000;
const fineStepMs = 1000;
/** Nobody hears what is below. */
const silentDb = -90;
/** A press that moves less than this is a jump, not a selection. */
const leastDrag = 5;

/** The recordings over each other on one time: a press jumps, a drag loops a part, arrows move by five seconds. */
export function Lanes({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const { player, pair, listening, lanes, view } = comparison;
  const { durationMs, loop } = usePlayerState(player);
  const formats = useFormats();
  const laneName = useLaneNames(comparison.isRestored);
  const offsetWords = useOffsetWords(comparison);
  const frame = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  useEffect(() => {
    const show = (timeMs: number) => {
      const share = durationMs === 0 ? 0 : timeMs / durationMs;
      playhead.current?.style.setProperty('inset-inline-start', `${String(share * 100)}%`);
      frame.current?.setAttribute('aria-valuenow', String(Math.round(timeMs / 1000)));
      frame.current?.setAttribute(
        'aria-valuetext',
        t('isolate.compare.positionText', { time: clock(timeMs), total: clock(durationMs) }),
      );
    };
    show(player.timeMs());
    return player.onTime(show);
  }, [player, durationMs, t]);
  const placeOf = (event: PointerEvent): number => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? fineStepMs : stepMs;
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: player.timeMs() - step,
      ArrowRight: player.timeMs() + step,
      Home: 0,
      End: durationMs,
    };
    const target = to[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    player.seek(target);
  };
  const shownLoop = drag ?? (loop === null ? null : { from: loop.startMs / durationMs, to: loop.endMs / durationMs });
  const totalMs = Math.max(durationMs, 1);
  const hears = (lane: LaneName) =>
    lane === listening.tag || (listening.tag === 'blend' && (lane === 'original' || lane === 'isolated'));
  const words = (lane: LaneName): ReactNode => {
    const measured = lane === 'removed' ? pair.removed : loudnessOf(lane, pair.measures);
    if (measured === null) return pair.status === 'failed' ? '' : t('isolate.compare.measuring');
    const isSilent = (measured.noiseFloorDb ?? 0) < silentDb;
    const one = (value: number | null, key: 'isolate.compare.loudness' | 'isolate.compare.noise') =>
      value === null ? '' : t(key, { value: decibels(formats, value) });
    return (
      <>
        {measured.integratedLufs === null
          ? lane !== 'removed' && t('isolate.compare.nothingHeard')
          : one(measured.integratedLufs, 'isolate.compare.loudness')}{' '}
        <span className={css['noise']}>
          {isSilent
            ? t('isolate.compare.silent')
            : lane !== 'removed' && one(measured.noiseFloorDb, 'isolate.compare.noise')}
        </span>{' '}
        <span className={css['noise']}>{offsetWords(lane)}</span>
      </>
    );
  };
  return (
    <div className={css['lanes']}>
      <div
        ref={frame}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input has no room for two waveforms
        role="slider"
        tabIndex={0}
        className={css['frame']}
        aria-label={t('isolate.compare.position')}
        aria-valuemin={0}
        aria-valuemax={Math.round(durationMs / 1000)}
        aria-valuenow={0}
        title={t('isolate.compare.loopHint')}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const place = placeOf(event);
          setDrag({ from: place, to: place });
        }}
        onPointerMove={(event) => {
          if (drag !== null) setDrag({ from: drag.from, to: placeOf(event) });
        }}
        onPointerUp={(event) => {
          if (drag === null) return;
          const to = placeOf(event);
          const width = frame.current?.clientWidth ?? 1;
          const [start, end] = [Math.min(drag.from, to) * durationMs, Math.max(drag.from, to) * durationMs];
          setDrag(null);
          if (Math.abs(to - drag.from) * width < leastDrag) {
            if (loop !== null && (start < loop.startMs || start > loop.endMs)) player.setLoop(null);
            player.seek(start);
          } else {
            player.setLoop({ startMs: start, endMs: end });
            player.seek(start);
          }
        }}
      >
        {lanes.map((lane) => (
          <div
            key={lane}
            className={cx(css['lane'], css[lane], lanes.length > 2 && css['narrow'], hears(lane) && css['heard'])}
          >
            <Wave lane={lane} pair={pair} view={view} totalMs={totalMs} />
            <span className={css['words']}>
              <b>{laneName(lane)}</b> {words(lane)}
            </span>
          </div>
        ))}
        {shownLoop && (
          <div
            aria-hidden
            className={css['loop']}
            style={{
              insetInlineStart: `${String(Math.min(shownLoop.from, shownLoop.to) * 100)}%`,
              inlineSize: `${String(Math.abs(shownLoop.to - shownLoop.from) * 100)}%`,
            }}
          />
        )}
        <div ref={playhead} aria-hidden className={css['playhead']} />
      </div>
      <Ruler durationMs={durationMs} />
    </div>
  );
}

/** Seconds between two marks. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
const mostMarks = 8;

/** Where the moments are: at most eight marks. */
function Ruler({ durationMs }: { readonly durationMs: number }) {
  const step = (steps.find((seconds) => durationMs / (seconds * 1000) <= mostMarks) ?? 14_400) * 1000;
  const marks = Array.from({ length: Math.floor(durationMs / step) + 1 }, (_, index) => index * step);
  return (
    <div aria-hidden className={css['ruler']}>
      {durationMs > 0 &&
        // A mark at the very end would hang over the edge.
        marks
          .filter((timeMs) => timeMs / durationMs < 0.95)
          .map((timeMs) => (
            <span key={timeMs} style={{ insetInlineStart: `${String((timeMs / durationMs) * 100)}%` }}>
              {clock(timeMs)}
            </span>
          ))}
    </div>
  );
}

/** One decimal, with a minus sign as figures have it. */
export const decibels = (formats: Formats, value: number): string =>
  formats.number(Math.round(value * 10) / 10).replace('-', '−');

/** How a result lay to the original before it was moved into its place. */
function useOffsetWords({ pair: { measures } }: Comparison): (lane: LaneName) => string {
  const t = useText();
  const formats = useFormats();
  return (lane) => {
    const found = lane === 'isolated' || lane === 'variant' ? (measures?.[lane] ?? null) : null;
    if (found === null) return '';
    const { offsetMs, correlation } = found;
    if (correlation < leastCorrelation) return t('isolate.compare.offsetUnknown');
    const ms = formats.number(Math.round(Math.abs(offsetMs) * 10) / 10);
    if (Math.abs(offsetMs) < 0.05) return t('isolate.compare.offsetNone');
    return t(offsetMs > 0 ? 'isolate.compare.offset' : 'isolate.compare.offsetEarly', { ms });
  };
}

/** What the lanes are called; of two results the one whose speech was restored says so. */
export function useLaneNames(isRestored: boolean): (lane: LaneName) => string {
  const t = useText();
  return (lane) =>
    lane === 'variant'
      ? t(isRestored ? 'isolate.compare.unrestored' : 'isolate.compare.restoredTrack')
      : t(`isolate.compare.${lane}`);
}

/** Painted when there is more to see, when its size changes, and when the colours do. */
function Wave({
  lane,
  pair,
  view,
  totalMs,
}: {
  readonly lane: LaneName;
  readonly pair: PairState;
  readonly view: Comparison['view'];
  readonly totalMs: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const paint = useRef<() => void>(() => undefined);
  useEffect(() => {
    paint.current = () => {
      const element = canvas.current;
      const ctx = element?.getContext('2d') ?? null;
      if (element === null || ctx === null) return;
      const { clientWidth: width, clientHeight: height } = element;
      const ratio = window.devicePixelRatio;
      const [pixels, lines] = [Math.round(width * ratio), Math.round(height * ratio)];
      // A size that is set anew is a new picture in memory, some times a second while a recording is measured.
      if (element.width !== pixels) element.width = pixels;
      if (element.height !== lines) element.height = lines;
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      const area = { colour: getComputedStyle(element).color, width, height };
      const { peaks, spectrograms } = pair;
      const spectrogram = spectrograms[lane];
      if (view === 'waveform') {
        const loudest = Math.max(peaks.original.loudest, peaks.isolated.loudest, peaks.variant.loudest);
        paintLane(ctx, { ...area, pyramid: peaks[lane], totalMs, loudest });
      } else if (spectrogram !== undefined) paintSpectrogram(ctx, spectrogram, area);
    };
    paint.current();
    // A pair is a new one with every revision.
  }, [lane, pair, view, totalMs]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const again = () => {
      paint.current();
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
  return <canvas ref={canvas} aria-hidden className={css['wave']} />;
}
