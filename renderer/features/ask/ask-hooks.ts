import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStudio } from '../../bridge/studio-context.tsx';
import { Scope } from '../../lib/scope.ts';
import { useText } from '../../lib/text.ts';
import { transcriptsQuery } from '../../parts/transcripts/transcripts-query.ts';

const noIds: readonly string[] = [];

/**
 * The conversation that is shown, or the transcripts that a new one is about. The bare path of the section, which the
 * rail links to, is the last shown one, until a new one is begun.
 */
export function usePlace(subpath: string, onSubpath: (subpath: string) => void) {
  const [place, setPlace] = useState(subpath);
  if (subpath !== '' && subpath !== place) setPlace(subpath);
  const startNew = useCallback(() => {
    setPlace('');
    onSubpath('');
  }, [onSubpath]);
  const named = /^about\/(?<ids>[^/]+)$/u.exec(place)?.groups?.['ids'];
  const about = useMemo(() => named?.split(',') ?? null, [named]);
  const [conversationId = '', exchangeAt] = about === null ? place.split('/') : [];
  return {
    about,
    conversationId: conversationId === '' ? null : conversationId,
    /** The index of the question to start at; null: the last one. */
    exchangeAt: exchangeAt === undefined ? null : Number(exchangeAt),
    startNew,
  };
}

/** What a question is about: the transcripts chosen here, or those of its conversation so far. */
export function useSources(
  conversationId: string | null,
  ofConversation: readonly string[] | undefined,
  about: readonly string[] | null,
): readonly [readonly string[], (ids: readonly string[], forPlace?: 'new') => void] {
  const place = conversationId ?? (about === null ? 'new' : `about ${about.join(',')}`);
  const [chosen, setChosen] = useState<{ readonly place: string; readonly ids: readonly string[] } | null>(null);
  const set = useCallback(
    (ids: readonly string[], forPlace: string = place) => {
      setChosen({ place: forPlace, ids });
    },
    [place],
  );
  if (chosen?.place === place) return [chosen.ids, set];
  return [about ?? ofConversation ?? noIds, set];
}

/** What the recordings that answers cite are called. */
export function useTitleOf(): (transcriptId: string) => string {
  const t = useText();
  const { data } = useQuery(transcriptsQuery(useStudio()));
  return (transcriptId) => data?.find(({ id }) => id === transcriptId)?.title ?? t('ask.deletedTranscript');
}

/** What is not asked yet, for each conversation on its own; a new one begins with `empty`. */
export function useDrafts<T>(place: string, empty: T): readonly [T, (change: (before: T) => T) => void] {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, T>>(new Map());
  const change = useCallback(
    (next: (before: T) => T) => {
      setDrafts((before) => new Map(before).set(place, next(before.get(place) ?? empty)));
    },
    [place, empty],
  );
  return [drafts.get(place) ?? empty, change];
}

/** Escape stops the answer, unless a layer above it handles the key. */
export function useEscape(stop: (() => void) | null): void {
  const latest = useRef(stop);
  useEffect(() => {
    latest.current = stop;
  });
  const isNeeded = stop !== null;
  useEffect(() => {
    if (!isNeeded) return undefined;
    const scope = new Scope();
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) latest.current?.();
    });
    return () => {
      scope.dispose();
    };
  }, [isNeeded]);
}
