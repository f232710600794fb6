import { Pause, Play, RotateCcw, RotateCw, SkipBack, SkipForward } from 'lucide-react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { useEditor, usePlayerState } from '../editor-context.ts';
import { TimeDisplay } from './time-display.tsx';
import { TransportOptions } from './transport-options.tsx';
import css from './transport.module.css';

/** Playback controls: always in place, disabled without a recording. */
export function Transport() {
  const t = useText();
  const { detail } = useEditor();
  const { status } = usePlayerState();
  const isDead = detail.mediaUrl === null || status === 'failed';
  return (
    <div className={css['transport']} role="toolbar" aria-label={t('editor.transport.label')} data-pane="transport">
      <TimeDisplay />
      <Moves isDead={isDead} />
      {detail.mediaUrl !== null && <TransportOptions isDead={isDead} />}
    </div>
  );
}

function Moves({ isDead }: { readonly isDead: boolean }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { player, timeline } = useEditor();
  const { isPlaying } = usePlayerState();
  const { jumpMs } = useSettings();
  const jump = { count: jumpMs / 1000 };
  const playing = t(isPlaying ? 'editor.transport.pause' : 'editor.transport.play');
  const playKey = keyFor('playback.toggle') ?? keyFor('playback.toggleOutsideText');
  const seek = (timeMs: number | null) => {
    if (timeMs !== null) player.seek(timeMs);
  };
  return (
    <div className={css['moves']}>
      <IconButton
        icon={SkipBack}
        label={t('editor.transport.previous')}
        shortcut={keyFor('segment.previous')}
        isDisabled={isDead}
        onPress={() => {
          seek(timeline.previousStartMs(player.timeMs()));
        }}
      />
      <IconButton
        icon={RotateCcw}
        label={t('palette.commands.back', jump)}
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
        label={t('palette.commands.forward', jump)}
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
        isDisabled={isDead}
        onPress={() => {
          seek(timeline.nextStartMs(player.timeMs()));
        }}
      />
    </div>
  );
}
