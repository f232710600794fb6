import { setTimeout as wait } from 'node:timers/promises';
import { app, BrowserWindow, globalShortcut } from 'electron';
import { toAccelerator } from '../../../shared/domain/commands/accelerator.ts';
import { createKeymap } from '../../../shared/domain/commands/keymap.ts';
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

/** Texts that come so late are offered in the list and never pasted by surprise. */
const latestMs = 60_000;

/** Dictation from any program: a key of the system starts and stops it, and each phrase goes where it was begun. */
export function dictateAnywhere({ settings, workspaces, toggle, hasGlobalKeys }: DictateAnywhereOptions) {
  const opening = openX11Target(process.env['WAYLAND_DISPLAY'] === undefined ? process.env['DISPLAY'] : undefined);
  const delivery = opening.then((target) =>
    target === null ? null : createDelivery({ target, clipboard: wholeClipboard, wait: (ms) => wait(ms) }),
  );
  let startedIn: TargetWindow | null = null;
  let isWanted = false;
  let takeId: string | null = null;
  let doneUpTo = 0;
  let lastText = '';
  let registered: string | null = null;

  const press = async (): Promise<void> => {
    if (BrowserWindow.getFocusedWindow() === null && settings.get().dictationTarget === 'app') {
      startedIn = (await (await opening)?.current()) ?? null;
      isWanted = startedIn !== null;
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
    registered = accelerator !== null && globalShortcut.register(accelerator, () => void press()) ? accelerator : null;
  };

  const follow = async (change: TakeChange): Promise<void> => {
    if (isWanted && change.isRecording && takeId !== change.takeId) {
      takeId = change.takeId;
      isWanted = false;
      doneUpTo = 0;
      lastText = '';
    }
    const putter = await delivery;
    if (change.takeId !== takeId || change.phrases === null || putter === null) return;
    for (const phrase of change.phrases.slice(doneUpTo)) {
      if (phrase.state === 'waiting' || phrase.state === 'speaking') return;
      doneUpTo = phrase.id;
      const spokenAtMs = change.startedAtMs + (phrase.endMs ?? 0);
      if (phrase.state !== 'text' || phrase.text === '' || Date.now() - spokenAtMs > latestMs) continue;
      const text = joinPhrases(lastText, phrase.text).slice(lastText.length);
      lastText = phrase.text;
      const workspace = workspaces.current();
      void putter.deliver(text, startedIn, settings.get().dictationWindowRule).then((delivered) => {
        if (delivered.kind === 'kept' || !workspace.ok) return;
        workspace.value.dictation.noteDelivery(change.takeId, [phrase.id], delivered.into);
      });
    }
  };

  app.on('will-quit', () => {
    if (registered !== null) globalShortcut.unregister(registered);
  });
  return { refresh, follow: (change: TakeChange): void => void follow(change) };
}
