import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { StudioClient } from '../../bridge/client.ts';
import { valueOrThrow } from '../../bridge/request-error.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';

const key = ['models'] as const;

export const modelsQuery = (studio: StudioClient) =>
  queryOptions({ queryKey: key, queryFn: () => valueOrThrow(studio.request('models.list', {})), retry: false });

/** The models for recognition on this computer, and what can be done with each; null until they are known. */
export function useLocalModels(isEnabled = true) {
  const studio = useStudio();
  const queries = useQueryClient();
  const [trouble, setTrouble] = useState<Failure | 'no-files' | null>(null);
  const { data } = useQuery({ ...modelsQuery(studio), enabled: isEnabled });
  useEffect(
    () => studio.subscribe('models.changed', () => void queries.invalidateQueries({ queryKey: key })),
    [studio, queries],
  );
  return {
    known: data ?? null,
    get: (id: string) => {
      setTrouble(null);
      void studio.request('models.get', { id });
    },
    pause: (id: string) => void studio.request('models.pause', { id }),
    remove: (id: string) => void studio.request('models.remove', { id }),
    /** Opens the dialog of the system. */
    add: async () => {
      setTrouble(null);
      const answer = await studio.request('models.add', {});
      if (!answer.ok) setTrouble(answer.error);
      else if (answer.value?.foundCount === 0) setTrouble('no-files');
    },
    /** Why nothing of what was chosen could be taken. */
    trouble,
    dismissRefused: () => void studio.request('models.dismissRefused', {}),
  };
}

/** Whether recordings can become text on this computer. */
export const isModelHere = (known: ReturnType<typeof useLocalModels>['known']): boolean =>
  known !== null && (known.hasOwn || known.models.some(({ state }) => state === 'here'));

/** The models, where this computer does the work and none is here; null otherwise and until that is known. */
export function useMissingModels() {
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const models = useLocalModels(isLocal);
  return isLocal && models.known !== null && !isModelHere(models.known) ? models : null;
}
