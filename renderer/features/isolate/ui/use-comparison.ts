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
import { comparedOf } from '../save-mix.ts';
import type { Formats } from '../../../lib/formats.ts';
import { useFormats, useText } from '../../../lib/text.ts';

export type Comparison = NonNullable<ReturnType<typeof useComparison>>;

/** What is remembered of each recording, beside the position of its player. */
type Seen = Pick<ComparedPlace, 'shown' | 'share' | 'view'>;

const mostPlaces = 100;
const firstSeen: Seen = { shown: null, share: 0.8, view: 'waveform' };

const notOpened = {
  player: null,
  measuring: null,
  seen: firstSeen,
  listening: { tag: 'isolated' },
  former: { tag: 'original' },
  cleaned: 'isolated',
} as const;

interface Opened {
  readonly name: string;
  readonly player: ComparePlayer;
  readonly measuring: PairMeasuring;
  readonly seen: Seen;
  readonly listening: Listening;
  /** What was heard before. */
  readonly former: Listening;
  readonly cleaned: 'isolated' | 'variant';
}

/** Opens the recordings for playback and measures them; null until that has started. Each is left as it is found again. */
export function useComparison(audio: IsolatedAudio) {
  const { audioId } = audio;
  const compared = comparedOf(audio);
  const name = compared?.name ?? '';
  const original = compared?.urls.original ?? null;
  const isolated = compared?.urls.isolated ?? null;
  const variant = compared?.urls.variant ?? null;
  const hasVariant = variant !== null;
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
  const { player, measuring, listening, former, cleaned, seen } = current ?? notOpened;
  const measures = pair?.measures ?? null;
  const { view, shown } = seen;
  const lane = laneOf(listening);
  useEffect(() => {
    player?.setGains(mixGains(listening, measures, isMatched));
  }, [player, listening, measures, isMatched]);
  useEffect(() => {
    if (measures !== null) player?.setOffsets([0, measures.isolated.offsetMs, measures.variant?.offsetMs ?? 0]);
  }, [player, measures]);
  useEffect(() => {
    if (measures === null) return;
    if (lane === 'removed') measuring?.askRemoved();
    if (view === 'spectrogram') measuring?.askSpectrogram(lane);
  }, [measuring, measures, lane, view]);
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
  if (player === null || pair === null || original === null || isolated === null) return null;
  const setListening = (next: Listening) => {
    // Updated immediately, because a late switch would be heard while a late redraw is not seen.
    player.setGains(mixGains(next, measures, isMatched));
    setOpened(
      (now) =>
        now && {
          ...now,
          listening: next,
          former: now.listening.tag === next.tag ? now.former : now.listening,
          cleaned: next.tag === 'isolated' || next.tag === 'variant' ? next.tag : now.cleaned,
        },
    );
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
    switchOver: () => setListening(former),
    /** Which of two results is meant by the cleaned one. */
    cleaned,
    /** What is saved: what is heard, or was before the original. */
    result: [listening, former].find(({ tag }) => tag !== 'original') ?? { tag: 'isolated' as const },
    isMatched,
    setIsMatched,
    /** What is drawn, over the original. */
    lane,
    hasVariant,
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
    keep: (id: string, timeMs: number, { shown, share, view }: Seen) => {
      const now: ComparedPlace = { id, timeMs, shown, share, view };
      const others = known.current.filter((one) => one.id !== id);
      known.current = [now, ...others].slice(0, mostPlaces);
      void change({ comparedPlaces: [...known.current] });
    },
  }))[0];
}

/** A blend has the picture of its two recordings, and the spectrogram of the isolated one. */
const laneOf = ({ tag }: Listening): LaneName => (tag === 'blend' ? 'isolated' : tag);

export const usePlayerState = (player: ComparePlayer): ComparePlayerState =>
  useSyncExternalStore(player.subscribe, player.getState);

/** The quietest level drawn; nobody hears anything below. */
const silentDb = -90;

export const decibels = (formats: Formats, value: number): string =>
  // Adding 0 turns -0 into 0.
  formats.fixed(Math.round(value * 10) / 10 + 0, 1).replace('-', '−');

/** What is heard, by name; of two results, the one with restored speech says so. */
export function useHeardName(comparison: Comparison | null): (heard: Listening['tag']) => string {
  const t = useText();
  const restored = comparison?.hasVariant !== true ? null : comparison.isRestored ? 'isolated' : 'variant';
  return (heard) =>
    heard === restored
      ? t('isolate.compare.restoredTrack')
      : t(`isolate.compare.${heard === 'variant' ? 'isolated' : heard}`);
}

/** The noise before and after, the loudness of both, and the offset of the result. */
export function useMeasuredWords(comparison: Comparison | null): readonly string[] {
  const t = useText();
  const formats = useFormats();
  const measures = comparison?.pair.measures ?? null;
  if (measures === null) return [];
  const { original, isolated } = measures;
  const noiseOf = ({ noiseFloorDb }: { readonly noiseFloorDb: number | null }) =>
    noiseFloorDb === null || noiseFloorDb < silentDb
      ? t('isolate.compare.silent')
      : t('isolate.compare.noise', { value: decibels(formats, noiseFloorDb) });
  const loudnessOf = ({ integratedLufs }: { readonly integratedLufs: number | null }) =>
    integratedLufs === null
      ? t('isolate.compare.nothingHeard')
      : t('isolate.compare.loudness', { value: decibels(formats, integratedLufs) });
  const offsetWords = ({ offsetMs, correlation }: ResultMeasures): string => {
    if (correlation < leastCorrelation) return t('isolate.compare.offsetUnknown');
    if (Math.abs(offsetMs) < 0.05) return t('isolate.compare.offsetNone');
    const ms = formats.number(Math.round(Math.abs(offsetMs) * 10) / 10);
    return t(offsetMs > 0 ? 'isolate.compare.offset' : 'isolate.compare.offsetEarly', { ms });
  };
  return [
    `${noiseOf(original)} → ${noiseOf(isolated.loudness)}`,
    `${loudnessOf(original)} → ${loudnessOf(isolated.loudness)}`,
    offsetWords(isolated),
  ];
}
