import { useEffect, useRef, useState } from 'react';
import { moveEdge, moveEdgeRippling, moveSharedEdge } from '../../../../shared/domain/transcript/edit-segments.ts';
import { silenceEdges, snapTo, targetsOf, type SnapTarget } from '../../../../shared/domain/transcript/snap-edge.ts';
import { timeCode } from '../../../../shared/domain/time/time-code.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { useEditor, useSegments } from '../editor-context.ts';
import { useSpanPlace } from './use-span-place.ts';
import { useTargetPlace } from '../use-target-place.ts';
import css from './waveform-panel.module.css';

/** How near an edge must be to a snap target: as near as both say. */
const mostReachMs = 80;
const reachPixels = 10;
/** A press that moves less is a click, and a hand is never quite still. */
const leastDragPixels = 3;
/** Relative to the loudest sound; anything quieter is silence. */
const silentShare = 0.06;

interface Dragged {
  readonly edge: 'start' | 'end';
  readonly timeMs: number;
  readonly snapped: SnapTarget['kind'] | null;
}

/**
 * The two draggable edges of the current segment. They snap to words, silence and neighbours; Shift turns that off, Alt
 * moves the neighbour's edge along, and Ctrl everything that follows. The keyboard has commands for it
 * (`segment.nudge…`).
 */
export function EdgeHandles({
  view,
  pyramid,
}: {
  readonly view: WaveformView | null;
  readonly pyramid: PeakPyramid | null;
}) {
  const t = useText();
  const { document: text, player, store } = useEditor();
  const segments = useSegments();
  const current = useTargetPlace();
  const segment = segments[current];
  const layer = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const startMs = dragged?.edge === 'start' ? dragged.timeMs : segment?.startMs;
  const endMs = dragged?.edge === 'end' ? dragged.timeMs : segment?.endMs;

  useSpanPlace(layer, view, startMs, endMs);

  useEffect(() => {
    const element = layer.current;
    if (element === null || view === null || segment === undefined) return undefined;
    const scope = new Scope();
    let held: { readonly edge: 'start' | 'end'; readonly fromX: number; isMoved: boolean } | null = null;
    const timeAt = (event: PointerEvent): Dragged => {
      const box = element.getBoundingClientRect();
      const { fromMs, toMs } = view.span();
      const free = fromMs + ((event.clientX - box.left) / box.width) * (toMs - fromMs);
      const reachMs = Math.min(mostReachMs, (reachPixels / box.width) * (toMs - fromMs));
      const around = { startMs: Math.max(0, free - reachMs), endMs: free + reachMs };
      const silence =
        pyramid === null
          ? []
          : silenceEdges(pyramid.columns(around.startMs, around.endMs, 16).rms, around, pyramid.loudest * silentShare);
      const { transcript } = text.getState();
      const targets = [
        ...targetsOf(
          transcript,
          transcript.segments.findIndex(({ id }) => id === segment.id),
        ),
        ...silence,
        { timeMs: player.timeMs(), kind: 'playhead' as const },
      ];
      const snapped = event.shiftKey ? null : snapTo(free, targets, reachMs);
      return { edge: held?.edge ?? 'end', timeMs: Math.round(snapped?.timeMs ?? free), snapped: snapped?.kind ?? null };
    };
    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      const { edge } = (event.target as HTMLElement).dataset;
      if (event.button !== 0 || (edge !== 'start' && edge !== 'end')) return;
      event.preventDefault();
      event.stopPropagation();
      held = { edge, fromX: event.clientX, isMoved: false };
      element.setPointerCapture(event.pointerId);
    });
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (held === null) return;
      held.isMoved ||= Math.abs(event.clientX - held.fromX) >= leastDragPixels;
      if (held.isMoved) setDragged(timeAt(event));
    });
    scope.listen<PointerEvent>(element, 'pointerup', (event) => {
      if (held === null) return;
      const { edge, timeMs } = timeAt(event);
      const { isMoved } = held;
      held = null;
      setDragged(null);
      if (!isMoved) return;
      text.edit('edge', (transcript) => {
        const at = transcript.segments.findIndex(({ id }) => id === segment.id);
        const first = edge === 'end' ? segment.id : transcript.segments[at - 1]?.id;
        if (event.altKey && first !== undefined && transcript.segments[at + 1] !== undefined)
          return moveSharedEdge(transcript, first, timeMs);
        const isRippling = store.getState().isRippling !== (event.ctrlKey || event.metaKey);
        return (isRippling ? moveEdgeRippling : moveEdge)(transcript, segment.id, edge, timeMs);
      });
    });
    scope.listen(element, 'pointercancel', () => {
      held = null;
      setDragged(null);
    });
    return () => {
      scope.dispose();
    };
  }, [view, pyramid, segment, text, player, store]);

  if (segment === undefined) return null;
  return (
    <div ref={layer} className={css['edges']} aria-hidden>
      <i data-edge="start" className={css['edge']} style={{ insetInlineStart: 'var(--from)' }} />
      <i data-edge="end" className={css['edge']} style={{ insetInlineStart: 'var(--to)' }} />
      {dragged !== null && (
        <span
          className={css['edgeTime']}
          style={{ insetInlineStart: dragged.edge === 'start' ? 'var(--from)' : 'var(--to)' }}
        >
          {timeCode(dragged.timeMs)}
          {dragged.snapped !== null && ` ${t(`editor.snap.${dragged.snapped}`)}`}
        </span>
      )}
    </div>
  );
}
