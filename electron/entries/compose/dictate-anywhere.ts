import { createGlobalKeys } from '../../platform/electron/global-keys.ts';
import { setTimeout as wait } from 'node:timers/promises';
import electron, { BrowserWindow } from 'electron';
import { toAccelerator } from '../../../shared/domain/commands/accelerator.ts';
import { createKeymap } from '../../../shared/domain/commands/keymap.ts';
import type { DictationReach } from '../../sections/context.ts';
import { chooseLanguage, nextLanguage } from '../../../shared/domain/dictation/choose-language.ts';
import { joinPhrases } from '../../../shared/domain/dictation/spoken-commands.ts';
import type { TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { wholeClipboard } from '../../platform/electron/whole-clipboard.ts';
import { openX11Target } from '../../platform/node/x11-target.ts';
import { createDelivery, type Delivery, type TargetWindow } from '../../services/dictation/deliver-text.ts';
import { readHeldKey } from '../../services/dictation/held-key.ts';
import type { SettingsStore } from '../../services/settings/stored-settings.ts';
import type { WorkspaceSwitch } from '../../workspace/workspace-switch.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import type { OverlayView } from '../../ipc/overlay.ts';
import { OverlayState, type OverlayScene } from '../../services/dictation/overlay-state.ts';
import { translate } from '../../shell/words.ts';
import type { createOverlay } from '../../shell/windows/overlay-window.ts';

export interface DictateAnywhereOptions {
  readonly settings: SettingsStore;
  readonly workspaces: WorkspaceSwitch;
  readonly toggle: () => void;
  readonly discard: () => void;
  readonly onBegun: (program: string) => void;
  readonly onDelivered: (delivered: Delivery) => void;
  readonly hasGlobalKeys: boolean;
}

interface Target {
  readonly after: number;
  readonly window: TargetWindow | null;
  lastText: string;
}

/** Commands with a global key; where the system has none, only the first remains. */
const globalCommands = ['dictation.toggle', 'dictation.pasteLast', 'dictation.nextLanguage'] as const;
type GlobalCommand = (typeof globalCommands)[number];

/** A text that arrives later than this is offered in the list instead of being pasted by surprise. */
const latestMs = 60_000;

/**
 * Dictation from any program: a global key starts and stops it, and each phrase goes to the program in which it was
 * begun.
 */
export function dictateAnywhere(options: DictateAnywhereOptions) {
  const { settings, workspaces, toggle, discard, hasGlobalKeys } = options;
  const opening = openX11Target(process.env['WAYLAND_DISPLAY'] === undefined ? process.env['DISPLAY'] : undefined);
  const delivery = opening.then((target) =>
    target === null
      ? null
      : createDelivery({
          target,
          clipboard: wholeClipboard(electron),
          selection: wholeClipboard({ ...electron, clipboard: electron.clipboard.selection }),
          wait: (ms) => wait(ms),
        }),
  );
  let wanted: TargetWindow | null = null;
  let targets: readonly Target[] = [];
  let takeId: string | null = null;
  let isRecording = false;
  let doneUpTo = 0;
  let key: DictationReach['key'] = hasGlobalKeys ? 'off' : 'no-keys';

  const followLanguage = async (window: TargetWindow | null): Promise<void> => {
    const { dictationLanguage, dictationFollowsLayout, dictationLanguageRules } = settings.get();
    const layout = dictationFollowsLayout ? ((await (await opening)?.layout()) ?? null) : null;
    const choice = { rules: dictationLanguageRules, followsLayout: dictationFollowsLayout, chosen: dictationLanguage };
    const language = chooseLanguage(choice, window === null ? null : `${window.name} ${window.title ?? ''}`, layout);
    if (language !== dictationLanguage) settings.update({ dictationLanguage: language });
  };

  let hasBegun = false;
  const press = async (): Promise<void> => {
    hasBegun = !isRecording;
    const isElsewhere = BrowserWindow.getFocusedWindow() === null;
    if (!isRecording) {
      const window = isElsewhere ? ((await (await opening)?.current()) ?? null) : null;
      if (settings.get().dictationTarget === 'app') wanted = window;
      await followLanguage(window);
    }
    toggle();
  };
  const pasteLast = async (): Promise<void> => {
    const delivered = await (await delivery)?.pasteLast();
    if (delivered !== undefined) options.onDelivered(delivered);
  };
  const release = (): void => {
    if (hasBegun && isRecording && settings.get().dictationMode === 'hold') toggle();
  };
  const keys = createGlobalKeys<GlobalCommand | 'dictation.discard'>({
    'dictation.discard': discard,
    'dictation.toggle': readHeldKey({ press: () => void press(), release }),
    'dictation.pasteLast': readHeldKey({ press: () => void pasteLast() }),
    'dictation.nextLanguage': readHeldKey({
      press: () => void settings.update({ dictationLanguage: nextLanguage(settings.get().dictationLanguage) }),
    }),
  });

  const acceleratorOf = (command: GlobalCommand | 'dictation.discard'): string | null => {
    const { shortcuts, usesLetterKeys } = settings.get();
    const shortcut = createKeymap(shortcuts, usesLetterKeys).keyOf(command);
    // No menu has Esc alone, but this key is held only as long as the microphone is on.
    if (command === 'dictation.discard' && shortcut === 'Escape') return shortcut;
    return shortcut === null ? null : toAccelerator(shortcut);
  };
  const refresh = (): void => {
    if (!hasGlobalKeys) return;
    for (const command of globalCommands) {
      const accelerator = acceleratorOf(command);
      keys.assign(command, accelerator);
      if (command === 'dictation.toggle')
        key = accelerator === null ? 'off' : keys.acceleratorOf(command) === null ? 'taken' : 'works';
    }
  };

  const follow = async (change: TakeChange): Promise<void> => {
    if (change.isRecording && !isRecording) {
      const after = change.phrases?.length ?? 0;
      if (takeId !== change.takeId) {
        takeId = change.takeId;
        doneUpTo = after;
        targets = [];
      }
      targets = [...targets, { after, window: wanted, lastText: '' }];
      options.onBegun(wanted?.name ?? '');
      wanted = null;
      // Esc belongs to the program in front again as soon as the microphone is off.
      if (hasGlobalKeys && BrowserWindow.getFocusedWindow() === null)
        keys.assign('dictation.discard', acceleratorOf('dictation.discard'));
    }
    if (change.takeId === takeId) isRecording = change.isRecording;
    if (!isRecording) keys.assign('dictation.discard', null);
    const putter = await delivery;
    if (change.takeId !== takeId || change.phrases === null || putter === null) return;
    for (const phrase of change.phrases.slice(doneUpTo)) {
      if (phrase.state === 'waiting' || phrase.state === 'speaking' || phrase.cleanUp?.isArriving === true) return;
      doneUpTo = phrase.id;
      const target = targets.findLast(({ after }) => after < phrase.id);
      const isLate = Date.now() - phrase.spokenAtMs - (phrase.endMs ?? phrase.startMs) + phrase.startMs > latestMs;
      if (target === undefined || target.window === null || isLate) continue;
      if (phrase.state !== 'text' || phrase.text === '') continue;
      const text = joinPhrases(target.lastText, phrase.text).slice(target.lastText.length);
      target.lastText = phrase.text;
      const workspace = workspaces.current();
      void putter.deliver(text, target.window, settings.get().dictationWindowRule).then((delivered) => {
        options.onDelivered(delivered);
        if (delivered.kind === 'kept' || !workspace.ok) return;
        workspace.value.dictation.noteDelivery(change.takeId, [phrase.id], delivered.into);
      });
    }
  };

  const programs = async (): Promise<DictationReach['programs']> => {
    if (!hasGlobalKeys) return 'no-keys';
    if (process.platform !== 'linux') return 'not-yet';
    if (process.env['WAYLAND_DISPLAY'] !== undefined) return 'wayland';
    return (await opening) === null ? 'no-xdotool' : 'reached';
  };

  // Wayland lets no program put a window above the others or choose its place.
  const canOverlay = hasGlobalKeys && process.env['WAYLAND_DISPLAY'] === undefined;

  return {
    refresh,
    canOverlay,
    tryPaste: async (text: string, isWanted: () => boolean): Promise<void> => {
      await (await delivery)?.tryPaste(text, isWanted);
    },
    pasteLast,
    workingKey: (): string | null => (key === 'works' ? keys.acceleratorOf('dictation.toggle') : null),
    describe: async (): Promise<DictationReach> => ({
      key,
      canOverlay,
      programs: await programs(),
      tellsRelease: hasGlobalKeys && process.platform === 'linux' && process.env['WAYLAND_DISPLAY'] === undefined,
      tellsLayout: hasGlobalKeys && (await (await opening)?.layout()) != null,
    }),
    follow: (change: TakeChange): void => void follow(change),
  };
}

const redrawMs = 100;
/** What does not move is drawn again only to notice which window is in front, and that its time is over. */
const restMs = 1000;
const moving: ReadonlySet<OverlayView['state']> = new Set(['listening', 'near', 'offline', 'sending']);

type Words = Pick<OverlayView, 'notice' | 'note' | 'action'>;

function wordsOf(scene: OverlayScene, language: InterfaceLanguage): Words {
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    translate(language, `dictation.${key}`, values);
  const { state, program, waiting, waitingMs, discardedMs, device, text } = scene;
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
        notice: discardedMs === 0 ? say('noSpeech') : say('discarded', { seconds: Math.round(discardedMs / 100) / 10 }),
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

/** In our own window the title bar shows the state. */
export function dictationOverlay(
  settings: SettingsStore,
  overlay: ReturnType<typeof createOverlay>,
  workingKey: () => string | null,
) {
  const state = new OverlayState(() => Date.now());
  let timer: NodeJS.Timeout | undefined;
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
        discard: translate(interfaceLanguage, 'dictation.discard'),
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
    hide(): void {
      isPutAway = true;
      if (!state.isOn) state.dismiss();
    },
    refresh: draw,
    close,
  };
}

const capsOf = (accelerator: string): readonly string[] =>
  accelerator
    .split('+')
    .map((cap) => (cap === 'CommandOrControl' ? (process.platform === 'darwin' ? '⌘' : 'Ctrl') : cap));
