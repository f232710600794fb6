import { useQuery } from '@tanstack/react-query';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';

const againAfterMs = 30_000;

/** Voices that are off and whose recordings the service still deletes; each look asks it once more (E-097). */
export function useRemoving(): { readonly ids: readonly string[]; readonly reload: () => Promise<unknown> } {
  const studio = useStudio();
  const { mode } = useConnection();
  const { data, refetch } = useQuery({
    queryKey: ['voices', 'removing', mode],
    queryFn: () => valueOrThrow(studio.request('voices.removing', {})),
    retry: false,
    refetchInterval: ({ state }) => ((state.data?.voiceIds.length ?? 0) > 0 ? againAfterMs : false),
  });
  return { ids: data?.voiceIds ?? [], reload: refetch };
}
