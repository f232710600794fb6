import { CaseSensitive, CircleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, startTransition, useCallback } from 'react';
import { useStore } from 'zustand';
import { isSubtitleName } from '../../../shared/domain/imports/read-subtitles.ts';
import { convertScript, otherScript, scriptOf, type UzbekScript } from '../../../shared/domain/transcript/in-script.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { createPlayer, type Player } from '../../audio/player.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { TranscriptDetail } from '../../bridge/types.ts';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useCommands } from '../../lib/commands.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { Scope } from '../../lib/scope.ts';
import { focusTextPane } from '../../lib/text-pane.ts';
import { useText } from '../../lib/text.ts';
import { DeleteQuestion } from '../../parts/deletion/delete-question.tsx';
import { profileOf } from '../../parts/exports/profile-of.ts';
import { Question } from '../../ui/dialog.tsx';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  EditorProvider,
  speakerOf,
  useEditor,
  useEditorState,
  useHasSegments,
  type Editor,
  useDocument,
  useUnheardSpans,
} from './editor-context.ts';
import css from './editor-document.module.css';
import { createEditorStore } from './model/editor-store.ts';
import { linkPlayback } from './model/playback-link.ts';
import { listSpeakers, spansWithout } from './model/speaker-list.ts';
import { createTimeline } from './model/timeline.ts';
import { momentOfWords } from './model/word-layout.ts';
import { EditorHeader } from './ui/editor-header.tsx';
import { ExportDialog } from './ui/export/export-dialog.tsx';
import { LanguageNotice, MediaNotice, SavingNotice, NamesStrip } from './ui/notices.tsx';
import { Side } from './ui/side.tsx';
import { SpeakerCommands } from './ui/speaker-menu.tsx';
import { TranscriptView } from './ui/transcript-view.tsx';
import { Transport } from './ui/transport.tsx';
import { useCaptionFile } from './ui/use-caption-problems.ts';
import { VersionsView } from './ui/versions/versions-view.tsx';
import { WaveformPanel } from './ui/waveform-panel.tsx';
import { useEditCommands } from './use-edit-commands.ts';
import { useEditorKeys, useInspectorFocus } from './use-editor-keys.ts';
import { useLeftPlace, useRememberedPlace } from './use-remembered-place.ts';
import { useStepNotice } from './use-editor-notice.ts';
import { useSync } from './queries.ts';
import { forgetDocument, useRecordingLength, useTextDocument } from './use-text-document.ts';

const nothing: readonly TimeSpan[] = [];

const longestWaitMs = 150;

export interface EditorStart {
  readonly startMs: number | null;
  /** Heard first; without a time they are searched for. */
  readonly startWords: string;
  readonly startsInExport: boolean;
  readonly onExportOpened: () => void;
  readonly onBack: () => void;
}

export function EditorDocument({
  detail,
  startMs,
  startWords,
  startsInExport,
  onExportOpened,
  onBack,
}: EditorStart & { readonly detail: TranscriptDetail }) {
  const t = useText();
  const left = useLeftPlace(detail.id);
  const player = usePlayer(
    detail.mediaUrl,
    startMs === null ? (left?.timeMs ?? 0) : momentOfWords(detail.transcript, startMs, startWords),
  );
  const [store] = useState(() => {
    const created = createEditorStore(detail.transcript.durationMs);
    if (left !== null) created.zoomTo(left.visibleMs);
    created.checkCaptions(left?.checksCaptions);
    if (startsInExport) created.openExport('captionStyle');
    if (startMs === null && startWords !== '') {
      created.find({ text: startWords });
      created.showPanel('find');
    }
    return created;
  });
  useEffect(() => {
    if (startsInExport) onExportOpened();
  }, [startsInExport, onExportOpened]);
  useRememberedPlace(left, detail, player, store, startMs === null);
  const document = useTextDocument(detail);
  useRecordingLength(detail, player, document);
  const script = useStore(document, (state) => scriptOf(state.transcript));
  const timeline = useMemo(
    () => createTimeline(() => document.getState().transcript, detail.isPractice),
    [document, detail.isPractice],
  );
  const listed = useStore(document, (state) => state.transcript.speakers);
  const speakers = useMemo(
    () => listSpeakers({ speakers: listed, segments: [] }, (number) => t('common.speaker', { number })),
    [listed, t],
  );
  useEffect(() => linkPlayback(player, timeline, store), [player, timeline, store]);
  useEffect(() => {
    store.setState({ isLeft: false });
    return () => store.setState({ isLeft: true });
  }, [store]);
  useEffect(
    () =>
      document.subscribe(({ transcript }, before) => {
        if (transcript.segments.length !== before.transcript.segments.length)
          store.hear(timeline.segmentNear(player.timeMs()));
      }),
    [document, player, timeline, store],
  );
  const { options } = useCaptionFile({ detail, script });
  // Segments of subtitles are captions, which the rules keep apart.
  const gapMs = isSubtitleName(detail.sourceName) ? (profileOf(options)?.gapMs ?? 0) : 0;
  const { commands, question, closeQuestion } = useEditCommands(document, gapMs);
  const editor = useMemo(
    () => ({
      detail,
      isOpenEnded: detail.mediaFailure?.code === 'no_recording' && isSubtitleName(detail.sourceName),
      script,
      wordsLang: script === 'cyrillic' ? 'uz-Cyrl' : detail.transcript.language,
      document,
      commands,
      timeline,
      speakers,
      player,
      store,
    }),
    [detail, script, document, commands, timeline, speakers, player, store],
  );
  const nameOf = (segmentId: string) =>
    speakerOf(
      editor,
      timeline.segments.findIndex(({ id }) => id === segmentId),
    )?.name ?? t('editor.speaker.nobody');
  return (
    <EditorProvider value={editor}>
      <Panes editor={editor} onBack={onBack} />
      {question !== null && (
        <Question
          isOpen
          focusesConfirm
          title={t('editor.merge.title')}
          confirm={t('editor.merge.yes')}
          onClose={closeQuestion}
          onConfirm={() => commands.merge(question)}
        >
          {t('editor.merge.text', { first: nameOf(question.firstId), second: nameOf(question.secondId) })}
        </Question>
      )}
    </EditorProvider>
  );
}

function Panes({ editor, onBack }: { readonly editor: Editor; readonly onBack: () => void }) {
  const t = useText();
  const { isInspectorOpen } = useSettings();
  const change = useSettingsChange();
  const [root, setRoot] = useState<HTMLElement | null>(null);
  const focus = useInspectorFocus(editor, root);
  useEditorKeys(editor, root, focus);
  useMediaKeys();
  useComparedConflict();
  const [isDeleting, setIsDeleting] = useState(false);
  const { mediaUrl } = editor.detail;
  const studio = useStudio();
  const showToast = useToast();
  const words = useFailureText();
  const showRecording = async () => {
    const shown = await studio.request('transcripts.showRecording', { transcriptId: editor.detail.id });
    if (!shown.ok) showToast({ icon: CircleAlert, text: words(shown.error).text });
  };
  useConvertCommand();
  useCommands({
    'versions.open': () => {
      editor.player.pause();
      editor.store.showView('versions');
    },
    'inspector.toggle': () => void change({ isInspectorOpen: !isInspectorOpen }),
    'transcript.delete': () => setIsDeleting(true),
    'transcript.showRecording': mediaUrl !== null && (() => void showRecording()),
  });
  const { isPainted, onPicture } = useFirstPicture(mediaUrl !== null);
  const view = useEditorState((state) => state.view);
  const lastView = useRef(view);
  useEffect(() => {
    // What had the focus in the other view is gone, and keys should go on from the text.
    if (view === 'text' && lastView.current !== view && document.activeElement === document.body) focusTextPane();
    lastView.current = view;
  }, [view]);
  return (
    <div ref={setRoot} className={css['editor']}>
      {view === 'versions' ? (
        <PaneErrorBoundary name={t('versions.title')}>
          <VersionsView />
        </PaneErrorBoundary>
      ) : (
        <>
          <PaneErrorBoundary name={t('editor.label')}>
            <EditorHeader onBack={onBack} />
          </PaneErrorBoundary>
          {mediaUrl !== null && (
            <PaneErrorBoundary name={t('editor.waveform.label')}>
              <WaveformPanel key={mediaUrl} url={mediaUrl} isConnected={isPainted} onPicture={onPicture} />
            </PaneErrorBoundary>
          )}
          <SavingNotice />
          <LanguageNotice />
          <MediaNotice />
          <NamesStrip />
          <div className={css['split']}>
            <PaneErrorBoundary name={t('editor.text.label')}>
              <TranscriptView focusTimes={focus.focusTimes} />
            </PaneErrorBoundary>
            <Side isPainted={isPainted} />
          </div>
        </>
      )}
      <PaneErrorBoundary name={t('editor.transport.label')}>
        {isPainted ? <Transport /> : <div className={css['laterTransport']} />}
      </PaneErrorBoundary>
      <HeardAudio />
      <SpeakerCommands />
      <ExportDialog />
      {isDeleting && (
        <DeleteQuestion
          transcript={editor.detail}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => {
            forgetDocument(editor.detail.id);
            onBack();
          }}
        />
      )}
    </div>
  );
}

function useConvertCommand(): void {
  const t = useText();
  const { script, document: text } = useEditor();
  const hasText = useHasSegments();
  const showStep = useStepNotice();
  const convertTo = (other: UzbekScript) => {
    if (text.edit('convert', convertScript) === null)
      showStep({ icon: CaseSensitive, text: t(`editor.script.converted.${other}`) });
  };
  const other = script === null || !hasText ? null : otherScript(script);
  useCommands(
    { 'transcript.convertScript': other !== null && (() => convertTo(other)) },
    other === null ? {} : { 'transcript.convertScript': t(`editor.script.${other}`) },
  );
}

function usePlayer(url: string | null, startMs: number): Player {
  const [player] = useState(() => {
    const created = createPlayer();
    // What is painted first is painted there.
    if (startMs > 0) created.seek(startMs);
    return created;
  });
  useEffect(() => {
    if (url !== null) player.open(url);
    if (startMs > 0) player.seek(startMs);
    return player.close;
  }, [player, url, startMs]);
  return player;
}

/** Text and waveform are painted first, and what stands beside them after that. */
function useFirstPicture(hasWaveform: boolean): { readonly isPainted: boolean; readonly onPicture: () => void } {
  const [isPainted, setPainted] = useState(false);
  const onPicture = useCallback(() => {
    // What is scheduled before a frame runs after it, and may be interrupted.
    requestAnimationFrame(() => startTransition(() => setPainted(true)));
  }, []);
  useEffect(() => {
    if (!hasWaveform) onPicture();
    const scope = new Scope();
    scope.after(longestWaitMs, onPicture);
    return () => scope.dispose();
  }, [hasWaveform, onPicture]);
  return { isPainted, onPicture };
}

/** A component, because it renders with every change of the text and the panes must not. */
function HeardAudio() {
  const { player } = useEditor();
  const { rewindOnPauseMs } = useSettings();
  const unheard = useUnheardSpans();
  const found = useEditorState((state) => state.foundSilences);
  const only = useEditorState((state) => state.onlySpeakerId);
  const transcript = useDocument((state) => (only === null ? null : state.transcript));
  const others = useMemo(
    () => (only === null || transcript === null ? nothing : spansWithout(transcript, only)),
    [only, transcript],
  );
  useEffect(() => {
    player.setRewind(rewindOnPauseMs);
  }, [player, rewindOnPauseMs]);
  useEffect(() => {
    player.setSkipped([...unheard, ...found, ...others].toSorted((a, b) => a.startMs - b.startMs));
  }, [player, unheard, found, others]);
  return null;
}

/** The system sends media keys to whichever app played last: they are requested again with playback. */
function useMediaKeys(): void {
  const { player, timeline, detail } = useEditor();
  const { jumpMs } = useSettings();
  useEffect(() => {
    if (!('mediaSession' in navigator) || detail.mediaUrl === null) return undefined;
    const { mediaSession } = navigator;
    const handlers: Partial<Record<MediaSessionAction, () => void>> = {
      play: player.play,
      pause: player.pause,
      stop: player.pause,
      seekbackward: () => player.skip(-jumpMs),
      seekforward: () => player.skip(jumpMs),
      previoustrack: () => player.seek(timeline.previousStartMs(player.timeMs())),
      nexttrack: () => {
        const next = timeline.nextStartMs(player.timeMs());
        if (next !== null) player.seek(next);
      },
    };
    const actions = Object.keys(handlers) as MediaSessionAction[];
    const take = () => {
      mediaSession.metadata = new MediaMetadata({ title: detail.title });
      for (const action of actions) mediaSession.setActionHandler(action, handlers[action] ?? null);
    };
    take();
    const stop = player.subscribe(() => {
      if (player.getState().isPlaying) take();
    });
    return () => {
      stop();
      mediaSession.metadata = null;
      for (const action of actions) mediaSession.setActionHandler(action, null);
    };
  }, [player, timeline, jumpMs, detail.mediaUrl, detail.title]);
}

/** A text that was changed in the account too is compared as soon as that is known, unless somebody is typing. */
function useComparedConflict(): void {
  const { store } = useEditor();
  const state = useSync().data?.state;
  const isShown = useRef(false);
  useEffect(() => {
    if (state !== 'conflict') isShown.current = false;
    if (state !== 'conflict' || isShown.current) return;
    isShown.current = true;
    const isWriting = document.activeElement?.closest('[data-text], input, textarea') != null;
    if (!isWriting) store.showView('versions');
  }, [state, store]);
}
