import type Electron from 'electron';
import { warnOnce } from '../unsupported.ts';

const defaults: Electron.WebPreferences = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: true,
  devTools: true,
  javascript: true,
};
const needs: readonly (readonly [keyof Electron.WebPreferences, boolean])[] = [
  ['contextIsolation', true],
  ['sandbox', true],
  ['nodeIntegration', false],
  ['webSecurity', true],
  ['webviewTag', false],
];

/** The requested preferences over Electron's own defaults; warns about those the host can't apply. */
export function completePreferences(asked: Electron.WebPreferences): Electron.WebPreferences {
  const preferences = { ...defaults, ...asked };
  for (const [name, value] of needs) {
    if (preferences[name] !== value) warnOnce(`webPreferences.${name}: ${JSON.stringify(preferences[name])}`);
  }
  return preferences;
}
