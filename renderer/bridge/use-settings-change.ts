import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Failure } from '../../shared/result/failure.ts';
import { moveSettings, useSettings } from './live-state.tsx';
import { withAnswer, withChange, type SettingsChange } from './optimistic-settings.ts';
import { useStudio } from './studio-context.tsx';

interface RefusedSetting {
  readonly failure: Failure;
}

/** The last change that main refused, a new object for each. */
const refusedKey = ['settings', 'refused'];
const refusedQuery = queryOptions({
  queryKey: refusedKey,
  queryFn: (): RefusedSetting | null => null,
  initialData: null,
  staleTime: Infinity,
  gcTime: Infinity,
});

/**
 * Shows a changed setting at once and sends it to main. A refused change is reverted, returned, and reported to the
 * user by `useRefusedSetting`, unless the caller reports it itself (`tells`).
 */
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

/** The last change of a setting that main refused; a new object for each refusal. */
export const useRefusedSetting = (): RefusedSetting | null => useQuery(refusedQuery).data;

/** Asks for a folder and keeps it as a setting; false when none was chosen. A failure is reported as a refused change. */
export function useFolderChoice(): (purpose: 'copies' | 'watch') => Promise<boolean> {
  const studio = useStudio();
  const queries = useQueryClient();
  return async (purpose) => {
    const chosen = await studio.request('automation.chooseFolder', { purpose });
    if (!chosen.ok) queries.setQueryData<RefusedSetting>(refusedKey, { failure: chosen.error });
    return chosen.ok && chosen.value.isChosen;
  };
}

/** Whether finished texts are saved automatically, and how to change it; switching it on asks for a folder first. */
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
