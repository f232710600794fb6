import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { dialogWords } from './words.ts';

/** Commands that a menu item hands to the page. */
export type MenuCommand = 'files.add' | 'folder.add' | 'settings.open' | 'zoom.in' | 'zoom.out' | 'zoom.reset';

/** macOS needs a menu for its standard keys to work; elsewhere the page has everything and there is no menu bar. */
export function setAppMenu(language: InterfaceLanguage, invoke: (command: MenuCommand) => void): void {
  if (process.platform !== 'darwin') {
    Menu.setApplicationMenu(null);
    return;
  }
  const say = dialogWords(language);
  const item = (label: string, accelerator: string, command: MenuCommand): MenuItemConstructorOptions => ({
    label: say(label),
    accelerator,
    click: () => invoke(command),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const roles = (...names: readonly NonNullable<MenuItemConstructorOptions['role']>[]) =>
    names.map((role) => ({ role }));
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        role: 'appMenu',
        submenu: [
          { role: 'about' },
          separator,
          item('menu.settings', 'Cmd+,', 'settings.open'),
          separator,
          ...roles('services', 'hide', 'hideOthers', 'unhide'),
          separator,
          { role: 'quit' },
        ],
      },
      {
        label: say('menu.file'),
        submenu: [
          item('menu.addFiles', 'Cmd+O', 'files.add'),
          item('menu.addFolder', 'Shift+Cmd+O', 'folder.add'),
          separator,
          { role: 'close' },
        ],
      },
      { label: say('menu.edit'), submenu: roles('undo', 'redo', 'cut', 'copy', 'paste', 'selectAll') },
      {
        label: say('menu.view'),
        submenu: [
          item('menu.zoomReset', 'Cmd+0', 'zoom.reset'),
          item('menu.zoomIn', 'Cmd+Plus', 'zoom.in'),
          item('menu.zoomOut', 'Cmd+-', 'zoom.out'),
          separator,
          { role: 'togglefullscreen' },
        ],
      },
      { label: say('menu.window'), role: 'windowMenu' },
    ]),
  );
}
