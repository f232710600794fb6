import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';

/** A list of the account, read anew whenever it is shown, and why it or the last change of it was refused. */
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
    /** After a change, with what it was refused for. */
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
