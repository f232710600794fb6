import { AudioLines, CirclePlay, StepBack, StepForward, X, ZoomIn } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { HoverTime } from './hover-time.tsx';
import { useContextMenu, type ContextMenu } from './use-context-menu.tsx';
import { useDurationMs, useShownWaveform, useWaveformView } from './use-waveform-view.ts';
import { repeatUpTo } from '../use-editor-keys.ts';
import css from './waveform-panel.module.css';

interface OverviewProps {
  readonly url: string;
  /** The lane whose part is framed. */
  readonly lane: WaveformView;
  readonly pyramid: PeakPyramid | null;
  readonly revision: number;
}

/** How many steps closer a place is shown. */
const zoomSteps = 2;

/**
 * The whole recording in small: a click jumps, the frame can be dragged. Keyboard users have the lane for all of that.
 */
export function Overview({ url, lane, pyramid, revision }: OverviewProps) {
  const { store } = useEditor();
  const surface = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useShownWaveform(
    useWaveformView('overview', url),
    { surface, host },
    { pyramid, revision, segments: null, isConnected: true },
  );
  const durationMs = useDurationMs();
  const timeAt = useCallback((part: number) => part * durationMs, [durationMs]);
  const { onContextMenu, menu } = useOverviewMenu(lane, timeAt);

  useEffect(() => {
    const show = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => {
      if (frame.current === null) return;
      // Lane and player may know lengths that differ by some milliseconds.
      frame.current.hidden = toMs - fromMs >= durationMs * 0.995;
      frame.current.style.insetInlineStart = `${String((fromMs / durationMs) * 100)}%`;
      frame.current.style.inlineSize = `${String(((toMs - fromMs) / durationMs) * 100)}%`;
    };
    show(lane.span());
    return lane.onSpan(show);
  }, [lane, durationMs]);

  useEffect(() => {
    const { current } = frame;
    const whole = surface.current;
    if (current === null || whole === null) return undefined;
    const scope = new Scope();
    let grabbedAt: number | null = null;
    scope.listen<PointerEvent>(current, 'pointerdown', (event) => {
      if (event.button !== 0) return;
      current.setPointerCapture(event.pointerId);
      grabbedAt = event.clientX;
      store.follow(false);
    });
    scope.listen<PointerEvent>(current, 'pointermove', (event) => {
      if (grabbedAt === null) return;
      const { fromMs, toMs } = lane.span();
      const lanePixelsPerMs = whole.clientWidth / (toMs - fromMs);
      lane.scrollBy(((event.clientX - grabbedAt) / whole.clientWidth) * durationMs * lanePixelsPerMs);
      grabbedAt = event.clientX;
    });
    for (const end of ['pointerup', 'pointercancel']) {
      scope.listen(current, end, () => {
        grabbedAt = null;
      });
    }
    return () => {
      scope.dispose();
    };
  }, [lane, store, durationMs]);

  return (
    <>
      <div ref={surface} className={css['overview']} role="presentation" aria-hidden onContextMenu={onContextMenu}>
        <div ref={host} className={css['host']} />
        <div ref={frame} className={css['window']} hidden />
        <HoverTime surface={surface} timeAt={timeAt} view={null} isExact={false} />
      </div>
      {menu}
    </>
  );
}

function useOverviewMenu(lane: WaveformView, timeAt: (part: number) => number): ContextMenu {
  const t = useText();
  const { timeCode } = useFormats();
  const keyFor = useKeyFor();
  const editor = useEditor();
  const { player, store } = editor;
  return useContextMenu(t('editor.waveform.whole'), (part) => {
    const timeMs = Math.round(timeAt(part));
    return [
      {
        id: 'play',
        icon: CirclePlay,
        text: t('editor.lane.play', { time: timeCode(timeMs) }),
        onAction: () => {
          player.playFrom(timeMs);
        },
      },
      'separator',
      {
        id: 'range-start',
        icon: StepForward,
        text: t('palette.commands.rangeStart'),
        shortcut: keyFor('range.setStart'),
        onAction: () => {
          store.startRange(timeMs);
        },
      },
      {
        id: 'range-end',
        icon: StepBack,
        text: t('palette.commands.rangeEnd'),
        shortcut: keyFor('range.setEnd'),
        onAction: () => {
          repeatUpTo(editor, timeMs);
        },
      },
      {
        id: 'range-clear',
        icon: X,
        text: t('editor.range.clear'),
        shortcut: keyFor('range.clear'),
        isDisabled: (store.getState().range ?? store.getState().rangeStartMs) === null,
        onAction: () => {
          store.chooseRange(null);
        },
      },
      'separator',
      {
        id: 'zoom',
        icon: ZoomIn,
        text: t('editor.waveform.zoomHere'),
        onAction: () => {
          store.follow(false);
          store.zoomBy(-zoomSteps);
          lane.setVisible(store.getState().visibleMs);
          const { fromMs, toMs } = lane.span();
          lane.scrollBy(((timeMs - (fromMs + toMs) / 2) * lane.width()) / (toMs - fromMs));
        },
      },
      {
        id: 'fit',
        icon: AudioLines,
        text: t('palette.commands.waveformFit'),
        shortcut: keyFor('waveform.fit'),
        onAction: store.zoomToFit,
      },
    ];
  });
}
