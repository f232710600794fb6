import { Menu, type BrowserWindow, type ContextMenuParams } from 'electron';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { translate } from './words.ts';

type Pressed = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>;
const fieldRoles = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'] as const;

/** What a right press offers: in a field everything that changes it, on selected text to copy it, elsewhere nothing. */
export function fieldMenu({ isEditable, selectionText, editFlags }: Pressed) {
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy' as const, enabled: true }];
  const can = {
    undo: editFlags.canUndo,
    redo: editFlags.canRedo,
    cut: editFlags.canCut,
    copy: editFlags.canCopy,
    paste: editFlags.canPaste,
    selectAll: editFlags.canSelectAll,
  };
  return fieldRoles.map((role) => ({ role, enabled: can[role] }));
}

/** The page draws menus of its own where it has any; elsewhere a field would have none. */
export function offerFieldMenu(window: BrowserWindow, language: () => InterfaceLanguage): void {
  window.webContents.on('context-menu', (_event, pressed) => {
    const entries = fieldMenu(pressed);
    if (entries.length === 0) return;
    const template = entries.map((entry) => ({ ...entry, label: translate(language(), `menu.roles.${entry.role}`) }));
    Menu.buildFromTemplate(template).popup({ window });
  });
}
