import { keepPreviousData, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ChosenSource, Citation } from '../../../shared/domain/assistant/ask-messages.ts';
import type { AskTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { Asked, ExchangeView } from '../../bridge/types.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { transcriptListKey } from '../../parts/transcripts/transcripts-query.ts';
import { sourcesOf } from './ui/sources.tsx';

/** The bare path of the section, which the rail links to, is the last shown conversation, until a new one begins. */
export function usePlace(subpath: string, onSubpath: (subpath: string) => void) {
  const [place, setPlace] = useState(subpath);
  if (subpath !== '' && subpath !== place) setPlace(subpath);
  const startNew = () => {
    setPlace('');
    onSubpath('');
  };
  const named = /^about\/(?<ids>[^/]+)$/u.exec(place)?.groups?.['ids'];
  const about = useMemo(() => named?.split(',') ?? null, [named]);
  const [conversationId = '', exchangeAt] = about === null ? place.split('/') : [];
  return {
    about,
    conversationId: conversationId === '' ? null : conversationId,
    exchangeAt: exchangeAt === undefined ? null : Number(exchangeAt),
    startNew,
  };
}

/** What is asked about stays for the next question, also when it begins a conversation. */
export function useSources(
  conversationId: string | null,
  ofConversation: readonly ChosenSource[] | undefined,
  about: readonly string[] | null,
): readonly [readonly ChosenSource[], (sources: readonly ChosenSource[], forPlace?: string) => void] {
  const place = conversationId ?? (about === null ? newPlace : `about ${about.join(',')}`);
  const [chosen, setChosen] = useState<ReadonlyMap<string, readonly ChosenSource[]>>(new Map());
  const set = (sources: readonly ChosenSource[], forPlace: string = place) =>
    setChosen((before) => new Map(before).set(forPlace, sources));
  const known = useMemo(() => (about === null ? (ofConversation ?? []) : sourcesOf(about)), [about, ofConversation]);
  return [chosen.get(place) ?? known, set];
}

export const newPlace = 'new';

export function useDrafts<T>(place: string, empty: T): readonly [T, (change: (before: T) => T) => void] {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, T>>(new Map());
  const change = (next: (before: T) => T) =>
    setDrafts((before) => new Map(before).set(place, next(before.get(place) ?? empty)));
  return [drafts.get(place) ?? empty, change];
}

/** Escape stops the answer, unless a layer above it handles the key. */
export function useEscape(stop: (() => void) | null): void {
  const isNeeded = stop !== null;
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) stop?.();
  });
  useEffect(() => {
    if (!isNeeded) return undefined;
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isNeeded]);
}

export interface Arriving {
  readonly exchange: ExchangeView;
  readonly text: string;
  readonly citations: readonly Citation[];
}

export function useAsking(onConversation: (id: string) => void) {
  const studio = useStudio();
  const queries = useQueryClient();
  const [arriving, setArriving] = useState<Arriving | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<{ readonly failure: Failure; readonly atMs: number } | null>(null);
  const isBusy = useRef(false);

  /** `onTaken`: the question was accepted; its text may be cleared. */
  const ask = async (
    wanted: Asked & {
      readonly sources: readonly ChosenSource[];
      readonly title: string;
      readonly again: string | null;
    },
    onTaken: () => void,
  ) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setIsAsking(true);
    setRefusal(null);
    const opened = await studio.open('ask.answer', wanted);
    let failure = opened.ok ? null : opened.error;
    if (opened.ok) {
      for await (const message of opened.value.incoming) {
        if (message.kind === 'began') {
          onTaken();
          // What came of a task over all lines before is kept, and the rest follows it.
          const { answer, citations } = message.exchange;
          setArriving({ exchange: message.exchange, text: answer, citations });
          if (wanted.conversationId === null) onConversation(message.exchange.conversationId);
          void queries.invalidateQueries({ queryKey: transcriptListKey });
        } else if (message.kind === 'text')
          setArriving(
            (now) => now && { ...now, text: now.text + message.piece, citations: message.citations ?? now.citations },
          );
      }
      const ended = await opened.value.ended;
      failure = ended.ok ? null : ended.error;
    }
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    // Declining the spend limit question needs no error message.
    setRefusal(failure === null || failure.code === 'cancelled' ? null : { failure, atMs: Date.now() });
    setArriving(null);
    setIsAsking(false);
    isBusy.current = false;
  };
  const stop = (exchangeId: string) => void studio.request('ask.stop', { exchangeId });
  return { ask, stop, arriving, isAsking, refusal };
}

/** The number that the noun after a cost agrees with: the cost as it is shown. */
export const shownCredits = (credits: number | string): number =>
  Math.ceil(Number((Number(credits) * 10).toPrecision(12))) / 10;

function useMostWords(): (credits: number | string | null | undefined) => string {
  const t = useText();
  const formats = useFormats();
  return (credits) =>
    credits == null
      ? t('ask.mostUnknown')
      : t('ask.most', { count: shownCredits(credits), credits: formats.creditsAtMost(credits) });
}

/** What it probably costs, or at most where nothing tells. */
export function useUsualWords(): (cost: Estimate | undefined) => string {
  const t = useText();
  const formats = useFormats();
  const mostOf = useMostWords();
  return (cost) =>
    cost?.usual == null
      ? mostOf(cost?.credits)
      : t('ask.usual', { count: shownCredits(cost.usual), credits: formats.creditsAtMost(cost.usual) });
}

/** In credits as decimal text; null: not known. */
export interface Estimate {
  readonly credits: string | null;
  readonly usual: string | null;
}

const againAfterMs = 3000;

/** The models available in this mode with this key. `isAwaited`: the service is asked for them until it answers. */
export function useModels(isAwaited: boolean) {
  const studio = useStudio();
  const { mode, key, serviceAddress, practice, isOnline } = useConnection();
  return useQuery({
    queryKey: ['ask', 'models', mode, key.maskedSuffix, serviceAddress, practice, isOnline],
    queryFn: async () => (await valueOrThrow(studio.request('ask.models', {}))).models,
    enabled: modeOf(mode).isOnThisComputer || (key.present && isOnline),
    staleTime: 5 * 60_000,
    // A service that is starting or briefly unavailable is asked again automatically.
    refetchInterval: ({ state }) =>
      isAwaited || state.status === 'error' || state.data === undefined || state.data.length === 0
        ? againAfterMs
        : false,
    retry: false,
  });
}

const typingPauseMs = 300;

function useSettled(asked: Asked | null): Asked | null {
  const [settled, setSettled] = useState(asked);
  const text = JSON.stringify(asked);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Asked | null), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export function useEstimate(asked: Asked | null) {
  const studio = useStudio();
  const settled = useSettled(asked);
  return useQuery({ ...estimateQuery(studio, settled!), enabled: settled !== null, placeholderData: keepPreviousData });
}

/** The cost of each task with these words and sources; empty while not wanted. */
export function useTaskCosts(asked: Asked | null, tasks: readonly AskTask[]): ReadonlyMap<AskTask, Estimate> {
  const studio = useStudio();
  const settled = useSettled(asked);
  const wanted = settled === null ? [] : tasks;
  const found = useQueries({ queries: wanted.map((task) => estimateQuery(studio, { ...settled!, task })) });
  return new Map(wanted.flatMap((task, at) => (found[at]?.data === undefined ? [] : [[task, found[at].data]])));
}

const estimateQuery = (studio: StudioClient, asked: Asked) =>
  queryOptions({
    queryKey: ['ask', 'estimate', asked],
    queryFn: () => valueOrThrow(studio.request('ask.estimate', asked)),
    gcTime: 10_000,
    retry: false,
  });
