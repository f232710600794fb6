import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSettings } from '../../bridge/live-state.tsx';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useEditor } from './editor-context.ts';

const lookEveryMs = 3_000;

/** The opened text compared with the one in the account; main asks the service. */
export function useSync() {
  const studio = useStudio();
  const { detail } = useEditor();
  const { syncsEdits } = useSettings();
  return useQuery({
    queryKey: ['sync', detail.id, syncsEdits],
    queryFn: () => valueOrThrow(studio.request('transcripts.sync', { transcriptId: detail.id, sends: false })),
    refetchInterval: syncsEdits ? lookEveryMs : false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** A text that was changed in the account too is compared as soon as that is known, unless somebody is typing. */
export function useComparedConflict(): void {
  const { store } = useEditor();
  const state = useSync().data?.state;
  const isShown = useRef(false);
  useEffect(() => {
    if (state !== 'conflict') isShown.current = false;
    if (state !== 'conflict' || isShown.current) return;
    isShown.current = true;
    const isWriting = document.activeElement?.closest('[data-text], input, textarea') != null;
    if (!isWriting) store.showView('versions');
  }, [state, store]);
}
