import {
  ArrowLeftRight,
  CirclePlay,
  Maximize2,
  Repeat,
  SquareDashed,
  StepBack,
  StepForward,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MenuAt, type MenuEntry, type MenuPoint } from '../../../ui/menu.tsx';
import { around, seenSpan, zoomed } from '../model/shown-span.ts';
import css from './lanes.module.css';
import { usePlayerState, type Comparison } from './use-comparison.ts';

/** The zoom factor of one key press or wheel notch. */
export const zoomStep = 1.5;
/** The length of a loop that is set at a single moment. */
export const loopMs = 8000;

export interface LaneMenuPlace extends MenuPoint {
  readonly timeMs: number;
}

/** Zoom in, zoom out and show all; the playhead keeps its position on the screen. */
export function ZoomButtons({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { player, shown, setShown } = comparison;
  const { durationMs, status } = usePlayerState(player);
  const by = (factor: number) => () => {
    const { startMs, endMs } = seenSpan(shown, durationMs);
    const now = player.timeMs();
    setShown(zoomed(shown, durationMs, factor, now < startMs || now > endMs ? (startMs + endMs) / 2 : now));
  };
  const showAll = () => {
    setShown(null);
  };
  const isReady = status === 'ready';
  useCommands({
    'isolate.zoomIn': isReady && by(1 / zoomStep),
    'isolate.zoomOut': isReady && shown !== null && by(zoomStep),
    'isolate.fit': isReady && shown !== null && showAll,
  });
  return (
    <div className={css['zoom']}>
      <IconButton
        size="sm"
        icon={ZoomOut}
        label={t('editor.waveform.zoomOut')}
        shortcut={keyFor('isolate.zoomOut')}
        isDisabled={shown === null}
        onPress={by(zoomStep)}
      />
      <IconButton
        size="sm"
        icon={ZoomIn}
        label={t('editor.waveform.zoomIn')}
        shortcut={keyFor('isolate.zoomIn')}
        isDisabled={!isReady}
        onPress={by(1 / zoomStep)}
      />
    </div>
  );
}

/** The context menu for a moment of the recordings. */
export function LaneMenu({
  comparison,
  place,
  onClose,
}: {
  readonly comparison: Comparison;
  readonly place: LaneMenuPlace;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { timeCode } = useFormats();
  const keyFor = useKeyFor();
  const { player, originMs, switchOver, shown, setShown } = comparison;
  const { durationMs, loop, isPlaying } = usePlayerState(player);
  const { timeMs } = place;
  const entries: readonly MenuEntry[] = [
    {
      id: 'play',
      icon: CirclePlay,
      text: t('editor.lane.play', { time: timeCode(originMs + timeMs) }),
      onAction: () => {
        player.seek(timeMs);
        if (!isPlaying) player.toggle();
      },
    },
    {
      id: 'switch',
      icon: ArrowLeftRight,
      text: t('palette.commands.isolateSwitch'),
      shortcut: keyFor('isolate.switch'),
      onAction: switchOver,
    },
    'separator',
    {
      id: 'loop-start',
      icon: StepForward,
      text: t('isolate.compare.menu.loopFrom'),
      isDisabled: loop !== null && timeMs >= loop.endMs,
      onAction: () => {
        player.setLoop({ startMs: timeMs, endMs: loop?.endMs ?? Math.min(durationMs, timeMs + loopMs) });
      },
    },
    {
      id: 'loop-end',
      icon: StepBack,
      text: t('isolate.compare.menu.loopTo'),
      isDisabled: loop !== null && timeMs <= loop.startMs,
      onAction: () => {
        player.setLoop({ startMs: loop?.startMs ?? Math.max(0, timeMs - loopMs), endMs: timeMs });
      },
    },
    {
      id: 'loop-off',
      icon: loop === null ? Repeat : X,
      text: t('isolate.compare.menu.loopOff'),
      shortcut: keyFor('isolate.loop'),
      isDisabled: loop === null,
      onAction: () => {
        player.setLoop(null);
      },
    },
    'separator',
    {
      id: 'zoom-loop',
      icon: SquareDashed,
      text: t('isolate.compare.menu.zoomLoop'),
      isDisabled: loop === null,
      onAction: () => {
        if (loop !== null) setShown(around(loop, durationMs));
      },
    },
    {
      id: 'zoom-in',
      icon: ZoomIn,
      text: t('editor.waveform.zoomIn'),
      shortcut: keyFor('isolate.zoomIn'),
      onAction: () => {
        setShown(zoomed(shown, durationMs, 1 / zoomStep ** 3, timeMs));
      },
    },
    {
      id: 'all',
      icon: Maximize2,
      text: t('isolate.compare.menu.showAll'),
      shortcut: keyFor('isolate.fit'),
      isDisabled: shown === null,
      onAction: () => {
        setShown(null);
      },
    },
  ];
  return (
    <MenuAt
      key={`${String(place.x)}-${String(place.y)}`}
      label={t('isolate.compare.label')}
      at={place}
      entries={entries}
      onClose={onClose}
    />
  );
}
