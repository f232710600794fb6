import { History, Info, ArrowDown, ArrowUp, Search, X, Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, useMemo, type ReactNode } from 'react';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { ImportedText } from '../../../shared/domain/speech/edit-document.ts';
import type { ListedWord } from '../../../shared/domain/speech/pronunciation-list.ts';
import { type TextSpan, countCharacters } from '../../../shared/domain/speech/split-text.ts';
import { findMatches, replaceMatches, type TextMatch } from '../../../shared/domain/transcript/find-text.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useCommands, useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { onceChanged } from '../../lib/once-changed.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useText, useFormats } from '../../lib/text.ts';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useUndoNotice } from '../../ui/notices.ts';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Inspector, Panel, PanelContent } from '../../ui/panel.tsx';
import { PressButton } from '../../ui/press-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useToast } from '../../ui/toast.tsx';
import { usePlayerState, useSpeaking, useSpeakState } from './speak-context.tsx';
import css from './speak-screen.module.css';
import { isReady } from './model/block-status.ts';
import { BlockInspector, VoicePanel } from './ui/voice-panel.tsx';
import { BlockList } from './ui/block-list.tsx';
import { HistoryList } from './ui/history-list.tsx';
import { PronunciationDialog } from './ui/pronunciation-dialog.tsx';
import { SpeakHeader } from './ui/speak-header.tsx';
import { NotOpened, Notices } from './ui/speak-notices.tsx';
import { Bars, type WavePart } from './ui/speech-wave.tsx';
import { TextPane, type TextPaneHandle } from './ui/text-pane.tsx';
import { useCost, lengthOfAll, useBlocks } from './use-cost.ts';
import { useVoices } from './use-voices.ts';

const places = ['new', 'cursor', 'replace'] as const;
type Place = (typeof places)[number];

const segmentId = 'text';
const clock = () => performance.now();

export function SpeakScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const { store, player } = useSpeaking();
  const showToast = useToast();
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const status = useSpeakState((state) => state.status);
  const { speakView } = useSettings();
  const [view, setView] = useState(speakView);
  const changeSettings = useSettingsChange();
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const isRunning = usePlayerState(player, (state) => state.status === 'playing' || state.status === 'waiting');
  const isGenerating = useSpeakState((state) => state.isGenerating);
  const canUndo = useSpeakState(({ steps }) => steps.length > 0);
  const canRedo = useSpeakState(({ undone }) => undone.length > 0);
  const [pronouncing, setPronouncing] = useState<{ readonly draft: ListedWord | null } | null>(null);
  const pane = useRef<TextPaneHandle>(null);
  const [isFinding, setIsFinding] = useState(false);
  const showFound = useCallback((span: Parameters<TextPaneHandle['show']>[0]) => pane.current?.show(span), []);
  const [importText, importDialog] = useImportText(() => pane.current?.cursorAt() ?? null);
  useFileDrop((files) => {
    const recordings = files.filter(({ type }) => /^(?:audio|video)\//u.test(type));
    const [text, ...others] = files.filter((file) => !recordings.includes(file));
    setDropped(recordings);
    if (text !== undefined) importText(text);
    if (text !== undefined && others.length > 0)
      showToast({ icon: Info, text: t('speak.oneText', { name: text.name, count: others.length }) });
  });
  // The library links to a text by its id.
  const askedId = subpath === '' || subpath === 'history' ? null : subpath;
  useEffect(() => {
    const { document: opened } = store.getState();
    if (askedId !== null) {
      if (opened?.id !== askedId) void store.open(askedId);
      onSubpath('');
    } else if (opened === null) void store.load();
  }, [store, askedId, onSubpath]);
  useVoices();
  const isBusy = isRunning || isGenerating;
  const chosenIndex = () => {
    if (view === 'text') return pane.current?.sentenceAtCursor() ?? 0;
    return Math.max(0, store.getState().document?.blocks.findIndex(({ id }) => id === selectedId) ?? 0);
  };
  const goBy = (by: 1 | -1) => {
    const blocks = store.getState().document?.blocks ?? [];
    const isNoneChosen = view === 'text' ? pane.current?.cursorAt() === null : selectedId === null;
    const index = isNoneChosen ? 0 : Math.min(blocks.length - 1, Math.max(0, chosenIndex() + by));
    const chosen = blocks[index];
    if (chosen === undefined) return;
    if (view === 'text') pane.current?.goTo(index);
    else setSelectedId(chosen.id);
    if (isRunning && !isGenerating) store.play(index);
  };
  const playSentence = () => {
    const index = chosenIndex();
    const { status: playing, heardId, awaitedId } = player.getState();
    const isMeant = (heardId ?? awaitedId) === store.getState().document?.blocks[index]?.id;
    // From beside the text, as after a change of the speed, the cursor in it says nothing.
    const isBeside = view === 'text' && pane.current?.hasFocus() !== true;
    if (isRunning) player.pause();
    else if (playing === 'paused' && (isMeant || isBeside)) store.resume();
    else store.play(index, { count: 1 });
  };
  const isFilled = useSpeakState((state) => (state.document?.blocks.length ?? 0) > 0);
  useCommands({
    'speak.sentence': isFilled && playSentence,
    'speak.previous': isFilled && (() => goBy(-1)),
    'speak.next': isFilled && (() => goBy(1)),
    'speak.generate': !isBusy && (() => store.speak(0)),
    'speak.fromCursor': () => store.play(chosenIndex()),
    'speak.stop': isBusy && (() => store.stop()),
    'speak.undo':
      canUndo &&
      (() => {
        // The field undoes typing by itself, which keeps the cursor where it was.
        if (store.isTypedLast() && pane.current?.hasFocus() === true) document.execCommand('undo');
        else store.undo();
      }),
    'speak.redo': canRedo && (() => store.redo()),
    'speak.split': () => {
      const at = pane.current?.cursorAt() ?? null;
      if (at !== null) store.split({ at });
      else if (selectedId !== null) store.split({ blockId: selectedId });
    },
    'speak.merge': () => {
      const chosen = view === 'text' ? pane.current?.sentenceAtCursor() : undefined;
      const blockId = chosen === undefined ? selectedId : store.getState().document?.blocks[chosen]?.id;
      if (blockId !== undefined && blockId !== null) store.merge(blockId);
    },
    'speak.find':
      isFilled &&
      (() => {
        setView('text');
        setIsFinding(true);
      }),
    'speak.import': () => importText(null),
    'speak.pronunciation': () => setPronouncing({ draft: null }),
    'speak.create': () => void store.create(),
  });
  const pronounce = (word: string) => {
    const { document: shown, pronunciations: all, requests } = store.getState();
    const at = shown?.blocks.findIndex(({ id }) => id === selectedId) ?? -1;
    const language = requests[at]?.language ?? shown?.defaults.language ?? 'uz';
    const known = all[language] ?? [];
    const isKnown = known.some(({ written }) => written === word);
    setPronouncing({ draft: isKnown ? null : { language, written: word, spoken: '', matchCase: true } });
  };
  const isHistory = subpath === 'history';
  const shownId = view === 'blocks' && !isHistory ? selectedId : null;
  return (
    <Panel header={<SpeakHeader isBusy={isBusy} onImport={() => importText(null)} />}>
      <PanelContent label={t('speak.title')}>
        <Notices dropped={dropped} onTaken={() => setDropped([])} />
        {importDialog}
        <PronunciationDialog
          isOpen={pronouncing !== null}
          offered={pronouncing?.draft ?? null}
          onClose={() => setPronouncing(null)}
        />
        {status === 'failed' && <NotOpened />}
        {isHistory ? (
          <HistoryList isWhole onWhole={() => onSubpath('')} />
        ) : (
          status === 'ready' && (
            <>
              <div className={css['view']}>
                {view === 'blocks' && (
                  <Button variant="ghost" size="sm" icon={History} onPress={() => onSubpath('history')}>
                    {t('speak.history')}
                  </Button>
                )}
                <Segmented
                  size="sm"
                  label={t('speak.view')}
                  value={view}
                  options={[
                    { value: 'text', text: t('speak.viewText') },
                    { value: 'blocks', text: t('speak.viewBlocks') },
                  ]}
                  onChange={(chosen) => {
                    setView(chosen);
                    void changeSettings({ speakView: chosen });
                  }}
                />
              </div>
              {isFinding && view === 'text' && (
                <FindStrip
                  onShow={showFound}
                  onClose={() => {
                    setIsFinding(false);
                    pane.current?.focus();
                  }}
                />
              )}
              <PaneErrorBoundary name={t('speak.text')}>
                {view === 'text' ? (
                  <TextPane ref={pane} />
                ) : (
                  <BlockList selectedId={selectedId} onSelect={setSelectedId} />
                )}
              </PaneErrorBoundary>
              <Counter />
              <PlayerCard />
              {view === 'text' && (
                <PaneErrorBoundary name={t('speak.history')}>
                  <HistoryList isWhole={false} onWhole={() => onSubpath('history')} />
                </PaneErrorBoundary>
              )}
            </>
          )
        )}
      </PanelContent>
      <Inspector label={t('speak.settings')}>
        <PaneErrorBoundary name={t('speak.settings')}>
          {shownId === null ? (
            <VoicePanel />
          ) : (
            <BlockInspector blockId={shownId} onLeave={() => setSelectedId(null)} onPronounce={pronounce} />
          )}
        </PaneErrorBoundary>
      </Inspector>
    </Panel>
  );
}

function Counter() {
  const t = useText();
  const { mode } = useSettings();
  const { characters, totalText, sendCount, billed, failedCount, underWayCount } = useCost();
  const costText = () => {
    if (characters === 0) return '';
    if (sendCount === 0) return underWayCount > 0 ? t('speak.underWay', { count: underWayCount }) : t('speak.free');
    if (modeOf(mode).isFree) return `${t('speak.toSend', { count: sendCount })}, ${t('speak.practiceFree')}`;
    return t('speak.toPay', { count: billed, sentences: t('speak.historyOf.sentences', { count: sendCount }) });
  };
  return (
    <div className={css['counter']} data-bottom-bar>
      <span>
        {t('speak.inText', { count: characters })}
        {characters > 0 && `, ${totalText}`}
        {failedCount > 0 && <b className={css['bad']}> {t('speak.failedCount', { count: failedCount })}</b>}
      </span>
      <span>{costText()}</span>
    </div>
  );
}

function FindStrip(props: {
  readonly onShow: (span: Pick<TextSpan, 'start' | 'end'> | null) => void;
  readonly onClose: () => void;
}) {
  const { onShow, onClose } = props;
  const t = useText();
  const { store } = useSpeaking();
  const text = useSpeakState(({ document }) => document?.text ?? '');
  const language = useSpeakState(({ document }) => document?.defaults.language ?? 'uz');
  const [wanted, setWanted] = useState('');
  const [replacement, setReplacement] = useState('');
  const [at, setAt] = useState(0);
  const query = useMemo(
    () => ({ text: wanted, matchesCase: false, isWholeWord: false, isPattern: false, speakerId: null }),
    [wanted],
  );
  const whole = useMemo(
    () => ({ language, segments: [{ id: segmentId, speakerId: null, startMs: 0, endMs: 0, text, words: [] }] }),
    [text, language],
  );
  const matches = useMemo(() => {
    const found = findMatches(whole, query, clock);
    return found.ok ? found.value : [];
  }, [whole, query]);
  const current = Math.min(at, Math.max(0, matches.length - 1));
  const match = matches[current];
  useEffect(() => {
    onShow(match === undefined ? null : { start: match.from, end: match.to });
  }, [match, onShow]);
  useEffect(() => () => onShow(null), [onShow]);
  const goBy = (by: 1 | -1) => setAt(matches.length === 0 ? 0 : (current + by + matches.length) % matches.length);
  const replace = (which: readonly TextMatch[]) => {
    const replaced = replaceMatches(whole, which, query, replacement).get(segmentId);
    if (replaced !== undefined) store.setText(replaced, { isTyping: false });
  };
  const isNone = matches.length === 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the key belongs to the fields inside
    <search
      className={css['find']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <Field
        type="search"
        icon={Search}
        isAutoFocused
        label={t('editor.find.label')}
        value={wanted}
        suffix={
          wanted === ''
            ? undefined
            : t('editor.find.count', { current: String(isNone ? 0 : current + 1), count: String(matches.length) })
        }
        onChange={(value) => {
          setWanted(value);
          setAt(0);
        }}
        onEnter={() => goBy(1)}
      />
      <Field
        label={t('editor.find.replaceWith')}
        value={replacement}
        onChange={setReplacement}
        onEnter={() => replace(match === undefined ? [] : [match])}
      />
      <IconButton icon={ArrowUp} label={t('editor.find.previous')} isDisabled={isNone} onPress={() => goBy(-1)} />
      <IconButton icon={ArrowDown} label={t('editor.find.next')} isDisabled={isNone} onPress={() => goBy(1)} />
      <Button isDisabled={match === undefined} onPress={() => replace(match === undefined ? [] : [match])}>
        {t('editor.find.replace')}
      </Button>
      <Button isDisabled={isNone} onPress={() => replace(matches)}>
        {t('editor.find.replaceAll', { count: String(matches.length) })}
      </Button>
      <IconButton icon={X} label={t('speak.close')} onPress={onClose} />
    </search>
  );
}

/** Asks where the text goes if there is text already, or the file has times. */
function useImportText(cursorAt: () => number | null): readonly [(dropped: File | null) => void, ReactNode] {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const { store } = useSpeaking();
  const [asked, setAsked] = useState<ImportedText | null>(null);
  const [place, setPlace] = useState<Place>('new');
  const [keepsTimes, setKeepsTimes] = useState(true);
  const put = async (imported: ImportedText, where: Place, at: number | null) => {
    setAsked(null);
    if (where === 'new' && !(await store.create())) return;
    const { document } = store.getState();
    if (document === null) return;
    store.importText(imported, where === 'cursor' ? { at: at ?? document.text.length } : 'whole');
    const text = t('speak.imported', { name: imported.name });
    if (where === 'new') showToast({ text });
    else showUndo({ text, undo: () => store.undo(), until: onceChanged(store, ({ steps }) => steps) });
  };
  const read = async (dropped: File | null) => {
    const token = dropped === null ? null : await studio.fileTokenFor(dropped);
    if (token !== null && !token.ok) return token;
    return studio.request('speak.importText', { token: token === null ? null : token.value });
  };
  const choose = async (dropped: File | null) => {
    const answer = await read(dropped);
    if (!answer.ok) return showToast({ text: `${t('speak.importFailed')}. ${words(answer.error).text}` });
    const { imported } = answer.value;
    const { document } = store.getState();
    if (imported === null || document === null) return undefined;
    const isEmpty = document.text.trim() === '';
    if (isEmpty && imported.cues === null) return put(imported, 'replace', null);
    setPlace(isEmpty ? 'replace' : 'new');
    setKeepsTimes(imported.cues !== null);
    return setAsked(imported);
  };
  const hasTimes = asked !== null && asked.cues !== null && place !== 'cursor';
  const dialog = (
    <Dialog
      title={t('speak.importTitle', { name: asked?.name ?? '' })}
      closeLabel={t('speak.close')}
      width="sm"
      isOpen={asked !== null}
      onClose={() => setAsked(null)}
      footer={
        <>
          <Button onPress={() => setAsked(null)}>{t('speak.cancel')}</Button>
          <Button
            variant="primary"
            onPress={() => {
              if (asked === null) return;
              void put({ ...asked, cues: hasTimes && keepsTimes ? asked.cues : null }, place, cursorAt());
            }}
          >
            {t('speak.importNow')}
          </Button>
        </>
      }
    >
      <div className={css['importing']}>
        {asked !== null && (
          <div>
            <p className={css['excerpt']}>{asked.text}</p>
            <p className={css['hint']}>{t('speak.characters', { count: countCharacters(asked.text) })}</p>
          </div>
        )}
        <Segmented
          isBlock
          isLabelShown
          label={t('speak.importWhere')}
          value={place}
          options={places.map((value) => ({ value, text: t(`speak.importPlaces.${value}`) }))}
          onChange={setPlace}
        />
        {hasTimes && (
          <Switch
            label={t('speak.importTimes')}
            hint={t('speak.importTimesHint')}
            isOn={keepsTimes}
            onChange={setKeepsTimes}
          />
        )}
      </div>
    </Dialog>
  );
  return [(dropped) => void choose(dropped), dialog];
}

function PlayerCard() {
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
        bars: isReady(state) || state === 'changed' ? (take?.bars ?? '') : '',
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
  const isWhole = blocks.every(({ status }) => isReady(status.state));

  const seek = (toMs: number) => {
    const found = blocks.findLastIndex(({ startMs }) => startMs <= toMs);
    const index = Math.max(0, found);
    store.play(index, { fromMs: Math.max(0, toMs - (blocks[index]?.startMs ?? 0)) });
  };

  const stateText = () => {
    if (isGenerating && status === 'waiting') return t('speak.waiting');
    if (isGenerating) return t('speak.streaming', { time: formats.duration(receivedMs) });
    if (heard?.status.state === 'changed') return t('speak.oldAudio');
    return gapAt >= 0 ? t('speak.gap', { number: gapAt + 1 }) : '';
  };
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
        {(['previous', 'next'] as const).map((to) => (
          <IconButton
            key={to}
            size="sm"
            icon={to === 'previous' ? SkipBack : SkipForward}
            label={t(`palette.commands.${to}Sentence`)}
            shortcut={keyFor(`speak.${to}`)}
            isDisabled={isEmpty}
            onPress={() => run(`speak.${to}`)}
          />
        ))}
      </div>
      <div className={css['timeline']}>
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
          <span className={css['clock']}>{formats.clock(positionMs)}</span>
          <output className={css['stateText']}>{stateText()}</output>
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
