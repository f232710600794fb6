import {
  useEffect,
  useRef,
  useState,
  useCallback,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import {
  ArrowLeftRight,
  CirclePlay,
  Maximize2,
  Repeat,
  SquareDashed,
  StepBack,
  StepForward,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { loudnessOf, matchGain, type LaneName } from '../../../audio/compare/compare-measures.ts';
import { useKeyFor, useCommands } from '../../../lib/commands.tsx';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import { cx } from '../../../lib/class-names.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Keys } from '../../../ui/keys.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, MenuAt, type MenuEntry, type MenuPoint } from '../../../ui/menu.tsx';
import type { PairState } from '../../../audio/compare/measure-pair.ts';
import { paintLane, paintSpectrogram } from '../../../audio/compare/paint-lane.ts';
import { following, moved, seenSpan, zoomed, around } from './shown-span.ts';
import { decibels, useLaneNames, usePlayerState, type Comparison } from './use-comparison.ts';
import css from './lanes.module.css';

const stepMs = 5000;
const fineStepMs = 1000;
/** A drag shorter than this counts as a click that jumps, not as a selection. */
const leastDrag = 5;
const edgeReach = 6;

/** The recordings stacked on one timeline: a click jumps, a drag sets a loop, and arrow keys move by five seconds. */
export function Lanes({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const { timeCode } = useFormats();
  const { player, originMs, pair, listening, lanes, view, shown, setShown } = comparison;
  const { durationMs, loop } = usePlayerState(player);
  const laneName = useLaneNames(comparison);
  const words = useLaneWords(comparison);
  const frame = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const pointed = useRef<HTMLSpanElement>(null);
  const [drag, setDrag] = useState<{ readonly fromMs: number; readonly toMs: number } | null>(null);
  const [menu, setMenu] = useState<(MenuPoint & { readonly timeMs: number }) | null>(null);
  const span = seenSpan(shown, durationMs);
  const lengthMs = span.endMs - span.startMs;
  const shareOf = (timeMs: number) => (timeMs - span.startMs) / lengthMs;
  useEffect(() => {
    const show = (timeMs: number, isMoving: boolean) => {
      const share = (timeMs - span.startMs) / lengthMs;
      playhead.current?.style.setProperty('inset-inline-start', percent(share));
      playhead.current?.toggleAttribute('hidden', share < 0 || share > 1);
      frame.current?.setAttribute('aria-valuenow', String(Math.round(timeMs / 1000)));
      const [time, total] = [clock(originMs + timeMs), clock(originMs + durationMs)];
      frame.current?.setAttribute('aria-valuetext', t('isolate.compare.positionText', { time, total }));
      if (isMoving) setShown(following(shown, durationMs, timeMs));
    };
    show(player.timeMs(), false);
    return player.onTime((timeMs) => show(timeMs, true));
  }, [player, originMs, durationMs, t, span.startMs, lengthMs, shown, setShown]);
  useWheel(frame, comparison, durationMs);
  const timeAt = ({ clientX }: { readonly clientX: number }): number => {
    const box = frame.current?.getBoundingClientRect();
    const share = box === undefined || box.width === 0 ? 0 : (clientX - box.left) / box.width;
    return Math.max(0, Math.min(durationMs, span.startMs + Math.max(0, Math.min(1, share)) * lengthMs));
  };
  const msPerPixel = () => lengthMs / Math.max(1, frame.current?.clientWidth ?? 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? fineStepMs : stepMs;
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: player.timeMs() - step,
      ArrowRight: player.timeMs() + step,
      Home: 0,
      End: durationMs,
    };
    const target = to[event.key];
    if (target !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      player.seek(target);
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      const { left = 0, top = 0, width = 0 } = frame.current?.getBoundingClientRect() ?? {};
      const timeMs = player.timeMs();
      setMenu({ x: left + width * Math.max(0, Math.min(1, shareOf(timeMs))), y: top + 20, timeMs });
    }
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = timeAt(event);
    const near = edgeReach * msPerPixel();
    const isStart = loop !== null && Math.abs(at - loop.startMs) < near;
    const isEnd = loop !== null && Math.abs(at - loop.endMs) < near;
    setDrag({ fromMs: isStart ? loop.endMs : isEnd ? loop.startMs : at, toMs: at });
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const at = timeAt(event);
    if (drag !== null) setDrag({ ...drag, toMs: at });
    const near = edgeReach * msPerPixel();
    const isAtEdge = loop !== null && Math.min(Math.abs(at - loop.startMs), Math.abs(at - loop.endMs)) < near;
    event.currentTarget.toggleAttribute('data-edge', isAtEdge);
    if (pointed.current !== null) {
      pointed.current.textContent = timeCode(originMs + at);
      pointed.current.style.setProperty('inset-inline-start', percent(shareOf(at)));
      pointed.current.toggleAttribute('data-left', shareOf(at) > 0.9);
    }
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (drag === null) return;
    const at = timeAt(event);
    const [startMs, endMs] = [Math.min(drag.fromMs, at), Math.max(drag.fromMs, at)];
    setDrag(null);
    if (endMs - startMs >= leastDrag * msPerPixel()) player.setLoop({ startMs, endMs });
    else if (loop !== null && (at < loop.startMs || at > loop.endMs)) player.setLoop(null);
    player.seek(startMs);
  };
  const region =
    drag === null ? loop : { startMs: Math.min(drag.fromMs, drag.toMs), endMs: Math.max(drag.fromMs, drag.toMs) };
  const hears = (lane: LaneName) =>
    lane === listening.tag || (listening.tag === 'blend' && (lane === 'original' || lane === 'isolated'));
  return (
    <div className={css['lanes']} style={{ '--lanes': lanes.length } as CSSProperties}>
      <Overview comparison={comparison} />
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
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenu({ x: event.clientX, y: event.clientY, timeMs: timeAt(event) });
        }}
      >
        {lanes.map((lane) => (
          <div key={lane} className={cx(css['lane'], css[lane], hears(lane) && css['heard'])}>
            <Wave lane={lane} pair={pair} view={view} span={span} totalMs={Math.max(durationMs, 1)} />
            <span className={css['words']}>
              <b>{laneName(lane)}</b> <LaneKey lane={lane} /> {words(lane)}
            </span>
            {view === 'spectrogram' && <Scale highestHz={pair.spectrograms[lane]?.highestHz ?? null} />}
          </div>
        ))}
        <div aria-hidden className={css['over']}>
          {region && (
            <div
              className={css['loop']}
              style={{
                insetInlineStart: percent(shareOf(region.startMs)),
                inlineSize: percent((region.endMs - region.startMs) / lengthMs),
              }}
            />
          )}
          <div ref={playhead} className={css['playhead']} />
          <span ref={pointed} className={css['pointed']} />
        </div>
      </div>
      <Ruler span={span} originMs={originMs} />
      {menu !== null && <LaneMenu comparison={comparison} place={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}

function LaneKey({ lane }: { readonly lane: LaneName }) {
  const shortcut = useKeyFor()(`isolate.${lane}`);
  return shortcut && <Keys shortcut={shortcut} className={css['key']} />;
}

function useLaneWords(comparison: Comparison): (lane: LaneName) => ReactNode {
  const t = useText();
  const formats = useFormats();
  const { pair, view, isMatched } = comparison;
  return (lane) => {
    if (view === 'spectrogram' && pair.spectrograms[lane] === undefined && pair.status !== 'failed')
      return t('isolate.compare.drawing');
    const measured = lane === 'removed' ? pair.removed : loudnessOf(lane, pair.measures);
    if (measured === null) return pair.status === 'failed' ? '' : t('isolate.compare.measuring');
    const { integratedLufs } = measured;
    if (integratedLufs === null) return lane === 'removed' ? '' : t('isolate.compare.nothingHeard');
    const loudness = t('isolate.compare.loudness', { value: decibels(formats, integratedLufs) });
    if (!isMatched) return loudness;
    // What was removed is heard as it was, so that faint noise does not seem to be more than it is.
    const gain = lane === 'removed' ? 1 : matchGain(lane, pair.measures);
    return `${loudness}, ${t('isolate.compare.gain', { value: decibels(formats, 20 * Math.log10(gain)) })}`;
  };
}

/** With Ctrl or Alt the wheel zooms around the pointer, sideways it scrolls the timeline. */
function useWheel(frame: RefObject<HTMLDivElement | null>, { shown, setShown }: Comparison, durationMs: number): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const onWheel = (event: WheelEvent) => {
      const { left, width } = element.getBoundingClientRect();
      const { startMs, endMs } = seenSpan(shown, durationMs);
      const msPerPixel = (endMs - startMs) / Math.max(1, width);
      const aside = event.shiftKey ? event.deltaX + event.deltaY : event.deltaX;
      const factor = event.deltaY < 0 ? 1 / zoomStep : zoomStep;
      const at = startMs + (event.clientX - left) * msPerPixel;
      if (event.ctrlKey || event.altKey) setShown(zoomed(shown, durationMs, factor, at));
      else if (aside !== 0 && shown !== null) setShown(moved(shown, durationMs, startMs + aside * msPerPixel));
      else return;
      event.preventDefault();
    };
    scope.listen(element, 'wheel', onWheel, { passive: false });
    return () => scope.dispose();
  }, [frame, shown, setShown, durationMs]);
}

const zoomStep = 1.5;
export const loopMs = 8000;

export function ZoomButtons({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { player, shown, setShown } = comparison;
  const { durationMs, status } = usePlayerState(player);
  const by = (factor: number) => () => {
    const { startMs, endMs } = seenSpan(shown, durationMs);
    const now = player.timeMs();
    setShown(zoomed(shown, durationMs, factor, now < startMs || now > endMs ? (startMs + endMs) / 2 : now));
  };
  const showAll = () => setShown(null);
  const isReady = status === 'ready';
  useCommands({
    'isolate.zoomIn': isReady && by(1 / zoomStep),
    'isolate.zoomOut': isReady && shown !== null && by(zoomStep),
    'isolate.fit': isReady && shown !== null && showAll,
  });
  return (
    <div className={css['zoom']}>
      {(['zoomOut', 'zoomIn'] as const).map((zoom) => (
        <IconButton
          key={zoom}
          size="sm"
          icon={zoom === 'zoomIn' ? ZoomIn : ZoomOut}
          label={t(`editor.waveform.${zoom}`)}
          shortcut={keyFor(`isolate.${zoom}`)}
          isDisabled={zoom === 'zoomIn' ? !isReady : shown === null}
          onPress={by(zoom === 'zoomIn' ? 1 / zoomStep : zoomStep)}
        />
      ))}
    </div>
  );
}

function LaneMenu(props: {
  readonly comparison: Comparison;
  readonly place: MenuPoint & { readonly timeMs: number };
  readonly onClose: () => void;
}) {
  const { comparison, place, onClose } = props;
  const t = useText();
  const { timeCode } = useFormats();
  const keyFor = useKeyFor();
  const { player, originMs, switchOver, shown, setShown } = comparison;
  const { durationMs, loop, isPlaying } = usePlayerState(player);
  const { timeMs } = place;
  const loopFrom = () => ({ startMs: timeMs, endMs: loop?.endMs ?? Math.min(durationMs, timeMs + loopMs) });
  const loopTo = () => ({ startMs: loop?.startMs ?? Math.max(0, timeMs - loopMs), endMs: timeMs });
  const zoomIn = () => setShown(zoomed(shown, durationMs, 1 / zoomStep ** 3, timeMs));
  const zoomLoop = () => loop !== null && setShown(around(loop, durationMs));
  const play = () => {
    player.seek(timeMs);
    if (!isPlaying) player.toggle();
  };
  const entries: readonly MenuEntry[] = [
    command('play', CirclePlay, t('editor.lane.play', { time: timeCode(originMs + timeMs) }), play),
    command('switch', ArrowLeftRight, t('palette.commands.isolateSwitch'), switchOver, {
      shortcut: keyFor('isolate.switch'),
    }),
    'separator',
    command('loop-start', StepForward, t('isolate.compare.menu.loopFrom'), () => player.setLoop(loopFrom()), {
      isDisabled: loop !== null && timeMs >= loop.endMs,
    }),
    command('loop-end', StepBack, t('isolate.compare.menu.loopTo'), () => player.setLoop(loopTo()), {
      isDisabled: loop !== null && timeMs <= loop.startMs,
    }),
    command('loop-off', loop === null ? Repeat : X, t('isolate.compare.menu.loopOff'), () => player.setLoop(null), {
      shortcut: keyFor('isolate.loop'),
      isDisabled: loop === null,
    }),
    'separator',
    command('zoom-loop', SquareDashed, t('isolate.compare.menu.zoomLoop'), zoomLoop, { isDisabled: loop === null }),
    command('zoom-in', ZoomIn, t('editor.waveform.zoomIn'), zoomIn, { shortcut: keyFor('isolate.zoomIn') }),
    command('all', Maximize2, t('isolate.compare.menu.showAll'), () => setShown(null), {
      shortcut: keyFor('isolate.fit'),
      isDisabled: shown === null,
    }),
  ];
  return (
    <MenuAt
      key={`${String(place.x)}-${String(place.y)}`}
      label={t('isolate.compare.label')}
      at={place}
      entries={entries}
      onClose={onClose}
    />
  );
}

interface Area {
  readonly colour: string;
  readonly width: number;
  readonly height: number;
}

/** Repaints when `paint`, the size or the theme colours change, and when `onGrowth` says so. */
export function Picture(props: {
  readonly paint: (ctx: CanvasRenderingContext2D, area: Area) => void;
  readonly onGrowth?: PairState['onGrowth'];
  readonly className?: string | undefined;
}) {
  const { paint, onGrowth, className } = props;
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
    return onGrowth?.(() => repaint.current());
  }, [paint, onGrowth]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const again = () => repaint.current();
    const sizes = new ResizeObserver(again);
    sizes.observe(element);
    scope.add(() => sizes.disconnect());
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
    scope.add(() => theme.disconnect());
    scope.listen(matchMedia('(prefers-color-scheme: dark)'), 'change', again);
    return () => scope.dispose();
  }, []);
  return <canvas ref={canvas} aria-hidden className={cx(css['wave'], className)} />;
}

function Wave(props: {
  readonly lane: LaneName;
  readonly pair: PairState;
  readonly view: Comparison['view'];
  readonly span: TimeSpan;
  readonly totalMs: number;
}) {
  const {
    lane,
    pair,
    view,
    span: { startMs, endMs },
    totalMs,
  } = props;
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

function Scale({ highestHz }: { readonly highestHz: number | null }) {
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

export const percent = (share: number): string => `${String(share * 100)}%`;

function Overview({ comparison }: { readonly comparison: Comparison }) {
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

const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
const mostMarks = 8;

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
