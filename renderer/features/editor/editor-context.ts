import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Player, PlayerState } from '../../audio/player.ts';
import type { TranscriptDetail } from '../../bridge/types.ts';
import type { EditorState, EditorStore } from './model/editor-store.ts';
import type { ShownSpeaker } from './model/speaker-list.ts';
import type { Timeline } from './model/timeline.ts';
import type { Letters } from './model/letters.ts';

/** What every part of one opened transcript shares. */
export interface Editor {
  readonly detail: TranscriptDetail;
  /** Whether Uzbek is shown in other letters than it is stored in; null when the transcript has no others. */
  readonly letters: Letters | null;
  /** The language tag of the words as they are shown. */
  readonly wordsLang: string;
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

/** What changes seldom of the player. The time is not in it: it is drawn frame by frame, past React. */
export function usePlayerState(): PlayerState {
  const { player } = useEditor();
  return useSyncExternalStore(player.subscribe, player.getState);
}

/** The speaker of a segment; undefined when speakers were not told apart. */
export const speakerOf = ({ timeline, speakers }: Pick<Editor, 'timeline' | 'speakers'>, segment: number) =>
  speakers.find((speaker) => speaker.id === timeline.segments[segment]?.speakerId);
