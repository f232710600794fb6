import { app, BrowserWindow } from 'electron';
import { toAccelerator } from '../../../shared/domain/commands/accelerator.ts';
import {
  playbackAnywhereCommands,
  type PlaybackAnywhereCommand,
} from '../../../shared/domain/commands/command-list.ts';
import { createKeymap } from '../../../shared/domain/commands/keymap.ts';
import { createGlobalKeys } from '../../platform/electron/global-keys.ts';
import { readHeldKey } from '../../services/dictation/held-key.ts';
import type { SettingsStore } from '../../services/settings/stored-settings.ts';

interface PlaybackAnywhereOptions {
  readonly settings: SettingsStore;
  readonly hasGlobalKeys: boolean;
  readonly run: (command: PlaybackAnywhereCommand) => void;
}

/** Other programs keep the keys of playback while there is nothing to play. */
export function playbackAnywhere({ settings, hasGlobalKeys, run }: PlaybackAnywhereOptions) {
  let available: ReadonlySet<string> = new Set();
  const listenerOf = (command: PlaybackAnywhereCommand) => readHeldKey({ press: () => run(command) });
  const keys = createGlobalKeys<PlaybackAnywhereCommand>({
    'playback.toggle': listenerOf('playback.toggle'),
    'playback.pause': listenerOf('playback.pause'),
    'playback.back': listenerOf('playback.back'),
    'playback.forward': listenerOf('playback.forward'),
  });
  const refresh = (): void => {
    if (!hasGlobalKeys) return;
    const { shortcuts, usesLetterKeys, playsFromOtherPrograms } = settings.get();
    const keymap = createKeymap(shortcuts, usesLetterKeys);
    const isElsewhere = BrowserWindow.getFocusedWindow() === null;
    for (const command of playbackAnywhereCommands) {
      const shortcut = playsFromOtherPrograms && isElsewhere && available.has(command) ? keymap.keyOf(command) : null;
      keys.assign(command, shortcut === null ? null : toAccelerator(shortcut));
    }
  };
  app.on('browser-window-focus', refresh);
  app.on('browser-window-blur', refresh);
  return {
    refresh,
    setAvailable: (commands: readonly string[]): void => {
      available = new Set(commands);
      refresh();
    },
  };
}
