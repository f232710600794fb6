import { setTimeout as wait } from 'node:timers/promises';
import { app, BrowserWindow, globalShortcut } from 'electron';
import { toAccelerator } from '../../../shared/domain/commands/accelerator.ts';
import { createKeymap } from '../../../shared/domain/commands/keymap.ts';
import type { DictationReach } from '../../../shared/ipc/contract-dictation.ts';
import { joinPhrases } from '../../../shared/domain/dictation/spoken-commands.ts';
import type { TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import { wholeClipboard } from '../../platform/electron/system.ts';
import { openX11Target } from '../../platform/node/x11-target.ts';
import { createDelivery, type TargetWindow } from '../../services/dictation/deliver-text.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import type { WorkspaceSwitch } from '../../workspace/workspace-switch.ts';

export interface DictateAnywhereOptions {
  readonly settings: SettingsStore;
  readonly workspaces: WorkspaceSwitch;
  /** Starts or stops dictating in the page. */
  readonly toggle: () => void;
  /** Whether the system tells of keys outside our windows. */
  readonly hasGlobalKeys: boolean;
}

interface Target {
  readonly after: number;
  readonly window: TargetWindow | null;
  lastText: string;
}

/** Texts that come so late are offered in the list and never pasted by surprise. */
const latestMs = 60_000;

/** Dictation from any program: a key of the system starts and stops it, and each phrase goes where it was begun. */
export function dictateAnywhere({ settings, workspaces, toggle, hasGlobalKeys }: DictateAnywhereOptions) {
  const opening = openX11Target(process.env['WAYLAND_DISPLAY'] === undefined ? process.env['DISPLAY'] : undefined);
  const delivery = opening.then((target) =>
    target === null ? null : createDelivery({ target, clipboard: wholeClipboard, wait: (ms) => wait(ms) }),
  );
  /** The program in front when its key was pressed, until a take begins. */
  let wanted: TargetWindow | null = null;
  /** Each time the microphone went on: phrases after this one are for that program, or for none. */
  let targets: readonly Target[] = [];
  let takeId: string | null = null;
  let isRecording = false;
  let doneUpTo = 0;
  let registered: string | null = null;
  let key: DictationReach['key'] = hasGlobalKeys ? 'off' : 'no-keys';

  const press = async (): Promise<void> => {
    if (BrowserWindow.getFocusedWindow() === null && settings.get().dictationTarget === 'app') {
      wanted = (await (await opening)?.current()) ?? null;
    }
    toggle();
  };

  const refresh = (): void => {
    if (!hasGlobalKeys) return;
    const { shortcuts, usesLetterKeys } = settings.get();
    const shortcut = createKeymap(shortcuts, usesLetterKeys).keyOf('dictation.toggle');
    const accelerator = shortcut === null ? null : toAccelerator(shortcut);
    if (accelerator === registered) return;
    if (registered !== null) globalShortcut.unregister(registered);
    // Another program may have it: then the system says no, and the settings tell.
    registered = accelerator !== null && globalShortcut.register(accelerator, () => void press()) ? accelerator : null;
    key = accelerator === null ? 'off' : registered === null ? 'taken' : 'works';
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
      wanted = null;
    }
    if (change.takeId === takeId) isRecording = change.isRecording;
    const putter = await delivery;
    if (change.takeId !== takeId || change.phrases === null || putter === null) return;
    for (const phrase of change.phrases.slice(doneUpTo)) {
      if (phrase.state === 'waiting' || phrase.state === 'speaking') return;
      doneUpTo = phrase.id;
      const target = targets.findLast(({ after }) => after < phrase.id);
      const isLate = Date.now() - phrase.spokenAtMs - (phrase.endMs ?? phrase.startMs) + phrase.startMs > latestMs;
      if (target === undefined || target.window === null || isLate) continue;
      if (phrase.state !== 'text' || phrase.text === '') continue;
      const text = joinPhrases(target.lastText, phrase.text).slice(target.lastText.length);
      target.lastText = phrase.text;
      const workspace = workspaces.current();
      void putter.deliver(text, target.window, settings.get().dictationWindowRule).then((delivered) => {
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

  app.on('will-quit', () => {
    if (registered !== null) globalShortcut.unregister(registered);
  });
  // Wayland lets no program put a window above the others, nor say where it stands.
  const canOverlay = hasGlobalKeys && process.env['WAYLAND_DISPLAY'] === undefined;

  return {
    refresh,
    canOverlay,
    describe: async (): Promise<DictationReach> => ({ key, canOverlay, programs: await programs() }),
    follow: (change: TakeChange): void => void follow(change),
  };
}
