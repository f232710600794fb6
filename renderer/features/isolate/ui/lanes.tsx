import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { paintLane } from '../../../audio/compare/paint-lane.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import { cx } from '../../../lib/class-names.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import css from './lanes.module.css';
import { usePlayerState, type Comparison } from './use-comparison.ts';

const stepMs = 5000;
const fineStepMs = 1000;
/** Nobody hears what is below. */
const silentDb = -90;
/** A press that moves less than this is a jump, not a selection. */
const leastDrag = 5;

/** Both recordings over each other on one time: a press jumps, a drag loops a part, arrows move by five seconds. */
export function Lanes({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const { player, pair, listening } = comparison;
  const { durationMs, loop } = usePlayerState(player);
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
  const loudest = Math.max(pair.original.loudest, pair.isolated.loudest);
  const shownLoop = drag ?? (loop === null ? null : { from: loop.startMs / durationMs, to: loop.endMs / durationMs });
  const totalMs = Math.max(durationMs, 1);
  const hears = (track: 'original' | 'isolated') =>
    listening.tag === track || listening.tag === 'blend' || listening.tag === 'removed';
  const words = (track: 'original' | 'isolated'): ReactNode => {
    const measured = pair.measures?.[track];
    if (measured === undefined) return pair.status === 'measuring' ? t('isolate.compare.measuring') : '';
    const isSilent = (measured.noiseFloorDb ?? 0) < silentDb;
    const one = (value: number | null, key: 'isolate.compare.loudness' | 'isolate.compare.noise') =>
      value === null ? '' : t(key, { value: decibels(value) });
    return (
      <>
        {one(measured.integratedLufs, 'isolate.compare.loudness')}{' '}
        <span className={css['noise']}>
          {isSilent ? t('isolate.compare.silent') : one(measured.noiseFloorDb, 'isolate.compare.noise')}
        </span>
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
        {(['original', 'isolated'] as const).map((track) => (
          <div key={track} className={cx(css['lane'], css[track], hears(track) && css['heard'])}>
            <Wave pyramid={pair[track]} totalMs={totalMs} loudest={loudest} revision={pair.revision} />
            <span className={css['words']}>
              <b>{t(`isolate.compare.${track}`)}</b> {words(track)}
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
    </div>
  );
}

/** A minus sign as figures have it. */
export const decibels = (value: number): string => value.toFixed(1).replace('-', '−');

/** Painted when there is more to see, when its size changes, and when the colours do. */
function Wave({
  pyramid,
  totalMs,
  loudest,
  revision,
}: {
  readonly pyramid: PeakPyramid;
  readonly totalMs: number;
  readonly loudest: number;
  readonly revision: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const paint = () => {
      const { clientWidth: width, clientHeight: height } = element;
      const ratio = window.devicePixelRatio;
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      const ctx = element.getContext('2d');
      if (ctx === null) return;
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintLane(ctx, { pyramid, totalMs, loudest, colour: getComputedStyle(element).color, width, height });
    };
    const sizes = new ResizeObserver(paint);
    sizes.observe(element);
    scope.add(() => {
      sizes.disconnect();
    });
    const theme = new MutationObserver(paint);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
    scope.add(() => {
      theme.disconnect();
    });
    scope.listen(matchMedia('(prefers-color-scheme: dark)'), 'change', paint);
    return () => {
      scope.dispose();
    };
  }, [pyramid, totalMs, loudest, revision]);
  return <canvas ref={canvas} aria-hidden className={css['wave']} />;
}
