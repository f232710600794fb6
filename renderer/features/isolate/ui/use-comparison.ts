import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ComparedPlace } from '../../../../shared/domain/settings/left-places.ts';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import {
  mixGains,
  trackNames,
  type Listening,
  type LaneName,
  type TrackUrls,
  leastCorrelation,
  type ResultMeasures,
} from '../../../audio/compare/compare-measures.ts';
import {
  createComparePlayer,
  type ComparePlayer,
  type ComparePlayerState,
} from '../../../audio/compare/compare-player.ts';
import { measurePair, type PairMeasuring, type PairState } from '../../../audio/compare/measure-pair.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio } from '../../../bridge/types.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { Scope } from '../../../lib/scope.ts';
import type { Formats } from '../../../lib/formats.ts';
import { useFormats, useText } from '../../../lib/text.ts';

export type Comparison = NonNullable<ReturnType<typeof useComparison>>;

/** What is remembered of each recording, beside the position of its player. */
type Seen = Pick<ComparedPlace, 'shown' | 'share' | 'showsRemoved' | 'view'>;

const mostPlaces = 100;
const firstSeen: Seen = { shown: null, share: 0.8, showsRemoved: false, view: 'waveform' };

const notOpened = {
  player: null,
  measuring: null,
  seen: firstSeen,
  listening: { tag: 'isolated' },
  lastResult: { tag: 'isolated' },
} as const;

interface Opened {
  readonly name: string;
  readonly player: ComparePlayer;
  readonly measuring: PairMeasuring;
  readonly seen: Seen;
  readonly listening: Listening;
  readonly lastResult: Listening;
}

/** Opens the recordings for playback and measures them; null until that has started. Each is left as it is found again. */
export function useComparison(audio: IsolatedAudio | null) {
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
    const urls: TrackUrls = { original, isolated, variant };
    const place = places.of(audioId);
    const tracks = trackNames.flatMap((track) => urls[track] ?? []);
    const player = createComparePlayer(tracks, place?.timeMs);
    const measuring = measurePair(name, urls, (pair) => setMeasured({ name, pair }));
    // oxlint-disable-next-line react/set-state-in-effect -- a player is opened and closed outside of rendering
    setOpened({ ...notOpened, name, player, measuring, seen: place ?? firstSeen });
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
  const see = useCallback(
    (patch: Partial<Seen>) => setOpened((now) => now && { ...now, seen: { ...now.seen, ...patch } }),
    [],
  );
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
    urls: { original, isolated, variant } satisfies TrackUrls,
    player,
    /** Whether speech was restored in the result; its variant has the opposite. */
    isRestored: audio.restoresSpeech,
    /** Where it begins in the whole recording: shown times count from there, as in an editor. */
    originMs: audio.part?.startMs ?? 0,
    pair,
    listening,
    setListening,
    /** Of the isolated audio in the blend, whether or not it is heard. */
    share: seen.share,
    switchOver: () => setListening(listening.tag === 'original' ? lastResult : { tag: 'original' }),
    isMatched,
    setIsMatched,
    lanes: lanesOf(hasVariant, showsRemoved),
    shown,
    setShown,
    view,
    setView: (next: Seen['view']) => see({ view: next }),
  };
}

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

/** The quietest level drawn; nobody hears anything below. */
const silentDb = -90;

export const decibels = (formats: Formats, value: number): string =>
  // Adding 0 turns -0 into 0.
  formats.fixed(Math.round(value * 10) / 10 + 0, 1).replace('-', '−');

/** The names of the lanes; of two results, the one with restored speech says so. */
export function useLaneNames({ isRestored, lanes }: Comparison): (lane: LaneName) => string {
  const t = useText();
  const restored = !lanes.includes('variant') ? null : isRestored ? 'isolated' : 'variant';
  return (lane) =>
    lane === restored
      ? t('isolate.compare.restoredTrack')
      : t(`isolate.compare.${lane === 'variant' ? 'isolated' : lane}`);
}

/** The noise before and after, and the offset of the result: shown above the lanes, where it covers no waveform. */
export function useMeasuredWords(comparison: Comparison | null): readonly string[] {
  const t = useText();
  const formats = useFormats();
  const measures = comparison?.pair.measures ?? null;
  if (measures === null) return [];
  const noiseOf = ({ noiseFloorDb }: { readonly noiseFloorDb: number | null }) =>
    noiseFloorDb === null || noiseFloorDb < silentDb
      ? t('isolate.compare.silent')
      : t('isolate.compare.noise', { value: decibels(formats, noiseFloorDb) });
  const offsetWords = ({ offsetMs, correlation }: ResultMeasures): string => {
    if (correlation < leastCorrelation) return t('isolate.compare.offsetUnknown');
    if (Math.abs(offsetMs) < 0.05) return t('isolate.compare.offsetNone');
    const ms = formats.number(Math.round(Math.abs(offsetMs) * 10) / 10);
    return t(offsetMs > 0 ? 'isolate.compare.offset' : 'isolate.compare.offsetEarly', { ms });
  };
  return [`${noiseOf(measures.original)} → ${noiseOf(measures.isolated.loudness)}`, offsetWords(measures.isolated)];
}
