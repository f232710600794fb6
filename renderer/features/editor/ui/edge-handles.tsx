import { useRef, useState, type RefObject, useEffect } from 'react';
import { isTooFast } from '../../../../shared/domain/subtitles/check-cues.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { keyCaps } from '../../../lib/hotkeys.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useEditor, useSegments, useTargetPlace, targetPlace } from '../editor-context.ts';
import { textSpeed } from '../model/caption-problems.ts';
import { profileOf } from '../../../parts/exports/profile-of.ts';
import { useCaptionFile } from './use-caption-problems.ts';
import { useSpanPlace } from './use-waveform-view.ts';
import css from './waveform-panel.module.css';
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
import { Scope } from '../../../lib/scope.ts';
import { draggedTo, edgeAt, isSharedEdge, type Edge } from '../model/edge-at.ts';
import { useStopNotice } from '../use-editor-notice.ts';

/** Beyond this part of the lane, what is said of an edge stands on its left. */
const flippedFrom = 0.7;

interface EdgeHandlesProps {
  readonly view: WaveformView;
  readonly surface: RefObject<HTMLElement | null>;
  readonly pyramid: PeakPyramid | null;
  readonly dragged: DraggedEdge | null;
  readonly onDrag: (dragged: DraggedEdge | null) => void;
}

/** Those of the current segment are always shown, others under the pointer. Keys: `segment.nudge…`. */
export function EdgeHandles(props: EdgeHandlesProps) {
  const { view, dragged } = props;
  const written = useSegments();
  const segments = dragged?.segments ?? written;
  const current = useTargetPlace();
  const layer = useRef<HTMLDivElement>(null);
  const near = useRef<HTMLElement>(null);
  const [pointed, setPointed] = useState<HeldEdge | null>(null);
  const own = segments[current];
  const isOwnDragged = dragged?.segmentId === own?.id;
  const under = dragged ?? pointed;
  const beside = under === null || under.segmentId === own?.id ? undefined : segments.find(isOf(under));
  const besideMs = under?.edge === 'start' ? beside?.startMs : beside?.endMs;
  useSpanPlace(layer, view, own?.startMs, own?.endMs);
  useSpanPlace(near, view, besideMs, besideMs);
  const { options } = useCaptionFile(useEditor());
  const profile = profileOf(options);
  const gapMs = profile?.gapMs ?? 0;
  useEdgePointer(props, layer, gapMs, setPointed);

  const place = dragged !== null && (
    <DraggedPlace dragged={dragged} view={view} limit={profile?.charactersPerSecond ?? Infinity} />
  );
  const keys = dragged === null && pointed !== null ? <EdgeKeys view={view} edge={pointed} /> : null;
  return (
    <div ref={layer} className={css['edges']} data-edges aria-hidden>
      {own !== undefined &&
        (['start', 'end'] as const).map((edge) => (
          <i key={edge} data-edge={edge} className={css['edge']}>
            {isOwnDragged && dragged?.edge === edge && place}
            {keys !== null && pointed?.segmentId === own.id && pointed.edge === edge && keys}
          </i>
        ))}
      <i ref={near} hidden={beside === undefined} className={css['edge']} data-pointed>
        {beside !== undefined && (place || keys)}
      </i>
    </div>
  );
}

function EdgeKeys({
  view,
  edge: { segmentId, edge, isShared },
}: {
  readonly view: WaveformView;
  readonly edge: HeldEdge;
}) {
  const t = useText();
  const segment = useSegments().find(({ id }) => id === segmentId);
  if (segment === undefined) return null;
  const [mod = '', alt = '', shift = ''] = keyCaps('Mod+Alt+Shift+KeyX');
  return (
    <span
      className={css['edgeKeys']}
      data-flipped={isOnRight(view, edge === 'start' ? segment.startMs : segment.endMs) ? '' : undefined}
    >
      {t(isShared ? 'editor.waveform.sharedEdgeKeys' : 'editor.waveform.edgeKeys', { alt, mod, shift })}
    </span>
  );
}

function DraggedPlace({
  dragged: { segmentId, timeMs, snapped, segments },
  view,
  limit,
}: {
  readonly dragged: DraggedEdge;
  readonly view: WaveformView;
  readonly limit: number;
}) {
  const t = useText();
  const formats = useFormats();
  const segment = segments.find(({ id }) => id === segmentId);
  if (segment === undefined) return null;
  const lengthMs = segment.endMs - segment.startMs;
  const perSecond = textSpeed(segment);
  const speed = formats.fixed(perSecond, 1);
  const parts = [
    formats.timeCode(timeMs),
    t('editor.waveform.seconds', { seconds: formats.fixed(lengthMs / 1000, 2) }),
    isTooFast(perSecond, limit)
      ? t('editor.times.tooFast', { speed, limit: formats.number(limit) })
      : t('editor.times.speed', { speed }),
    ...(snapped === null ? [] : [t(`editor.snap.${snapped}`)]),
  ];
  return (
    <span data-dragged-time className={css['edgeTime']} data-flipped={isOnRight(view, timeMs) ? '' : undefined}>
      {parts.join(' · ')}
    </span>
  );
}

const isOnRight = (view: WaveformView, timeMs: number): boolean => {
  const { fromMs, toMs } = view.span();
  return timeMs > fromMs + (toMs - fromMs) * flippedFrom;
};

const isOf =
  ({ segmentId }: HeldEdge) =>
  ({ id }: { readonly id: string }) =>
    id === segmentId;

/** An edge snaps to a target that is within both of these distances. */
const mostReachMs = 80;
const reachPixels = 10;
/** A press that moves less is a click, and a hand is never quite still. */
const leastDragPixels = 3;
/** Relative to the loudest sound; anything quieter is silence. */
const silentShare = 0.06;

interface HeldEdge {
  readonly segmentId: string;
  readonly edge: Edge;
  /** It moves with the one of its neighbour, unless Alt is held; any other one moves so only then. */
  readonly isShared: boolean;
}

export interface DraggedEdge extends HeldEdge {
  readonly pointedMs: number;
  /** The same, as far as that leaves enough of its segment. */
  readonly wantedMs: number;
  /** Where it would be when it is let go: never beyond its limit. */
  readonly timeMs: number;
  readonly snapped: SnapTarget['kind'] | null;
  readonly segments: readonly Segment[];
}

function useEdgePointer(
  { view, surface, pyramid, onDrag: drag }: EdgeHandlesProps,
  layer: RefObject<HTMLElement | null>,
  gapMs: number,
  point: (edge: HeldEdge | null) => void,
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
    const isRippling = (event: PointerEvent) => store.getState().isRippling !== (event.ctrlKey || event.metaKey);
    const edgeUnder = (event: PointerEvent): HeldEdge | null => {
      const box = element.getBoundingClientRect();
      const pressed = event.target as HTMLElement;
      if (event.clientY < box.top || pressed.closest('[role="toolbar"]') !== null) return null;
      const { segments } = text.getState().transcript;
      const current = targetPlace(editor);
      const span = view.span();
      const found = edgeAt(segments, span, { width: box.width, x: event.clientX - box.left }, current);
      const segment = segments[found?.index ?? -1];
      // The edges of a selection lie above those of the segments, except of the current one.
      const isBehind = pressed.dataset['range'] !== undefined && found?.index !== current;
      if (found === null || segment === undefined || isBehind) return null;
      const isShared = isSharedEdge(segments, found, span, box.width);
      return { segmentId: segment.id, edge: found.edge, isShared };
    };
    const movesBoth = ({ isShared }: HeldEdge, event: PointerEvent) =>
      (isShared && !isRippling(event)) !== event.altKey;
    const move = (transcript: Transcript, held: HeldEdge, toMs: number, event: PointerEvent) => {
      const { segmentId, edge } = held;
      const at = transcript.segments.findIndex(({ id }) => id === segmentId);
      const firstAt = edge === 'end' ? at : at - 1;
      const first = transcript.segments[firstAt];
      const second = transcript.segments[firstAt + 1];
      if (movesBoth(held, event) && first !== undefined && second !== undefined)
        return moveSharedEdge(transcript, first.id, edge === 'end' ? toMs : toMs - second.startMs + first.endMs);
      return (isRippling(event) ? moveEdgeRippling : moveEdge)(transcript, segmentId, edge, toMs);
    };
    const dragTo = (event: PointerEvent, from: HeldEdge): DraggedEdge => {
      const { segmentId, edge, isShared } = from;
      const areBoth = movesBoth(from, event);
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
      const gap = areBoth || isRippling(event) ? null : snapToGap(free, transcript, { at, edge, gapMs, reachMs });
      const { segments: written } = transcript;
      const besideMs = edge === 'end' ? written[at + 1]?.startMs : written[at - 1]?.endMs;
      const targets = [
        ...targetsOf(transcript, at).filter(({ timeMs }) => !areBoth || timeMs !== besideMs),
        ...silence,
        { timeMs: player.timeMs(), kind: 'playhead' as const },
      ];
      const snapped = event.shiftKey ? null : (gap ?? snapTo(free, targets, reachMs));
      const pointedMs = Math.round(snapped?.timeMs ?? free);
      // A start that takes everything along takes its own end along too.
      const isWhole = edge === 'start' && isRippling(event) && !areBoth;
      const wantedMs = isWhole ? pointedMs : draggedTo(transcript.segments, { index: at, edge }, pointedMs, areBoth);
      const change = move(transcript, from, wantedMs, event);
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
        isShared,
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
    const press = (event: PointerEvent) => {
      const edge = event.button === 0 ? edgeUnder(event) : null;
      if (edge === null) return;
      event.preventDefault();
      event.stopPropagation();
      show(edge);
      held = { ...edge, fromX: event.clientX, isMoved: false };
      element.setPointerCapture(event.pointerId);
      if (text.getState().transcript.segments[targetPlace(editor)]?.id !== edge.segmentId)
        text.setState({ caret: { segmentId: edge.segmentId, offset: 0 } });
    };
    scope.listen<PointerEvent>(lane, 'pointerdown', press, { capture: true });
    // A finger that holds an edge does not scroll.
    const holdStill = (event: TouchEvent) => {
      if (held !== null) event.preventDefault();
    };
    scope.listen<TouchEvent>(lane, 'touchstart', holdStill, { passive: false });
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
      tellStop({ segmentId, edge: edge.edge, toMs, isRippling: isRippling(event) && !movesBoth(edge, event) });
    });
    scope.listen(lane, 'pointercancel', letGo);
    scope.listen(lane, 'pointerleave', () => {
      if (held === null) show(null);
    });
    scope.add(() => {
      show(null);
      letGo();
    });
    return () => scope.dispose();
  }, [view, surface, layer, pyramid, gapMs, editor, point, drag, tellStop]);
}
