import { join } from 'node:path';
import { app } from 'electron';
import { z } from 'zod';
import { preferredLanguage } from '../../shared/domain/languages.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { registerAppScheme } from '../app/security/app-scheme.ts';
import { cleanEnvironment } from '../app/security/child-environment.ts';
import { findDangerousSwitch } from '../app/security/command-line.ts';
import { guardNavigation } from '../app/security/navigation.ts';
import { guardPermissions } from '../app/security/permissions.ts';
import { showStartFailure } from '../app/show-start-failure.ts';
import { locateDataFolder, prepareDataFolder } from '../platform/node/data-folder.ts';
import { readEnvironment } from '../services/settings/environment.ts';
import { openStudio } from './compose/open-studio.ts';

const { isPackaged } = app;
const built = (...path: string[]) => join(import.meta.dirname, '..', ...path);
const asset = (...path: string[]) => join(import.meta.dirname, '..', '..', 'assets', ...path);

// No code is made from text in main, not even by a library that could be faster that way (S-03).
z.config({ jitless: true });
process.umask(0o077);
const environment = readEnvironment(process.env, isPackaged);
const folder = locateDataFolder(environment.dataDir);
const refusedSwitch = isPackaged ? findDangerousSwitch(process.argv) : null;

if (refusedSwitch !== null) {
  console.error(`Ovoz Studio does not start with ${refusedSwitch.split('=')[0]}`);
  app.exit(2);
} else if (!isDataFolderReady()) {
  void app.whenReady().then(() => {
    console.error(showStartFailure(makeFailure('E-185'), preferredLanguage(app.getPreferredSystemLanguages())));
    app.exit(1);
  });
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

function start(): void {
  cleanEnvironment(process.env, isPackaged);
  app.enableSandbox();
  registerAppScheme();
  guardNavigation(app);
  // No part of the app uses the microphone yet.
  app.on('session-created', (created) => guardPermissions(created, () => false));
  // Not awaited at the top: Electron is ready only after this module has been read.
  app
    .whenReady()
    .then(() => openStudio({ places: { built, asset }, folder, environment, isPackaged }))
    .catch((error: unknown) => {
      console.error(error);
      app.exit(1);
    });
}
