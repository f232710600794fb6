import type { WebContents } from 'electron';
import type { SettingsStore } from '../services/settings/settings-store.ts';

/** Keeps the size of the interface as the settings say: at once, and for every page that is loaded. */
export function followZoom(contents: WebContents, settings: SettingsStore): () => void {
  let shownPercent = 100;
  const apply = () => {
    const percent = settings.get().interfaceZoom;
    if (percent === shownPercent || contents.isDestroyed()) return;
    shownPercent = percent;
    contents.setZoomFactor(percent / 100);
  };
  contents.on('did-finish-load', () => {
    // A new document may start at its own size.
    shownPercent = 0;
    apply();
  });
  const stop = settings.onChanged(apply);
  contents.once('destroyed', stop);
  return stop;
}
