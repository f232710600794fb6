import { useEffect, type RefObject } from 'react';
import { applyChange } from '../../../../shared/domain/transcript/change.ts';
import {
  isBesideOtherEdge,
  moveEdge,
  moveEdgeRippling,
  moveSharedEdge,
} from '../../../../shared/domain/transcript/edit-segments.ts';
import {
  silenceEdges,
  snapTo,
  snapToGap,
  targetsOf,
  type SnapTarget,
} from '../../../../shared/domain/transcript/snap-edge.ts';
import type { Segment, Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';
import { draggedTo, edgeAt, type Edge } from '../model/edge-at.ts';
import { useStopNotice } from './use-stop-notice.ts';
import { targetPlace } from '../use-target-place.ts';

/** An edge snaps to a target that is within both of these distances. */
const mostReachMs = 80;
const reachPixels = 10;
/** A press that moves less is a click, and a hand is never quite still. */
const leastDragPixels = 3;
/** Relative to the loudest sound; anything quieter is silence. */
const silentShare = 0.06;

export interface HeldEdge {
  readonly segmentId: string;
  readonly edge: Edge;
}

/** An edge while it is dragged. */
export interface DraggedEdge extends HeldEdge {
  /** Where the pointer, or what it snaps to, would have it. */
  readonly pointedMs: number;
  /** The same, as far as that leaves enough of its segment. */
  readonly wantedMs: number;
  /** Where it would be when it is let go: never beyond its limit. */
  readonly timeMs: number;
  /** What is at that time. */
  readonly snapped: SnapTarget['kind'] | null;
  /** All segments as they would be when it is let go. */
  readonly segments: readonly Segment[];
}

interface LaneParts {
  readonly view: WaveformView;
  readonly surface: RefObject<HTMLElement | null>;
  readonly layer: RefObject<HTMLElement | null>;
  readonly pyramid: PeakPyramid | null;
  /** The least gap between captions. */
  readonly gapMs: number;
}

/** Drags the edges of segments in the lane; a dragged edge is passed on at most once a frame. */
export function useEdgePointer(
  { view, surface, layer, pyramid, gapMs }: LaneParts,
  point: (edge: HeldEdge | null) => void,
  drag: (edge: DraggedEdge | null) => void,
): void {
  const editor = useEditor();
  const tellStop = useStopNotice();
  useEffect(() => {
    const { document: text, player, store } = editor;
    const [lane, element] = [surface.current, layer.current];
    if (lane === null || element === null) return undefined;
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
    const move = (transcript: Transcript, { segmentId, edge }: HeldEdge, toMs: number, event: PointerEvent) => {
      const at = transcript.segments.findIndex(({ id }) => id === segmentId);
      const firstAt = edge === 'end' ? at : at - 1;
      const first = transcript.segments[firstAt];
      const second = transcript.segments[firstAt + 1];
      if (event.altKey && first !== undefined && second !== undefined)
        return moveSharedEdge(transcript, first.id, edge === 'end' ? toMs : toMs - second.startMs + first.endMs);
      return (isRippling(event) ? moveEdgeRippling : moveEdge)(transcript, segmentId, edge, toMs);
    };
    const dragTo = (event: PointerEvent, { segmentId, edge }: HeldEdge): DraggedEdge => {
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
      // Neighbours that move along keep their distance, so that none of their edges is in the way.
      const gap = event.altKey || isRippling(event) ? null : snapToGap(free, transcript, { at, edge, gapMs, reachMs });
      const { segments: written } = transcript;
      const besideMs = edge === 'end' ? written[at + 1]?.startMs : written[at - 1]?.endMs;
      const targets = [
        ...targetsOf(transcript, at).filter(({ timeMs }) => !event.altKey || timeMs !== besideMs),
        ...silence,
        { timeMs: player.timeMs(), kind: 'playhead' as const },
      ];
      const snapped = event.shiftKey ? null : (gap ?? snapTo(free, targets, reachMs));
      const pointedMs = Math.round(snapped?.timeMs ?? free);
      // A start that takes everything along takes its own end along too.
      const isWhole = edge === 'start' && isRippling(event) && !event.altKey;
      const wantedMs = isWhole
        ? pointedMs
        : draggedTo(transcript.segments, { index: at, edge }, pointedMs, event.altKey);
      const change = move(transcript, { segmentId, edge }, wantedMs, event);
      const applied = change.ok ? applyChange(transcript, change.value) : null;
      const { segments } = applied?.ok === true ? applied.value.transcript : transcript;
      const segment = segments[at];
      const timeMs = (edge === 'start' ? segment?.startMs : segment?.endMs) ?? wantedMs;
      const [before, after] = [segments[at - 1], segments[at + 1]];
      const isBesideOther = edge === 'start' ? before?.endMs === timeMs : after?.startMs === timeMs;
      const stopped = isBesideOther ? 'neighbour' : null;
      return {
        segmentId,
        edge,
        pointedMs,
        wantedMs,
        timeMs,
        snapped: timeMs === pointedMs ? (snapped?.kind ?? null) : stopped,
        segments,
      };
    };
    let asked = 0;
    let latest: PointerEvent | null = null;
    // A pointer sends more events than there are frames.
    const dragOnFrame = (event: PointerEvent) => {
      latest = event;
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        if (held !== null && latest !== null) drag(dragTo(latest, held));
      });
    };
    const letGo = () => {
      cancelAnimationFrame(asked);
      asked = 0;
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
      if (held.isMoved) dragOnFrame(event);
    });
    scope.listen<PointerEvent>(lane, 'pointerup', (event) => {
      if (held === null) return;
      const { isMoved, ...edge } = held;
      const { segmentId, pointedMs, wantedMs, segments } = dragTo(event, edge);
      letGo();
      if (!isMoved) return;
      text.edit('edge', (transcript) => move(transcript, edge, wantedMs, event));
      const segment = segments.find(({ id }) => id === segmentId);
      // That a hairline is left out needs no words, only that the other edge is there.
      const isBeyond = segment !== undefined && !isBesideOtherEdge(segment, edge.edge, pointedMs);
      const toMs = isBeyond ? pointedMs : wantedMs;
      tellStop({ segmentId, edge: edge.edge, toMs, isRippling: isRippling(event) && !event.altKey });
    });
    scope.listen(lane, 'pointercancel', letGo);
    scope.listen(lane, 'pointerleave', () => {
      if (held === null) show(null);
    });
    scope.add(() => {
      show(null);
      letGo();
    });
    return () => {
      scope.dispose();
    };
  }, [view, surface, layer, pyramid, gapMs, editor, point, drag, tellStop]);
}
