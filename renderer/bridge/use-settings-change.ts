import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { RequestInput } from '../../shared/ipc/derive.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { acceptSettings } from './live-state.tsx';
import { useStudio } from './studio-context.tsx';

/** Changes settings in main and shows what main then holds; a refusal changes nothing and is given back. */
export function useSettingsChange(): (change: RequestInput<Contract, 'settings.update'>) => Promise<Failure | null> {
  const studio = useStudio();
  const queries = useQueryClient();
  return useCallback(
    async (change) => {
      const answer = await studio.request('settings.update', change);
      if (!answer.ok) return answer.error;
      acceptSettings(queries, studio, answer.value);
      return null;
    },
    [studio, queries],
  );
}
