import { BrowserWindow } from 'electron';
import type { TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { OverlayState, type OverlayScene } from '../../services/dictation/overlay-state.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import { translate } from '../../shell/words.ts';
import type { createOverlay } from '../../shell/windows/overlay-window.ts';

const redrawMs = 100;

/** Shows the overlay while dictation runs and another program is in front; in our own window the title bar shows it. */
export function dictationOverlay(settings: SettingsStore, overlay: ReturnType<typeof createOverlay>) {
  const state = new OverlayState(() => Date.now());
  let timer: NodeJS.Timeout | null = null;

  const noticeOf = ({ state: now, waiting }: OverlayScene): string => {
    const { interfaceLanguage } = settings.get();
    if (now === 'offline') return translate(interfaceLanguage, 'dictation.overlay.offline', { count: waiting });
    if (now === 'sending') return translate(interfaceLanguage, 'dictation.overlay.sending');
    return now === 'text' ? translate(interfaceLanguage, 'dictation.noSpeech') : '';
  };

  const draw = (): void => {
    const scene = state.scene();
    const { showsOverlay, interfaceLanguage, dictationLanguage, appearance, contrast } = settings.get();
    if (scene === null || !showsOverlay) {
      if (timer !== null) clearInterval(timer);
      timer = null;
      overlay.close();
      return;
    }
    if (BrowserWindow.getFocusedWindow() !== null) {
      overlay.close();
      return;
    }
    const { waiting: _waiting, ...shown } = scene;
    overlay.show({
      ...shown,
      language: interfaceLanguage,
      spoken: dictationLanguage,
      appearance,
      contrast,
      notice: noticeOf(scene),
      words: {
        title: translate(interfaceLanguage, 'dictation.title'),
        stop: translate(interfaceLanguage, 'dictation.stopLabel'),
        hide: translate(interfaceLanguage, 'dictation.overlay.hide'),
      },
    });
  };

  return {
    follow(change: TakeChange): void {
      state.follow(change);
      if (!change.isRecording || timer !== null) return;
      overlay.bringBack();
      timer = setInterval(draw, redrawMs);
    },
    hear: (pcm: Int16Array): void => state.hear(pcm),
  };
}
