import { chromium, type Browser } from '@playwright/test';
import { findBrowser, findHeadlessShell } from '../electron-host/src/find-browser.ts';

/**
 * Features switched off in every browser of the tests. The first two are pages behind the browser's address field: they
 * are loaded anew with every window and cost more processor time than the tested page. The others are what Playwright
 * switches off itself, whose switch this one replaces.
 */
const featuresOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Audio plays without user activation, muted. */
const quietly = ['--mute-audio', '--autoplay-policy=no-user-gesture-required'];

/** Starts the system's Chromium without a window. */
async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['OVOZ_BROWSER'] ? findBrowser() : (findHeadlessShell() ?? findBrowser());
  if (executablePath === null) throw new Error('No Chromium or Chrome was found; name one in OVOZ_BROWSER');
  const args = ['--no-sandbox', '--disable-gpu', `--disable-features=${featuresOff.join(',')}`, ...quietly];
  return chromium.launch({ executablePath, args });
}

let shared: Promise<Browser> | null = null;

/** One browser for all files of a process, because to start it costs as much as three tests; it ends with the process. */
export const testBrowser = (): Promise<Browser> =>
  (shared ??= launchBrowser().then((browser) => browser.on('disconnected', () => (shared = null))));
