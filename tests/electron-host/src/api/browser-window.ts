import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Electron from 'electron';
import { host, preventable } from '../state.ts';
import { sayClassGaps, warnOnce } from '../unsupported.ts';
import { WindowBounds } from '../window-bounds.ts';
import { openPage, targetEvents } from '../windows.ts';
import { acceleratorChanges, acceleratorCombos, runAccelerator } from './accelerators.ts';
import { endContents, pageOf, setFocusedContents, WebContents } from './web-contents.ts';

const all = new Set<BrowserWindow>();
const byContents = new WeakMap<WebContents, BrowserWindow>();
let lastId = 0;
let focusedWindow: BrowserWindow | null = null;
/** 'created' (window), 'all-closed', 'focus' (window), 'blur' (window). */
export const windowEvents = new EventEmitter();

type Options = Electron.BrowserWindowConstructorOptions;
const ignored: readonly (keyof Options)[] = [
  'transparent',
  'vibrancy',
  'kiosk',
  'skipTaskbar',
  'alwaysOnTop',
  'simpleFullscreen',
  'opacity',
];

export class BrowserWindow extends EventEmitter {
  readonly id = ++lastId;
  readonly webContents: WebContents;
  readonly #options: Options;
  readonly #box: WindowBounds;
  #minimum: [number, number];
  #title: string;
  #opening: Promise<void> | null = null;
  #dead = false;
  #asked = false;
  #shown: boolean;
  #parent: BrowserWindow | null;

  constructor(options: Options = {}) {
    super();
    this.setMaxListeners(0);
    this.#options = options;
    const { width = 800, height = 600, x, y, show = true, parent } = options;
    for (const name of ignored) if (options[name]) warnOnce(`BrowserWindow option ${name}`);
    this.#shown = show;
    this.#box = new WindowBounds({ x: x ?? 0, y: y ?? 0, width, height }, x !== undefined, !show);
    this.#minimum = [options.minWidth ?? 0, options.minHeight ?? 0];
    this.#title = options.title ?? host.appName;
    this.#parent = (parent ?? null) as BrowserWindow | null;
    this.webContents = new WebContents(options.webPreferences ?? {}, {
      mayClose: () => this.#mayClose(),
      guardsClose: () => this.listenerCount('close') > 0,
      windowChanged: (state) => void this.#changed(state.focused),
      accelerator: (combo) => runAccelerator(combo, this),
      opened: (url, disposition) => this.#opened(url, disposition),
      firstLoad: () => {
        if (this.#shown) this.emit('show');
        this.emit('ready-to-show');
      },
    });
    this.webContents.on('-close', () => this.close());
    this.webContents.on('-document', () => pageOf(this.webContents).ipc.hint('accelerators', acceleratorCombos()));
    this.on('newListener', (name) => {
      if (name === 'close') pageOf(this.webContents).ipc.hint('guard-close', true);
    });
    byContents.set(this.webContents, this);
    all.add(this);
    if (show) this.#setFocused(true);
    windowEvents.emit('created', this);
  }

  static getAllWindows(): BrowserWindow[] {
    return [...all];
  }
  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return byContents.get(contents) ?? null;
  }
  static fromId(id: number): BrowserWindow | null {
    return [...all].find((window) => window.id === id) ?? null;
  }
  static getFocusedWindow(): BrowserWindow | null {
    return focusedWindow;
  }

  async loadURL(url: string, options?: object): Promise<void> {
    this.#opening ??= this.#open(url);
    await this.#opening;
    await this.webContents.loadURL(url, options);
  }
  loadFile(file: string): Promise<void> {
    return this.loadURL(pathToFileURL(resolve(host.appPath, file)).href);
  }
  async #open(url: string): Promise<void> {
    const page = pageOf(this.webContents);
    await openPage(page, url, { width: this.#box.bounds.width, height: this.#box.bounds.height });
    if (this.#dead) page.close();
    else await this.#box.attach(page.targetId);
  }

  show(): void {
    if (this.#dead || this.isVisible()) return this.focus();
    this.#shown = true;
    this.#box.hidden = false;
    void this.#box.apply();
    if (this.#box.state !== 'normal') void this.#box.refresh();
    this.emit('show');
    this.focus();
  }
  showInactive(): void {
    this.show();
  }
  hide(): void {
    if (!this.isVisible()) return;
    this.#shown = false;
    this.#box.hidden = true;
    void this.#box.apply();
    this.#setFocused(false);
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.#shown && !this.#dead;
  }
  focus(): void {
    if (this.#dead || !this.#shown) return;
    if (this.#opening !== null) this.webContents.focus();
    this.#setFocused(true);
  }
  blur(): void {
    this.#setFocused(false);
  }
  isFocused(): boolean {
    return focusedWindow === this;
  }
  moveTop(): void {
    this.focus();
  }

  getBounds(): Electron.Rectangle {
    return { ...this.#box.bounds };
  }
  getNormalBounds(): Electron.Rectangle {
    return { ...this.#box.bounds };
  }
  getContentBounds(): Electron.Rectangle {
    return { ...this.#box.bounds };
  }
  setBounds(bounds: Partial<Electron.Rectangle>, _animate?: boolean): void {
    const before = this.#box.bounds;
    const next = { ...before, ...bounds };
    next.width = Math.max(next.width, this.#minimum[0]);
    next.height = Math.max(next.height, this.#minimum[1]);
    this.#box.bounds = next;
    void this.#box.apply();
    if (next.width !== before.width || next.height !== before.height) this.#said('resize', 'resized');
    if (next.x !== before.x || next.y !== before.y) this.#said('move', 'moved');
  }
  setContentBounds(bounds: Electron.Rectangle): void {
    this.setBounds(bounds);
  }
  getSize(): number[] {
    return [this.#box.bounds.width, this.#box.bounds.height];
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  getContentSize(): number[] {
    return this.getSize();
  }
  setContentSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  getPosition(): number[] {
    return [this.#box.bounds.x, this.#box.bounds.y];
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }
  center(): void {
    warnOnce('BrowserWindow.center', 'leaves the place to the window manager here');
  }
  getMinimumSize(): number[] {
    return [...this.#minimum];
  }
  setMinimumSize(width: number, height: number): void {
    this.#minimum = [width, height];
    this.setBounds({});
  }

  maximize(): void {
    this.#setState('maximized', 'maximize');
  }
  unmaximize(): void {
    if (this.isMaximized()) this.#setState('normal', 'unmaximize');
  }
  minimize(): void {
    this.#setFocused(false);
    this.#setState('minimized', 'minimize');
  }
  restore(): void {
    if (this.isMinimized()) this.#setState('normal', 'restore');
  }
  setFullScreen(on: boolean): void {
    if (on !== this.isFullScreen())
      this.#setState(on ? 'fullscreen' : 'normal', on ? 'enter-full-screen' : 'leave-full-screen');
  }
  isMaximized(): boolean {
    return this.#box.state === 'maximized';
  }
  isMinimized(): boolean {
    return this.#box.state === 'minimized';
  }
  isFullScreen(): boolean {
    return this.#box.state === 'fullscreen';
  }
  isNormal(): boolean {
    return this.#box.state === 'normal';
  }
  #setState(state: WindowBounds['state'], event: string): void {
    if (this.#box.state === state || this.#dead) return;
    void this.#box.setState(state);
    this.#said(event);
  }
  /** Window events come after the call that caused them. */
  #said(...events: string[]): void {
    setImmediate(() => {
      for (const event of events) if (!this.#dead) this.emit(event, {});
    });
  }

  getTitle(): string {
    return this.#title;
  }
  setTitle(title: string): void {
    this.#title = title;
    const page = pageOf(this.webContents);
    if (page.cdp !== null && !page.isBlank)
      page.evaluate(`document.title = ${JSON.stringify(title)}`, false).catch(() => {});
  }
  getParentWindow(): BrowserWindow | null {
    return this.#parent;
  }
  setParentWindow(parent: BrowserWindow | null): void {
    this.#parent = parent;
  }
  getChildWindows(): BrowserWindow[] {
    return [...all].filter((window) => window.getParentWindow() === this);
  }
  isModal(): boolean {
    return this.#options.modal === true;
  }
  isEnabled(): boolean {
    return !this.#dead;
  }
  isResizable(): boolean {
    return this.#options.resizable !== false;
  }
  isAlwaysOnTop(): boolean {
    return false;
  }
  isMenuBarVisible(): boolean {
    return false;
  }
  isMenuBarAutoHide(): boolean {
    return true;
  }
  getBackgroundColor(): string {
    return this.#options.backgroundColor ?? '#FFFFFF';
  }
  getMediaSourceId(): string {
    return `window:${this.id}:0`;
  }
  // No window has a menu bar here, so there is none to take away.
  removeMenu(): void {}
  setMenu(menu: object | null): void {
    if (menu !== null) warnOnce('BrowserWindow.setMenu');
  }
  setMenuBarVisibility(visible: boolean): void {
    if (visible) warnOnce('BrowserWindow.setMenuBarVisibility(true)');
  }
  setAutoHideMenuBar(hide: boolean): void {
    if (!hide) warnOnce('BrowserWindow.setAutoHideMenuBar(false)');
  }
  capturePage(rect?: Electron.Rectangle): Promise<Electron.NativeImage> {
    return this.webContents.capturePage(rect);
  }
  reload(): void {
    this.webContents.reload();
  }

  isDestroyed(): boolean {
    return this.#dead;
  }
  close(): void {
    if (this.#dead || !this.#mayClose()) return;
    this.destroy();
  }
  destroy(): void {
    if (this.#dead) return;
    for (const child of this.getChildWindows()) child.destroy();
    pageOf(this.webContents).close();
    this.gone();
  }
  #mayClose(): boolean {
    const event = preventable();
    this.emit('close', event);
    this.#asked = !event.defaultPrevented;
    return this.#asked;
  }
  /** The browser's window has gone: by our will, a person's, or a crash of the browser. */
  gone(): void {
    if (this.#dead) return;
    // A window that its person closed without a question still lets the app save what it must.
    if (!this.#asked) this.emit('close', preventable());
    this.#dead = true;
    this.#setFocused(false);
    all.delete(this);
    endContents(this.webContents);
    this.emit('closed');
    if (all.size === 0) windowEvents.emit('all-closed');
  }

  #titleChanged(title: string): void {
    if (pageOf(this.webContents).isBlank || title === this.#title) return;
    pageOf(this.webContents).title = title;
    const event = preventable();
    this.emit('page-title-updated', event, title, true);
    this.webContents.emit('page-title-updated', event, title, true);
    if (!event.defaultPrevented) this.#title = title;
  }
  #setFocused(focused: boolean): void {
    if (focused === (focusedWindow === this)) return;
    const before = focusedWindow;
    focusedWindow = focused ? this : null;
    if (before !== null && before !== this) before.#lost();
    if (focused) {
      this.#said('focus');
      windowEvents.emit('focus', this);
    } else this.#lost();
  }
  #lost(): void {
    this.#said('blur');
    windowEvents.emit('blur', this);
  }
  /** A person did something to the window: find out what, and say it as Electron would. */
  async #changed(hasFocus: boolean): Promise<void> {
    if (!host.headless && this.#shown) this.#setFocused(hasFocus);
    const { state: before, bounds } = this.#box;
    const now = await this.#box.refresh().catch(() => before);
    const { width, height } = this.#box.bounds;
    if (this.#dead) return;
    if (width !== bounds.width || height !== bounds.height) this.#said('resize', 'resized');
    if (now === before || this.#box.state !== before) return;
    this.#box.state = now;
    if (now === 'maximized') this.#said('maximize');
    else if (now === 'minimized') this.#said('minimize');
    else if (now === 'fullscreen') this.#said('enter-full-screen');
    else this.#said(before === 'maximized' ? 'unmaximize' : before === 'minimized' ? 'restore' : 'leave-full-screen');
  }

  #opened(url: string, disposition: string): void {
    const details = {
      url,
      frameName: '',
      features: '',
      disposition,
      referrer: { url: '', policy: 'no-referrer' },
      postBody: undefined,
    };
    const answer = this.webContents.openHandler?.(details as unknown as Electron.HandlerDetails) ?? { action: 'allow' };
    if (answer.action === 'deny') return;
    warnOnce('window.open', 'returns null here, also when the app allows the window');
    const window = new BrowserWindow(answer.overrideBrowserWindowOptions ?? {});
    window.loadURL(url).catch(() => {});
    this.webContents.emit('did-create-window', window, details);
  }
  /** @internal Told by the browser. */
  title(title: string): void {
    this.#titleChanged(title);
  }
  /** @internal A page that a page opened past our own road. */
  popup(url: string): void {
    this.#opened(url, 'foreground-tab');
  }
}

sayClassGaps(BrowserWindow, 'BrowserWindow', {
  cosmetic: [
    'setVibrancy',
    'setBackgroundMaterial',
    'setBackgroundColor',
    'setIcon',
    'setOverlayIcon',
    'setProgressBar',
    'setSkipTaskbar',
    'setOpacity',
    'setHasShadow',
    'setShape',
    'setIgnoreMouseEvents',
    'setContentProtection',
    'setVisibleOnAllWorkspaces',
    'setAlwaysOnTop',
    'setResizable',
    'setMovable',
    'setMinimizable',
    'setMaximizable',
    'setFullScreenable',
    'setClosable',
    'setMaximumSize',
    'setAspectRatio',
    'setTitleBarOverlay',
    'setThumbarButtons',
    'setAutoHideCursor',
    'flashFrame',
    'setEnabled',
    'setKiosk',
    'setWindowButtonVisibility',
    'setDocumentEdited',
    'setRepresentedFilename',
    'setAppDetails',
    'setAccentColor',
    'setFocusable',
  ] satisfies (keyof Electron.BrowserWindow)[],
});
type Supported = Pick<
  Electron.BrowserWindow,
  | 'id'
  | 'loadURL'
  | 'show'
  | 'hide'
  | 'focus'
  | 'close'
  | 'destroy'
  | 'isDestroyed'
  | 'getBounds'
  | 'getNormalBounds'
  | 'maximize'
  | 'isMaximized'
  | 'minimize'
  | 'setFullScreen'
  | 'getTitle'
  | 'setTitle'
  | 'getSize'
  | 'setMinimumSize'
  | 'capturePage'
>;
BrowserWindow satisfies new (...args: never[]) => Supported;

setFocusedContents(() => focusedWindow?.webContents ?? null);
const windowOf = (targetId: string): BrowserWindow | undefined => {
  const contents = WebContents.fromDevToolsTargetId(targetId);
  return contents && byContents.get(contents);
};
targetEvents.on('target-gone', (targetId: string) => windowOf(targetId)?.gone());
targetEvents.on('title', (targetId: string, title: string) => windowOf(targetId)?.title(title));
targetEvents.on('popup', (openerId: string, url: string) => windowOf(openerId)?.popup(url));
acceleratorChanges.on('changed', () => {
  for (const window of all) pageOf(window.webContents).ipc.hint('accelerators', acceleratorCombos());
});
