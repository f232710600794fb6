import { useEffect, useRef, useState, type RefObject } from 'react';
import { moveEdge, moveEdgeRippling, moveSharedEdge } from '../../../../shared/domain/transcript/edit-segments.ts';
import {
  silenceEdges,
  snapTo,
  snapToGap,
  targetsOf,
  type SnapTarget,
} from '../../../../shared/domain/transcript/snap-edge.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useEditor, useSegments } from '../editor-context.ts';
import { edgeAt, type Edge } from '../model/edge-at.ts';
import { profileOf } from '../../../parts/exports/profile-of.ts';
import { useCaptionFile } from './use-caption-problems.ts';
import { useSpanPlace } from './use-span-place.ts';
import { useStopNotice } from './use-stop-notice.ts';
import { targetPlace, useTargetPlace } from '../use-target-place.ts';
import css from './waveform-panel.module.css';

/** How near an edge must be to a snap target: as near as both say. */
const mostReachMs = 80;
const reachPixels = 10;
/** A press that moves less is a click, and a hand is never quite still. */
const leastDragPixels = 3;
/** Relative to the loudest sound; anything quieter is silence. */
const silentShare = 0.06;

interface HeldEdge {
  readonly segmentId: string;
  readonly edge: Edge;
}
interface DraggedEdge extends HeldEdge {
  readonly timeMs: number;
  readonly snapped: SnapTarget['kind'] | null;
}

/**
 * The edges of the segments in the lane, which can be dragged; those of the current one are always shown, others under
 * the pointer. They snap to words, silence, neighbours and the least gap before these; Shift turns that off, Alt moves the neighbour's edge along,
 * and Ctrl everything that follows. The keyboard has commands for it (`segment.nudge…`).
 */
export function EdgeHandles({
  view,
  surface,
  pyramid,
}: {
  readonly view: WaveformView | null;
  readonly surface: RefObject<HTMLElement | null>;
  readonly pyramid: PeakPyramid | null;
}) {
  const t = useText();
  const { timeCode } = useFormats();
  const segments = useSegments();
  const current = useTargetPlace();
  const layer = useRef<HTMLDivElement>(null);
  const near = useRef<HTMLElement>(null);
  const [pointed, setPointed] = useState<HeldEdge | null>(null);
  const [dragged, setDragged] = useState<DraggedEdge | null>(null);
  const own = segments[current];
  const isOwnDragged = dragged?.segmentId === own?.id;
  const under = dragged ?? pointed;
  const beside = under === null || under.segmentId === own?.id ? undefined : segments.find(isOf(under));
  const besideMs = dragged?.timeMs ?? (under?.edge === 'start' ? beside?.startMs : beside?.endMs);
  useSpanPlace(
    layer,
    view,
    isOwnDragged && dragged?.edge === 'start' ? dragged.timeMs : own?.startMs,
    isOwnDragged && dragged?.edge === 'end' ? dragged.timeMs : own?.endMs,
  );
  useSpanPlace(near, view, besideMs, besideMs);
  const { options } = useCaptionFile();
  const gapMs = profileOf(options)?.gapMs ?? 0;
  useEdgePointer({ view, surface, layer, pyramid, gapMs }, setPointed, setDragged);

  const time = dragged !== null && (
    <span className={css['edgeTime']}>
      {timeCode(dragged.timeMs)}
      {dragged.snapped !== null && ` ${t(`editor.snap.${dragged.snapped}`)}`}
    </span>
  );
  return (
    <div ref={layer} className={css['edges']} data-edges aria-hidden>
      {own !== undefined &&
        (['start', 'end'] as const).map((edge) => (
          <i
            key={edge}
            data-edge={edge}
            className={css['edge']}
            style={{ insetInlineStart: edge === 'start' ? 'var(--from)' : 'var(--to)' }}
          >
            {isOwnDragged && dragged?.edge === edge && time}
          </i>
        ))}
      <i
        ref={near}
        hidden={beside === undefined}
        className={css['edge']}
        data-pointed
        style={{ insetInlineStart: 'var(--from)' }}
      >
        {beside !== undefined && time}
      </i>
    </div>
  );
}

const isOf =
  ({ segmentId }: HeldEdge) =>
  ({ id }: { readonly id: string }) =>
    id === segmentId;

interface LaneParts {
  readonly view: WaveformView | null;
  readonly surface: RefObject<HTMLElement | null>;
  readonly layer: RefObject<HTMLElement | null>;
  readonly pyramid: PeakPyramid | null;
  /** The least gap between captions. */
  readonly gapMs: number;
}

function useEdgePointer(
  { view, surface, layer, pyramid, gapMs }: LaneParts,
  point: (edge: HeldEdge | null) => void,
  drag: (edge: DraggedEdge | null) => void,
): void {
  const editor = useEditor();
  const tellStop = useStopNotice();
  useEffect(() => {
    const { document: text, player, store } = editor;
    const [lane, element] = [surface.current, layer.current];
    if (lane === null || element === null || view === null) return undefined;
    const scope = new Scope();
    let held: (HeldEdge & { readonly fromX: number; isMoved: boolean }) | null = null;
    let pointed: HeldEdge | null = null;
    const show = (edge: HeldEdge | null) => {
      lane.toggleAttribute('data-at-edge', edge !== null);
      if (edge?.segmentId === pointed?.segmentId && edge?.edge === pointed?.edge) return;
      pointed = edge;
      point(edge);
    };
    const edgeUnder = (event: PointerEvent): HeldEdge | null => {
      const box = element.getBoundingClientRect();
      const pressed = event.target as HTMLElement;
      if (event.clientY < box.top || pressed.closest('[role="toolbar"]') !== null) return null;
      const { segments } = text.getState().transcript;
      const current = targetPlace(editor);
      const found = edgeAt(segments, view.span(), { width: box.width, x: event.clientX - box.left }, current);
      const segment = segments[found?.index ?? -1];
      // The edges of a selection lie above those of the segments, except of the current one.
      const isBehind = pressed.dataset['range'] !== undefined && found?.index !== current;
      return found === null || segment === undefined || isBehind ? null : { segmentId: segment.id, edge: found.edge };
    };
    const isRippling = (event: PointerEvent) => store.getState().isRippling !== (event.ctrlKey || event.metaKey);
    const timeAt = (event: PointerEvent, { segmentId, edge }: HeldEdge): DraggedEdge => {
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
      const at = transcript.segments.findIndex(({ id }) => id === segmentId);
      // Neighbours that move along keep their distance.
      const gap = event.altKey || isRippling(event) ? null : snapToGap(free, transcript, { at, edge, gapMs, reachMs });
      const targets = [
        ...targetsOf(transcript, at),
        ...silence,
        { timeMs: player.timeMs(), kind: 'playhead' as const },
      ];
      const snapped = event.shiftKey ? null : (gap ?? snapTo(free, targets, reachMs));
      return { segmentId, edge, timeMs: Math.round(snapped?.timeMs ?? free), snapped: snapped?.kind ?? null };
    };
    const letGo = () => {
      held = null;
      drag(null);
    };
    scope.listen<PointerEvent>(
      lane,
      'pointerdown',
      (event) => {
        const edge = event.button === 0 ? edgeUnder(event) : null;
        if (edge === null) return;
        event.preventDefault();
        event.stopPropagation();
        show(edge);
        held = { ...edge, fromX: event.clientX, isMoved: false };
        element.setPointerCapture(event.pointerId);
        // The caret makes it the current segment, for the keys too.
        if (text.getState().transcript.segments[targetPlace(editor)]?.id !== edge.segmentId)
          text.setState({ caret: { segmentId: edge.segmentId, offset: 0 } });
      },
      { capture: true },
    );
    // A finger that holds an edge does not scroll.
    scope.listen<TouchEvent>(
      lane,
      'touchstart',
      (event) => {
        if (held !== null) event.preventDefault();
      },
      { passive: false },
    );
    scope.listen<PointerEvent>(lane, 'pointermove', (event) => {
      if (held === null) {
        show(event.buttons === 0 ? edgeUnder(event) : null);
        return;
      }
      held.isMoved ||= Math.abs(event.clientX - held.fromX) >= leastDragPixels;
      if (held.isMoved) drag(timeAt(event, held));
    });
    scope.listen<PointerEvent>(lane, 'pointerup', (event) => {
      if (held === null) return;
      const { segmentId, edge, timeMs } = timeAt(event, held);
      const { isMoved } = held;
      letGo();
      if (!isMoved) return;
      text.edit('edge', (transcript) => {
        const at = transcript.segments.findIndex(({ id }) => id === segmentId);
        const firstAt = edge === 'end' ? at : at - 1;
        const first = transcript.segments[firstAt];
        if (event.altKey && first !== undefined && transcript.segments[firstAt + 1] !== undefined)
          return moveSharedEdge(transcript, first.id, timeMs);
        return (isRippling(event) ? moveEdgeRippling : moveEdge)(transcript, segmentId, edge, timeMs);
      });
      tellStop({ segmentId, edge, toMs: timeMs, isRippling: isRippling(event) && !event.altKey });
    });
    scope.listen(lane, 'pointercancel', letGo);
    scope.listen(lane, 'pointerleave', () => {
      if (held === null) show(null);
    });
    scope.add(() => {
      show(null);
      drag(null);
    });
    return () => {
      scope.dispose();
    };
  }, [view, surface, layer, pyramid, gapMs, editor, point, drag, tellStop]);
}
