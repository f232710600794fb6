import { Menu, type BrowserWindow } from 'electron';
import { fieldMenu } from '../../shared/domain/commands/field-menu.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { translate } from './words.ts';

/** The page draws menus of its own where it has any; elsewhere a field would have none. */
export function offerFieldMenu(window: BrowserWindow, language: () => InterfaceLanguage): void {
  window.webContents.on('context-menu', (_event, pressed) => {
    const entries = fieldMenu(pressed);
    if (entries.length === 0) return;
    const template = entries.map((entry) => ({ ...entry, label: translate(language(), `menu.roles.${entry.role}`) }));
    Menu.buildFromTemplate(template).popup({ window });
  });
}
