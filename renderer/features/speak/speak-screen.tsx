import { Info } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ListedWord } from '../../../shared/domain/speech/pronunciation-list.ts';
import { sentencesIn } from '../../../shared/domain/speech/edit-document.ts';
import { pauseMarkOf } from '../../../shared/domain/speech/split-text.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useCommands } from '../../lib/commands.tsx';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useText } from '../../lib/text.ts';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Panel, PanelContent } from '../../ui/panel.tsx';
import { useToast } from '../../ui/toast.tsx';
import { usePlayerState, useSpeaking, useSpeakState } from './speak-context.tsx';
import { BlockList } from './ui/block-list.tsx';
import { FindBar } from './ui/find-bar.tsx';
import { HistoryList } from './ui/history-list.tsx';
import { useImportText } from './ui/import-text.tsx';
import { PlayerBar } from './ui/player-bar.tsx';
import { PronunciationDialog } from './ui/pronunciation-dialog.tsx';
import { ReadsAs } from './ui/reads-as.tsx';
import { SentenceDialog } from './ui/sentence-dialog.tsx';
import { SpeakHeader } from './ui/speak-header.tsx';
import { NotOpened, Notices } from './ui/speak-notices.tsx';
import { TextPane, type ShownText } from './ui/text-pane.tsx';
import { useVoices } from './use-voices.ts';

export function SpeakScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const { store, player } = useSpeaking();
  const showToast = useToast();
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const status = useSpeakState((state) => state.status);
  const documentId = useSpeakState((state) => state.document?.id ?? '');
  const { speakView } = useSettings();
  const changeSettings = useSettingsChange();
  // What is written into an empty field stays one; a sample or an import is shown by sentences.
  const [begunId, setBegunId] = useState('');
  const isFilled = useSpeakState((state) => (state.document?.blocks.length ?? 0) > 0);
  const view = speakView === 'text' || !isFilled || begunId === documentId ? 'text' : 'blocks';
  if (status === 'ready' && !isFilled && begunId !== documentId) setBegunId(documentId);
  const [wasFilled, setWasFilled] = useState(isFilled);
  if (wasFilled !== isFilled) {
    setWasFilled(isFilled);
    if (isFilled && !store.isTypedLast()) setBegunId('');
  }
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [detailsOf, setDetailsOf] = useState<string | null>(null);
  const isRunning = usePlayerState(player, (state) => state.status === 'playing' || state.status === 'waiting');
  const isGenerating = useSpeakState((state) => state.isGenerating);
  const canUndo = useSpeakState(({ steps }) => steps.length > 0);
  const canRedo = useSpeakState(({ undone }) => undone.length > 0);
  const [pronouncing, setPronouncing] = useState<{ readonly draft: ListedWord | null } | null>(null);
  const pane = useRef<ShownText>(null);
  const [isFinding, setIsFinding] = useState(false);
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
  // No other screen has a button that pauses it.
  useEffect(() => () => player.pause(), [player]);
  useVoices();
  const isBusy = isRunning || isGenerating;
  const chosenIndex = () => pane.current?.sentenceAtCursor() ?? 0;
  const hasChosen = () => (view === 'text' ? pane.current?.cursorAt() !== null : selectedId !== null);
  const goBy = (by: 1 | -1) => {
    const blocks = store.getState().document?.blocks ?? [];
    const index = hasChosen() ? Math.min(blocks.length - 1, Math.max(0, chosenIndex() + by)) : 0;
    if (blocks[index] === undefined) return;
    pane.current?.goTo(index);
    if (isRunning && !isGenerating) store.play(index);
  };
  const playSentence = () => {
    const index = chosenIndex();
    const { status: playing, heardId, awaitedId } = player.getState();
    const isMeant = (heardId ?? awaitedId) === store.getState().document?.blocks[index]?.id;
    // From beside the text, as after a change of the speed, the cursor in it says nothing.
    const isBeside = pane.current?.hasFocus() !== true;
    if (isRunning) player.pause();
    else if (playing === 'paused' && (isMeant || isBeside)) store.resume();
    else store.play(index, { count: 1 });
  };
  const setView = (chosen: 'text' | 'blocks') => {
    setBegunId('');
    void changeSettings({ speakView: chosen });
  };
  const insertPause = (seconds: number) => {
    const { document } = store.getState();
    if (document === null) return;
    const at = pane.current?.cursorAt() ?? sentencesIn(document)[chosenIndex()]?.end ?? document.text.length;
    const mark = pauseMarkOf(t('speak.pauseWord'), String(seconds));
    const [before, after] = [document.text.slice(0, at).trimEnd(), document.text.slice(at)];
    store.setText(`${before} ${mark}${/^\s/u.test(after) ? '' : ' '}${after}`, { isTyping: false });
  };
  useCommands({
    'speak.sentence': isFilled && playSentence,
    'speak.previous': isFilled && (() => goBy(-1)),
    'speak.next': isFilled && (() => goBy(1)),
    'speak.generate': !isGenerating && (() => store.speak(0)),
    'speak.fromCursor': () => store.play(chosenIndex()),
    'speak.stop': isBusy && (() => store.stop()),
    'speak.undo':
      canUndo &&
      (() => {
        // The field undoes typing by itself, which keeps the cursor where it was.
        if (view === 'text' && store.isTypedLast() && pane.current?.hasFocus() === true) document.execCommand('undo');
        else store.undo();
      }),
    'speak.redo': canRedo && (() => store.redo()),
    'speak.split': () => {
      const at = pane.current?.cursorAt() ?? null;
      if (at !== null) store.split({ at });
      else if (selectedId !== null) store.split({ blockId: selectedId });
    },
    'speak.merge': () => {
      const block = hasChosen() ? store.getState().document?.blocks[chosenIndex()] : undefined;
      if (block !== undefined) store.merge(block.id);
    },
    'speak.find': isFilled && (() => setIsFinding(true)),
    'speak.pause': isFilled && (() => insertPause(1)),
    'speak.view': isFilled && (() => setView(view === 'text' ? 'blocks' : 'text')),
    'speak.history': () => onSubpath('history'),
    'speak.import': () => importText(null),
    'speak.pronunciation': () => setPronouncing({ draft: null }),
    'speak.create': () => void store.create(),
  });
  const pronounce = (word: string) => {
    const { document: shown, pronunciations: all, requests } = store.getState();
    const at = shown?.blocks.findIndex(({ id }) => id === detailsOf) ?? -1;
    const language = requests[at]?.language ?? shown?.defaults.language ?? 'uz';
    setDetailsOf(null);
    const known = all[language] ?? [];
    const isKnown = known.some(({ written }) => written === word);
    setPronouncing({ draft: isKnown ? null : { language, written: word, spoken: '', matchCase: true } });
  };
  const header = <SpeakHeader view={view} onPause={insertPause} />;
  return (
    <Panel header={header}>
      <PanelContent label={t('speak.title')}>
        <Notices dropped={dropped} onTaken={() => setDropped([])} />
        {importDialog}
        <PronunciationDialog
          isOpen={pronouncing !== null}
          offered={pronouncing?.draft ?? null}
          onClose={() => setPronouncing(null)}
        />
        {detailsOf !== null && (
          <SentenceDialog blockId={detailsOf} onClose={() => setDetailsOf(null)} onPronounce={pronounce} />
        )}
        {status === 'failed' && <NotOpened />}
        {subpath === 'history' ? (
          <HistoryList onLeave={() => onSubpath('')} />
        ) : (
          status === 'ready' && (
            <>
              {isFinding && (
                <FindBar
                  pane={pane}
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
                  <BlockList ref={pane} selectedId={selectedId} onSelect={setSelectedId} onDetails={setDetailsOf} />
                )}
              </PaneErrorBoundary>
              <ReadsAs pane={pane} onMore={() => setPronouncing({ draft: null })} />
              <PlayerBar />
            </>
          )
        )}
      </PanelContent>
    </Panel>
  );
}
