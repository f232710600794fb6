import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { StorageUse } from '../../../bridge/types.ts';

/** Parts that can be removed individually, as in the contract. */
export type CleanablePart = 'prepared' | 'backups' | 'practice' | 'peaks' | 'log';

const storageQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: ['storage'],
    queryFn: async (): Promise<StorageUse> => valueOrThrow(studio.request('storage.describe', {})),
    retry: false,
  });

/** How much the app stores, measured whenever a page that shows it is opened, and the removal of parts. */
export function useStorage() {
  const studio = useStudio();
  const queries = useQueryClient();
  const { data, error } = useQuery(storageQuery(studio));
  const [cleaning, setCleaning] = useState<CleanablePart | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [freedBytes, setFreedBytes] = useState<number | null>(null);

  const clean = async (part: CleanablePart) => {
    setCleaning(part);
    setFailure(null);
    setFreedBytes(null);
    const answer = await studio.request('storage.clean', { part });
    if (answer.ok) {
      const { freedBytes: freed, ...use } = answer.value;
      queries.setQueryData(storageQuery(studio).queryKey, use);
      setFreedBytes(freed);
    } else setFailure(answer.error);
    setCleaning(null);
  };
  const openFolder = async () => {
    const answer = await studio.request('storage.openFolder', {});
    setFailure(answer.ok ? null : answer.error);
  };
  return { use: data ?? null, failure: failure ?? failureOf(error), freedBytes, cleaning, clean, openFolder };
}

export const removableOf = (use: StorageUse | null, part: CleanablePart): number =>
  use?.parts.find((one) => one.part === part)?.removableBytes ?? 0;
