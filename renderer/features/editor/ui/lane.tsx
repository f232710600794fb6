import { Ear, Play, Plus, Repeat, Scissors, X } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { cutStretch } from '../../../../shared/domain/transcript/edit-marks.ts';
import { roomForSegment } from '../../../../shared/domain/transcript/edit-segments.ts';
import type { Segment, TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import { createSpectrumReader } from '../../../audio/spectrum.ts';
import type { WaveformSpan, WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import {
  speakerOf,
  useEditor,
  useEditorState,
  useDocument,
  useTargetPlace,
  useTimeWords,
  useBackToText,
} from '../editor-context.ts';
import { CommandButton } from './command-button.tsx';
import { EdgeHandles, type DraggedEdge } from './edge-handles.tsx';
import { useLaneMenu } from './lane-menu.tsx';
import rangeLayerCss from './range-layer.module.css';
import { useSpanPlace, useDurationMs, useShownWaveform } from './use-waveform-view.ts';
import css from './waveform-panel.module.css';
import { clock } from '../../../../shared/domain/time/time-code.ts';

const dragPixels = 4;

const scrollPixels = 12;

const leastMs = 50;

const restMs = 120;
const mostColumns = 2048;

/** How far along the view the playhead may come before the next page is shown. */
const pageEnd = 0.92;

export function Lane({
  view,
  pyramid,
  revision,
  isConnected,
}: {
  readonly view: WaveformView;
  readonly pyramid: PeakPyramid | null;
  readonly revision: number;
  readonly isConnected: boolean;
}) {
  const t = useText();
  const timeWords = useTimeWords();
  const editor = useEditor();
  const { player, store, timeline } = editor;
  const surface = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const [draggedEdge, setDraggedEdge] = useState<DraggedEdge | null>(null);
  const shown = draggedEdge?.segments ?? null;
  useShownWaveform(view, { surface, host }, { pyramid, revision, segments: shown, isConnected });
  const durationMs = useDurationMs();
  useShownSegment(view, shown);
  useEffect(() => store.measure(durationMs), [store, durationMs]);
  const visibleMs = useEditorState((state) => state.visibleMs);
  useLayoutEffect(() => view.setVisible(visibleMs), [view, visibleMs]);
  useFollowingLane(view);
  const slider = useRef<HTMLInputElement>(null);
  useEffect(() => {
    let shown = -1;
    const say = (timeMs: number) => {
      const second = Math.floor(timeMs / 1000);
      if (second === shown || slider.current === null) return;
      shown = second;
      slider.current.value = String(second);
      const speaker = speakerOf(editor, timeline.segmentNear(timeMs));
      const time = timeWords(timeMs);
      slider.current.ariaValueText =
        speaker === undefined ? time : t('editor.waveform.value', { time, speaker: speaker.name });
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
            <HoverTime surface={surface} timeAt={timeAt} view={view} />
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
  useLayoutEffect(() => view.setCurrent(current, note), [view, current, note]);
}

const isOnPage = ({ fromMs, toMs }: WaveformSpan, timeMs: number): boolean =>
  timeMs >= fromMs && timeMs <= fromMs + (toMs - fromMs) * pageEnd;

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
    scope.add(() => cancelAnimationFrame(asked));
    const turn = (event: WheelEvent) => {
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
    };
    scope.listen<WheelEvent>(lane, 'wheel', turn, { passive: false });
    return () => scope.dispose();
  }, [view, surface, player, store]);
}

function useSpectrum(view: WaveformView): { readonly isMissing: boolean } {
  const { mediaUrl: url } = useEditor().detail;
  const isShown = useEditorState((state) => state.showsSpectrum);
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    if (url === null || !isShown) return undefined;
    const scope = new Scope();
    const reader = createSpectrumReader(url, (picture) => {
      setIsMissing(picture.bitmap === null);
      view.setSpectrum(picture);
    });
    const read = ({ fromMs, toMs }: WaveformSpan) => reader.read(fromMs, toMs, Math.min(mostColumns, view.width()));
    read(view.span());
    let stop = () => {};
    scope.add(
      view.onSpan((span) => {
        stop();
        stop = scope.after(restMs, () => read(span));
      }),
    );
    return () => {
      scope.dispose();
      reader.close();
      view.setSpectrum(null);
      setIsMissing(false);
    };
  }, [view, url, isShown]);
  return { isMissing };
}

/** Dragging selects a range, Alt+click a word; a click jumps (by wavesurfer), outside the range it clears it. */
function useLanePointer(view: WaveformView, surface: RefObject<HTMLElement | null>): TimeSpan | null {
  const { store, player, timeline } = useEditor();
  const [dragged, setDragged] = useState<TimeSpan | null>(null);
  useEffect(() => {
    const element = surface.current;
    if (element === null) return undefined;
    const scope = new Scope();
    let from: { readonly x: number; readonly timeMs: number } | null = null;
    let pointerX = 0;
    let span: TimeSpan | null = null;
    let wasDragged = false;
    let stopScrolling = () => {};
    const timeAt = (x: number): number => {
      const box = element.getBoundingClientRect();
      const { fromMs, toMs } = view.span();
      const part = Math.max(0, Math.min(1, (x - box.left) / box.width));
      return Math.round(fromMs + part * (toMs - fromMs));
    };
    const stretch = () => {
      if (from === null) return;
      const now = timeAt(pointerX);
      span = { startMs: Math.min(from.timeMs, now), endMs: Math.max(from.timeMs, now, from.timeMs + leastMs) };
      setDragged(span);
    };
    const scrollWhileBeyond = () => {
      const box = element.getBoundingClientRect();
      const by = pointerX < box.left ? -scrollPixels : pointerX > box.right ? scrollPixels : 0;
      if (by === 0) return;
      store.follow(false);
      view.scrollBy(by);
      stretch();
    };
    const end = () => {
      from = null;
      span = null;
      stopScrolling();
      setDragged(null);
    };
    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      wasDragged = false;
      if (event.button !== 0 || (event.target as HTMLElement).closest('[role="toolbar"]') !== null) return;
      const { range } = store.getState();
      const held = (event.target as HTMLElement).dataset['range'];
      if (held !== undefined && range !== null)
        from = { x: Number.NEGATIVE_INFINITY, timeMs: held === 'start' ? range.endMs : range.startMs };
      else from = { x: event.clientX, timeMs: timeAt(event.clientX) };
    });
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (from === null || event.buttons !== 1) return;
      pointerX = event.clientX;
      if (span === null && Math.abs(event.clientX - from.x) < dragPixels) return;
      if (span === null) {
        element.setPointerCapture(event.pointerId);
        stopScrolling = scope.eachFrame(scrollWhileBeyond);
      }
      wasDragged = true;
      stretch();
    });
    scope.listen<PointerEvent>(element, 'pointerup', () => {
      if (span !== null) {
        store.chooseRange(span);
        player.seek(span.startMs);
      }
      end();
    });
    scope.listen(element, 'pointercancel', end);
    const click = (event: MouseEvent) => {
      // A press on an edge of a segment is no click on the waveform.
      if ((event.target as HTMLElement).closest('[role="toolbar"], [data-edges]') !== null) return;
      const timeMs = timeAt(event.clientX);
      const place = event.altKey ? timeline.wordAt(timeMs) : null;
      const word = place === null ? undefined : timeline.segments[place.segment]?.words[place.word];
      const { range } = store.getState();
      if (!wasDragged && word === undefined) {
        if (range !== null && (timeMs < range.startMs || timeMs >= range.endMs)) store.chooseRange(null);
        return;
      }
      event.stopPropagation();
      wasDragged = false;
      if (word === undefined || place === null) return;
      store.chooseRange({ startMs: word.startMs, endMs: Math.max(word.endMs, word.startMs + leastMs) });
      store.moveCursor(place);
      player.seek(word.startMs);
    };
    scope.listen<MouseEvent>(element, 'click', click, { capture: true });
    return () => scope.dispose();
  }, [view, surface, store, player, timeline]);
  return dragged;
}

function RangeLayer({ view, dragged }: { readonly view: WaveformView; readonly dragged: TimeSpan | null }) {
  const t = useText();
  const formats = useFormats();
  const chosen = useEditorState((state) => state.range);
  const isLooping = useEditorState((state) => state.isLooping);
  const markMs = useEditorState((state) => state.rangeStartMs);
  const layer = useRef<HTMLDivElement>(null);
  const listening = useEditorState((state) => state.listening);
  const range = dragged ?? listening ?? chosen;
  useSpanPlace(layer, view, range?.startMs ?? markMs ?? undefined, range?.endMs);
  return (
    <div ref={layer} className={rangeLayerCss['layer']} hidden={range === null && markMs === null}>
      {range === null ? (
        markMs !== null && (
          <output
            className={rangeLayerCss['mark']}
            aria-label={t('editor.range.mark', { time: formats.timeCode(markMs) })}
          >
            A
          </output>
        )
      ) : (
        <>
          <div className={rangeLayerCss['band']} data-looping={isLooping} aria-hidden />
          {range !== listening && (
            <>
              <i data-range="start" className={rangeLayerCss['edge']} aria-hidden />
              <i data-range="end" className={rangeLayerCss['edge']} aria-hidden />
            </>
          )}
        </>
      )}
      {dragged !== null && (
        <span className={rangeLayerCss['times']}>
          {formats.timeCode(dragged.startMs)} – {formats.timeCode(dragged.endMs)}
        </span>
      )}
      {range !== null && range === listening && (
        <span className={rangeLayerCss['times']}>
          <Ear aria-hidden size={13} strokeWidth={1.75} />
          {t('editor.waveform.seconds', {
            seconds: formats.number(Math.round((range.endMs - range.startMs) / 100) / 10),
          })}
        </span>
      )}
      {range !== null && range === chosen && <RangeTools range={chosen} />}
    </div>
  );
}

function RangeTools({ range }: { readonly range: TimeSpan }) {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const { store, player, document: text } = useEditor();
  const isLooping = useEditorState((state) => state.isLooping);
  const hasRoom = useDocument(({ transcript }) => roomForSegment(transcript, range) !== null);
  const seconds = formats.number(Math.round((range.endMs - range.startMs) / 10) / 100);
  const backToText = useBackToText();
  const leave = () => {
    store.chooseRange(null);
    backToText();
  };
  return (
    <div
      className={rangeLayerCss['tools']}
      role="toolbar"
      aria-label={t('editor.range.label', {
        from: formats.timeCode(range.startMs),
        to: formats.timeCode(range.endMs),
      })}
    >
      <span aria-hidden>{t('editor.waveform.seconds', { seconds })}</span>
      <IconButton
        size="sm"
        icon={Play}
        label={t('editor.range.play')}
        onPress={() => {
          player.seek(range.startMs);
          store.playOnce(range);
          player.play();
        }}
      />
      <IconButton
        size="sm"
        icon={Repeat}
        label={t('editor.range.loop')}
        shortcut={keyFor('playback.loop')}
        isPressed={isLooping}
        onPress={() => store.loop(!isLooping)}
      />
      {hasRoom && <CommandButton id="segment.insert" size="sm" icon={Plus} label={t('editor.lane.insert')} />}
      <CommandButton id="segment.listenAgain" size="sm" icon={Ear} label={t('editor.text.menu.listen')} />
      <IconButton
        size="sm"
        icon={Scissors}
        label={t('editor.text.menu.cut')}
        onPress={() => {
          text.edit('cut', (transcript) => cutStretch(transcript, range));
          leave();
        }}
      />
      <IconButton size="sm" icon={X} label={t('editor.range.clear')} shortcut={keyFor('range.clear')} onPress={leave} />
    </div>
  );
}

/** Of the lane (`view`) to the millisecond, as it scrolls and zooms; of all of the recording in seconds. */
export function HoverTime({
  surface,
  timeAt,
  view = null,
}: {
  readonly surface: RefObject<HTMLElement | null>;
  readonly timeAt: (part: number) => number;
  readonly view?: WaveformView | null;
}) {
  const { timeCode } = useFormats();
  const line = useRef<HTMLDivElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = surface.current;
    if (element === null) return undefined;
    const scope = new Scope();
    let pointerX: number | null = null;
    const show = () => {
      if (pointerX === null || line.current === null || time.current === null) return;
      const box = element.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (pointerX - box.left) / box.width));
      line.current.hidden = false;
      line.current.style.transform = `translateX(${String(part * box.width)}px)`;
      line.current.toggleAttribute('data-flipped', part > 0.85);
      time.current.textContent = view === null ? clock(timeAt(part)) : timeCode(timeAt(part));
    };
    const hide = () => {
      pointerX = null;
      if (line.current !== null) line.current.hidden = true;
    };
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (event.pointerType === 'touch') {
        hide();
        return;
      }
      pointerX = event.clientX;
      show();
    });
    scope.listen(element, 'pointerleave', hide);
    if (view !== null) scope.add(view.onSpan(show));
    return () => scope.dispose();
  }, [surface, timeAt, view, timeCode]);
  return (
    <div ref={line} className={rangeLayerCss['hover']} data-hover-time hidden aria-hidden>
      <span ref={time} />
    </div>
  );
}
