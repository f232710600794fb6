import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { host, preventable } from '../state.ts';
import { sayClassGaps, sayGaps, warnOnce } from '../unsupported.ts';
import { openPage, targetEvents } from '../windows.ts';
import { acceleratorChanges, acceleratorCombos, runAccelerator } from './accelerators.ts';
import { SizedWindow } from './sized-window.ts';
import { cosmeticWindowMethods, sayIgnoredOptions } from './window-gaps.ts';
import { endContents, pageOf, setFocusedContents, WebContents } from './web-contents.ts';

const all = new Set<BrowserWindow>();
const byContents = new WeakMap<WebContents, BrowserWindow>();
let lastId = 0;
let focusedWindow: BrowserWindow | null = null;
/** 'created' (window), 'all-closed', 'focus' (window), 'blur' (window). */
export const windowEvents = new EventEmitter();

type Options = Electron.BrowserWindowConstructorOptions;

export class BrowserWindow extends SizedWindow {
  readonly id = ++lastId;
  readonly webContents: WebContents;
  #title: string;
  #opening: Promise<void> | null = null;
  #dead = false;
  #asked = false;
  #shown: boolean;
  #parent: BrowserWindow | null;

  constructor(options: Options = {}) {
    super(options);
    const { show = true, parent } = options;
    sayIgnoredOptions(options);
    this.#shown = show;
    this.#title = options.title ?? host.appName;
    this.#parent = (parent ?? null) as BrowserWindow | null;
    this.webContents = new WebContents(options.webPreferences ?? {}, {
      open: (url) => (this.#opening ??= this.#open(url)),
      mayClose: () => this.#mayClose(),
      watchesKeys: () => this.webContents.listenerCount('before-input-event') > 0,
      answering: (isAnswering) => {
        const name = isAnswering ? 'responsive' : 'unresponsive';
        this.emit(name);
        this.webContents.emit(name);
      },
      guardsClose: () => this.listenerCount('close') > 0,
      titleChanged: (title) => this.#titleChanged(title),
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
    for (const name of ['focus', 'blur']) this.on(name, () => windowEvents.emit(name, this));
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

  loadURL(url: string, options?: object): Promise<void> {
    return this.webContents.loadURL(url, options);
  }
  loadFile(file: string): Promise<void> {
    return this.webContents.loadFile(file);
  }
  async #open(url: string): Promise<void> {
    const page = pageOf(this.webContents);
    await openPage(page, url, { width: this.box.bounds.width, height: this.box.bounds.height });
    if (this.#dead) page.close();
    else await this.box.attach(page.targetId);
  }

  show(): void {
    if (this.#dead || this.isVisible()) return this.focus();
    this.#shown = true;
    this.box.hidden = false;
    void this.box.apply();
    this.emit('show');
    this.focus();
  }
  showInactive(): void {
    this.show();
  }
  hide(): void {
    if (!this.isVisible()) return;
    this.#shown = false;
    this.box.hidden = true;
    void this.box.apply();
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
  override blur(): void {
    this.#setFocused(false);
  }
  isFocused(): boolean {
    return focusedWindow === this;
  }
  moveTop(): void {
    this.focus();
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
    return this.options.modal === true;
  }
  capturePage(rect?: Electron.Rectangle): Promise<Electron.NativeImage> {
    return this.webContents.capturePage(rect);
  }
  reload(): void {
    this.webContents.reload();
  }

  override isDestroyed(): boolean {
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
  /** The browser's window is gone: closed by us, by the user, or by a crash of the browser. */
  gone(): void {
    if (this.#dead) return;
    // A window that the user closed without a question still lets the app save what it must.
    if (!this.#asked) this.emit('close', preventable());
    if (this.isFocused()) this.emit('blur', {});
    this.#dead = true;
    this.#setFocused(false);
    all.delete(this);
    endContents(this.webContents);
    this.emit('closed');
    if (all.size === 0) windowEvents.emit('all-closed');
  }

  #titleChanged(title: string): void {
    const page = pageOf(this.webContents);
    // Until a page has a title the browser shows its address instead.
    if (page.isBlank || title === this.#title || page.browserUrl.endsWith(title)) return;
    page.title = title;
    const event = preventable();
    this.emit('page-title-updated', event, title, true);
    this.webContents.emit('page-title-updated', event, title, true);
    if (!event.defaultPrevented) this.#title = title;
  }
  #setFocused(focused: boolean): void {
    if (focused === (focusedWindow === this)) return;
    const before = focusedWindow;
    focusedWindow = focused ? this : null;
    if (before !== null && before !== this) before.said('blur');
    this.said(focused ? 'focus' : 'blur');
  }
  /** The user changed the window: find out what, and report it as Electron would. */
  async #changed(hasFocus: boolean): Promise<void> {
    if (!host.headless && this.#shown) {
      const modal = this.getChildWindows().find((child) => child.isModal() && child.isVisible());
      if (hasFocus && modal !== undefined) modal.focus();
      else this.#setFocused(hasFocus);
    }
    const { state: before, bounds } = this.box;
    const now = await this.box.refresh().catch(() => before);
    const { width, height } = this.box.bounds;
    if (this.#dead) return;
    if (width !== bounds.width || height !== bounds.height) this.said('resize', 'resized');
    if (now === before || this.box.state !== before) return;
    this.box.state = now;
    if (now === 'maximized') this.said('maximize');
    else if (now === 'minimized') this.said('minimize');
    else if (now === 'fullscreen') this.said('enter-full-screen');
    else this.said(before === 'maximized' ? 'unmaximize' : before === 'minimized' ? 'restore' : 'leave-full-screen');
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
  /** @internal Reported by the browser. */
  title(title: string): void {
    this.#titleChanged(title);
  }
  /** @internal A window that a page opened without going through our handler. */
  popup(url: string): void {
    this.#opened(url, 'foreground-tab');
  }
}

/** In Electron every window is one; here all are `BrowserWindow`s, and none can be made without a page. */
export class BaseWindow {
  static getAllWindows = (): BrowserWindow[] => BrowserWindow.getAllWindows();
  static getFocusedWindow = (): BrowserWindow | null => focusedWindow;
  static fromId = (id: number): BrowserWindow | null => BrowserWindow.fromId(id);
  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof BrowserWindow;
  }
  constructor() {
    throw new Error('electron-host: new BaseWindow is not supported here');
  }
}
sayGaps(BaseWindow, 'BaseWindow');
sayClassGaps(BrowserWindow, 'BrowserWindow', { cosmetic: cosmeticWindowMethods });
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
