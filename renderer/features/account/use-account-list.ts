import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyView } from '../../../shared/domain/account/account-views.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useText } from '../../lib/text.ts';

const practiceKeyName = 'Practice mode';

export function useKeyNames(): (keys: readonly KeyView[]) => readonly KeyView[] {
  const t = useText();
  const { mode } = useConnection();
  return (keys) =>
    modeOf(mode).isPractice
      ? keys.map((key) => (key.name === practiceKeyName ? { ...key, name: t('shell.practice.chip') } : key))
      : keys;
}

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
