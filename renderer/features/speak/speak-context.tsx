import { createContext, useContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { createSpeechPlayer, type SpeechPlayer, type SpeechPlayerState } from '../../audio/speech-player.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { saveBeforeLeaving } from '../../bridge/save-before-leaving.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { SpeakState } from './model/speak-state.ts';
import { createSpeakStore, type SpeakStore } from './model/speak-store.ts';

interface Speaking {
  readonly store: SpeakStore;
  readonly player: SpeechPlayer;
  /** Plays previews and the history; only one of the two players plays at a time. */
  readonly side: SpeechPlayer;
}

const SpeakContext = createContext<Speaking | null>(null);

/** Playback goes on whichever section is shown. Another library has other texts. */
export function SpeakProvider({ children }: { readonly children: ReactNode }) {
  const { mode } = useConnection();
  return <SpeakingIn key={mode}>{children}</SpeakingIn>;
}

function SpeakingIn({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const [speaking] = useState((): Speaking => {
    const player = createSpeechPlayer();
    return { player, side: createSpeechPlayer(), store: createSpeakStore(studio, player) };
  });
  useEffect(() => {
    const { store, player, side } = speaking;
    const stops = [
      store.listen(),
      saveBeforeLeaving(store.leave),
      player.subscribe(() => {
        if (player.getState().status === 'playing') side.stop();
      }),
      side.subscribe(() => {
        if (side.getState().status === 'playing' && player.getState().status === 'playing') player.pause();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      side.stop();
    };
  }, [speaking]);
  return <SpeakContext value={speaking}>{children}</SpeakContext>;
}

export function useSpeaking(): Speaking {
  const speaking = useContext(SpeakContext);
  if (speaking === null) throw new Error('useSpeaking outside of SpeakProvider');
  return speaking;
}

export const useSpeakState = <T,>(select: (state: SpeakState) => T): T => useStore(useSpeaking().store, select);

export function usePlayerState<T>(player: SpeechPlayer, select: (state: SpeechPlayerState) => T): T {
  return useSyncExternalStore(player.subscribe, () => select(player.getState()));
}

/** What the side player does with a part: shown at once by the button that started it. */
export function usePartState(partId: string): 'idle' | 'loading' | 'playing' | 'failed' {
  return usePlayerState(useSpeaking().side, ({ status, heardId, awaitedId, failedIds }) => {
    if (status !== 'idle' && awaitedId === partId) return 'loading';
    if (status !== 'idle' && heardId === partId) return 'playing';
    return failedIds.includes(partId) ? 'failed' : 'idle';
  });
}
