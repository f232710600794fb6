import type { StoredSettings } from '../services/settings/stored-settings.ts';
import { notByPerson } from '../services/spend/spend-guard.ts';
import { createHash, randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { mainOnlySettings, storedSettings, type PageSettings } from '../../shared/domain/settings/settings.ts';
import { assertNever, err, ok } from '../../shared/result/result.ts';
import { procedure, nothing } from '../ipc/procedure.ts';
import type { App } from './context.ts';
import { z } from 'zod';

/** The last part of a path, which is all that a page learns about the location of a folder (S-14). */
export const folderName = (path: string): string => basename(path) || path.slice(0, 3);

const salt = randomBytes(16);
/** Names a folder to a page without telling its path, until the app ends. */
export const folderId = (path: string): string => createHash('sha256').update(salt).update(path).digest('hex');

export function pageSettings(stored: StoredSettings, serviceAddress: string): PageSettings {
  const known = Object.keys(storedSettings().shape).filter((name) => !Object.hasOwn(mainOnlySettings, name));
  const shown = Object.fromEntries(known.map((name) => [name, stored[name as keyof StoredSettings]]));
  return {
    ...(shown as Omit<StoredSettings, keyof typeof mainOnlySettings>),
    serviceAddress,
    copyFolderName: stored.copyFolder === null ? null : folderName(stored.copyFolder),
    exportFolderName: stored.exportFolder === null ? null : folderName(stored.exportFolder),
    recentExports: stored.recentExports.map(({ folder, ...made }) => ({ ...made, folderName: folderName(folder) })),
    watchedFolders: stored.watchFolders.map((path) => ({ id: folderId(path), name: folderName(path) })),
  };
}

/** Mode, addresses and proxy have requests of their own, which check them. */
const changeableSettings = storedSettings()
  .omit({
    ...mainOnlySettings,
    recentExports: true,
    mode: true,
    serviceAddress: true,
    streamAddress: true,
    callHost: true,
    proxy: true,
  })
  .partial()
  .strict();

const withoutUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

export const appProcedures = (app: App) => {
  const { settings, connection, version, capabilities, windowOf, menu, noteSaved } = app;
  return {
    'app.describe': procedure(nothing, async (_input, { windowId }) => {
      const state = connection.describe();
      const isMaximized = windowOf(windowId)?.isMaximized() ?? false;
      const shown = pageSettings(settings.get(), state.serviceAddress);
      return ok({ version, capabilities, settings: shown, connection: state, isMaximized });
    }),
    /** Closing may leave the app in the tray; quitting never does. */
    'window.control': procedure(
      z.strictObject({ action: z.enum(['minimize', 'toggle-maximize', 'close', 'quit']) }),
      async ({ action }, { windowId }) => {
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
    ),
    /**
     * Pastes into the focused element as the browser does, for a menu of the page: a page may not read the clipboard.
     * `not-asked-for` without a user activation.
     */
    'window.paste': procedure(nothing, async (_input, { windowId, activation }) => {
      // What is pasted can be read by the page.
      if (!app.activations.take(windowId, activation)) return err(notByPerson);
      windowOf(windowId)?.webContents.paste();
      return ok({});
    }),
    'window.saved': procedure(z.strictObject({ isSaved: z.boolean() }), async ({ isSaved }) => {
      noteSaved(isSaved);
      return ok({});
    }),
    'commands.report': procedure(
      z.strictObject({
        available: z.array(z.string().max(64)).max(500),
        names: z.record(z.string().max(64), z.string().max(500)),
      }),
      async ({ available, names }) => {
        menu.setAvailable(available, names);
        return ok({});
      },
    ),
    'settings.update': procedure(changeableSettings, async (change, { windowId, activation }) => {
      // A page can't lift the limit on what it may send by itself (S-15).
      const { spendLimitMinutes: wanted, toolRights } = change;
      const held = settings.get().spendLimitMinutes;
      const isLoosened =
        (wanted !== undefined && held !== null && (wanted === null || wanted > held)) || toolRights === 'act';
      if (isLoosened && !app.activations.take(windowId, activation)) return err(notByPerson);
      // Automatic exports begin with what is finished from now on; a week of older texts in a folder would be a
      // surprise.
      const begins = change.savesCopies === true && !settings.get().savesCopies ? { copiesSinceMs: Date.now() } : {};
      const stored = settings.update({ ...withoutUndefined(change), ...begins });
      return ok(pageSettings(stored, connection.describe().serviceAddress));
    }),
  };
};
