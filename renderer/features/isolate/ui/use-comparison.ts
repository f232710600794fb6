import { useEffect, useState, useSyncExternalStore } from 'react';
import { mixGains, type Listening } from '../../../audio/compare/compare-measures.ts';
import {
  createComparePlayer,
  type ComparePlayer,
  type ComparePlayerState,
} from '../../../audio/compare/compare-player.ts';
import { measurePair, type PairState } from '../../../audio/compare/measure-pair.ts';

export interface Comparison {
  readonly player: ComparePlayer;
  readonly pair: PairState;
  readonly listening: Listening;
  readonly setListening: (listening: Listening) => void;
  readonly isMatched: boolean;
  readonly setIsMatched: (isMatched: boolean) => void;
}

/** Opens both recordings for playing and measures them; null until that began. */
export function useComparison(original: string, isolated: string): Comparison | null {
  const [player, setPlayer] = useState<ComparePlayer | null>(null);
  const [pair, setPair] = useState<PairState | null>(null);
  const [listening, setListening] = useState<Listening>({ tag: 'isolated' });
  const [isMatched, setIsMatched] = useState(true);
  useEffect(() => {
    const close = openPair({ original, isolated }, setPlayer, setPair);
    return () => {
      close();
      setPlayer(null);
      setPair(null);
    };
  }, [original, isolated]);
  const measures = pair?.measures ?? null;
  useEffect(() => {
    player?.setGains(mixGains(listening, measures, isMatched));
  }, [player, listening, measures, isMatched]);
  useEffect(() => {
    if (measures !== null) player?.setOffset(measures.offsetMs);
  }, [player, measures]);
  return player === null || pair === null ? null : { player, pair, listening, setListening, isMatched, setIsMatched };
}

/** Opens the two and tells of it; returns how to close them. */
function openPair(
  urls: { readonly original: string; readonly isolated: string },
  onPlayer: (player: ComparePlayer) => void,
  onPair: (pair: PairState) => void,
): () => void {
  const player = createComparePlayer(urls);
  onPlayer(player);
  const stop = measurePair(urls, onPair);
  return () => {
    stop();
    player.close();
  };
}

export const usePlayerState = (player: ComparePlayer): ComparePlayerState =>
  useSyncExternalStore(player.subscribe, player.getState);
