import { ArrowLeftRight, CircleAlert, FileX2, Pause, Play, Repeat, X, TextSearch } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CommandId } from '../../../../shared/domain/commands/command-list.ts';
import { isOtherLength } from '../../../../shared/domain/jobs/recording-parts.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { matchWords } from '../../../../shared/domain/text/match-words.ts';
import { coreOf } from '../../../../shared/domain/transcript/realign-words.ts';
import { longestListenMs } from '../../../../shared/domain/transcript/heard-again.ts';
import type { Word } from '../../../../shared/domain/transcript/transcript.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { Listening } from '../../../audio/compare/compare-measures.ts';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useCommands, useKeyFor, useKeymap, useRunCommand } from '../../../lib/commands.tsx';
import { isTypingTarget, layers, isShortcut, openLayers } from '../../../lib/hotkeys.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { readSpan } from '../../../audio/read-span.ts';
import type { ComparePlayer } from '../../../audio/compare/compare-player.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import css from './compare.module.css';
import { loopMs, ZoomButtons, Lanes } from './lanes.tsx';
import { useLaneNames, useMeasuredWords, usePlayerState, type Comparison } from './use-comparison.ts';

const listeningCommands = [
  'isolate.original',
  'isolate.isolated',
  'isolate.removed',
  'isolate.blend',
  'isolate.variant',
  'isolate.switch',
] as const;

/** Space presses, chooses or opens these; a chosen radio button has no use for it. */
const pressedBySpace =
  'button, a, summary, [role="button"], [role="option"], input:not([type="range"], [type="radio"]:checked)';

/** A switch may decide what is paid for, so Space is its own even after a click. */
const isSwitch = ({ target, code }: KeyboardEvent): boolean =>
  code === 'Space' && target instanceof Element && target.matches('input[type="checkbox"]');

const layersAndTips = `${layers}, [role="tooltip"]`;

/** Everybody presses Escape once too often after a menu or a dialog. */
const closedJustNowMs = 500;

export function Compare(props: {
  readonly audio: IsolatedAudio;
  /** Null while it is being opened, and without the isolated audio. */
  readonly comparison: Comparison | null;
  readonly onClose: () => void;
}) {
  const { audio, comparison, onClose } = props;
  const t = useText();
  const formats = useFormats();
  return (
    <section className={css['compare']} aria-label={t('isolate.compare.label')}>
      <Heading audio={audio} comparison={comparison} onClose={onClose} />
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

function Heading({ audio, comparison, onClose }: Parameters<typeof Compare>[0]) {
  const measured = useMeasuredWords(comparison);
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

function Player(props: {
  readonly audio: IsolatedAudio;
  readonly comparison: Comparison;
  readonly onClose: () => void;
}) {
  const { audio, comparison, onClose } = props;
  const t = useText();
  const keyFor = useKeyFor();
  const { listening, setListening, share, view, setView, urls, lanes } = comparison;
  const hasVariant = lanes.includes('variant');
  const laneName = useLaneNames(comparison);
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
          onChange={(tag) => setListening(listeningTo(tag, share))}
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

const listeningTo = (tag: (typeof choices)[number], share: number): Listening =>
  tag === 'blend' ? { tag, share } : { tag };

function Controls({ comparison, onClose }: { readonly comparison: Comparison; readonly onClose: () => void }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { player, originMs, pair, lanes, setListening, share, switchOver } = comparison;
  const { isMatched, setIsMatched, view, setView } = comparison;
  const { status, isPlaying, durationMs, loop } = usePlayerState(player);
  const formats = useFormats();
  // A loop is often shorter than a second.
  const tenths = (timeMs: number): string => formats.timeCode(timeMs).slice(0, -2);
  const isReady = status === 'ready';
  const choose = (tag: (typeof choices)[number]) => () => setListening(listeningTo(tag, share));
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
  return (
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

/** Plain keys belong to an opened recording, except where a focus that keys moved has a use for them. */
function usePlayerKeys(): void {
  const keymap = useKeymap();
  const run = useRunCommand();
  const wasFocusMovedByKeys = useRef<boolean | null>(null);
  useEffect(() => {
    const scope = new Scope();
    wasFocusMovedByKeys.current ??= document.activeElement?.matches(':focus-visible') ?? false;
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
      if (event.defaultPrevented || isTypingTarget(event.target) || isSwitch(event) || openLayers().length > 0) return;
      const isPressed = (id: CommandId) => keymap.keysOf(id).some((key) => isShortcut(event, key));
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const isToggle = isShortcut(event, 'Space') || isPressed('isolate.toggle');
      const id = isToggle ? 'isolate.toggle' : listeningCommands.find(isPressed);
      if (id === undefined || (isPlain && wasFocusMovedByKeys.current === true && isOwnKey(event))) return;
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

/** Whether what has the focus uses the key: a list finds rows by typed letters and selects them with Space. */
function isOwnKey({ target, code }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('[role="grid"]') !== null) return true;
  return code === 'Space' && target.closest(pressedBySpace) !== null;
}

type Texts = Readonly<Record<'original' | 'isolated', readonly Word[]>>;

/** Texts before and after isolation show whether isolating the whole recording will help. */
function ExcerptTexts(props: {
  readonly audio: IsolatedAudio;
  readonly urls: { readonly original: string; readonly isolated: string };
  readonly player: ComparePlayer;
}) {
  const { audio, urls, player } = props;
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureText();
  const { speechLanguage, mode } = useSettings();
  const asked = { audioId: audio.audioId, language: speechLanguage };
  const keyOf = ({ audioId, language }: typeof asked) => ['isolation', 'texts', audioId, language];
  const kept = useQuery({
    queryKey: keyOf(asked),
    queryFn: async () => (await valueOrThrow(studio.request('isolation.compareTexts', { ...asked, pcm: null }))).texts,
    staleTime: Infinity,
    retry: false,
  });
  // Loaded before the click, because the user activation that permits a charge expires within seconds.
  const pcm = useQuery({
    queryKey: ['isolation', 'pcm', asked.audioId],
    queryFn: async () => {
      const endMs = Math.min(longestListenMs, audio.durationMs ?? longestListenMs);
      return { original: await readSpan(urls.original, 0, endMs), isolated: await readSpan(urls.isolated, 0, endMs) };
    },
    enabled: kept.data === null,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const listen = useMutation({
    // The language may be changed before the answer, which belongs to the one that was asked for.
    mutationFn: async (wanted: { readonly of: typeof asked; readonly pcm: NonNullable<typeof pcm.data> }) =>
      (await valueOrThrow(studio.request('isolation.compareTexts', { ...wanted.of, pcm: wanted.pcm }))).texts,
    onSuccess: (texts, { of }) => {
      if (texts !== null) queries.setQueryData(keyOf(of), texts);
    },
  });
  const failure = failureOf(listen.error) ?? failureOf(kept.error);
  const isUnreadable = pcm.isError;
  const texts = kept.data ?? null;
  const [isHidden, setIsHidden] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (listen.isSuccess) section.current?.scrollIntoView({ block: 'nearest' });
  }, [listen.isSuccess]);
  return (
    <section ref={section} className={css['texts']} aria-label={t('isolate.texts.title')}>
      <div className={css['textsBar']}>
        <h3 className={css['title']}>{t('isolate.texts.title')}</h3>
        {texts === null ? (
          <>
            <Button
              size="sm"
              icon={TextSearch}
              isLoading={listen.isPending}
              isDisabled={pcm.data === undefined}
              onPress={() => {
                if (pcm.data !== undefined) listen.mutate({ of: asked, pcm: pcm.data });
              }}
            >
              {t('isolate.texts.compare')}
            </Button>
            <p className={css['explain']}>
              {t('isolate.texts.explain', { language: t(`common.languageNames.${speechLanguage}`) })}{' '}
              {t(modeOf(mode).isFree ? 'isolate.next.free' : 'isolate.texts.cost')}
            </p>
          </>
        ) : (
          <>
            <p className={css['explain']}>
              {!isHidden && t(isSame(texts) ? 'isolate.texts.same' : 'isolate.texts.hint')}
            </p>
            <Button size="sm" variant="ghost" onPress={() => setIsHidden(!isHidden)}>
              {t(isHidden ? 'isolate.texts.show' : 'isolate.texts.hide')}
            </Button>
          </>
        )}
      </div>
      {(failure !== null || isUnreadable) && (
        <Banner
          role="alert"
          tone="warn"
          icon={CircleAlert}
          title={failure === null ? t('isolate.compare.notPlayable') : words(failure).title}
        >
          {failure === null ? t('isolate.compare.notPlayableText') : words(failure).textAfterTitle}
        </Banner>
      )}
      {texts !== null && !isHidden && <Both texts={texts} language={speechLanguage} player={player} />}
    </section>
  );
}

const coresOf = (words: readonly Word[]) => words.map(({ text }) => coreOf(text));
const isSame = ({ original, isolated }: Texts): boolean => coresOf(original).join(' ') === coresOf(isolated).join(' ');

function Both(props: { readonly texts: Texts; readonly language: string; readonly player: ComparePlayer }) {
  const { texts, language, player } = props;
  const t = useText();
  const same = matchWords(coresOf(texts.original), coresOf(texts.isolated));
  const sides = [
    { track: 'original', words: texts.original, kept: new Set(same.map(([place]) => place)) },
    { track: 'isolated', words: texts.isolated, kept: new Set(same.map(([, place]) => place)) },
  ] as const;
  return (
    <div className={css['sides']}>
      {sides.map(({ track, words, kept }) => (
        <div key={track} className={css['side']}>
          <p className={css['head']}>
            <b>{t(`isolate.compare.${track}`)}</b>
            <span>
              {t('isolate.texts.words', { count: words.length })}
              {', '}
              {t('isolate.texts.different', { count: words.length - kept.size })}
            </span>
          </p>
          {words.length === 0 ? (
            <p className={css['hint']}>{t('isolate.texts.nothing')}</p>
          ) : (
            <p className={css['text']} lang={language}>
              {words.map((word, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- words of a text that does not change
                <span key={at}>
                  {kept.has(at) ? (
                    word.text
                  ) : (
                    <button
                      type="button"
                      className={css['different']}
                      title={t('isolate.texts.play')}
                      onClick={() => {
                        player.seek(Math.max(0, word.startMs - 500));
                        if (!player.getState().isPlaying) player.toggle();
                      }}
                    >
                      {word.text}
                    </button>
                  )}{' '}
                </span>
              ))}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
