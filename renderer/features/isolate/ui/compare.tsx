import { ArrowLeftRight, CircleAlert, FileX2, Pause, Play, Repeat } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { clock, timeCode } from '../../../../shared/domain/time/time-code.ts';
import { leastCorrelation, matchGain, type Listening } from '../../../audio/compare/compare-measures.ts';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import type { Formats } from '../../../lib/formats.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Range } from '../../../ui/range.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from './compare.module.css';
import { decibels, Lanes } from './lanes.tsx';
import { SaveMix } from './save-mix.tsx';
import { useComparison, usePlayerState, type Comparison } from './use-comparison.ts';

/** One result with what it was made from: over each other, and by turns in the ear. */
export function Compare({ audio }: { readonly audio: IsolatedAudio }) {
  const t = useText();
  const { original, isolated, sourceName } = audio;
  return (
    <section className={css['compare']} aria-label={t('isolate.compare.label')}>
      {isolated.url === null ? (
        <>
          <Heading audio={audio} />
          <Banner tone="warn" icon={FileX2} title={t('isolate.compare.noIsolated')}>
            {t('isolate.compare.noIsolatedText')}
          </Banner>
        </>
      ) : (
        <>
          {original.url === null && (
            <Banner tone="warn" icon={FileX2} title={t('isolate.compare.noOriginal')}>
              {t('isolate.compare.noOriginalText', { name: sourceName })}
            </Banner>
          )}
          {/* Without its original the isolated audio is still heard: it stands in both places. */}
          <Player audio={audio} original={original.url ?? isolated.url} isolated={isolated.url} />
        </>
      )}
    </section>
  );
}

function Heading({ audio, children }: { readonly audio: IsolatedAudio; readonly children?: ReactNode }) {
  const t = useText();
  const formats = useFormats();
  const facts = [
    ...(audio.durationMs === null ? [] : [formats.clock(audio.durationMs)]),
    ...(audio.original.sizeBytes === null ? [] : [formats.bytes(audio.original.sizeBytes)]),
    t('isolate.states.ready'),
    ...(audio.restoresSpeech ? [t('isolate.compare.restored')] : []),
  ];
  return (
    <div className={css['heading']}>
      <div className={css['names']}>
        <h2 className={css['name']} title={audio.sourceName}>
          {audio.title}
        </h2>
        <p className={css['facts']}>{facts.join(' · ')}</p>
      </div>
      {children}
    </div>
  );
}

const choices = ['original', 'isolated', 'removed', 'blend'] as const;

function Player({
  audio,
  original,
  isolated,
}: {
  readonly audio: IsolatedAudio;
  readonly original: string;
  readonly isolated: string;
}) {
  const t = useText();
  const comparison = useComparison(original, isolated);
  return comparison === null ? (
    <Heading audio={audio} />
  ) : (
    <>
      <Heading audio={audio}>
        <Segmented
          label={t('isolate.compare.listen')}
          options={choices.map((value) => ({ value, text: t(`isolate.compare.${value}`) }))}
          value={comparison.listening.tag}
          onChange={(tag) => {
            comparison.setListening(listeningTo(tag, comparison.listening));
          }}
        />
      </Heading>
      <Lanes comparison={comparison} />
      <Controls audioId={audio.audioId} urls={{ original, isolated }} comparison={comparison} />
    </>
  );
}

const listeningTo = (tag: (typeof choices)[number], before: Listening): Listening =>
  tag === 'blend' ? { tag, share: before.tag === 'blend' ? before.share : 0.8 } : { tag };

function Controls({
  audioId,
  urls,
  comparison,
}: {
  readonly audioId: string;
  readonly urls: { readonly original: string; readonly isolated: string };
  readonly comparison: Comparison;
}) {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const { player, pair, listening, setListening, isMatched, setIsMatched } = comparison;
  const { status, isPlaying, durationMs, loop } = usePlayerState(player);
  const gainWords = useGainWords(comparison);
  const isReady = status === 'ready';
  const choose = (tag: (typeof choices)[number]) => () => {
    setListening(listeningTo(tag, listening));
  };
  const switchOver = () => {
    setListening({ tag: listening.tag === 'isolated' ? 'original' : 'isolated' });
  };
  const toggleLoop = () => {
    const at = player.timeMs();
    player.setLoop(loop === null ? { startMs: at, endMs: Math.min(durationMs, at + 8000) } : null);
  };
  useCommands({
    'isolate.toggle': isReady && player.toggle,
    'isolate.original': isReady && choose('original'),
    'isolate.isolated': isReady && choose('isolated'),
    'isolate.removed': isReady && choose('removed'),
    'isolate.blend': isReady && choose('blend'),
    'isolate.switch': isReady && switchOver,
    'isolate.loop': isReady && toggleLoop,
  });
  if (status === 'failed') {
    return (
      <Banner tone="warn" icon={CircleAlert} title={t('isolate.compare.notPlayable')}>
        {t('isolate.compare.notPlayableText')}
      </Banner>
    );
  }
  return (
    <>
      <div className={css['controls']} role="toolbar" aria-label={t('isolate.compare.label')}>
        <PressButton
          className={css['play']}
          label={t(isPlaying ? 'isolate.compare.pause' : 'isolate.compare.play')}
          isDisabled={!isReady}
          shortcut={keyFor('isolate.toggle')}
          onPress={player.toggle}
        >
          {isPlaying ? <Pause aria-hidden size={18} /> : <Play aria-hidden size={18} />}
        </PressButton>
        <Time comparison={comparison} />
        <span className={css['room']} />
        <Switch
          label={t('isolate.compare.match')}
          hint={gainWords}
          isOn={isMatched}
          isDisabled={pair.measures === null}
          onChange={setIsMatched}
        />
        <Button icon={Repeat} shortcut={loop === null ? keyFor('isolate.loop') : null} onPress={toggleLoop}>
          {loop === null
            ? t('isolate.compare.loop')
            : t('isolate.compare.loopOff', { from: clock(loop.startMs), to: clock(loop.endMs) })}
        </Button>
        <Button icon={ArrowLeftRight} shortcut={keyFor('isolate.switch')} onPress={switchOver}>
          {t('isolate.compare.switch')}
        </Button>
      </div>
      {listening.tag === 'blend' && (
        <div className={css['blend']}>
          <Range
            label={t('isolate.compare.blend')}
            value={Math.round(listening.share * 100)}
            min={0}
            max={100}
            step={1}
            valueText={shareWords(t, formats, listening.share)}
            onChange={(percent) => {
              setListening({ tag: 'blend', share: percent / 100 });
            }}
          />
          <output>{shareWords(t, formats, listening.share)}</output>
          <SaveMix audioId={audioId} urls={urls} comparison={comparison} />
        </div>
      )}
      <OffsetNote comparison={comparison} />
    </>
  );
}

const shareWords = (t: ReturnType<typeof useText>, formats: Formats, share: number): string =>
  t('isolate.compare.blendShare', {
    isolated: formats.percent(share + 1e-9),
    original: formats.percent(1 - share + 1e-9),
  });

/** By how much the louder of the two is turned down. */
function useGainWords({ pair, isMatched }: Comparison): string {
  const t = useText();
  const { measures } = pair;
  if (measures === null) return t('isolate.compare.measuring');
  const turned = (['original', 'isolated'] as const).find((track) => matchGain(track, measures) < 0.999);
  if (!isMatched || turned === undefined) return t('isolate.compare.gainNone');
  return t('isolate.compare.gain', {
    track: t(`isolate.compare.${turned}`),
    value: decibels(20 * Math.log10(matchGain(turned, measures))),
  });
}

function OffsetNote({ comparison: { pair } }: { readonly comparison: Comparison }) {
  const t = useText();
  const { measures } = pair;
  if (measures === null) return null;
  const { offsetMs, correlation } = measures;
  const ms = Math.abs(offsetMs).toFixed(1);
  const words =
    correlation < leastCorrelation
      ? t('isolate.compare.offsetUnknown')
      : Math.abs(offsetMs) < 0.05
        ? t('isolate.compare.offsetNone')
        : t(offsetMs > 0 ? 'isolate.compare.offset' : 'isolate.compare.offsetEarly', { ms });
  return <p className={css['facts']}>{words}</p>;
}

/** Written past React, once a frame; screen readers ask the lanes instead. */
function Time({ comparison: { player } }: { readonly comparison: Comparison }) {
  const { durationMs } = usePlayerState(player);
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = (timeMs: number) => {
      if (time.current !== null) time.current.textContent = timeCode(timeMs);
    };
    show(player.timeMs());
    return player.onTime(show);
  }, [player]);
  return (
    <div aria-hidden className={css['time']} data-time>
      <span ref={time} /> <small>/ {clock(durationMs)}</small>
    </div>
  );
}
