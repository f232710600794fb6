import { Pause, Play } from 'lucide-react';
import { useMemo } from 'react';
import { useIsQuestionOpen } from '../../../bridge/use-credits.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { isOldVoice, isReady } from '../model/block-status.ts';
import { usePlayerState, useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import { lengthOfAll, useBlocks, useCost } from '../use-cost.ts';
import { Bars, type WavePart } from './speech-wave.tsx';

/** Plays what is there and stops before what is not; nothing is sent from here. */
export function PlayerBar() {
  const t = useText();
  const formats = useFormats();
  const { store, player } = useSpeaking();
  const blocks = useBlocks();
  const { readyCount, underWayCount } = useCost();
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
        bars: isReady(state) || state === 'changed' ? (take?.bars ?? '') : '',
      })),
    ],
    [blocks],
  );
  const totalMs = lengthOfAll(blocks);
  const heardAt = heardId === null ? -1 : (ids?.findIndex(({ id }) => id === heardId) ?? -1);
  const heard = blocks[heardAt];
  const request = useSpeakState(({ requests }) => requests[heardAt]);
  const positionMs = heard === undefined ? 0 : heard.startMs + Math.min(heardMs, heard.lengthMs);
  const isQuestionOpen = useIsQuestionOpen();
  const gapAt = ids?.findIndex(({ id }) => id === gapId) ?? -1;
  const isPlaying = status === 'playing' || status === 'waiting';
  const isEmpty = blocks.length === 0;
  const isWhole = blocks.every(({ status }) => isReady(status.state));

  const seek = (toMs: number) => {
    const found = blocks.findLastIndex(({ startMs }) => startMs <= toMs);
    const index = Math.max(0, found);
    store.play(index, { fromMs: Math.max(0, toMs - (blocks[index]?.startMs ?? 0)) });
  };

  const stateText = () => {
    const made = t('speak.made', { made: formats.number(readyCount), total: formats.number(blocks.length) });
    if (isGenerating && isQuestionOpen) return t('common.asked');
    if (isGenerating && status === 'waiting' && readyCount === 0) return t('speak.waiting');
    if (isGenerating) return made;
    if (heard?.status.state === 'changed')
      return t(request !== undefined && isOldVoice(heard.status, request) ? 'speak.oldVoice' : 'speak.oldAudio');
    if (gapAt >= 0) return t('speak.gap', { number: gapAt + 1 });
    if (underWayCount > 0) return t('speak.underWay', { count: underWayCount });
    if (isWhole && !isEmpty) return t('speak.free');
    return readyCount > 0 ? `${made}. ${t('speak.stopsBefore')}` : '';
  };
  return (
    <section className={css['player']} data-bottom-bar aria-label={t('speak.play')}>
      <PressButton
        className={cx(css['playButton'], readyCount === 0 && css['plain'])}
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
      <div className="fill">
        <div className={css['waveBox']}>
          <Bars parts={parts} playedShare={totalMs === 0 ? 0 : positionMs / totalMs} />
          <input
            type="range"
            className={css['seek']}
            aria-label={t('speak.position')}
            aria-valuetext={`${formats.clock(positionMs)} / ${formats.clock(totalMs)}`}
            disabled={isEmpty}
            min={0}
            max={Math.max(1, totalMs)}
            step={1000}
            value={Math.min(positionMs, totalMs)}
            onChange={({ target }) => seek(target.valueAsNumber)}
          />
        </div>
        <div className={css['times']}>
          <span
            className={css['clock']}
          >{`${formats.clock(positionMs)} / ${isWhole ? '' : '~'}${formats.clock(totalMs)}`}</span>
          <output>{stateText()}</output>
        </div>
      </div>
    </section>
  );
}
