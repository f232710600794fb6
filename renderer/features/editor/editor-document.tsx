import { CircleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createPlayer, type Player } from '../../audio/player.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { TranscriptDetail } from '../../bridge/types.ts';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { profileOf } from '../../parts/exports/profile-of.ts';
import { DeleteQuestion } from '../../parts/deletion/delete-question.tsx';
import { useCommands } from '../../lib/commands.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { PaneGuard } from '../../ui/pane-guard.tsx';
import { Splitter } from '../../ui/splitter.tsx';
import { useToast } from '../../ui/toast.tsx';
import css from './editor-document.module.css';
import { EditorProvider, useEditorState, useHasSegments, type Editor } from './editor-context.ts';
import { isSubtitleName } from '../../../shared/domain/imports/read-subtitles.ts';
import { documentInScript } from './model/document-in-script.ts';
import { createEditorStore } from './model/editor-store.ts';
import { langOf, scriptChoiceOf, scriptSetting } from './model/script-choice.ts';
import { linkPlayback } from './model/playback-link.ts';
import { listSpeakers } from './model/speaker-list.ts';
import { createTimeline, timelineOf } from './model/timeline.ts';
import { EditorHeader } from './ui/editor-header.tsx';
import { ExportDialog } from './ui/export/export-dialog.tsx';
import { momentOfWords } from './model/word-layout.ts';
import { HeardAudio } from './ui/heard-audio.tsx';
import { Inspector } from './ui/inspector.tsx';
import { ListenPanel } from './ui/listen-again/listen-panel.tsx';
import { LanguageNotice, MediaNotice, SavingNotice } from './ui/media-notice.tsx';
import { MergeDialog } from './ui/merge-dialog.tsx';
import { SilencePanel } from './ui/silence/silence-panel.tsx';
import { SpeakerCommands } from './ui/speaker-commands.tsx';
import { NamesStrip } from './ui/text-strips.tsx';
import { TranscriptView } from './ui/transcript-view.tsx';
import { Transport } from './ui/transport.tsx';
import { useCaptionFile } from './ui/use-caption-problems.ts';
import { VersionsView } from './ui/versions/versions-view.tsx';
import { WaveformPanel } from './ui/waveform-panel.tsx';
import { useEditCommands } from './use-edit-commands.ts';
import { forgetDocument, useRecordingLength, useTextDocument } from './use-text-document.ts';
import { useMediaKeys } from './use-media-keys.ts';
import { useLeftPlace, useRememberedPlace } from './use-remembered-place.ts';
import { useFirstPicture } from './use-first-picture.ts';
import { useInspectorFocus } from './use-inspector-focus.ts';
import { useInspectorWidth } from './use-inspector-width.ts';
import { useComparedConflict } from './use-sync.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { focusTextPane } from '../../lib/text-pane.ts';

export interface EditorStart {
  /** The moment of the recording to start at; null: where it was left. */
  readonly startMs: number | null;
  /** Searched words: it starts at the first of them in the segment of that moment. */
  readonly startWords: string;
  /** It starts with the export, at the style of the captions. */
  readonly startsInExport: boolean;
  readonly onExportOpened: () => void;
  /** Returns to the screen the transcript was opened from. */
  readonly onBack: () => void;
}

interface EditorDocumentProps extends EditorStart {
  readonly detail: TranscriptDetail;
}

/** An opened transcript. Creates what its parts share, and releases it when another one is opened. */
export function EditorDocument({
  detail,
  startMs,
  startWords,
  startsInExport,
  onExportOpened,
  onBack,
}: EditorDocumentProps) {
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
    return created;
  });
  useEffect(() => {
    if (startsInExport) onExportOpened();
  }, [startsInExport, onExportOpened]);
  useRememberedPlace(left, detail, player, store, startMs === null);
  const { transcriptScript } = useSettings();
  const scriptChoice = useMemo(
    () => scriptChoiceOf(detail.transcript, transcriptScript),
    [detail.transcript, transcriptScript],
  );
  const isOther = scriptChoice?.isOther ?? false;
  const script = scriptSetting(scriptChoice, isOther);
  const wordsLang = langOf(detail.transcript, scriptChoice, isOther);
  const storedDocument = useTextDocument(detail);
  useRecordingLength(detail, player, storedDocument);
  const { document, view } = documentInScript(storedDocument, script);
  const timeline = useMemo(
    () => timelineOf(document, (transcript) => createTimeline(transcript, detail.isPractice)),
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
    return () => {
      store.setState({ isLeft: true });
    };
  }, [store]);
  // After a split or a merge the playhead stands in another segment without having moved.
  useEffect(
    () =>
      document.subscribe(({ transcript }, before) => {
        if (transcript.segments.length !== before.transcript.segments.length)
          store.hear(timeline.segmentNear(player.timeMs()));
      }),
    [document, player, timeline, store],
  );
  const { options } = useCaptionFile({ detail, scriptChoice });
  // Segments of subtitles are captions, which the rules keep apart.
  const gapMs = isSubtitleName(detail.sourceName) ? (profileOf(options)?.gapMs ?? 0) : 0;
  const { commands, question, closeQuestion } = useEditCommands(document, gapMs);
  const editor = useMemo(
    () => ({
      detail,
      isOpenEnded: detail.mediaFailure?.code === 'no_recording' && isSubtitleName(detail.sourceName),
      scriptChoice,
      wordsLang,
      document,
      storedDocument,
      view,
      commands,
      timeline,
      speakers,
      player,
      store,
    }),
    [detail, scriptChoice, wordsLang, document, storedDocument, view, commands, timeline, speakers, player, store],
  );
  return (
    <EditorProvider value={editor}>
      <Panes editor={editor} onBack={onBack} />
      {question !== null && (
        <MergeDialog
          question={question}
          onClose={closeQuestion}
          onMerge={() => {
            commands.merge(question);
          }}
        />
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
  const { scriptChoice } = editor;
  const [isDeleting, setIsDeleting] = useState(false);
  const { mediaUrl } = editor.detail;
  const studio = useStudio();
  const showToast = useToast();
  const words = useFailureWords();
  const showRecording = async () => {
    const shown = await studio.request('transcripts.showRecording', { transcriptId: editor.detail.id });
    if (!shown.ok) showToast({ icon: CircleAlert, text: words(shown.error).text });
  };
  useCommands({
    'versions.open': () => {
      // Comparing shows no place that is being played.
      editor.player.pause();
      editor.store.showView('versions');
    },
    'inspector.toggle': () => void change({ isInspectorOpen: !isInspectorOpen }),
    'transcript.delete': () => {
      setIsDeleting(true);
    },
    'transcript.showRecording': mediaUrl !== null && (() => void showRecording()),
    'transcript.letters':
      scriptChoice !== null &&
      (() => void change({ transcriptScript: scriptSetting(scriptChoice, !scriptChoice.isOther) })),
  });
  const { splitter, chosenWidth } = useInspectorWidth();
  const hasText = useHasSegments();
  const { isPainted, onPicture } = useFirstPicture(mediaUrl !== null);
  const view = useEditorState((state) => state.view);
  const lastView = useRef(view);
  useEffect(() => {
    // What had the focus in the other view is gone, and keys should go on from the text.
    if (view === 'text' && lastView.current !== view && document.activeElement === document.body) focusTextPane();
    lastView.current = view;
  }, [view]);
  const listening = useEditorState((state) => state.listening);
  const isFindingSilence = useEditorState((state) => state.isFindingSilence);
  return (
    <div ref={setRoot} className={css['editor']}>
      {view === 'versions' ? (
        <PaneGuard name={t('versions.title')}>
          <VersionsView />
        </PaneGuard>
      ) : (
        <>
          <PaneGuard name={t('editor.label')}>
            <EditorHeader onBack={onBack} />
          </PaneGuard>
          {mediaUrl !== null && (
            <PaneGuard name={t('editor.waveform.label')}>
              <WaveformPanel key={mediaUrl} url={mediaUrl} isConnected={isPainted} onPicture={onPicture} />
            </PaneGuard>
          )}
          <SavingNotice />
          <LanguageNotice />
          <MediaNotice />
          <NamesStrip />
          <div className={css['split']} style={chosenWidth}>
            <PaneGuard name={t('editor.text.label')}>
              <TranscriptView focusTimes={focus.focusTimes} />
            </PaneGuard>
            {listening !== null && hasText && (
              <PaneGuard name={t('listen.title')}>
                <ListenPanel key={`${String(listening.startMs)}-${String(listening.endMs)}`} span={listening} />
              </PaneGuard>
            )}
            {isFindingSilence && (
              <PaneGuard name={t('editor.silence.title')}>
                <SilencePanel />
              </PaneGuard>
            )}
            {isInspectorOpen && hasText && listening === null && !isFindingSilence && (
              <>
                <Splitter label={t('editor.inspector.resize')} {...splitter} />
                <PaneGuard name={t('editor.inspector.label')}>
                  {isPainted ? <Inspector /> : <aside className={css['later']} />}
                </PaneGuard>
              </>
            )}
          </div>
        </>
      )}
      <PaneGuard name={t('editor.transport.label')}>
        {isPainted ? <Transport /> : <div className={css['laterTransport']} />}
      </PaneGuard>
      <HeardAudio />
      <SpeakerCommands />
      <ExportDialog />
      {isDeleting && (
        <DeleteQuestion
          transcript={editor.detail}
          onClose={() => {
            setIsDeleting(false);
          }}
          onDeleted={() => {
            forgetDocument(editor.detail.id);
            onBack();
          }}
        />
      )}
    </div>
  );
}

/** A player for as long as the transcript is shown; the recording may be found or lost meanwhile. */
function usePlayer(url: string | null, startMs: number): Player {
  const [player] = useState(() => {
    const created = createPlayer();
    // What is painted first is painted there.
    if (startMs > 0) created.seek(startMs);
    return created;
  });
  useEffect(() => {
    if (url !== null) player.open(url);
    // The text is shown from there, even without a recording.
    if (startMs > 0) player.seek(startMs);
    return player.close;
  }, [player, url, startMs]);
  return player;
}
