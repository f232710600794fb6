import { createContext, useContext, useDeferredValue, useMemo, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Player, PlayerState } from '../../audio/player.ts';
import type { ScriptView } from '../../../shared/domain/transcript/edit-in-script.ts';
import type { Segment, TimeSpan, Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import type { TranscriptDetail } from '../../bridge/types.ts';
import type { EditorState, EditorStore } from './model/editor-store.ts';
import type { DocumentState, TextDocument } from './model/text-document.ts';
import type { EditCommands } from './use-edit-commands.ts';
import type { ShownSpeaker } from './model/speaker-list.ts';
import type { Timeline } from './model/timeline.ts';
import type { ScriptChoice } from './model/script-choice.ts';
import { unheardSpans } from '../../../shared/domain/transcript/unheard-spans.ts';

/** The shared state of one opened transcript. */
export interface Editor {
  readonly detail: TranscriptDetail;
  /** It is from a file of subtitles and never had a recording, so that nothing says when it ends. */
  readonly isOpenEnded: boolean;
  /** Whether Uzbek is shown and edited in another alphabet than it is stored in; null when the transcript has no other. */
  readonly scriptChoice: ScriptChoice | null;
  /** The language tag of the words as shown. */
  readonly wordsLang: string;
  /** The current text with its history, in the letters that are shown. */
  readonly document: TextDocument;
  /** The same in its own letters, in which it is saved and compared with what was saved or heard. */
  readonly storedDocument: TextDocument;
  /** How what is stored looks in `document`. */
  readonly view: ScriptView;
  readonly commands: EditCommands;
  readonly timeline: Timeline;
  readonly speakers: readonly ShownSpeaker[];
  readonly player: Player;
  readonly store: EditorStore;
}

const EditorContext = createContext<Editor | null>(null);

export const EditorProvider = EditorContext.Provider;

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (editor === null) throw new Error('useEditor outside of EditorProvider');
  return editor;
}

/** A part of this editor's state; pick something small, the component renders when it changes. */
export const useEditorState = <T>(pick: (state: EditorState) => T): T => useStore(useEditor().store, pick);

/** Whether the captions of this transcript are checked. */
export function useChecksCaptions(): boolean {
  const usual = useSettings().checksCaptions;
  return useEditorState((state) => state.checksCaptions) ?? usual;
}

/** A part of the document's state; the component renders when it changes, after typing as soon as there is time. */
export const useDocument = <T>(pick: (state: DocumentState) => T): T => usePartOf(useEditor().document, pick);

/** The same of the text in its own letters. */
export const useStoredDocument = <T>(pick: (state: DocumentState) => T): T =>
  usePartOf(useEditor().storedDocument, pick);

function usePartOf<T>(text: TextDocument, pick: (state: DocumentState) => T): T {
  return useSyncExternalStore(whenThereIsTime(text), () => pick(text.getState()));
}

/**
 * Typed text is in the page before React renders it; nothing else of the page should come between a key and its letter.
 */
const longestWaitMs = 250;
type Subscribe = (listener: () => void) => () => void;
const subscribers = new WeakMap<TextDocument, Subscribe>();

function whenThereIsTime(text: TextDocument): Subscribe {
  const known = subscribers.get(text);
  if (known !== undefined) return known;
  const listeners = new Set<() => void>();
  let asked = 0;
  const notify = () => {
    cancelIdleCallback(asked);
    asked = 0;
    for (const listener of listeners) listener();
  };
  let stop = () => {};
  const subscribe: Subscribe = (listener) => {
    if (listeners.size === 0)
      stop = text.subscribe(({ isTyped, transcript }, before) => {
        if (!isTyped || transcript === before.transcript) notify();
        else if (asked === 0) asked = requestIdleCallback(notify, { timeout: longestWaitMs });
      });
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) stop();
    };
  };
  subscribers.set(text, subscribe);
  return subscribe;
}

/** The segments as they are shown now. */
export function useSegments(): readonly Segment[] {
  const { timeline } = useEditor();
  useDocument((state) => state.transcript);
  return timeline.segments;
}

/** Whether there are segments at all; unlike `useSegments` it renders nothing again while they are edited. */
export const useHasSegments = (): boolean => useDocument(({ transcript }) => transcript.segments.length > 0);

const none: readonly TimeSpan[] = [];

/**
 * What is left out of the audio, in playback as in exports; computed shortly after opening and typing, because the cost
 * grows with the number of words.
 */
export function useUnheardSpans(): readonly TimeSpan[] {
  const transcript = useDeferredValue<Transcript | null>(
    useDocument((state) => state.transcript),
    null,
  );
  return useMemo(() => {
    const spans = transcript === null ? none : unheardSpans(transcript);
    return spans.length === 0 ? none : spans;
  }, [transcript]);
}

/** The rarely changing state of the player. The time is not in it: it is painted frame by frame, without React. */
export function usePlayerState(): PlayerState {
  const { player } = useEditor();
  return useSyncExternalStore(player.subscribe, player.getState);
}

/** The speaker of a segment; undefined when speakers were not distinguished. */
export const speakerOf = ({ timeline, speakers }: Pick<Editor, 'timeline' | 'speakers'>, segment: number) =>
  speakers.find((speaker) => speaker.id === timeline.segments[segment]?.speakerId);
