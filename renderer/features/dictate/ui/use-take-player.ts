import { useEffect, useMemo, useRef, useState } from 'react';
import type { WrittenPhrase } from '../../../../shared/domain/dictation/written-phrases.ts';
import { createPlayer } from '../../../audio/player.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';

export interface TakePlayer {
  /** Whether this take, or this phrase of it, is playing. */
  readonly isPlaying: (takeId: string, phrase?: WrittenPhrase) => boolean;
  /** Plays a take or one phrase of it; a second press ends it. */
  readonly toggle: (takeId: string, phrase?: WrittenPhrase) => void;
}

const nameOf = (takeId: string, phrase?: WrittenPhrase): string => `${takeId} ${String(phrase?.id ?? '')}`;

export function useTakePlayer(): TakePlayer {
  const studio = useStudio();
  const player = useMemo(() => createPlayer(), []);
  const [playing, setPlaying] = useState<string | null>(null);
  const wanted = useRef({ name: '', endMs: Infinity });
  const presses = useRef(0);
  useEffect(() => {
    const stops = [
      player.subscribe(() => {
        setPlaying(player.getState().isPlaying ? wanted.current.name : null);
      }),
      player.onTime((timeMs) => {
        if (timeMs >= wanted.current.endMs) player.pause();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      presses.current += 1;
      player.close();
    };
  }, [player]);
  const toggle = async (takeId: string, phrase?: WrittenPhrase) => {
    const name = nameOf(takeId, phrase);
    presses.current += 1;
    const press = presses.current;
    if (playing === name) {
      player.pause();
      return;
    }
    const found = await studio.request('dictation.read', { takeId });
    if (press !== presses.current || !found.ok || found.value.mediaToken === null) return;
    wanted.current = { name, endMs: phrase?.endMs ?? Infinity };
    player.open(`/media/${found.value.mediaToken}`);
    player.seek(phrase?.startMs ?? 0);
    player.play();
  };
  return {
    isPlaying: (takeId, phrase) => playing === nameOf(takeId, phrase),
    toggle: (takeId, phrase) => void toggle(takeId, phrase),
  };
}
