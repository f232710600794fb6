import { History, Info } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ListedWord } from '../../../shared/domain/speech/pronunciation-list.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useCommands } from '../../lib/commands.tsx';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { PaneGuard } from '../../ui/pane-guard.tsx';
import { Inspector, Panel, PanelContent } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { usePlayerState, useSpeaking, useSpeakState } from './speak-context.tsx';
import css from './speak-screen.module.css';
import { BlockInspector } from './ui/block-inspector.tsx';
import { FindStrip } from './ui/find-strip.tsx';
import { BlockList } from './ui/block-list.tsx';
import { HistoryList } from './ui/history-list.tsx';
import { PlayerCard } from './ui/player-card.tsx';
import { PronunciationDialog } from './ui/pronunciation-dialog.tsx';
import { TextPane, type TextPaneHandle } from './ui/text-pane.tsx';
import { useCost } from './use-cost.ts';
import { useImportText } from './use-import-text.tsx';
import { SpeakHeader } from './ui/speak-header.tsx';
import { NotOpened, Notices } from './ui/speak-notices.tsx';
import { VoicePanel } from './ui/voice-panel.tsx';
import { useVoices } from './use-voices.ts';

/** Text to speech, sentence by sentence. */
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
  /** The sentence with the cursor, or the selected one. */
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
    // What is heard goes along.
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
              <PaneGuard name={t('speak.text')}>
                {view === 'text' ? (
                  <TextPane ref={pane} />
                ) : (
                  <BlockList selectedId={selectedId} onSelect={setSelectedId} />
                )}
              </PaneGuard>
              <Counter />
              <PlayerCard />
              {view === 'text' && (
                <PaneGuard name={t('speak.history')}>
                  <HistoryList isWhole={false} onWhole={() => onSubpath('history')} />
                </PaneGuard>
              )}
            </>
          )
        )}
      </PanelContent>
      <Inspector label={t('speak.settings')}>
        <PaneGuard name={t('speak.settings')}>
          {shownId === null ? (
            <VoicePanel />
          ) : (
            <BlockInspector blockId={shownId} onLeave={() => setSelectedId(null)} onPronounce={pronounce} />
          )}
        </PaneGuard>
      </Inspector>
    </Panel>
  );
}

function Counter() {
  const t = useText();
  const { mode } = useSettings();
  const { characters, totalText, sendCount, billed, failedCount, underWayCount } = useCost();
  const cost =
    characters === 0
      ? ''
      : sendCount === 0
        ? underWayCount > 0
          ? t('speak.underWay', { count: underWayCount })
          : t('speak.free')
        : modeOf(mode).isFree
          ? `${t('speak.toSend', { count: sendCount })}, ${t('speak.practiceFree')}`
          : t('speak.toPay', { count: billed, sentences: t('speak.historyOf.sentences', { count: sendCount }) });
  return (
    <div className={css['counter']} data-bottom-bar>
      <span>
        {t('speak.inText', { count: characters })}
        {characters > 0 && `, ${totalText}`}
        {failedCount > 0 && <b className={css['bad']}> {t('speak.failedCount', { count: failedCount })}</b>}
      </span>
      <span>{cost}</span>
    </div>
  );
}
