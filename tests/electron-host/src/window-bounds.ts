import type Electron from 'electron';
import { browser, host } from './state.ts';

export type WindowState = 'normal' | 'minimized' | 'maximized' | 'fullscreen';
interface BrowserBounds {
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  readonly windowState?: WindowState;
}

/** Beyond any display: the position of a window that must not be visible yet. */
const offScreen = -20_000;

/**
 * Size, position and state of one browser window; knows the requested values and asks the browser for the actual ones.
 */
export class WindowBounds {
  bounds: Electron.Rectangle;
  state: WindowState = 'normal';
  hidden: boolean;
  #windowId: number | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #placed: boolean;

  constructor(bounds: Electron.Rectangle, placed: boolean, hidden: boolean) {
    this.bounds = bounds;
    this.#placed = placed;
    this.hidden = hidden;
  }

  async attach(targetId: string): Promise<void> {
    const { windowId, bounds } = await browser().cdp.send<{ windowId: number; bounds: BrowserBounds }>(
      'Browser.getWindowForTarget',
      { targetId },
    );
    this.#windowId = windowId;
    if (!this.#placed) this.bounds = { ...this.bounds, x: bounds.left ?? 0, y: bounds.top ?? 0 };
    await this.apply();
    if (this.state !== 'normal' && !this.hidden) await this.#set({ windowState: this.state });
  }

  /** Sends size and position to the browser; in order, and only once it has the window. */
  apply(): Promise<void> {
    const { x, y, width, height } = this.bounds;
    const away = this.hidden && !host.headless;
    return this.#set(away ? { left: offScreen, top: 0, width, height } : { left: x, top: y, width, height });
  }

  async setState(state: WindowState): Promise<void> {
    if (state === this.state) return;
    const before = this.state;
    this.state = state;
    if (before !== 'normal' && state !== 'normal') await this.#set({ windowState: 'normal' });
    await this.#set({ windowState: state });
  }

  /** The browser's present values, for windows that the user moved or resized. */
  async refresh(): Promise<WindowState> {
    if (this.#windowId === null || this.hidden) return this.state;
    await this.#last;
    const { bounds } = await browser().cdp.send<{ bounds: BrowserBounds }>('Browser.getWindowBounds', {
      windowId: this.#windowId,
    });
    const state = bounds.windowState ?? 'normal';
    if (state === 'normal') {
      const { left = 0, top = 0, width = this.bounds.width, height = this.bounds.height } = bounds;
      this.bounds = { x: left, y: top, width, height };
    }
    return state;
  }

  #set(bounds: BrowserBounds): Promise<void> {
    const windowId = this.#windowId;
    if (windowId === null) return Promise.resolve();
    const done = this.#last.then(() => browser().cdp.send('Browser.setWindowBounds', { windowId, bounds }));
    this.#last = done.catch(() => {});
    return done.then(
      () => {},
      () => {},
    );
  }
}
