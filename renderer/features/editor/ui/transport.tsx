import { Pause, Play, RotateCcw, RotateCw, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { clock, timeCode } from '../../../../shared/domain/time/time-code.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { useEditor, usePlayerState } from '../editor-context.ts';
import { TransportOptions } from './transport-options.tsx';
import css from './transport.module.css';
import { useDurationMs } from './use-waveform-view.ts';

const skipMs = 5000;

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

/** Painted without React, once a frame; screen readers use the lane instead. */
function TimeDisplay() {
  const t = useText();
  const { player } = useEditor();
  const durationMs = useDurationMs();
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Milliseconds matter when paused; during playback they would only flicker.
    const show = (timeMs: number) => {
      const words = player.getState().isPlaying ? clock(timeMs) : timeCode(timeMs);
      if (time.current !== null && time.current.textContent !== words) time.current.textContent = words;
    };
    const showNow = () => {
      show(player.timeMs());
    };
    showNow();
    const stops = [player.onTime(show), player.subscribe(showNow)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [player]);
  return (
    <div className={css['time']} aria-hidden data-time>
      <span ref={time} />
      <small title={t('editor.transport.of', { time: clock(durationMs) })}>/ {clock(durationMs)}</small>
    </div>
  );
}

function Moves({ isDead }: { readonly isDead: boolean }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { player, timeline } = useEditor();
  const { isPlaying } = usePlayerState();
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
        label={t('editor.transport.back')}
        shortcut={keyFor('playback.back')}
        isDisabled={isDead}
        className={css['skip']}
        onPress={() => {
          player.skip(-skipMs);
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
        label={t('editor.transport.forward')}
        shortcut={keyFor('playback.forward')}
        isDisabled={isDead}
        className={css['skip']}
        onPress={() => {
          player.skip(skipMs);
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
