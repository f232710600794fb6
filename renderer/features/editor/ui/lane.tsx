import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformSpan, WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { speakerOf, useEditor, useEditorState } from '../editor-context.ts';
import { HoverTime } from './hover-time.tsx';
import { useLaneMenu } from './lane-menu.tsx';
import { RangeLayer } from './range-layer.tsx';
import { useLanePointer } from './use-lane-pointer.ts';
import { EdgeHandles } from './edge-handles.tsx';
import type { DraggedEdge } from './use-edge-pointer.ts';
import { useTargetPlace } from '../use-target-place.ts';
import { useTimeWords } from '../time-words.ts';
import { useSpectrum } from './use-spectrum.ts';
import { useDurationMs, useShownWaveform } from './use-waveform-view.ts';
import css from './waveform-panel.module.css';

interface LaneProps {
  readonly view: WaveformView;
  readonly pyramid: PeakPyramid | null;
  readonly revision: number;
  /** Whether it answers the pointer already. */
  readonly isConnected: boolean;
}

/** How far along the view the playhead may come before the next page is shown. */
const pageEnd = 0.92;

/** The part of the recording around the playhead; a slider for the keyboard and for screen readers. */
export function Lane({ view, pyramid, revision, isConnected }: LaneProps) {
  const t = useText();
  const editor = useEditor();
  const { player } = editor;
  const surface = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [draggedEdge, setDraggedEdge] = useState<DraggedEdge | null>(null);
  const shown = draggedEdge?.segments ?? null;
  useShownWaveform(view, { surface, host }, { pyramid, revision, segments: shown, isConnected });
  const durationMs = useDurationMs();
  useShownSegment(view, shown);
  useZoom(view, durationMs);
  useFollowingLane(view);
  const slider = useRef<HTMLInputElement>(null);
  const spoken = useSpokenPosition();
  useEffect(() => {
    let shown = -1;
    const say = (timeMs: number) => {
      const second = Math.floor(timeMs / 1000);
      if (second === shown || slider.current === null) return;
      shown = second;
      slider.current.value = String(second);
      slider.current.ariaValueText = spoken(timeMs);
    };
    say(player.timeMs());
    return player.onTime(say);
  });
  const { isMissing } = useSpectrum(view);
  useWheel(view, surface);
  const dragged = useLanePointer(view, surface);
  const timeAt = useCallback(
    (part: number) => {
      const { fromMs, toMs } = view.span();
      return fromMs + part * (toMs - fromMs);
    },
    [view],
  );
  const { onContextMenu, menu } = useLaneMenu(timeAt);

  const move = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 10_000 : 1000;
    const to = keyTarget(event.key, player.timeMs(), step, durationMs);
    if (to === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    player.seek(to);
  };
  return (
    <>
      <div
        ref={surface}
        className={css['lane']}
        role="presentation"
        data-drags-edge={draggedEdge === null ? undefined : ''}
        onContextMenu={onContextMenu}
      >
        <div ref={host} className={css['host']} />
        {isMissing && <output className={css['note']}>{t('editor.waveform.noSpectrum')}</output>}
        {isConnected && (
          <>
            <RangeLayer view={view} dragged={dragged} />
            <EdgeHandles
              view={view}
              surface={surface}
              pyramid={pyramid}
              dragged={draggedEdge}
              onDrag={setDraggedEdge}
            />
            <HoverTime surface={surface} timeAt={timeAt} view={view} isExact />
          </>
        )}
        {/* The pointer works on the picture; this slider is for the keyboard and assistive technology. */}
        <input
          ref={slider}
          type="range"
          className={css['slider']}
          aria-label={t('editor.waveform.position')}
          min={0}
          max={Math.max(1, Math.floor(durationMs / 1000))}
          step={1}
          defaultValue={0}
          onKeyDown={move}
          onChange={(event) => {
            // Assistive technology moves a slider without keys.
            player.seek(event.target.valueAsNumber * 1000);
          }}
        />
      </div>
      {menu}
    </>
  );
}

function keyTarget(key: string, now: number, step: number, end: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return now - step;
    case 'ArrowRight':
    case 'ArrowUp':
      return now + step;
    case 'PageDown':
      return now - 60_000;
    case 'PageUp':
      return now + 60_000;
    case 'Home':
      return 0;
    case 'End':
      return end;
    default:
      return null;
  }
}

function useShownSegment(view: WaveformView, dragged: readonly Segment[] | null): void {
  const t = useText();
  const formats = useFormats();
  const { timeline } = useEditor();
  const current = useTargetPlace();
  const segment = (dragged ?? timeline.segments)[current];
  const seconds = segment === undefined ? 0 : (segment.endMs - segment.startMs) / 1000;
  const note = t('editor.waveform.seconds', { seconds: formats.number(seconds) });
  useLayoutEffect(() => {
    view.setCurrent(current, note);
  }, [view, current, note]);
}

function useZoom(view: WaveformView, durationMs: number): void {
  const { store } = useEditor();
  useEffect(() => {
    store.measure(durationMs);
  }, [store, durationMs]);
  const visibleMs = useEditorState((state) => state.visibleMs);
  useLayoutEffect(() => {
    view.setVisible(visibleMs);
  }, [view, visibleMs]);
}

const isOnPage = ({ fromMs, toMs }: WaveformSpan, timeMs: number): boolean =>
  timeMs >= fromMs && timeMs <= fromMs + (toMs - fromMs) * pageEnd;

/** Shows the next page when the playhead leaves the view, and follows every jump. */
function useFollowingLane(view: WaveformView): void {
  const { player, store } = useEditor();
  useLayoutEffect(() => {
    const show = (timeMs: number) => {
      if (!store.getState().isFollowing) return;
      if (!isOnPage(view.span(), timeMs)) view.scrollTo(timeMs);
    };
    show(player.timeMs());
    const stops = [
      player.onTime(show),
      store.subscribe((state, before) => {
        if (state.isFollowing && !before.isFollowing) show(player.timeMs());
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [view, player, store]);
}

/** A position for screen readers: the time in words and the speaker. */
function useSpokenPosition(): (timeMs: number) => string {
  const t = useText();
  const editor = useEditor();
  const timeWords = useTimeWords();
  return (timeMs) => {
    const speaker = speakerOf(editor, editor.timeline.segmentNear(timeMs));
    const time = timeWords(timeMs);
    return speaker === undefined ? time : t('editor.waveform.value', { time, speaker: speaker.name });
  };
}

/** The wheel scrolls the lane, with Alt or Ctrl it zooms around the pointer (as subtitle editors do). */
function useWheel(view: WaveformView, surface: RefObject<HTMLDivElement | null>): void {
  const { player, store } = useEditor();
  useEffect(() => {
    if (surface.current === null) return undefined;
    const scope = new Scope();
    const lane = surface.current;
    let steps = 0;
    let asked = 0;
    const zoomAt = (pointerX: number) => {
      const box = lane.getBoundingClientRect();
      const { fromMs, toMs } = view.span();
      const before = store.getState().visibleMs;
      store.zoomBy(steps);
      const { visibleMs } = store.getState();
      view.setVisible(visibleMs, fromMs + ((pointerX - box.left) / box.width) * (toMs - fromMs));
      // Playback would bring the lane back to the playhead at once.
      if (visibleMs < before && !isOnPage(view.span(), player.timeMs())) store.follow(false);
    };
    scope.add(() => {
      cancelAnimationFrame(asked);
    });
    scope.listen<WheelEvent>(
      lane,
      'wheel',
      (event) => {
        event.preventDefault();
        if (event.altKey || event.ctrlKey) {
          steps += event.deltaY < 0 ? -1 : 1;
          // A wheel sends more events than there are frames.
          asked ||= requestAnimationFrame(() => {
            zoomAt(event.clientX);
            steps = 0;
            asked = 0;
          });
          return;
        }
        const { fromMs } = view.span();
        view.scrollBy(event.deltaX + event.deltaY);
        if (view.span().fromMs !== fromMs) store.follow(false);
      },
      { passive: false },
    );
    return () => {
      scope.dispose();
    };
  }, [view, surface, player, store]);
}
