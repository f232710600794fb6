import { app, type BrowserWindow } from 'electron';
import { createAppMenu } from '../../shell/app-menu.ts';
import { openStudioTray } from '../../shell/tray/studio-tray.ts';
import type { TrayAction } from '../../shell/tray/tray-entries.ts';
import type { WorkspaceSwitch } from '../../workspace/workspace-switch.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import type { Capabilities } from '../../../shared/ipc/schemas.ts';
import type { CommandId } from '../../../shared/domain/commands/command-list.ts';
import type { Places } from './places.ts';

export interface ShellSurfacesOptions {
  readonly places: Places;
  readonly platform: Capabilities['platform'];
  readonly settings: SettingsStore;
  readonly workspaces: () => WorkspaceSwitch;
  /** Brings the app's window to the front, opening one if there is none. */
  readonly showWindow: () => BrowserWindow;
  readonly invoke: (id: CommandId) => void;
}

/** The parts of the app outside its window: the menu bar and the tray. */
export function openShellSurfaces({
  places,
  platform,
  settings,
  workspaces,
  showWindow,
  invoke,
}: ShellSurfacesOptions) {
  const menu = createAppMenu({ platform, settings: () => settings.get(), invoke, quit: () => app.quit() });

  const grant = (action: TrayAction) => {
    switch (action) {
      case 'open':
        showWindow();
        break;
      case 'quit':
        app.quit();
        break;
      case 'pause':
      case 'go-on': {
        const library = workspaces().current();
        // When the disk can't store it, the window reports that, like every trouble of the queue.
        if (library.ok) void library.value.jobs.hold(action === 'pause');
        break;
      }
    }
  };
  const tray = openStudioTray({
    icon: places.asset('icons', 'tray', platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'),
    language: () => settings.get().interfaceLanguage,
    isLibraryOpen: () => workspaces().current().ok,
    onAction: grant,
  });
  return {
    menu,
    tray,
    refresh(): void {
      menu.refresh();
      tray.refresh();
    },
  };
}
