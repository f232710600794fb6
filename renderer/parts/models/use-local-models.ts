import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { StudioClient } from '../../bridge/client.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';

const key = ['models'] as const;

export const modelsQuery = (studio: StudioClient) =>
  queryOptions({ queryKey: key, queryFn: () => valueOrThrow(studio.request('models.list', {})), retry: false });

/** The models for recognition on this computer, and what can be done with each; null until they are known. */
export function useLocalModels() {
  const studio = useStudio();
  const queries = useQueryClient();
  const { data } = useQuery(modelsQuery(studio));
  useEffect(
    () => studio.subscribe('models.changed', () => void queries.invalidateQueries({ queryKey: key })),
    [studio, queries],
  );
  return {
    known: data ?? null,
    get: (id: string) => void studio.request('models.get', { id }),
    pause: (id: string) => void studio.request('models.pause', { id }),
    remove: (id: string) => void studio.request('models.remove', { id }),
    /** Opens the dialog of the system; null when it was cancelled or refused. */
    add: async () => {
      const answer = await studio.request('models.add', {});
      return answer.ok ? answer.value : null;
    },
    dismissRefused: () => void studio.request('models.dismissRefused', {}),
  };
}
