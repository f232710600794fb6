import { Copy, Pause, Play, Repeat, RotateCcw, RotateCw, SkipBack, SkipForward, Timer } from 'lucide-react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useCommandTitle, useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { useEditor, usePlayerState } from '../editor-context.ts';
import { TimeDisplay } from './time-display.tsx';
import { TransportOptions } from './transport-options.tsx';
import css from './transport.module.css';
import { useContextMenu, type ContextMenu } from './use-context-menu.tsx';

/** Playback controls: always in place; without a recording only segments can be walked through. */
export function Transport() {
  const t = useText();
  const { detail } = useEditor();
  const { status } = usePlayerState();
  const isDead = detail.mediaUrl === null || status === 'failed';
  const { onContextMenu, menu } = useTransportMenu(isDead);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- what is inside has the focus, and its key opens the menu too */}
      <div
        className={css['transport']}
        role="toolbar"
        aria-label={t('editor.transport.label')}
        data-pane="transport"
        onContextMenu={onContextMenu}
      >
        <TimeDisplay />
        <Moves isDead={isDead} />
        {detail.mediaUrl !== null && <TransportOptions isDead={isDead} />}
      </div>
      {menu}
    </>
  );
}

function useTransportMenu(isDead: boolean): ContextMenu {
  const t = useText();
  const { timeCode } = useFormats();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const copy = useCopy();
  const { player, store } = useEditor();
  return useContextMenu(t('editor.transport.label'), () => {
    const { isPlaying } = player.getState();
    const { range, isLooping } = store.getState();
    const time = timeCode(player.timeMs());
    return [
      {
        id: 'play',
        icon: isPlaying ? Pause : Play,
        text: t(isPlaying ? 'editor.transport.pause' : 'editor.transport.play'),
        shortcut: keyFor('playback.toggle') ?? keyFor('playback.toggleOutsideText'),
        isDisabled: isDead,
        onAction: player.toggle,
      },
      {
        id: 'loop',
        icon: Repeat,
        text: t(isLooping ? 'editor.transport.noLoop' : range === null ? 'editor.transport.loop' : 'editor.range.loop'),
        shortcut: keyFor('playback.loop'),
        isDisabled: isDead,
        onAction: () => {
          store.loop(!isLooping);
        },
      },
      'separator',
      {
        id: 'go-to',
        icon: Timer,
        text: t('palette.commands.goToTime'),
        shortcut: keyFor('playback.goTo'),
        onAction: () => {
          run('playback.goTo');
        },
      },
      {
        id: 'copy',
        icon: Copy,
        text: t('editor.transport.copyTime', { time }),
        onAction: () => void copy(time),
      },
    ];
  });
}

function Moves({ isDead }: { readonly isDead: boolean }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { player } = useEditor();
  const { isPlaying } = usePlayerState();
  const { jumpMs } = useSettings();
  const titleOf = useCommandTitle();
  const playing = t(isPlaying ? 'editor.transport.pause' : 'editor.transport.play');
  const playKey = keyFor('playback.toggle') ?? keyFor('playback.toggleOutsideText');
  const run = useRunCommand();
  return (
    <div className={css['moves']}>
      <IconButton
        icon={SkipBack}
        label={t('editor.transport.previous')}
        shortcut={keyFor('segment.previous')}
        onPress={() => {
          run('segment.previous');
        }}
      />
      <IconButton
        icon={RotateCcw}
        label={titleOf('playback.back')}
        shortcut={keyFor('playback.back')}
        isDisabled={isDead}
        className={css['skip']}
        onPress={() => {
          player.skip(-jumpMs);
        }}
      />
      <PressButton
        className={css['play']}
        label={playing}
        shortcut={playKey}
        tip={{ text: playing, shortcut: playKey }}
        isDisabled={isDead}
        onPress={player.toggle}
      >
        {isPlaying ? <Pause aria-hidden size={20} /> : <Play aria-hidden size={20} className={css['triangle']} />}
      </PressButton>
      <IconButton
        icon={RotateCw}
        label={titleOf('playback.forward')}
        shortcut={keyFor('playback.forward')}
        isDisabled={isDead}
        className={css['skip']}
        onPress={() => {
          player.skip(jumpMs);
        }}
      />
      <IconButton
        icon={SkipForward}
        label={t('editor.transport.next')}
        shortcut={keyFor('segment.next')}
        onPress={() => {
          run('segment.next');
        }}
      />
    </div>
  );
}
