import { ArrowLeft, CircleAlert, FileX2, Pause, Play, Repeat, RotateCcw, RotateCw, Video, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import type { CommandId } from '../../../../shared/domain/commands/command-list.ts';
import { isOtherLength } from '../../../../shared/domain/jobs/recording-parts.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import type { Listening } from '../../../audio/compare/compare-measures.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useCommands, useKeyFor, useKeymap, useRunCommand } from '../../../lib/commands.tsx';
import { isTypingTarget, layers, isShortcut, openLayers } from '../../../lib/hotkeys.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { JobNotices } from '../../../parts/jobs/job-notices.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../../ui/panel.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Range } from '../../../ui/range.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Lane, useZoomKeys, loopMs } from './lane.tsx';
import { More } from './more.tsx';
import { OrderWhole } from './part-of-recording.tsx';
import css from './recording.module.css';
import { SaveButton, useSave } from './save.tsx';
import { Texts, useTexts } from './texts.tsx';
import { useComparison, useHeardName, usePlayerState, type Comparison } from './use-comparison.ts';
import { useWhole } from './whole.ts';

const listeningCommands = [
  'isolate.original',
  'isolate.isolated',
  'isolate.blend',
  'isolate.removed',
  'isolate.variant',
  'isolate.switch',
] as const;

/** Space presses, chooses or opens these; a chosen radio button has no use for it. */
const pressedBySpace =
  'button, a, summary, [role="button"], [role="option"], input:not([type="range"], [type="radio"]:checked)';

const layersAndTips = `${layers}, [role="tooltip"]`;

/** Everybody presses Escape once too often after a menu or a dialog. */
const closedJustNowMs = 500;

/** One recording over the whole screen: what is heard of it, and what is saved. */
export function Recording(props: {
  readonly audio: IsolatedAudio;
  readonly onClose: () => void;
  readonly onChanged: () => void;
  readonly children: ReactNode;
}) {
  const { audio, onClose, onChanged, children } = props;
  const t = useText();
  const formats = useFormats();
  const comparison = useComparison(audio);
  const whole = useWhole(audio);
  const save = useSave(audio, comparison);
  const texts = useTexts(audio);
  const isExcerpt = audio.part?.index === null;
  const isVariantNew = whole.hasVariant && audio.variant === null;
  const tellChanged = useEffectEvent(onChanged);
  useEffect(() => {
    if (isVariantNew) tellChanged();
  }, [isVariantNew]);
  const leave = () => {
    const { isPlaying, loop } = comparison?.player.getState() ?? {};
    if (isPlaying === true) comparison?.player.pause();
    else if (loop) comparison?.player.setLoop(null);
    else onClose();
  };
  useEscape(leave);
  useCommands({ 'isolate.close': leave });
  return (
    <Panel
      header={
        <>
          <BackButton onClose={onClose} />
          <PanelTitle>
            {audio.title} <Facts audio={audio} />
          </PanelTitle>
          <PanelActions>
            <More
              audio={audio}
              comparison={comparison}
              texts={texts}
              save={isExcerpt ? save : null}
              onChanged={onChanged}
            />
            {isExcerpt ? <OrderWhole audio={audio} whole={whole} /> : <SaveButton save={save} />}
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('isolate.compare.label')}>
        <div className={css['recording']}>
          <JobNotices />
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
          {comparison !== null && (
            <>
              <Choice comparison={comparison} />
              <Lane comparison={comparison} whole={whole} />
              <Texts texts={texts} player={comparison.player} />
            </>
          )}
        </div>
        {comparison && <Transport comparison={comparison} />}
      </PanelContent>
      {children}
    </Panel>
  );
}

export function BackButton({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const keyFor = useKeyFor();
  return (
    <IconButton
      icon={ArrowLeft}
      label={t('isolate.compare.close')}
      shortcut={keyFor('isolate.close')}
      onPress={onClose}
    />
  );
}

function Facts({ audio: { durationMs, part, video, restoresSpeech } }: { readonly audio: IsolatedAudio }) {
  const t = useText();
  const formats = useFormats();
  const length = formats.clock(durationMs ?? 0);
  const facts = [
    part?.index === null && part.wholeMs !== null
      ? t('isolate.part.tried', { length: formats.duration(durationMs ?? 0), whole: formats.clock(part.wholeMs) })
      : length,
    ...(part?.index == null ? [] : [t('isolate.part.title', { number: part.index + 1, count: part.count })]),
    ...(restoresSpeech ? [t('isolate.compare.restored')] : []),
  ];
  return (
    <small className={css['facts']}>
      {video !== null && <Video aria-hidden size={14} strokeWidth={1.75} />} {facts.join(' · ')}
    </small>
  );
}

const choices = ['original', 'isolated', 'blend', 'removed'] as const;

const listeningTo = (tag: (typeof choices)[number] | 'variant', share: number): Listening =>
  tag === 'blend' ? { tag, share } : { tag };

function Choice({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const formats = useFormats();
  const { listening, setListening, share, cleaned } = comparison;
  const heardName = useHeardName(comparison);
  const shown = t('isolate.compare.cleanedShare', { share: formats.percent(share + 1e-9) });
  return (
    <div className={css['choice']}>
      <Segmented
        label={t('isolate.compare.listen')}
        options={choices.map((value) => ({ value, text: heardName(value === 'isolated' ? cleaned : value) }))}
        value={listening.tag === 'variant' ? 'isolated' : listening.tag}
        onChange={(tag) => setListening(listeningTo(tag === 'isolated' ? cleaned : tag, share))}
      />
      {listening.tag === 'blend' && (
        <span className={css['share']}>
          <Range
            label={t('isolate.compare.blend')}
            value={Math.round(share * 100)}
            min={0}
            max={100}
            step={1}
            valueText={shown}
            onChange={(percent) => setListening({ tag: 'blend', share: percent / 100 })}
          />
          <output>{shown}</output>
        </span>
      )}
    </div>
  );
}

function Transport({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { jumpMs } = useSettings();
  const { player, originMs, pair, hasVariant, setListening, share, cleaned, switchOver } = comparison;
  const { isMatched, setIsMatched, view, setView } = comparison;
  const { status, isPlaying, durationMs, loop } = usePlayerState(player);
  const formats = useFormats();
  // A loop is often shorter than a second.
  const tenths = (timeMs: number): string => formats.timeCode(timeMs).slice(0, -2);
  const isReady = status === 'ready';
  const choose = (tag: (typeof choices)[number] | 'variant') => () => setListening(listeningTo(tag, share));
  const by = (ms: number) => () => player.seek(player.timeMs() + ms);
  const toggleLoop = () => {
    const at = player.timeMs();
    player.setLoop(loop === null ? { startMs: at, endMs: Math.min(durationMs, at + loopMs) } : null);
  };
  usePlayerKeys();
  useZoomKeys(comparison);
  useCommands({
    'isolate.toggle': isReady && player.toggle,
    'playback.back': isReady && by(-jumpMs),
    'playback.forward': isReady && by(jumpMs),
    'isolate.original': isReady && choose('original'),
    'isolate.isolated': isReady && choose(cleaned),
    'isolate.removed': isReady && choose('removed'),
    'isolate.blend': isReady && choose('blend'),
    'isolate.variant': isReady && hasVariant && choose(cleaned === 'variant' ? 'isolated' : 'variant'),
    'isolate.switch': isReady && switchOver,
    'isolate.loop': isReady && toggleLoop,
    'isolate.match': pair.measures !== null && (() => setIsMatched(!isMatched)),
    'isolate.spectrogram': () => setView(view === 'waveform' ? 'spectrogram' : 'waveform'),
  });
  if (status === 'failed') {
    return (
      <Banner tone="warn" icon={CircleAlert} title={t('isolate.compare.notPlayable')}>
        {t('isolate.compare.notPlayableText')}
      </Banner>
    );
  }
  const playing = t(isPlaying ? 'isolate.compare.pause' : 'isolate.compare.play');
  const skip = (id: 'back' | 'forward') => (
    <IconButton
      icon={id === 'back' ? RotateCcw : RotateCw}
      label={t(`palette.commands.${id}`, { count: jumpMs / 1000 })}
      shortcut={keyFor(`playback.${id}`)}
      isDisabled={!isReady}
      onPress={by(id === 'back' ? -jumpMs : jumpMs)}
    />
  );
  return (
    <div className={css['transport']} role="toolbar" aria-label={t('isolate.compare.playing')} data-pane="transport">
      <Time comparison={comparison} />
      <span className="row gap-8">
        {skip('back')}
        <PressButton
          className={css['play']}
          label={playing}
          tip={{ text: playing, shortcut: keyFor('isolate.toggle') }}
          isDisabled={!isReady}
          shortcut={keyFor('isolate.toggle')}
          onPress={player.toggle}
        >
          {isPlaying ? <Pause aria-hidden size={20} /> : <Play aria-hidden size={20} />}
        </PressButton>
        {skip('forward')}
      </span>
      <span className={css['loop']}>
        {loop !== null && (
          <Button
            size="sm"
            icon={Repeat}
            iconAfter={X}
            label={t('isolate.compare.loopOff', {
              from: tenths(originMs + loop.startMs),
              to: tenths(originMs + loop.endMs),
              length: formats.number(Math.round((loop.endMs - loop.startMs) / 100) / 10),
            })}
            onPress={toggleLoop}
          >
            {t('isolate.partNote', { from: tenths(originMs + loop.startMs), to: tenths(originMs + loop.endMs) })}
          </Button>
        )}
      </span>
    </div>
  );
}

/** Updated outside React on every frame; screen readers read the position from the lane instead. */
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

/** Escape, unless something else used it: a layer, a field, a selection of rows. */
function useEscape(run: () => void): void {
  const runNow = useEffectEvent(run);
  useEffect(() => {
    const scope = new Scope();
    let usedAt = -Infinity;
    const isEscape = (event: KeyboardEvent) => event.key === 'Escape' && !event.repeat;
    const noteUse = (event: KeyboardEvent) => {
      if (isEscape(event) && (document.querySelector(layersAndTips) !== null || isTypingTarget(event.target)))
        usedAt = event.timeStamp;
    };
    scope.listen(window, 'keydown', noteUse, { capture: true });
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      if (!isEscape(event)) return;
      if (event.defaultPrevented) usedAt = event.timeStamp;
      if (event.timeStamp - usedAt < closedJustNowMs) return;
      event.preventDefault();
      runNow();
    });
    return () => scope.dispose();
  }, []);
}

/** Plain keys belong to the opened recording, except where a focus that keys moved has a use for Space. */
function usePlayerKeys(): void {
  const keymap = useKeymap();
  const run = useRunCommand();
  const wasFocusMovedByKeys = useRef(false);
  useEffect(() => {
    const scope = new Scope();
    let isByKeys = wasFocusMovedByKeys.current;
    const onPointerDown = () => {
      isByKeys = false;
      wasFocusMovedByKeys.current = false;
    };
    const onFocusIn = () => {
      wasFocusMovedByKeys.current = isByKeys;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      isByKeys = true;
      if (event.defaultPrevented || isTypingTarget(event.target) || openLayers().length > 0) return;
      const isPressed = (id: CommandId) => keymap.keysOf(id).some((key) => isShortcut(event, key));
      const isToggle = isShortcut(event, 'Space') || isPressed('isolate.toggle');
      const id = isToggle ? 'isolate.toggle' : listeningCommands.find(isPressed);
      const isOnButton = event.target instanceof Element && event.target.closest(pressedBySpace) !== null;
      if (id === undefined || (isShortcut(event, 'Space') && wasFocusMovedByKeys.current && isOnButton)) return;
      if (!event.repeat && !run(id)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    scope.listen(window, 'pointerdown', onPointerDown, { capture: true });
    scope.listen(window, 'focusin', onFocusIn);
    scope.listen(window, 'keydown', onKeyDown, { capture: true });
    return () => scope.dispose();
  }, [keymap, run]);
}
