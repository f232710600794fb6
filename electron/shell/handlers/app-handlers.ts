import { basename } from 'node:path';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import type { Settings } from '../../../shared/ipc/schemas.ts';
import { mainOnlySettings, storedSettings } from '../../../shared/domain/settings/settings.ts';
import { assertNever, err, ok } from '../../../shared/result/result.ts';
import type { StoredSettings } from '../../services/settings/settings-store.ts';
import { notByPerson } from '../../services/spend/paid-actions.ts';
import type { HandlerServices } from './handler-services.ts';

type AppHandlers = Pick<
  Handlers<Contract>,
  'app.describe' | 'window.control' | 'window.paste' | 'window.saved' | 'settings.update' | 'commands.report'
>;

/** The last part of a path, which is all that a page learns about the location of a folder (S-14). */
export const folderName = (path: string): string => basename(path) || path.slice(0, 3);

/** Settings without the fields that only main needs. */
export function pageSettings(stored: StoredSettings, serviceAddress: string): Settings {
  const known = Object.keys(storedSettings().shape).filter((name) => !Object.hasOwn(mainOnlySettings, name));
  return {
    ...Object.fromEntries(known.map((name) => [name, stored[name as keyof StoredSettings]])),
    serviceAddress,
    copyFolderName: stored.copyFolder === null ? null : folderName(stored.copyFolder),
    exportFolderName: stored.exportFolder === null ? null : folderName(stored.exportFolder),
    recentExports: stored.recentExports.map(({ folder, ...made }) => ({ ...made, folderName: folderName(folder) })),
    watchFolderName: stored.watchFolder === null ? null : folderName(stored.watchFolder),
  } as Settings;
}

const withoutUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

export const appHandlers = (services: HandlerServices): AppHandlers => {
  const {
    settings,
    connection,
    corrections,
    version,
    window: { capabilities, windowOf, menu, noteSaved },
  } = services;
  return {
    'app.describe': async (_input, { windowId }) => {
      const state = connection.describe();
      const isMaximized = windowOf(windowId)?.isMaximized() ?? false;
      const shown = pageSettings(settings.get(), state.serviceAddress);
      return ok({ version, capabilities, settings: shown, connection: state, corrections, isMaximized });
    },
    'window.control': async ({ action }, { windowId }) => {
      const window = windowOf(windowId);
      switch (action) {
        case 'minimize':
          window?.minimize();
          break;
        case 'toggle-maximize':
          if (window?.isMaximized()) window.unmaximize();
          else window?.maximize();
          break;
        case 'close':
          window?.close();
          break;
        case 'quit':
          menu.quit();
          break;
        default:
          assertNever(action);
      }
      return ok({});
    },
    'window.paste': async (_input, { windowId, activation }) => {
      // What is pasted can be read by the page.
      if (!services.window.activations.take(windowId, activation)) return err(notByPerson);
      windowOf(windowId)?.webContents.paste();
      return ok({});
    },
    'window.saved': async ({ isSaved }) => {
      noteSaved(isSaved);
      return ok({});
    },
    'commands.report': async ({ available, names }) => {
      menu.setAvailable(available, names);
      return ok({});
    },
    'settings.update': async (change, { windowId, activation }) => {
      // A page can't lift the limit on what it may send by itself (S-15).
      const { spendLimitMinutes: wanted, toolRights } = change;
      const held = settings.get().spendLimitMinutes;
      const isLoosened =
        (wanted !== undefined && held !== null && (wanted === null || wanted > held)) || toolRights === 'act';
      if (isLoosened && !services.window.activations.take(windowId, activation)) return err(notByPerson);
      // Automatic exports begin with what is finished from now on; a week of older texts in a folder would be a
      // surprise.
      const begins = change.savesCopies === true && !settings.get().savesCopies ? { copiesSinceMs: Date.now() } : {};
      const stored = settings.update({ ...withoutUndefined(change), ...begins });
      return ok(pageSettings(stored, connection.describe().serviceAddress));
    },
  };
};
