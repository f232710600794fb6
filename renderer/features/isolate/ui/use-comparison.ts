import { useEffect, useState, useSyncExternalStore } from 'react';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import { mixGains, trackNames, type Listening } from '../../../audio/compare/compare-measures.ts';
import {
  createComparePlayer,
  type ComparePlayer,
  type ComparePlayerState,
} from '../../../audio/compare/compare-player.ts';
import type { LaneName, TrackUrls } from '../../../audio/compare/measure-messages.ts';
import { measurePair, type PairMeasuring, type PairState } from '../../../audio/compare/measure-pair.ts';

export interface Comparison {
  readonly player: ComparePlayer;
  /** Whether speech was restored in the result; its variant has the opposite. */
  readonly isRestored: boolean;
  /** Where it begins in the whole recording: times on the screen are counted there, so that they are found in an editor. */
  readonly originMs: number;
  readonly pair: PairState;
  readonly listening: Listening;
  readonly setListening: (listening: Listening) => void;
  /** Switches between the original and the result heard last. */
  readonly switchOver: () => void;
  readonly isMatched: boolean;
  readonly setIsMatched: (isMatched: boolean) => void;
  /** The tracks that are drawn, from top to bottom. */
  readonly lanes: readonly LaneName[];
  /** The visible time span; null for all of it. */
  readonly shown: TimeSpan | null;
  readonly setShown: (shown: TimeSpan | null) => void;
  readonly view: 'waveform' | 'spectrogram';
  readonly setView: (view: 'waveform' | 'spectrogram') => void;
}

/** Opens the recordings for playback and measures them; null until that has started. */
export function useComparison(
  name: string,
  { original, isolated, variant }: TrackUrls,
  facts: Pick<Comparison, 'isRestored' | 'originMs'>,
): Comparison | null {
  const [player, setPlayer] = useState<ComparePlayer | null>(null);
  const [measuring, setMeasuring] = useState<PairMeasuring | null>(null);
  const [pair, setPair] = useState<PairState | null>(null);
  const [[listening, lastResult], setHeard] = useState<readonly [Listening, Listening]>([
    { tag: 'isolated' },
    { tag: 'isolated' },
  ]);
  const [isMatched, setIsMatched] = useState(true);
  const [view, setView] = useState<Comparison['view']>('waveform');
  const [shown, setShown] = useState<TimeSpan | null>(null);
  /** What was removed is drawn from the moment it is first listened to. */
  const [showsRemoved, setShowsRemoved] = useState(false);
  useEffect(() => {
    const close = openPair(name, { original, isolated, variant }, { setPlayer, setMeasuring, setPair });
    return () => {
      close();
      setPlayer(null);
      setMeasuring(null);
      setPair(null);
    };
  }, [name, original, isolated, variant]);
  const measures = pair?.measures ?? null;
  useEffect(() => {
    player?.setGains(mixGains(listening, measures, isMatched));
  }, [player, listening, measures, isMatched]);
  useEffect(() => {
    if (measures !== null) player?.setOffsets([0, measures.isolated.offsetMs, measures.variant?.offsetMs ?? 0]);
  }, [player, measures]);
  const hasVariant = variant !== null;
  useEffect(() => {
    if (measures === null) return;
    if (showsRemoved) measuring?.askRemoved();
    if (view === 'spectrogram') measuring?.askSpectrograms(lanesOf(hasVariant, showsRemoved));
  }, [measuring, measures, showsRemoved, view, hasVariant]);
  if (player === null || pair === null) return null;
  const setListening = (next: Listening) => {
    // Updated immediately, because a late switch would be heard while a late redraw is not seen.
    player.setGains(mixGains(next, measures, isMatched));
    setHeard([next, next.tag === 'original' || next.tag === 'removed' ? lastResult : next]);
    if (next.tag === 'removed' || next.tag === 'blend') setShowsRemoved(true);
  };
  return {
    player,
    ...facts,
    pair,
    listening,
    setListening,
    switchOver: () => setListening(listening.tag === 'original' ? lastResult : { tag: 'original' }),
    isMatched,
    setIsMatched,
    lanes: lanesOf(hasVariant, showsRemoved),
    shown,
    setShown,
    view,
    setView,
  };
}

const lanesOf = (hasVariant: boolean, showsRemoved: boolean): readonly LaneName[] => [
  ...trackNames.filter((name) => name !== 'variant' || hasVariant),
  ...(showsRemoved ? (['removed'] as const) : []),
];

/** Opens the recordings, reports progress and returns a function that closes them. */
function openPair(
  name: string,
  urls: TrackUrls,
  set: {
    readonly setPlayer: (player: ComparePlayer) => void;
    readonly setMeasuring: (measuring: PairMeasuring) => void;
    readonly setPair: (pair: PairState) => void;
  },
): () => void {
  const player = createComparePlayer(trackNames.flatMap((track) => urls[track] ?? []));
  const measuring = measurePair(name, urls, set.setPair);
  set.setPlayer(player);
  set.setMeasuring(measuring);
  return () => {
    measuring.stop();
    player.close();
  };
}

export const usePlayerState = (player: ComparePlayer): ComparePlayerState =>
  useSyncExternalStore(player.subscribe, player.getState);
