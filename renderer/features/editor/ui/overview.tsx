import { useCallback, useEffect, useRef } from 'react';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';
import { HoverTime } from './hover-time.tsx';
import { useDurationMs, useWaveformView } from './use-waveform-view.ts';
import css from './waveform-panel.module.css';

interface OverviewProps {
  /** The lane whose part is framed. */
  readonly lane: WaveformView | null;
  readonly pyramid: PeakPyramid | null;
  readonly revision: number;
}

/**
 * The whole recording in small: a click jumps, the frame can be dragged. Keyboard users have the lane for all of that.
 */
export function Overview({ lane, pyramid, revision }: OverviewProps) {
  const { store } = useEditor();
  const surface = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useWaveformView('overview', { surface, host }, pyramid, revision);
  const durationMs = useDurationMs();
  const timeAt = useCallback((part: number) => part * durationMs, [durationMs]);

  useEffect(() => {
    if (lane === null) return undefined;
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
    if (lane === null || current === null || whole === null) return undefined;
    const scope = new Scope();
    let grabbedAt: number | null = null;
    scope.listen<PointerEvent>(current, 'pointerdown', (event) => {
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
    <div ref={surface} className={css['overview']} aria-hidden>
      <div ref={host} className={css['host']} />
      <div ref={frame} className={css['window']} hidden />
      <HoverTime surface={surface} timeAt={timeAt} isExact={false} />
    </div>
  );
}
