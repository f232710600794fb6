import { useStudio } from './studio-context.tsx';
import { useSettings } from './live-state.tsx';
import { useSettingsChange } from './use-settings-change.ts';

/** Whether finished texts are saved by themselves, and how to change it; turning it on asks for a folder first. */
export function useCopiesSwitch(): { readonly isOn: boolean; readonly turn: (isOn: boolean) => Promise<void> } {
  const studio = useStudio();
  const change = useSettingsChange();
  const { savesCopies, copyFolderName } = useSettings();
  return {
    isOn: savesCopies && copyFolderName !== null,
    turn: async (isOn) => {
      if (isOn && copyFolderName === null) {
        const chosen = await studio.request('automation.chooseFolder', { purpose: 'copies' });
        if (!chosen.ok || !chosen.value.isChosen) return;
      }
      await change({ savesCopies: isOn });
    },
  };
}
