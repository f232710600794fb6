import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { warnOnce } from '../unsupported.ts';
import { WindowBounds } from '../window-bounds.ts';

/** The size, position and state of a window, as Electron's windows have them; the subclass handles its content. */
export abstract class SizedWindow extends EventEmitter {
  protected readonly options: Electron.BrowserWindowConstructorOptions;
  protected readonly box: WindowBounds;
  #minimum: [number, number];

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.setMaxListeners(0);
    const { width = 800, height = 600, x, y, show = true, minWidth = 0, minHeight = 0 } = options;
    this.options = options;
    this.box = new WindowBounds({ x: x ?? 0, y: y ?? 0, width, height }, x !== undefined, !show);
    this.#minimum = [minWidth, minHeight];
  }

  abstract isDestroyed(): boolean;
  abstract blur(): void;

  getBounds(): Electron.Rectangle {
    return { ...this.box.bounds };
  }
  getNormalBounds(): Electron.Rectangle {
    return { ...this.box.bounds };
  }
  getContentBounds(): Electron.Rectangle {
    return { ...this.box.bounds };
  }
  setBounds(bounds: Partial<Electron.Rectangle>, _animate?: boolean): void {
    const before = this.box.bounds;
    const next = { ...before, ...bounds };
    next.width = Math.max(next.width, this.#minimum[0]);
    next.height = Math.max(next.height, this.#minimum[1]);
    this.box.bounds = next;
    void this.box.apply();
    if (next.width !== before.width || next.height !== before.height) this.said('resize', 'resized');
    if (next.x !== before.x || next.y !== before.y) this.said('move', 'moved');
  }
  setContentBounds(bounds: Electron.Rectangle): void {
    this.setBounds(bounds);
  }
  getSize(): number[] {
    return [this.box.bounds.width, this.box.bounds.height];
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
    return [this.box.bounds.x, this.box.bounds.y];
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
    this.blur();
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
    return this.box.state === 'maximized';
  }
  isMinimized(): boolean {
    return this.box.state === 'minimized';
  }
  isFullScreen(): boolean {
    return this.box.state === 'fullscreen';
  }
  isNormal(): boolean {
    return this.box.state === 'normal';
  }
  #setState(state: WindowBounds['state'], event: string): void {
    if (this.box.state === state || this.isDestroyed()) return;
    void this.box.setState(state);
    this.said(event);
  }
  /** Window events follow the call that caused them. */
  protected said(...events: string[]): void {
    setImmediate(() => {
      for (const event of events) if (!this.isDestroyed()) this.emit(event, {});
    });
  }

  isEnabled(): boolean {
    return !this.isDestroyed();
  }
  isResizable(): boolean {
    return this.options.resizable !== false;
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
    return this.options.backgroundColor ?? '#FFFFFF';
  }
  // No window has a menu bar here, so there is none to remove.
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
}
