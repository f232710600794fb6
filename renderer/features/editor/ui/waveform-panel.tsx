import { AudioLines, CirclePlay, StepBack, StepForward, X, ZoomIn } from 'lucide-react';
import { useEffect, useEffectEvent, useState, useRef, useCallback } from 'react';
import { laneHeights } from '../../../../shared/domain/settings/settings.ts';
import { begunPeaks, loadPeaks, type PeaksState } from '../../../audio/load-peaks.ts';
import type { PeakPyramid } from '../../../audio/peaks/peak-pyramid.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { TranscriptDetail } from '../../../bridge/types.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { Scope } from '../../../lib/scope.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { waveformOf } from '../queries.ts';
import { repeatUpTo } from '../use-editor-keys.ts';
import { HoverTime, Lane } from './lane.tsx';
import { Film } from './picture.tsx';
import { useContextMenu, type ContextMenu } from './use-context-menu.tsx';
import { useWaveformView, useDurationMs, useShownWaveform } from './use-waveform-view.ts';
import css from './waveform-panel.module.css';

const zoomSteps = 2;

const stepPixels = 40;

/** `isConnected`: the lane is on the screen, and the pointer's part and the overview may follow. */
export function WaveformPanel({
  url,
  isConnected,
  onPicture,
}: {
  readonly url: string;
  readonly isConnected: boolean;
  readonly onPicture: () => void;
}) {
  const t = useText();
  const { detail, store } = useEditor();
  const { laneHeight } = useSettings();
  const peaks = usePeaks(detail, url);
  const lane = useWaveformView('lane', url);
  const isOpening = peaks.kind === 'opening';
  useEffect(() => {
    if (!isOpening) onPicture();
  }, [isOpening, onPicture]);
  const whole = peaks.kind === 'ready' ? peaks.pyramid : null;
  useEffect(() => store.setState({ pyramid: whole }), [store, whole]);
  const pyramid = peaks.kind === 'drawing' || peaks.kind === 'ready' ? peaks.pyramid : null;
  const revision = peaks.kind === 'drawing' ? peaks.revision : 0;
  return (
    <section
      className={css['panel']}
      data-pane="lane"
      data-peaks={peaks.kind}
      data-height={laneHeight}
      aria-label={t('editor.waveform.position')}
    >
      {isConnected ? (
        <Overview url={url} lane={lane} pyramid={pyramid} revision={revision} />
      ) : (
        <div className={css['overview']} data-film={detail.pictureUrl !== null || undefined} />
      )}
      <Lane view={lane} pyramid={pyramid} revision={revision} isConnected={isConnected} />
      {peaks.kind === 'none' && <output className={css['note']}>{t('editor.waveform.noPicture')}</output>}
      <LaneHeight />
    </section>
  );
}

function usePeaks(detail: TranscriptDetail, url: string): PeaksState {
  const [state, setState] = useState(() => begunPeaks(url));
  const open = useEffectEvent(() => {
    const recording = waveformOf(detail);
    return recording === null ? undefined : loadPeaks(recording, setState);
  });
  useEffect(() => open(), [url]);
  return state;
}

function LaneHeight() {
  const t = useText();
  const { laneHeight } = useSettings();
  const change = useSettingsChange();
  const held = useRef<{ readonly y: number; readonly at: number } | null>(null);
  const at = laneHeights.indexOf(laneHeight);
  const choose = (wanted: number) => {
    const next = laneHeights[Math.max(0, Math.min(laneHeights.length - 1, wanted))];
    if (next !== undefined && next !== laneHeight) void change({ laneHeight: next });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can be focused is a control
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule that is moved and has a value
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('editor.waveform.height')}
      aria-valuenow={at + 1}
      aria-valuemin={1}
      aria-valuemax={laneHeights.length}
      aria-valuetext={t(`editor.waveform.heights.${laneHeight}`)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      className={css['height']}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = { y: event.clientY, at };
      }}
      onPointerMove={(event) => {
        if (held.current !== null) choose(held.current.at + Math.round((event.clientY - held.current.y) / stepPixels));
      }}
      onPointerUp={() => {
        held.current = null;
      }}
      onPointerCancel={() => {
        held.current = null;
      }}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        if (by === 0) return;
        event.preventDefault();
        event.stopPropagation();
        choose(at + by);
      }}
    />
  );
}

/** Keyboard users have the lane for all of this. */
function Overview({
  url,
  lane,
  pyramid,
  revision,
}: {
  readonly url: string;
  readonly lane: WaveformView;
  readonly pyramid: PeakPyramid | null;
  readonly revision: number;
}) {
  const { store, detail } = useEditor();
  const { pictureUrl } = detail;
  const [hasNoFilm, setNoFilm] = useState(false);
  const hasFilm = pictureUrl !== null && !hasNoFilm;
  const surface = useRef<HTMLDivElement>(null);
  const wave = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useShownWaveform(
    useWaveformView('overview', url),
    { surface: wave, host },
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
    return () => scope.dispose();
  }, [lane, store, durationMs]);

  return (
    <>
      <div
        ref={surface}
        className={css['overview']}
        data-film={hasFilm || undefined}
        role="presentation"
        aria-hidden
        onContextMenu={onContextMenu}
      >
        {hasFilm && <Film url={pictureUrl} onNone={() => setNoFilm(true)} />}
        <div ref={wave} className={css['wave']} />
        <div ref={host} className={css['host']} />
        <div ref={frame} className={css['window']} data-shown-part hidden />
        <HoverTime surface={surface} timeAt={timeAt} />
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
        onAction: () => player.playFrom(timeMs),
      },
      'separator',
      {
        id: 'range-start',
        icon: StepForward,
        text: t('palette.commands.rangeStart'),
        shortcut: keyFor('range.setStart'),
        onAction: () => store.startRange(timeMs),
      },
      {
        id: 'range-end',
        icon: StepBack,
        text: t('palette.commands.rangeEnd'),
        shortcut: keyFor('range.setEnd'),
        onAction: () => repeatUpTo(editor, timeMs),
      },
      {
        id: 'range-clear',
        icon: X,
        text: t('editor.range.clear'),
        shortcut: keyFor('range.clear'),
        isDisabled: (store.getState().range ?? store.getState().rangeStartMs) === null,
        onAction: () => store.chooseRange(null),
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
