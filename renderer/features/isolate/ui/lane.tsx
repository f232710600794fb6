import { useEffect, useRef, useState, useCallback, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
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
} from 'lucide-react';
import { clock, rulerMarks, rulerStep } from '../../../../shared/domain/time/time-code.ts';
import { mixGains, trackNames } from '../../../audio/compare/compare-measures.ts';
import { useKeyFor, useCommands } from '../../../lib/commands.tsx';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import { cx } from '../../../lib/class-names.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { command, MenuAt, type MenuEntry, type MenuPoint } from '../../../ui/menu.tsx';
import type { PairState } from '../../../audio/compare/measure-pair.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import { paintLane, paintSpectrogram, type Area } from '../../../audio/compare/paint-lane.ts';
import { following, moved, seenSpan, zoomed, around } from './shown-span.ts';
import { useHeardName, usePlayerState, type Comparison } from './use-comparison.ts';
import { useWholePeaks, type Whole, type WholePeaks } from './whole.ts';
import css from './lane.module.css';

const stepMs = 5000;
const fineStepMs = 1000;
/** A drag shorter than this counts as a click that jumps, not as a selection. */
const leastDrag = 5;
const edgeReach = 6;

/** What is heard over the original: a click jumps, a drag sets a loop, arrow keys move by five seconds. */
export function Lane({ comparison, whole }: { readonly comparison: Comparison; readonly whole: Whole }) {
  const t = useText();
  const { timeCode } = useFormats();
  const { player, originMs, pair, lane, view, shown, setShown } = comparison;
  const { durationMs, loop } = usePlayerState(player);
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
  const marked = whole.beingCleaned.map(({ startMs, endMs }) => ({
    startMs: startMs - originMs,
    endMs: endMs - originMs,
  }));
  const wave = { comparison, span, totalMs: Math.max(durationMs, 1) };
  return (
    <div className={css['lanes']}>
      <Ruler span={span} originMs={originMs} />
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
        {view === 'waveform' && lane !== 'original' && <Wave {...wave} isOriginal />}
        <Wave {...wave} />
        {view === 'spectrogram' && <Scale highestHz={pair.spectrograms[lane]?.highestHz ?? null} />}
        <LaneKey comparison={comparison} whole={whole} />
        <div aria-hidden className={css['over']}>
          {marked.map((mark) => (
            <div key={mark.startMs} className={css['mark']} style={placed(mark, span)} />
          ))}
          {region && <div className={css['loop']} style={placed(region, span)} />}
          <div ref={playhead} className={css['playhead']} />
          <span ref={pointed} className={css['pointed']} />
        </div>
      </div>
      <Overview comparison={comparison} whole={whole} />
      {menu !== null && <LaneMenu comparison={comparison} place={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}

/** Between two moments of what is seen. */
const placed = ({ startMs, endMs }: TimeSpan, seen: TimeSpan) => {
  const lengthMs = seen.endMs - seen.startMs;
  return {
    insetInlineStart: percent((startMs - seen.startMs) / lengthMs),
    inlineSize: percent((endMs - startMs) / lengthMs),
  };
};

function LaneKey({ comparison, whole }: { readonly comparison: Comparison; readonly whole: Whole }) {
  const t = useText();
  const heardName = useHeardName(comparison);
  const { pair, view, lane, listening } = comparison;
  const isDrawn = view === 'spectrogram' ? pair.spectrograms[lane] !== undefined : pair.measures !== null;
  const [first] = whole.beingCleaned;
  return (
    <p className={css['words']}>
      <span className={css[lane]}>{heardName(listening.tag)}</span>
      {view === 'waveform' && lane !== 'original' && (
        <span className={css['original']}>{t('isolate.compare.original')}</span>
      )}
      {first && (
        <span className={css['cleaned']}>
          {t('isolate.part.cleaning', { from: clock(first.startMs), to: clock(first.endMs) })}
        </span>
      )}
      {!isDrawn &&
        pair.status !== 'failed' &&
        t(view === 'spectrogram' ? 'isolate.compare.drawing' : 'isolate.compare.measuring')}
    </p>
  );
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

export function useZoomKeys({ player, shown, setShown }: Comparison): void {
  const { durationMs, status } = usePlayerState(player);
  const by = (factor: number) => () => {
    const { startMs, endMs } = seenSpan(shown, durationMs);
    const now = player.timeMs();
    setShown(zoomed(shown, durationMs, factor, now < startMs || now > endMs ? (startMs + endMs) / 2 : now));
  };
  const isReady = status === 'ready';
  useCommands({
    'isolate.zoomIn': isReady && by(1 / zoomStep),
    'isolate.zoomOut': isReady && shown !== null && by(zoomStep),
    'isolate.fit': isReady && shown !== null && (() => setShown(null)),
  });
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

/** Repaints when `paint`, the size or the theme colours change, and when `onGrowth` says so. */
function Picture(props: {
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

export function WholePicture(props: {
  readonly peaks: WholePeaks | null;
  readonly lengthMs: number;
  readonly onGrowth?: PairState['onGrowth'];
  readonly className?: string | undefined;
}) {
  const { peaks, lengthMs, ...picture } = props;
  const pyramid = peaks?.pyramid ?? null;
  const revision = peaks?.revision ?? 0;
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, area: Area) => {
      // The pyramid object is mutated while it grows, so its identity never changes.
      if (pyramid === null || revision < -1) return;
      const { loudest } = pyramid;
      paintLane(ctx, { ...area, parts: [[pyramid, 1]], span: { startMs: 0, endMs: lengthMs }, loudest });
    },
    [pyramid, revision, lengthMs],
  );
  return <Picture {...picture} paint={paint} />;
}

/** While the primary button is held, `go` gets the place of the pointer as a share of the width. */
export function dragging(go: (share: number) => void) {
  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    go((clientX - left) / Math.max(1, width));
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      follow(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
    },
  };
}

/** What is heard or, behind it, the original. */
function Wave(props: {
  readonly comparison: Comparison;
  readonly span: TimeSpan;
  readonly totalMs: number;
  readonly isOriginal?: boolean;
}) {
  const { comparison, span, totalMs, isOriginal = false } = props;
  const { pair, view, listening } = comparison;
  const lane = isOriginal ? 'original' : comparison.lane;
  const { startMs, endMs } = span;
  const paint = useCallback(
    (ctx: CanvasRenderingContext2D, area: Area) => {
      const { peaks, spectrograms, measures } = pair;
      const spectrogram = spectrograms[lane];
      if (view === 'waveform') {
        const loudest = Math.max(peaks.original.loudest, peaks.isolated.loudest, peaks.variant.loudest);
        const gains = mixGains(listening, measures, false);
        const isMixed = !isOriginal && listening.tag === 'blend';
        const parts: (readonly [PeakPyramid, number])[] = isMixed
          ? trackNames.map((name, index) => [peaks[name], gains[index] ?? 0] as const)
          : [[peaks[lane], 1]];
        paintLane(ctx, { ...area, parts, span: { startMs, endMs }, loudest });
      } else if (spectrogram !== undefined)
        paintSpectrogram(ctx, spectrogram, { ...area, shares: [startMs / totalMs, endMs / totalMs] });
      else ctx.clearRect(0, 0, area.width, area.height);
    },
    [lane, isOriginal, listening, pair, view, startMs, endMs, totalMs],
  );
  return <Picture paint={paint} onGrowth={pair.onGrowth} className={css[lane]} />;
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

/** The whole recording, also of an excerpt: what was cleaned, what is seen and where it is played. */
function Overview({ comparison, whole }: { readonly comparison: Comparison; readonly whole: Whole }) {
  const { player, pair, originMs, shown, setShown } = comparison;
  const { durationMs } = usePlayerState(player);
  const playhead = useRef<HTMLDivElement>(null);
  const known = useWholePeaks(whole);
  const isWhole = known !== null;
  const totalMs = isWhole ? whole.lengthMs : Math.max(durationMs, 1);
  const beginMs = isWhole ? originMs : 0;
  const all = { startMs: 0, endMs: totalMs };
  const now = seenSpan(shown, durationMs);
  const seen = { startMs: beginMs + now.startMs, endMs: beginMs + now.endMs };
  useEffect(() => {
    const show = (timeMs: number) =>
      playhead.current?.style.setProperty('inset-inline-start', percent((beginMs + timeMs) / totalMs));
    show(player.timeMs());
    return player.onTime(show);
  }, [player, beginMs, totalMs]);
  const go = (share: number) => {
    const timeMs = share * totalMs - beginMs;
    if (shown === null) player.seek(timeMs);
    else setShown(moved(shown, durationMs, timeMs - (shown.endMs - shown.startMs) / 2));
  };
  const drawn = { peaks: known ?? { pyramid: pair.peaks.original, revision: 0 }, lengthMs: totalMs };
  return (
    <div aria-hidden className={css['overview']} {...dragging(go)}>
      <WholePicture {...drawn} onGrowth={pair.onGrowth} className={css['original']} />
      {isWhole &&
        whole.beingCleaned.map((mark) => <div key={mark.startMs} className={css['mark']} style={placed(mark, all)} />)}
      {(isWhole || shown !== null) && <div className={css['seen']} style={placed(seen, all)} />}
      <div ref={playhead} className={css['playhead']} />
    </div>
  );
}

const mostMarks = 8;

export function Ruler({ span, originMs }: { readonly span: TimeSpan; readonly originMs: number }) {
  const { timeCode } = useFormats();
  const [startMs, endMs] = [originMs + span.startMs, originMs + span.endMs];
  const lengthMs = endMs - startMs;
  const step = rulerStep(lengthMs, mostMarks);
  return (
    <div aria-hidden className={css['ruler']}>
      {lengthMs > 1 &&
        // A mark at the very end would be cut off.
        rulerMarks(startMs, endMs, step)
          .filter((timeMs) => (timeMs - startMs) / lengthMs < 0.95)
          .map((timeMs) => (
            <span key={timeMs} style={{ insetInlineStart: percent((timeMs - startMs) / lengthMs) }}>
              {step < 1000 ? timeCode(timeMs) : clock(timeMs)}
            </span>
          ))}
    </div>
  );
}
