import { createContext, useContext, useDeferredValue, useMemo, useSyncExternalStore, useCallback } from 'react';
import { useStore } from 'zustand';
import type { Player, PlayerState } from '../../audio/player.ts';
import type { UzbekScript } from '../../../shared/domain/transcript/in-script.ts';
import type { Segment, TimeSpan, Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import type { TranscriptDetail } from '../../bridge/types.ts';
import type { EditorState, EditorStore } from './model/editor-store.ts';
import type { Caret, DocumentState, TextDocument } from './model/text-document.ts';
import type { EditCommands } from './use-edit-commands.ts';
import type { ShownSpeaker } from './model/speaker-list.ts';
import type { Timeline } from './model/timeline.ts';
import { mutedSpans } from '../../../shared/domain/transcript/edit-marks.ts';
import { hostOfCaret, caretNow } from './ui/caret.ts';
import { timeParts } from '../../../shared/domain/time/time-code.ts';
import { useText } from '../../lib/text.ts';
import { focusTextPane, textPane } from '../../lib/text-pane.ts';

export interface Editor {
  readonly detail: TranscriptDetail;
  /** It is from a file of subtitles and never had a recording, so that nothing says when it ends. */
  readonly isOpenEnded: boolean;
  readonly script: UzbekScript | null;
  readonly wordsLang: string;
  readonly document: TextDocument;
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

export function useChecksCaptions(): boolean {
  const usual = useSettings().checksCaptions;
  return useEditorState((state) => state.checksCaptions) ?? usual;
}

/** A part of the document's state; the component renders when it changes, after typing as soon as there is time. */
export function useDocument<T>(pick: (state: DocumentState) => T): T {
  const { document: text } = useEditor();
  return useSyncExternalStore(whenThereIsTime(text), () => pick(text.getState()));
}

/** Nothing else of the page should come between a key and its letter. */
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

export function useSegments(): readonly Segment[] {
  const { timeline } = useEditor();
  useDocument((state) => state.transcript);
  return timeline.segments;
}

/** Whether there are segments at all; unlike `useSegments` it renders nothing again while they are edited. */
export const useHasSegments = (): boolean => useDocument(({ transcript }) => transcript.segments.length > 0);

const none: readonly TimeSpan[] = [];

/** Computed shortly after opening and typing: the cost grows with the number of words. */
export function useUnheardSpans(): readonly TimeSpan[] {
  const transcript = useDeferredValue<Transcript | null>(
    useDocument((state) => state.transcript),
    null,
  );
  return useMemo(() => {
    const spans = transcript === null ? none : mutedSpans(transcript);
    return spans.length === 0 ? none : spans;
  }, [transcript]);
}

/** The rarely changing state of the player. The time is not in it: it is painted frame by frame, without React. */
export function usePlayerState(): PlayerState {
  const { player } = useEditor();
  return useSyncExternalStore(player.subscribe, player.getState);
}

export const speakerOf = ({ timeline, speakers }: Pick<Editor, 'timeline' | 'speakers'>, segment: number) =>
  speakers.find((speaker) => speaker.id === timeline.segments[segment]?.speakerId);

/** What is heard, in a pause what has the caret, and without a caret what is at the playhead; -1: none. */
export function useTargetPlace(): number {
  const segments = useSegments();
  const current = useEditorState((state) => state.current);
  const caretSegment = useEditorState((state) => state.caretSegment);
  const { isPlaying } = usePlayerState();
  if (isPlaying || caretSegment === null) return current;
  const place = segments.findIndex(({ id }) => id === caretSegment);
  return place < 0 ? current : place;
}

/** The same at the moment a key is pressed; a caret in the text counts during playback too. */
export function targetPlace({ player, store, timeline }: Editor): number {
  const held = player.getState().isPlaying ? null : store.getState().caretSegment;
  const caretId = hostOfCaret()?.dataset['text'] ?? held;
  const place = timeline.segments.findIndex(({ id }) => id === caretId);
  return place < 0 ? timeline.segmentNear(player.timeMs()) : place;
}

export function useTimeWords(): (ms: number) => string {
  const t = useText();
  return (ms) => {
    const { hours, minutes, seconds } = timeParts(ms);
    const words = [
      ...(hours > 0 ? [t('editor.time.hours', { count: hours })] : []),
      ...(minutes > 0 ? [t('editor.time.minutes', { count: minutes })] : []),
      ...(seconds > 0 || (hours === 0 && minutes === 0) ? [t('editor.time.seconds', { count: seconds })] : []),
    ];
    return words.join(' ');
  };
}

export function caretInView(leftCaret: Caret | null): Caret | null {
  const own = caretNow();
  if (own !== null) return own;
  const pane = textPane();
  const host = leftCaret === null ? null : pane?.querySelector(`[data-text="${CSS.escape(leftCaret.segmentId)}"]`);
  const [box, room] = [host?.getBoundingClientRect(), pane?.getBoundingClientRect()];
  return box !== undefined && room !== undefined && box.bottom > room.top && box.top < room.bottom ? leftCaret : null;
}

export function useBackToText(): () => void {
  const { document: text, store } = useEditor();
  return useCallback(() => {
    const caret = caretInView(store.getState().leftCaret);
    if (caret !== null) text.setState({ caret: { ...caret } });
    else focusTextPane();
  }, [text, store]);
}
