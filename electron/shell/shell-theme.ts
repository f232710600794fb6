import { nativeTheme } from 'electron';
import type { SettingsStore } from '../services/settings/settings-store.ts';

/** The system's own parts (frames, dialogs, `prefers-color-scheme`) follow the appearance that the person chose. */
export function followAppearance(settings: SettingsStore): void {
  const apply = () => {
    nativeTheme.themeSource = settings.get().appearance;
  };
  apply();
  settings.onChanged(apply);
}
