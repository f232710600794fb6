import {
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { loudnessOf, matchGain } from '../../../audio/compare/compare-measures.ts';
import type { LaneName } from '../../../audio/compare/measure-messages.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { cx } from '../../../lib/class-names.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Keys } from '../../../ui/keys.tsx';
import { following, moved, seenSpan, zoomed } from '../model/shown-span.ts';
import { decibels, useLaneNames } from './lane-words.ts';
import { LaneMenu, zoomStep, type LaneMenuPlace } from './lane-menu.tsx';
import css from './lanes.module.css';
import { usePlayerState, type Comparison } from './use-comparison.ts';
import { Overview, Ruler, Scale, Wave, percent } from './wave.tsx';

const stepMs = 5000;
const fineStepMs = 1000;
/** A drag shorter than this counts as a click that jumps, not as a selection. */
const leastDrag = 5;
/** Within this distance of an end of the loop, a press drags that end, in pixels. */
const edgeReach = 6;

/** The recordings stacked on one timeline: a click jumps, a drag sets a loop, and arrow keys move by five seconds. */
export function Lanes({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const { timeCode } = useFormats();
  const { player, originMs, pair, listening, lanes, view, shown, setShown } = comparison;
  const { durationMs, loop } = usePlayerState(player);
  const laneName = useLaneNames({ isRestored: comparison.isRestored, hasVariant: lanes.includes('variant') });
  const words = useLaneWords(comparison);
  const frame = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const pointed = useRef<HTMLSpanElement>(null);
  const [drag, setDrag] = useState<{ readonly fromMs: number; readonly toMs: number } | null>(null);
  const [menu, setMenu] = useState<LaneMenuPlace | null>(null);
  const span = seenSpan(shown, durationMs);
  const lengthMs = span.endMs - span.startMs;
  const shareOf = (timeMs: number) => (timeMs - span.startMs) / lengthMs;
  useEffect(() => {
    const show = (timeMs: number, isMoving: boolean) => {
      const share = (timeMs - span.startMs) / lengthMs;
      playhead.current?.style.setProperty('inset-inline-start', percent(share));
      playhead.current?.toggleAttribute('hidden', share < 0 || share > 1);
      frame.current?.setAttribute('aria-valuenow', String(Math.round(timeMs / 1000)));
      frame.current?.setAttribute(
        'aria-valuetext',
        t('isolate.compare.positionText', { time: clock(originMs + timeMs), total: clock(originMs + durationMs) }),
      );
      if (isMoving) setShown(following(shown, durationMs, timeMs));
    };
    show(player.timeMs(), false);
    return player.onTime((timeMs) => {
      show(timeMs, true);
    });
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
    // A press near an end of the loop moves that end.
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
      {menu !== null && (
        <LaneMenu
          comparison={comparison}
          place={menu}
          onClose={() => {
            setMenu(null);
          }}
        />
      )}
    </div>
  );
}

/** The key that switches playback to this lane. */
function LaneKey({ lane }: { readonly lane: LaneName }) {
  const shortcut = useKeyFor()(`isolate.${lane}`);
  return shortcut && <Keys shortcut={shortcut} className={css['key']} />;
}

/** The loudness of a lane, and by how much it is turned down to be compared. */
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

/**
 * With Ctrl or Alt the wheel zooms around the pointer, and sideways it scrolls the timeline; otherwise it scrolls the
 * page.
 */
function useWheel(frame: RefObject<HTMLDivElement | null>, { shown, setShown }: Comparison, durationMs: number): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const scope = new Scope();
    scope.listen<WheelEvent>(
      element,
      'wheel',
      (event) => {
        const { left, width } = element.getBoundingClientRect();
        const { startMs, endMs } = seenSpan(shown, durationMs);
        const msPerPixel = (endMs - startMs) / Math.max(1, width);
        const aside = event.shiftKey ? event.deltaX + event.deltaY : event.deltaX;
        if (event.ctrlKey || event.altKey)
          setShown(
            zoomed(
              shown,
              durationMs,
              event.deltaY < 0 ? 1 / zoomStep : zoomStep,
              startMs + (event.clientX - left) * msPerPixel,
            ),
          );
        else if (aside !== 0 && shown !== null) setShown(moved(shown, durationMs, startMs + aside * msPerPixel));
        else return;
        event.preventDefault();
      },
      { passive: false },
    );
    return () => {
      scope.dispose();
    };
  }, [frame, shown, setShown, durationMs]);
}
