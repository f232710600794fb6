import { useRef, useState, type RefObject } from 'react';
import { isTooFast } from '../../../../shared/domain/subtitles/check-cues.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { keyCaps } from '../../../lib/hotkeys.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useEditor, useSegments } from '../editor-context.ts';
import { textSpeed } from '../model/caption-problems.ts';
import { profileOf } from '../../../parts/exports/profile-of.ts';
import { useCaptionFile } from './use-caption-problems.ts';
import { useEdgePointer, type DraggedEdge, type HeldEdge } from './use-edge-pointer.ts';
import { useSpanPlace } from './use-span-place.ts';
import { useTargetPlace } from '../use-target-place.ts';
import css from './waveform-panel.module.css';

/** Beyond this part of the lane, what is said of an edge stands on its left. */
const flippedFrom = 0.7;

/**
 * The edges of the segments in the lane, which can be dragged; those of the current one are always shown, others under
 * the pointer. They snap to words, silence, neighbours and the least gap before these; Shift turns that off, Alt moves
 * the neighbour's edge along, and Ctrl everything that follows; who waits at an edge is told so. The keyboard has commands
 * for it (`segment.nudge…`).
 */
export function EdgeHandles({
  view,
  surface,
  pyramid,
  dragged,
  onDrag,
}: {
  readonly view: WaveformView;
  readonly surface: RefObject<HTMLElement | null>;
  readonly pyramid: PeakPyramid | null;
  readonly dragged: DraggedEdge | null;
  readonly onDrag: (dragged: DraggedEdge | null) => void;
}) {
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
  useEdgePointer({ view, surface, layer, pyramid, gapMs }, setPointed, onDrag);

  const place = dragged !== null && (
    <DraggedPlace dragged={dragged} view={view} limit={profile?.charactersPerSecond ?? Infinity} />
  );
  const keys = dragged === null && pointed !== null ? <EdgeKeys view={view} edge={pointed} /> : null;
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
            {isOwnDragged && dragged?.edge === edge && place}
            {keys !== null && pointed?.segmentId === own.id && pointed.edge === edge && keys}
          </i>
        ))}
      <i
        ref={near}
        hidden={beside === undefined}
        className={css['edge']}
        data-pointed
        style={{ insetInlineStart: 'var(--from)' }}
      >
        {beside !== undefined && (place || keys)}
      </i>
    </div>
  );
}

/** What the keys that are held while this edge is dragged do. */
function EdgeKeys({ view, edge: { segmentId, edge } }: { readonly view: WaveformView; readonly edge: HeldEdge }) {
  const t = useText();
  const segment = useSegments().find(({ id }) => id === segmentId);
  if (segment === undefined) return null;
  const [mod = '', alt = '', shift = ''] = keyCaps('Mod+Alt+Shift+KeyX');
  return (
    <span
      className={css['edgeKeys']}
      data-flipped={isOnRight(view, edge === 'start' ? segment.startMs : segment.endMs) ? '' : undefined}
    >
      {t('editor.waveform.edgeKeys', { alt, mod, shift })}
    </span>
  );
}

/** Where a dragged edge is, the length and the speed that its segment gets, and what the edge snapped to. */
function DraggedPlace({
  dragged: { segmentId, timeMs, snapped, segments },
  view,
  limit,
}: {
  readonly dragged: DraggedEdge;
  readonly view: WaveformView;
  /** Characters per second. */
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
