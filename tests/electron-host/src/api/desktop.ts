import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { findOnPath } from '../find-browser.ts';
import { screenReport } from '../screen-report.ts';
import { host } from '../state.ts';
import type { Menu } from './menu.ts';
import { sayClassGaps, sayDeaf, sayGaps, warnOnce } from '../unsupported.ts';

/** Notifications by notify-send, if it is installed; a click on one can't be detected. */
export class Notification extends EventEmitter {
  title: string;
  body: string;
  subtitle = '';
  silent: boolean;
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super();
    this.title = options.title ?? '';
    this.body = options.body ?? '';
    this.silent = options.silent ?? false;
  }
  static isSupported(): boolean {
    return !host.headless && findOnPath('notify-send') !== null;
  }
  show(): void {
    if (!Notification.isSupported()) {
      warnOnce('Notification.show');
      return;
    }
    spawn('notify-send', ['--', this.title, this.body], { stdio: 'ignore' }).on('error', () => {});
    setImmediate(() => this.emit('show', {}));
  }
  close(): void {
    setImmediate(() => this.emit('close', {}));
  }
}
sayClassGaps(Notification, 'Notification');

/** No icon is shown, and the app checks the shell's capabilities before it relies on one. Its state is recorded. */
export class Tray extends EventEmitter {
  /** Those that are not destroyed, for tests; Electron has no such list. */
  static readonly recorded: Tray[] = [];
  image: unknown;
  toolTip = '';
  contextMenu: Menu | null = null;
  #destroyed = false;
  constructor(image?: unknown, _guid?: string) {
    super();
    this.image = image;
    Tray.recorded.push(this);
    warnOnce('Tray', 'is not drawn here');
  }
  setImage(image: unknown): void {
    this.image = image;
  }
  setToolTip(toolTip: string): void {
    this.toolTip = toolTip;
  }
  setContextMenu(menu: Menu | null): void {
    this.contextMenu = menu;
  }
  destroy(): void {
    this.#destroyed = true;
    Tray.recorded.splice(Tray.recorded.indexOf(this), 1);
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
}
sayClassGaps(Tray, 'Tray', { cosmetic: ['setPressedImage', 'setTitle', 'displayBalloon', 'popUpContextMenu'] });

/** No global shortcut is possible; `register` returns false, as Electron does when a key is taken. */
export const globalShortcut = sayGaps(
  {
    register(accelerator: string, _callback: () => void): boolean {
      warnOnce(`globalShortcut.register('${accelerator}')`);
      return false;
    },
    registerAll(_accelerators: string[], _callback: () => void): void {
      warnOnce('globalShortcut.registerAll');
    },
    isRegistered: () => false,
    unregister(_accelerator: string): void {},
    unregisterAll(): void {},
    setSuspended(_suspended: boolean): void {},
    isSuspended: () => false,
  } satisfies Partial<Electron.GlobalShortcut>,
  'globalShortcut',
);

const blockers = new Map<number, ChildProcess | null>();
let lastBlocker = 0;
export const powerSaveBlocker = sayGaps(
  {
    start(_type: string): number {
      const inhibit = findOnPath('systemd-inhibit');
      if (inhibit === null) warnOnce('powerSaveBlocker.start');
      const child =
        inhibit === null
          ? null
          : spawn(inhibit, ['--what=idle:sleep', `--who=${host.appName}`, 'cat'], {
              stdio: ['pipe', 'ignore', 'ignore'],
            });
      child?.on('error', () => {});
      blockers.set(++lastBlocker, child);
      return lastBlocker;
    },
    stop(id: number): boolean {
      blockers.get(id)?.kill();
      return blockers.delete(id);
    },
    isStarted: (id: number) => blockers.has(id),
  } satisfies Partial<Electron.PowerSaveBlocker>,
  'powerSaveBlocker',
);

/** Never reports sleep or waking: nothing here detects them. */
class PowerMonitor extends EventEmitter {
  readonly onBatteryPower = false;
  isOnBatteryPower(): boolean {
    return false;
  }
  getSystemIdleTime(): number {
    return 0;
  }
  getSystemIdleState(_threshold: number): 'unknown' {
    return 'unknown';
  }
  getCurrentThermalState(): 'unknown' {
    return 'unknown';
  }
}
sayClassGaps(PowerMonitor, 'powerMonitor');
export const powerMonitor = new PowerMonitor();
sayDeaf(powerMonitor, 'powerMonitor', [
  'suspend',
  'resume',
  'lock-screen',
  'unlock-screen',
  'on-ac',
  'on-battery',
  'shutdown',
]);

function measuredDisplay(): { width: number; height: number } | null {
  if (host.headless || !process.env['DISPLAY'] || findOnPath('xdpyinfo') === null) return null;
  const [, width, height] =
    /dimensions:\s+(\d+)x(\d+)/.exec(spawnSync('xdpyinfo', { encoding: 'utf8', timeout: 2000 }).stdout ?? '') ?? [];
  return width === undefined ? null : { width: Number(width), height: Number(height) };
}
let measured: { width: number; height: number } | null | undefined;

class Screen extends EventEmitter {
  getPrimaryDisplay(): Electron.Display {
    const told = screenReport.current;
    measured ??= told.width === undefined ? measuredDisplay() : null;
    const { width, height } = measured ?? { width: told.width ?? 1440, height: told.height ?? 900 };
    const bounds = { x: 0, y: 0, width, height };
    const workArea = {
      x: 0,
      y: 0,
      width: Math.min(told.availWidth ?? width, width),
      height: Math.min(told.availHeight ?? height, height),
    };
    const size = { width, height };
    const display = {
      id: 1,
      label: '',
      bounds,
      workArea,
      size,
      workAreaSize: { width: workArea.width, height: workArea.height },
      scaleFactor: told.scaleFactor ?? 1,
      rotation: 0,
      internal: false,
    };
    return sayGaps(display, 'Display') as unknown as Electron.Display;
  }
  getAllDisplays(): Electron.Display[] {
    return [this.getPrimaryDisplay()];
  }
  getDisplayMatching(_rectangle: Electron.Rectangle): Electron.Display {
    return this.getPrimaryDisplay();
  }
  getDisplayNearestPoint(_point: Electron.Point): Electron.Display {
    return this.getPrimaryDisplay();
  }
  getCursorScreenPoint(): Electron.Point {
    warnOnce('screen.getCursorScreenPoint');
    return { x: 0, y: 0 };
  }
}
sayClassGaps(Screen, 'screen');
export const screen = new Screen() satisfies Pick<
  Electron.Screen,
  'getPrimaryDisplay' | 'getAllDisplays' | 'getDisplayMatching' | 'getCursorScreenPoint'
>;

export const crashReporter = sayGaps(
  {
    start(_options?: object): void {
      warnOnce('crashReporter.start', 'collects nothing here');
    },
    getUploadToServer: () => false,
    setUploadToServer(_upload: boolean): void {},
    addExtraParameter(_key: string, _value: string): void {},
    removeExtraParameter(_key: string): void {},
    getParameters: () => ({}),
  } satisfies Partial<Electron.CrashReporter>,
  'crashReporter',
);

const noEncryption = (): never => {
  throw new Error('Error while encrypting or decrypting: safeStorage is not available here.');
};
export const safeStorage = sayGaps(
  {
    isEncryptionAvailable: () => false,
    isAsyncEncryptionAvailable: () => Promise.resolve(false),
    getSelectedStorageBackend: () => 'basic_text' as const,
    encryptString: noEncryption,
    decryptString: noEncryption,
    encryptStringAsync: () => Promise.reject(new Error('safeStorage is not available here.')),
    decryptStringAsync: () => Promise.reject(new Error('safeStorage is not available here.')),
  } satisfies Partial<Record<keyof Electron.SafeStorage, unknown>>,
  'safeStorage',
);

class SystemPreferences extends EventEmitter {
  getMediaAccessStatus(_type: string): 'granted' {
    return 'granted';
  }
  askForMediaAccess(_type: string): Promise<boolean> {
    return Promise.resolve(true);
  }
  getAnimationSettings(): Electron.AnimationSettings {
    return { shouldRenderRichAnimation: true, scrollAnimationsEnabledBySystem: true, prefersReducedMotion: false };
  }
}
sayClassGaps(SystemPreferences, 'systemPreferences');
export const systemPreferences = new SystemPreferences();
