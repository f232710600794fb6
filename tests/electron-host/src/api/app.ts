import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type Electron from 'electron';
import { takeInstanceLock } from '../single-instance.ts';
import { host, preventable } from '../state.ts';
import { sayClassGaps, sayDeaf, sayGaps, warnOnce } from '../unsupported.ts';
import { CommandLine } from './command-line.ts';
import { BrowserWindow, windowEvents } from './browser-window.ts';
import { defaultSession, onSessionCreated } from './session.ts';
import { utilityEvents } from './utility-process.ts';

type PathName = Parameters<Electron.App['getPath']>[0];

function appData(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming');
  return process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
}

class App extends EventEmitter {
  readonly commandLine = sayGaps(new CommandLine() satisfies Partial<Electron.CommandLine>, 'app.commandLine');
  readonly isPackaged = false;
  readonly runningUnderARM64Translation = false;
  readonly dock = undefined;
  userAgentFallback = '';
  applicationMenu: Electron.Menu | null = null;
  readonly #paths = new Map<string, string>();
  readonly #ready: Promise<void>;
  #announceReady!: () => void;
  #lock: Server | null = null;
  #quitting: 'no' | 'closing' | 'ending' = 'no';

  constructor() {
    super();
    this.setMaxListeners(0);
    this.#ready = new Promise((resolve) => (this.#announceReady = resolve));
    onSessionCreated((session) => this.emit('session-created', session));
    sayDeaf(this, 'app', ['certificate-error', 'select-client-certificate', 'login', 'gpu-info-update']);
    windowEvents.on('created', (window) => setImmediate(() => this.emit('browser-window-created', {}, window)));
    windowEvents.on('focus', (window) => this.emit('browser-window-focus', {}, window));
    windowEvents.on('blur', (window) => this.emit('browser-window-blur', {}, window));
    windowEvents.on('created', (window: BrowserWindow) => {
      this.emit('web-contents-created', {}, window.webContents);
      window.webContents.on('render-process-gone', (_event: unknown, details: object) => {
        this.emit('render-process-gone', {}, window.webContents, details);
      });
    });
    utilityEvents.on('gone', (details: object) => this.emit('child-process-gone', {}, details));
    windowEvents.on('all-closed', () => {
      if (this.#quitting !== 'no') this.#finish();
      else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
      else this.quit();
    });
  }

  get name(): string {
    return host.appName;
  }
  set name(name: string) {
    host.appName = name;
  }
  getName(): string {
    return host.appName;
  }
  setName(name: string): void {
    host.appName = name;
  }
  getVersion(): string {
    return host.appVersion;
  }
  getAppPath(): string {
    return host.appPath;
  }
  setAppUserModelId(_id: string): void {}
  setAboutPanelOptions(_options: object): void {}

  getPath(name: PathName): string {
    const set = this.#paths.get(name);
    if (set !== undefined) return set;
    const home = (folder: string) => join(homedir(), folder);
    switch (name) {
      case 'home':
        return homedir();
      case 'temp':
        return tmpdir();
      case 'appData':
        return appData();
      case 'userData':
        return join(this.getPath('appData'), host.appName);
      case 'sessionData':
        return this.getPath('userData');
      case 'logs':
        return join(this.getPath('userData'), 'logs');
      case 'crashDumps':
        return join(this.getPath('userData'), 'Crashpad');
      case 'exe':
      case 'module':
        return host.executable;
      case 'assets':
        return dirname(host.executable);
      case 'desktop':
        return home('Desktop');
      case 'documents':
        return home('Documents');
      case 'downloads':
        return home('Downloads');
      case 'music':
        return home('Music');
      case 'pictures':
        return home('Pictures');
      case 'videos':
        return home('Videos');
      case 'recent':
        break;
    }
    throw new Error(`Failed to get '${String(name)}' path`);
  }
  setPath(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    this.#paths.set(name, path);
  }
  setAppLogsPath(path = this.getPath('logs')): void {
    this.setPath('logs', path);
    mkdirSync(path, { recursive: true });
  }

  isReady(): boolean {
    return host.ready;
  }
  whenReady(): Promise<void> {
    return this.#ready;
  }
  /** @internal The browser is running. */
  becomeReady(): void {
    host.ready = true;
    this.emit('will-finish-launching');
    this.emit('session-created', defaultSession);
    this.emit('ready', {}, {});
    this.#announceReady();
  }

  get isQuitting(): boolean {
    return this.#quitting !== 'no';
  }
  quit(): void {
    if (this.#quitting !== 'no') return;
    const event = preventable();
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.#quitting = 'closing';
    const windows = BrowserWindow.getAllWindows();
    for (const window of windows) {
      window.close();
      if (window.isDestroyed()) continue;
      this.#quitting = 'no';
      return;
    }
    if (windows.length === 0) this.#finish();
  }
  #finish(): void {
    if (this.#quitting === 'ending') return;
    const event = preventable();
    this.emit('will-quit', event);
    if (event.defaultPrevented) {
      this.#quitting = 'no';
      return;
    }
    this.exit(typeof process.exitCode === 'number' ? process.exitCode : 0);
  }
  exit(code = 0): void {
    if (this.#quitting === 'ending') return;
    this.#quitting = 'ending';
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    this.emit('quit', {}, code);
    this.releaseSingleInstanceLock();
    host.server?.close();
    const end = () => process.exit(code);
    if (host.browser === null) end();
    else host.browser.close().then(end, end);
  }
  relaunch(_options?: object): void {
    warnOnce('app.relaunch');
  }

  requestSingleInstanceLock(additionalData: unknown = null): boolean {
    if (this.#lock !== null) return true;
    const mine = { argv: process.argv, workingDirectory: process.cwd(), additionalData };
    this.#lock = takeInstanceLock(this.getPath('userData'), mine, (second) => {
      this.emit('second-instance', {}, second.argv, second.workingDirectory, second.additionalData);
    });
    return this.#lock !== null;
  }
  hasSingleInstanceLock(): boolean {
    return this.#lock !== null;
  }
  releaseSingleInstanceLock(): void {
    this.#lock?.close();
    this.#lock = null;
  }

  enableSandbox(): void {
    // Pages are sandboxed already, and this can't be changed here.
  }
  disableHardwareAcceleration(): void {
    this.commandLine.appendSwitch('disable-gpu');
  }
  focus(_options?: object): void {
    BrowserWindow.getAllWindows()[0]?.focus();
  }
  hide(): void {
    for (const window of BrowserWindow.getAllWindows()) window.hide();
  }
  show(): void {
    for (const window of BrowserWindow.getAllWindows()) window.show();
  }
  getLocale(): string {
    return this.getPreferredSystemLanguages()[0] ?? 'en-US';
  }
  getSystemLocale(): string {
    return this.getLocale();
  }
  getLocaleCountryCode(): string {
    return new Intl.Locale(this.getLocale()).region ?? '';
  }
  getPreferredSystemLanguages(): string[] {
    const { LANGUAGE = '', LC_ALL = '', LC_MESSAGES = '', LANG = '' } = process.env;
    const names = [...LANGUAGE.split(':'), LC_ALL, LC_MESSAGES, LANG].map((name) =>
      name.replace(/[.@].*$/, '').replace('_', '-'),
    );
    const real = names.filter((name) => /^[a-z]{2,3}(-|$)/i.test(name));
    return real.length > 0 ? [...new Set(real)] : [Intl.DateTimeFormat().resolvedOptions().locale];
  }
  getAppMetrics(): Electron.ProcessMetric[] {
    warnOnce('app.getAppMetrics', 'knows only the main process here');
    return [];
  }
  isAccessibilitySupportEnabled(): boolean {
    return false;
  }
  setAsDefaultProtocolClient(_protocol: string): boolean {
    warnOnce('app.setAsDefaultProtocolClient');
    return false;
  }
  isDefaultProtocolClient(_protocol: string): boolean {
    return false;
  }
}

sayClassGaps(App, 'app', {
  cosmetic: [
    'addRecentDocument',
    'clearRecentDocuments',
    'setBadgeCount',
    'setJumpList',
    'setUserTasks',
    'setLoginItemSettings',
    'showAboutPanel',
    'setSecureKeyboardEntryEnabled',
  ],
});
export const app = new App();
app satisfies Pick<
  Electron.App,
  | 'name'
  | 'isPackaged'
  | 'getPath'
  | 'setPath'
  | 'getVersion'
  | 'getName'
  | 'setName'
  | 'whenReady'
  | 'isReady'
  | 'quit'
  | 'exit'
  | 'getAppPath'
  | 'getLocale'
  | 'getPreferredSystemLanguages'
  | 'setAppUserModelId'
  | 'enableSandbox'
  | 'hasSingleInstanceLock'
  | 'releaseSingleInstanceLock'
>;
