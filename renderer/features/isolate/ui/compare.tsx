import { ArrowLeftRight, CircleAlert, FileX2, Pause, Play, Repeat, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isOtherLength } from '../../../../shared/domain/media/other-length.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import type { Listening } from '../../../audio/compare/compare-measures.ts';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from './compare.module.css';
import { ExcerptTexts } from './excerpt-texts.tsx';
import { loopMs, ZoomButtons } from './lane-menu.tsx';
import { useLaneNames, useMeasuredWords } from './lane-words.ts';
import { Lanes } from './lanes.tsx';
import { useEscape } from './use-escape.ts';
import { usePlayerKeys } from './use-player-keys.ts';
import { usePlayerState, type Comparison } from './use-comparison.ts';

/** Shows a result over its original and switches between them during playback. */
export function Compare({
  audio,
  comparison,
  onClose,
}: {
  readonly audio: IsolatedAudio;
  /** Null while it is being opened, and without the isolated audio. */
  readonly comparison: Comparison | null;
  readonly onClose: () => void;
}) {
  const t = useText();
  const formats = useFormats();
  const measured = useMeasuredWords(comparison);
  return (
    <section className={css['compare']} aria-label={t('isolate.compare.label')}>
      <Heading audio={audio} measured={measured} onClose={onClose} />
      {isOtherLength(audio.recordingMs, audio.durationMs) && (
        <Banner
          tone="warn"
          icon={CircleAlert}
          title={t('isolate.compare.otherLength', {
            found: formats.clock(audio.durationMs ?? 0),
            recording: formats.clock(audio.recordingMs ?? 0),
          })}
        >
          {t('isolate.compare.otherLengthText')}
        </Banner>
      )}
      {audio.isolated.url === null ? (
        <Banner tone="warn" icon={FileX2} title={t('isolate.compare.noIsolated')}>
          {t('isolate.compare.noIsolatedText')}
        </Banner>
      ) : (
        audio.original.url === null && (
          <Banner tone="warn" icon={FileX2} title={t('isolate.compare.noOriginal')}>
            {t('isolate.compare.noOriginalText', { name: audio.sourceName })}
          </Banner>
        )
      )}
      {comparison === null ? (
        <CloseKey onClose={onClose} />
      ) : (
        <Player audio={audio} comparison={comparison} onClose={onClose} />
      )}
    </section>
  );
}

/** Where there is nothing to play, Esc only closes. */
function CloseKey({ onClose }: { readonly onClose: () => void }) {
  useEscape(onClose);
  useCommands({ 'isolate.close': onClose });
  return null;
}

function Heading({
  audio,
  measured = [],
  onClose,
}: {
  readonly audio: IsolatedAudio;
  readonly measured?: readonly string[];
  readonly onClose: () => void;
}) {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const facts = [
    ...(audio.durationMs === null ? [] : [formats.clock(audio.durationMs)]),
    ...(audio.original.sizeBytes === null ? [] : [formats.bytes(audio.original.sizeBytes)]),
    audio.part?.index === null ? t('isolate.part.excerpt') : t('isolate.states.ready'),
    ...(audio.restoresSpeech ? [t('isolate.compare.restored')] : []),
    ...measured,
  ];
  return (
    <div className={css['heading']}>
      <div className={css['names']}>
        <h2 className={css['name']} title={audio.sourceName}>
          {audio.title}
        </h2>
        <p className={css['facts']}>{facts.join(' · ')}</p>
      </div>
      <IconButton icon={X} label={t('isolate.compare.close')} shortcut={keyFor('isolate.close')} onPress={onClose} />
    </div>
  );
}

const choices = ['original', 'isolated', 'variant', 'removed', 'blend'] as const;
type Choice = (typeof choices)[number];

function Player({
  audio,
  comparison,
  onClose,
}: {
  readonly audio: IsolatedAudio;
  readonly comparison: Comparison;
  readonly onClose: () => void;
}) {
  const t = useText();
  const keyFor = useKeyFor();
  const { listening, setListening, share, view, setView, urls, lanes } = comparison;
  const hasVariant = lanes.includes('variant');
  const laneName = useLaneNames({ isRestored: audio.restoresSpeech, hasVariant });
  return (
    <>
      <div className={css['bar']}>
        <Segmented
          size="sm"
          label={t('isolate.compare.listen')}
          options={choices
            .filter((value) => value !== 'variant' || hasVariant)
            .map((value) => ({
              value,
              text: value === 'blend' ? t('isolate.compare.blend') : laneName(value),
              shortcut: value === 'blend' ? keyFor('isolate.blend') : null,
            }))}
          value={listening.tag}
          onChange={(tag) => {
            setListening(listeningTo(tag, share));
          }}
        />
        <ZoomButtons comparison={comparison} />
        <Segmented
          size="sm"
          label={t('isolate.compare.view')}
          options={(['waveform', 'spectrogram'] as const).map((value) => ({
            value,
            text: t(`isolate.compare.views.${value}`),
          }))}
          value={view}
          onChange={setView}
        />
      </div>
      <Lanes comparison={comparison} />
      <Controls comparison={comparison} onClose={onClose} />
      {audio.part?.index === null && audio.original.url !== null && (
        <ExcerptTexts audio={audio} urls={urls} player={comparison.player} />
      )}
    </>
  );
}

const listeningTo = (tag: Choice, share: number): Listening => (tag === 'blend' ? { tag, share } : { tag });

function Controls({ comparison, onClose }: { readonly comparison: Comparison; readonly onClose: () => void }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { player, originMs, pair, lanes, setListening, share, switchOver, isMatched, setIsMatched } = comparison;
  const { view, setView } = comparison;
  const { status, isPlaying, durationMs, loop } = usePlayerState(player);
  const formats = useFormats();
  // A loop is often shorter than a second.
  const tenths = (timeMs: number): string => formats.timeCode(timeMs).slice(0, -2);
  const isReady = status === 'ready';
  const choose = (tag: Choice) => () => {
    setListening(listeningTo(tag, share));
  };
  const toggleLoop = () => {
    const at = player.timeMs();
    player.setLoop(loop === null ? { startMs: at, endMs: Math.min(durationMs, at + loopMs) } : null);
  };
  const leave = () => {
    if (player.getState().isPlaying) player.pause();
    else if (player.getState().loop !== null) player.setLoop(null);
    else onClose();
  };
  useEscape(leave);
  usePlayerKeys();
  useCommands({
    'isolate.close': leave,
    'isolate.toggle': isReady && player.toggle,
    'isolate.original': isReady && choose('original'),
    'isolate.isolated': isReady && choose('isolated'),
    'isolate.removed': isReady && choose('removed'),
    'isolate.blend': isReady && choose('blend'),
    'isolate.variant': isReady && lanes.includes('variant') && choose('variant'),
    'isolate.switch': isReady && switchOver,
    'isolate.loop': isReady && toggleLoop,
    'isolate.match':
      pair.measures !== null &&
      (() => {
        setIsMatched(!isMatched);
      }),
    'isolate.spectrogram': () => {
      setView(view === 'waveform' ? 'spectrogram' : 'waveform');
    },
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
          tip={{
            text: t(isPlaying ? 'isolate.compare.pause' : 'isolate.compare.play'),
            shortcut: keyFor('isolate.toggle'),
          }}
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
          hint={t(pair.measures === null ? 'isolate.compare.measuring' : 'isolate.compare.matchHint')}
          isOn={isMatched}
          isDisabled={pair.measures === null}
          onChange={setIsMatched}
        />
        {loop === null ? (
          <IconButton
            icon={Repeat}
            label={t('isolate.compare.loop')}
            shortcut={keyFor('isolate.loop')}
            onPress={toggleLoop}
          />
        ) : (
          <Button
            icon={Repeat}
            iconAfter={X}
            label={t('isolate.compare.loopOff', {
              from: tenths(originMs + loop.startMs),
              to: tenths(originMs + loop.endMs),
              length: formats.number(Math.round((loop.endMs - loop.startMs) / 100) / 10),
            })}
            onPress={toggleLoop}
          >
            <span className={css['loopTimes']}>
              {t('isolate.partNote', { from: tenths(originMs + loop.startMs), to: tenths(originMs + loop.endMs) })}
            </span>
          </Button>
        )}
        <Button icon={ArrowLeftRight} shortcut={keyFor('isolate.switch')} onPress={switchOver}>
          {t('isolate.compare.switch')}
        </Button>
      </div>
    </>
  );
}

/** Updated outside React on every frame; screen readers read the position from the lanes instead. */
function Time({ comparison: { player, originMs } }: { readonly comparison: Comparison }) {
  const formats = useFormats();
  const { durationMs } = usePlayerState(player);
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = (timeMs: number) => {
      if (time.current !== null) time.current.textContent = formats.timeCode(originMs + timeMs);
    };
    show(player.timeMs());
    return player.onTime(show);
  }, [player, originMs, formats]);
  return (
    <div aria-hidden className={css['time']} data-time>
      <span ref={time} /> <small>/ {originMs === 0 ? formats.clock(durationMs) : clock(originMs + durationMs)}</small>
    </div>
  );
}
