import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Failure } from '../../shared/result/failure.ts';
import { moveSettings, useSettings, withAnswer, withChange, type SettingsChange } from './live-state.tsx';
import { useStudio } from './studio-context.tsx';

interface RefusedSetting {
  readonly failure: Failure;
}

/** A new object for each refusal. */
const refusedKey = ['settings', 'refused'];
const refusedQuery = queryOptions({
  queryKey: refusedKey,
  queryFn: (): RefusedSetting | null => null,
  initialData: null,
  staleTime: Infinity,
  gcTime: Infinity,
});

/** The user is told about a refused change, unless the caller does that itself (`reportsRefusal`). */
export function useSettingsChange({ reportsRefusal = false }: { readonly reportsRefusal?: boolean } = {}): (
  change: SettingsChange,
) => Promise<Failure | null> {
  const studio = useStudio();
  const queries = useQueryClient();
  return useCallback(
    async (change) => {
      moveSettings(queries, studio, (ahead) => withChange(ahead, change));
      const answer = await studio.request('settings.update', change);
      moveSettings(queries, studio, (ahead) => withAnswer(ahead, change, answer.ok ? answer.value : null));
      if (answer.ok) return null;
      if (!reportsRefusal) queries.setQueryData<RefusedSetting>(refusedKey, { failure: answer.error });
      return answer.error;
    },
    [studio, queries, reportsRefusal],
  );
}

export const useRefusedSetting = (): RefusedSetting | null => useQuery(refusedQuery).data;

export function useFolderChoice(): (purpose: 'copies' | 'watch') => Promise<boolean> {
  const studio = useStudio();
  const queries = useQueryClient();
  return async (purpose) => {
    const chosen = await studio.request('automation.chooseFolder', { purpose });
    if (!chosen.ok) queries.setQueryData<RefusedSetting>(refusedKey, { failure: chosen.error });
    return chosen.ok && chosen.value.isChosen;
  };
}

export function useCopiesSwitch(): { readonly isOn: boolean; readonly turn: (isOn: boolean) => Promise<void> } {
  const choose = useFolderChoice();
  const change = useSettingsChange();
  const { savesCopies, copyFolderName } = useSettings();
  return {
    isOn: savesCopies && copyFolderName !== null,
    turn: async (isOn) => {
      if (isOn && copyFolderName === null && !(await choose('copies'))) return;
      await change({ savesCopies: isOn });
    },
  };
}
