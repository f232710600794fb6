import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ComparedPlace } from '../../../../shared/domain/settings/left-places.ts';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import { mixGains, trackNames, type Listening } from '../../../audio/compare/compare-measures.ts';
import {
  createComparePlayer,
  type ComparePlayer,
  type ComparePlayerState,
} from '../../../audio/compare/compare-player.ts';
import type { LaneName, TrackUrls } from '../../../audio/compare/measure-messages.ts';
import { measurePair, type PairMeasuring, type PairState } from '../../../audio/compare/measure-pair.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { Scope } from '../../../lib/scope.ts';

export interface Comparison {
  readonly audioId: string;
  readonly urls: TrackUrls;
  readonly player: ComparePlayer;
  /** Whether speech was restored in the result; its variant has the opposite. */
  readonly isRestored: boolean;
  /** Where it begins in the whole recording: times on the screen are counted there, so that they are found in an editor. */
  readonly originMs: number;
  readonly pair: PairState;
  readonly listening: Listening;
  readonly setListening: (listening: Listening) => void;
  /** Of the isolated audio in the blend, whether or not it is heard. */
  readonly share: number;
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

/** What is remembered of each recording, beside the position of its player. */
type Seen = Pick<ComparedPlace, 'shown' | 'share' | 'showsRemoved' | 'view'>;

interface Opened {
  readonly name: string;
  readonly player: ComparePlayer;
  readonly measuring: PairMeasuring;
  readonly seen: Seen;
  readonly listening: Listening;
  readonly lastResult: Listening;
}

const mostPlaces = 100;
const firstSeen: Seen = { shown: null, share: 0.8, showsRemoved: false, view: 'waveform' };

/** Opens the recordings for playback and measures them; null until that has started. Each is left as it is found again. */
export function useComparison(audio: IsolatedAudio | null): Comparison | null {
  const audioId = audio?.audioId ?? '';
  const isolated = audio?.isolated.url ?? null;
  // If the original is missing, the isolated audio stands in for both, so that it can still be heard.
  const original = audio?.original.url ?? isolated;
  const variant = audio?.variant?.url ?? null;
  const hasVariant = variant !== null;
  const name = `${audioId} ${String(hasVariant)} ${String(audio?.original.url !== null)}`;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [measured, setMeasured] = useState<{ readonly name: string; readonly pair: PairState } | null>(null);
  const [isMatched, setIsMatched] = useState(true);
  const places = usePlaces();
  const latest = useRef<Seen>(firstSeen);
  useLayoutEffect(() => {
    if (opened !== null) latest.current = opened.seen;
  }, [opened]);
  // A layout effect, because an ordinary one closes the player before its position could be read.
  useLayoutEffect(() => {
    if (original === null || isolated === null) return undefined;
    const { player, measuring } = openPair(
      { name, urls: { original, isolated, variant }, place: places.of(audioId) },
      { setOpened, setMeasured },
    );
    const scope = new Scope();
    const leave = () => {
      if (player.getState().status === 'ready') places.keep(audioId, player.timeMs(), latest.current);
    };
    scope.listen(window, 'pagehide', leave);
    return () => {
      leave();
      scope.dispose();
      measuring.stop();
      player.close();
    };
  }, [places, audioId, name, original, isolated, variant]);
  const current = opened?.name === name ? opened : null;
  const pair = measured?.name === name ? measured.pair : null;
  const { player, measuring, listening, lastResult, seen } = current ?? notOpened;
  const measures = pair?.measures ?? null;
  const { showsRemoved, view, shown } = seen;
  useEffect(() => {
    player?.setGains(mixGains(listening, measures, isMatched));
  }, [player, listening, measures, isMatched]);
  useEffect(() => {
    if (measures !== null) player?.setOffsets([0, measures.isolated.offsetMs, measures.variant?.offsetMs ?? 0]);
  }, [player, measures]);
  useEffect(() => {
    if (measures === null) return;
    if (showsRemoved) measuring?.askRemoved();
    if (view === 'spectrogram') measuring?.askSpectrograms(lanesOf(hasVariant, showsRemoved));
  }, [measuring, measures, showsRemoved, view, hasVariant]);
  const see = useCallback((patch: Partial<Seen>) => {
    setOpened((now) => now && { ...now, seen: { ...now.seen, ...patch } });
  }, []);
  const setShown = useCallback((next: TimeSpan | null) => {
    // Asked on every frame of playback.
    setOpened((now) =>
      now === null || now.seen.shown === next ? now : { ...now, seen: { ...now.seen, shown: next } },
    );
  }, []);
  if (player === null || pair === null || audio === null || original === null || isolated === null) return null;
  const setListening = (next: Listening) => {
    // Updated immediately, because a late switch would be heard while a late redraw is not seen.
    player.setGains(mixGains(next, measures, isMatched));
    const isResult = next.tag !== 'original' && next.tag !== 'removed';
    setOpened((now) => now && { ...now, listening: next, lastResult: isResult ? next : now.lastResult });
    // What was removed is drawn from the moment it is first listened to.
    if (next.tag === 'removed' || next.tag === 'blend') see({ showsRemoved: true });
    if (next.tag === 'blend') see({ share: next.share });
  };
  return {
    audioId,
    urls: { original, isolated, variant },
    player,
    isRestored: audio.restoresSpeech,
    originMs: audio.part?.startMs ?? 0,
    pair,
    listening,
    setListening,
    share: seen.share,
    switchOver: () => {
      setListening(listening.tag === 'original' ? lastResult : { tag: 'original' });
    },
    isMatched,
    setIsMatched,
    lanes: lanesOf(hasVariant, showsRemoved),
    shown,
    setShown,
    view,
    setView: (next) => {
      see({ view: next });
    },
  };
}

function openPair(
  { name, urls, place }: { readonly name: string; readonly urls: TrackUrls; readonly place: ComparedPlace | undefined },
  set: {
    readonly setOpened: (opened: Opened) => void;
    readonly setMeasured: (measured: { readonly name: string; readonly pair: PairState }) => void;
  },
): Pick<Opened, 'player' | 'measuring'> {
  const player = createComparePlayer(
    trackNames.flatMap((track) => urls[track] ?? []),
    place?.timeMs,
  );
  const measuring = measurePair(name, urls, (pair) => {
    set.setMeasured({ name, pair });
  });
  const listening: Listening = { tag: 'isolated' };
  set.setOpened({ name, player, measuring, seen: place ?? firstSeen, listening, lastResult: listening });
  return { player, measuring };
}

const notOpened = {
  player: null,
  measuring: null,
  seen: firstSeen,
  listening: { tag: 'isolated' },
  lastResult: { tag: 'isolated' },
} as const;

/** Reads and stores how recordings were left; the most recent hundred are remembered. */
function usePlaces() {
  const { comparedPlaces } = useSettings();
  const change = useSettingsChange();
  const known = useRef(comparedPlaces);
  useLayoutEffect(() => {
    known.current = comparedPlaces;
  }, [comparedPlaces]);
  return useState(() => ({
    of: (id: string) => known.current.find((one) => one.id === id),
    keep: (id: string, timeMs: number, { shown, share, showsRemoved, view }: Seen) => {
      const now: ComparedPlace = { id, timeMs, shown, share, showsRemoved, view };
      const others = known.current.filter((one) => one.id !== id);
      known.current = [now, ...others].slice(0, mostPlaces);
      void change({ comparedPlaces: [...known.current] });
    },
  }))[0];
}

const lanesOf = (hasVariant: boolean, showsRemoved: boolean): readonly LaneName[] => [
  'original',
  'isolated',
  ...(hasVariant ? (['variant'] as const) : []),
  ...(showsRemoved ? (['removed'] as const) : []),
];

export const usePlayerState = (player: ComparePlayer): ComparePlayerState =>
  useSyncExternalStore(player.subscribe, player.getState);
