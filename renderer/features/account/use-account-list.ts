import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';

/** A list of the account, read again whenever it is shown, and why it or its last change was refused. */
export function useAccountList<T>(queryKey: readonly string[], read: () => Promise<Result<T>>) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => valueOrThrow(read()),
    refetchOnMount: 'always',
    retry: false,
  });
  const [refused, refuse] = useState<Failure | null>(null);
  return {
    data,
    failure: refused ?? failureOf(error),
    refuse,
    /** Called after a change, with the reason if it was refused. */
    reread(this: void, problem: Failure | null) {
      refuse(problem);
      void queries.invalidateQueries({ queryKey });
    },
    retry(this: void) {
      refuse(null);
      void refetch();
    },
  };
}
