import { join } from 'node:path';
import { app } from 'electron';
import { preferredLanguage } from '../../shared/domain/languages.ts';
import { registerAppScheme } from '../shell/security/app-scheme.ts';
import { cleanEnvironment, findDangerousSwitch } from '../shell/security/start-conditions.ts';
import { guardNavigation, guardPermissions } from '../shell/security/permissions.ts';
import { locateDataFolder, prepareDataFolder } from '../platform/node/data-folder.ts';
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
    console.error(showStartFailure('E-185', preferredLanguage(app.getPreferredSystemLanguages())));
    app.exit(1);
  });
} else if (process.argv.slice(1).includes('mcp')) {
  // Beside the app, which may be open: the browser part, of which nothing is used, gets a folder of its own.
  app.setPath('userData', folder.root);
  app.setPath('sessionData', join(folder.browser, 'tools'));
  cleanEnvironment(process.env, isPackaged);
  app.enableSandbox();
  setImmediate(() => void serveTools());
} else {
  app.setPath('userData', folder.root);
  app.setPath('sessionData', folder.browser);
  // One copy owns the library; the second one shows the first and leaves (E-183).
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
  // Chromium 156 fetches scripts in the background, keeps their compiled code, and then compiles them anew all the same.
  app.commandLine.appendSwitch('disable-features', 'BackgroundResourceFetch');
  registerAppScheme();
  guardNavigation(app);
  // The studio's own session asks its streams instead (`start-window.ts`).
  app.on('session-created', (created) => guardPermissions(created, () => false));
  // The studio is read while Electron gets ready, and after Electron was let go: the longest that a start waits for is the
  // browser. Nothing is awaited at the top, because Electron is ready only after this module has been read.
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
