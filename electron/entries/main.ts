import { join } from 'node:path';
import { app } from 'electron';
import { preferredLanguage } from '../../shared/domain/languages.ts';
import { registerAppScheme } from '../shell/security/app-scheme.ts';
import { cleanEnvironment, findDangerousSwitch } from '../shell/security/start-conditions.ts';
import { guardNavigation, guardPermissions } from '../shell/security/permissions.ts';
import { locateDataFolder, prepareDataFolder } from '../platform/node/data-folder.ts';
// Reads the umask that the app was started with.
import '../platform/node/users-files.ts';
import { readEnvironment } from '../services/settings/environment.ts';

const { isPackaged } = app;
const built = (...path: string[]) => join(import.meta.dirname, '..', ...path);
const asset = (...path: string[]) => join(import.meta.dirname, '..', '..', 'assets', ...path);

process.umask(0o077);
const environment = readEnvironment(process.env, isPackaged);
const folder = locateDataFolder(environment.dataDir);
const refusedSwitch = isPackaged ? findDangerousSwitch(process.argv) : null;

if (refusedSwitch !== null) {
  console.error(`Ovoz Studio does not start with ${refusedSwitch.split('=')[0]}`);
  app.exit(2);
} else if (!isDataFolderReady()) {
  void app.whenReady().then(async () => {
    const { showStartFailure } = await import('../shell/lifecycle.ts');
    console.error(showStartFailure('data-folder-unwritable', preferredLanguage(app.getPreferredSystemLanguages())));
    app.exit(1);
  });
} else if (process.argv.slice(1).includes('mcp')) {
  // The app may be open next to this process, so the browser part, which is not used here, gets a folder of its own.
  app.setPath('userData', folder.root);
  app.setPath('sessionData', join(folder.browser, 'tools'));
  cleanEnvironment(process.env, isPackaged);
  app.enableSandbox();
  setImmediate(() => void serveTools());
} else {
  app.setPath('userData', folder.root);
  app.setPath('sessionData', folder.browser);
  // Only one process owns the library; a second one brings the first to the front and quits (already-open).
  if (app.requestSingleInstanceLock()) start();
  else app.exit(0);
}

function isDataFolderReady(): boolean {
  try {
    prepareDataFolder(folder);
    return true;
  } catch {
    return false;
  }
}

async function serveTools(): Promise<void> {
  try {
    const { serveToolsInApp } = await import('./compose/tools-in-app.ts');
    await serveToolsInApp({ places: { built, asset }, folder, environment, isPackaged });
  } catch (error) {
    console.error(error);
    app.exit(1);
  }
}

function start(): void {
  cleanEnvironment(process.env, isPackaged);
  app.enableSandbox();
  // The id of the installed shortcut; Windows drops notifications and pinning under another one.
  if (isPackaged) app.setAppUserModelId('uz.ovoz.studio');
  // Chromium 156 fetches scripts in the background and caches their compiled code, but then compiles them again anyway.
  app.commandLine.appendSwitch('disable-features', 'BackgroundResourceFetch');
  // Wayland gives global keys only through its portal, which asks the user once.
  app.commandLine.appendSwitch('enable-features', 'GlobalShortcutsPortal');
  registerAppScheme();
  guardNavigation(app);
  // The app's own session decides by its open streams instead (`start-window.ts`).
  app.on('session-created', (created) => guardPermissions(created));
  // Electron becomes ready only after this module was evaluated, so there is no top-level await.
  setImmediate(() => void open());
}

async function open(): Promise<void> {
  try {
    const { startWindow } = await import('./compose/start-window.ts');
    await startWindow({ places: { built, asset }, folder, environment, isPackaged });
  } catch (error) {
    console.error(error);
    app.exit(1);
  }
}
