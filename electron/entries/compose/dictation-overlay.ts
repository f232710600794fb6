import { BrowserWindow } from 'electron';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import type { OverlayView } from '../../../shared/ipc/overlay.ts';
import type { Delivery } from '../../services/dictation/deliver-text.ts';
import { OverlayState, type OverlayScene } from '../../services/dictation/overlay-state.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import { translate } from '../../shell/words.ts';
import type { createOverlay } from '../../shell/windows/overlay-window.ts';

const redrawMs = 100;
/** What does not move is drawn again only to notice which window is in front, and that its time is over. */
const restMs = 1000;
const moving: ReadonlySet<OverlayView['state']> = new Set(['listening', 'near', 'offline', 'sending']);

type Words = Pick<OverlayView, 'notice' | 'note' | 'action'>;

/** What the overlay says about a take. */
function wordsOf(scene: OverlayScene, language: InterfaceLanguage): Words {
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    translate(language, `dictation.${key}`, values);
  const { state, program, waiting, waitingMs, device, text } = scene;
  const nothing: Words = { notice: '', note: '', action: null };
  switch (state) {
    case 'listening':
      return nothing;
    case 'near':
      return { ...nothing, notice: say('overlay.near') };
    case 'offline':
      return { ...nothing, notice: say('overlay.offline', { count: waiting }) };
    case 'sending':
      return {
        ...nothing,
        notice:
          waitingMs === 0
            ? say('overlay.sending')
            : say('overlay.turning', { seconds: Math.round(waitingMs / 100) / 10 }),
        note: program === '' ? '' : say('overlay.goesInto', { program }),
      };
    case 'text':
      return {
        ...nothing,
        notice: say('noSpeech'),
        note: program === '' || text === '' ? '' : say('overlay.went', { program }),
      };
    case 'kept':
      return {
        ...nothing,
        note: program === '' ? say('overlay.notPasted') : say('overlay.left', { program }),
        action: { does: 'paste', text: say('overlay.pasteHere') },
      };
    case 'error':
      return {
        notice: say('trouble.gone.title', { device }),
        note: say('overlay.goneNote'),
        action: { does: 'start', text: say('overlay.startAgain') },
      };
  }
}

/**
 * Shows the overlay while dictation runs and another program is in front, and between takes if the user wants it; in
 * our own window the title bar shows the state. `workingKey`: the accelerator that starts dictation in any program.
 */
export function dictationOverlay(
  settings: SettingsStore,
  overlay: ReturnType<typeof createOverlay>,
  workingKey: () => string | null,
) {
  const state = new OverlayState(() => Date.now());
  let timer: NodeJS.Timeout | undefined;
  /** The user hid it; it returns with the next take. */
  let isPutAway = false;
  let isClosed = false;

  const close = (): void => {
    clearTimeout(timer);
    isClosed = true;
    overlay.close();
  };
  const draw = (): void => {
    clearTimeout(timer);
    if (isClosed || isPutAway) return;
    const scene = state.scene();
    const { showsOverlay, keepsOverlay, interfaceLanguage, dictationLanguage, appearance, contrast } = settings.get();
    const key = workingKey();
    const isReady = scene === null && keepsOverlay && key !== null;
    if (!showsOverlay || (scene === null && !isReady)) {
      overlay.close();
      return;
    }
    timer = setTimeout(draw, scene !== null && moving.has(scene.state) ? redrawMs : restMs);
    if (BrowserWindow.getFocusedWindow() !== null) {
      overlay.close();
      return;
    }
    const common = {
      language: interfaceLanguage,
      spoken: dictationLanguage,
      appearance,
      contrast,
      words: {
        title: translate(interfaceLanguage, 'dictation.title'),
        stop: translate(interfaceLanguage, 'dictation.stopLabel'),
        hide: translate(interfaceLanguage, 'dictation.overlay.hide'),
      },
    };
    if (scene === null) {
      overlay.show({
        ...common,
        state: 'ready',
        onForMs: 0,
        levels: [],
        text: '',
        notice: translate(interfaceLanguage, 'dictation.overlay.press'),
        note: '',
        keys: capsOf(key ?? ''),
        action: null,
      });
      return;
    }
    const { state: name, onForMs, levels, text } = scene;
    overlay.show({ ...common, state: name, onForMs, levels, text, keys: [], ...wordsOf(scene, interfaceLanguage) });
  };

  return {
    follow(change: TakeChange): void {
      const wasOn = state.isOn;
      state.follow(change);
      if (state.isOn && !wasOn) isPutAway = false;
      draw();
    },
    hear: (pcm: Int16Array): void => state.hear(pcm),
    begin: (program: string): void => state.begin(program),
    noteDelivery(delivered: Delivery): void {
      state.noteDelivery(delivered);
      draw();
    },
    noteGone(device: string): void {
      state.noteGone(device);
      draw();
    },
    dismiss(): void {
      state.dismiss();
      draw();
    },
    /** The user hid it. */
    hide(): void {
      isPutAway = true;
      if (!state.isOn) state.dismiss();
    },
    /** Settings have changed. */
    refresh: draw,
    /** The app quits: nothing is shown any more. */
    close,
  };
}

const capsOf = (accelerator: string): readonly string[] =>
  accelerator
    .split('+')
    .map((cap) => (cap === 'CommandOrControl' ? (process.platform === 'darwin' ? '⌘' : 'Ctrl') : cap));
