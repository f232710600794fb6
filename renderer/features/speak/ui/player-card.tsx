import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useMemo } from 'react';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { usePlayerState, useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import { lengthOfAll, useBlocks } from '../use-cost.ts';
import { SpeechWave, type WavePart } from './speech-wave.tsx';

/** Plays the text, shows how much audio exists, and jumps to any place of it. */
export function PlayerCard() {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const { store, player } = useSpeaking();
  const blocks = useBlocks();
  const ids = useSpeakState((state) => state.document?.blocks);
  const isGenerating = useSpeakState((state) => state.isGenerating);
  const gapId = useSpeakState((state) => state.gapId);
  const status = usePlayerState(player, (state) => state.status);
  const heardId = usePlayerState(player, (state) => state.heardId);
  const heardMs = usePlayerState(player, (state) => state.heardMs);
  const parts = useMemo(
    (): readonly WavePart[] => [
      // The silence before a first sentence with a time of its own.
      { state: 'new', lengthMs: blocks[0]?.startMs ?? 0, bars: '' },
      ...blocks.map(({ status: { state, take }, lengthMs }) => ({
        state,
        lengthMs,
        bars: state === 'ready' || state === 'locked' || state === 'changed' ? (take?.bars ?? '') : '',
      })),
    ],
    [blocks],
  );
  const totalMs = lengthOfAll(blocks);
  const heardAt = heardId === null ? -1 : (ids?.findIndex(({ id }) => id === heardId) ?? -1);
  const heard = blocks[heardAt];
  const positionMs = heard === undefined ? 0 : heard.startMs + Math.min(heardMs, heard.lengthMs);
  const gapAt = ids?.findIndex(({ id }) => id === gapId) ?? -1;
  const receivedMs = parts.reduce((sum, { bars, lengthMs }) => sum + (bars === '' ? 0 : lengthMs), 0);
  const isPlaying = status === 'playing' || status === 'waiting';
  const isEmpty = blocks.length === 0;
  const isWhole = blocks.every(({ status: { state } }) => state === 'ready' || state === 'locked');

  const seek = (toMs: number) => {
    const index = Math.max(
      0,
      blocks.findLastIndex(({ startMs }) => startMs <= toMs),
    );
    store.play(index, { fromMs: Math.max(0, toMs - (blocks[index]?.startMs ?? 0)) });
  };

  const stateText = isGenerating
    ? status === 'waiting'
      ? t('speak.waiting')
      : t('speak.streaming', { time: formats.duration(receivedMs) })
    : heard?.status.state === 'changed'
      ? t('speak.oldAudio')
      : gapAt >= 0
        ? t('speak.gap', { number: gapAt + 1 })
        : '';
  return (
    <section className={css['player']} data-bottom-bar aria-label={t('speak.play')}>
      <PressButton
        className={css['playButton']}
        isDisabled={isEmpty}
        label={isPlaying ? t('speak.pause') : status === 'paused' ? t('speak.resume') : t('speak.play')}
        onPress={() => {
          if (isPlaying) player.pause();
          else if (status === 'paused') store.resume();
          else store.play(0);
        }}
      >
        {isPlaying ? <Pause aria-hidden size={20} /> : <Play aria-hidden size={20} />}
      </PressButton>
      <div className={css['steps']}>
        <IconButton
          size="sm"
          icon={SkipBack}
          label={t('palette.commands.previousSentence')}
          shortcut={keyFor('speak.previous')}
          isDisabled={isEmpty}
          onPress={() => run('speak.previous')}
        />
        <IconButton
          size="sm"
          icon={SkipForward}
          label={t('palette.commands.nextSentence')}
          shortcut={keyFor('speak.next')}
          isDisabled={isEmpty}
          onPress={() => run('speak.next')}
        />
      </div>
      <div className={css['timeline']}>
        <SpeechWave
          parts={parts}
          positionMs={positionMs}
          totalMs={totalMs}
          label={t('speak.position')}
          valueText={`${formats.clock(positionMs)} / ${formats.clock(totalMs)}`}
          isDisabled={isEmpty}
          onSeek={seek}
        />
        <div className={css['times']}>
          <span className={css['clock']}>{formats.clock(positionMs)}</span>
          <output className={css['stateText']}>{stateText}</output>
          <span className={css['clock']}>{`${isWhole ? '' : '~'}${formats.clock(totalMs)}`}</span>
        </div>
      </div>
      <Button
        size="sm"
        variant="ghost"
        shortcut={keyFor('speak.fromCursor')}
        isDisabled={isEmpty || isPlaying}
        onPress={() => run('speak.fromCursor')}
      >
        {t('speak.fromCursor')}
      </Button>
    </section>
  );
}
