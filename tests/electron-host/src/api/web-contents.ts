import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Electron from 'electron';
import { frameOf } from '../frame.ts';
import { Page, pagesByTarget, type PageEvents } from '../page.ts';
import type { MessagePortMain } from '../ports.ts';
import { host } from '../state.ts';
import { sayClassGaps, sayDeaf, warnOnce } from '../unsupported.ts';
import { makeImage } from './native-image.ts';
import { completePreferences } from './web-preferences.ts';
import { sessionOf, type HostSession } from './session.ts';

/** Chromium's numbers for the load errors an app may meet. */
const netErrors: Readonly<Record<string, number>> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_FILE_NOT_FOUND: -6,
  ERR_TIMED_OUT: -7,
  ERR_UNEXPECTED: -9,
  ERR_ACCESS_DENIED: -10,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_CONNECTION_CLOSED: -100,
  ERR_CONNECTION_RESET: -101,
  ERR_CONNECTION_REFUSED: -102,
  ERR_CONNECTION_FAILED: -104,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_SSL_PROTOCOL_ERROR: -107,
  ERR_ADDRESS_UNREACHABLE: -109,
  ERR_INVALID_URL: -300,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_TOO_MANY_REDIRECTS: -310,
  ERR_EMPTY_RESPONSE: -324,
};

type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];
const all = new Map<number, WebContents>();
const pages = new WeakMap<WebContents, Page>();
let lastId = 0;

export const pageOf = (contents: WebContents): Page => {
  const page = pages.get(contents);
  if (page === undefined) throw new TypeError('Object has been destroyed');
  return page;
};

/** What the window does for its page. */
type ContentsEvents = Omit<PageEvents, 'emit'> & { open(url: string): Promise<void> };

export class WebContents extends EventEmitter {
  readonly id = ++lastId;
  readonly session: HostSession;
  readonly #preferences: Electron.WebPreferences;
  openHandler: OpenHandler | null = null;
  #userAgent = '';
  #zoom = 1;

  readonly #events: ContentsEvents;

  constructor(preferences: Electron.WebPreferences, events: ContentsEvents) {
    super();
    this.#events = events;
    this.setMaxListeners(0);
    this.#preferences = completePreferences(preferences);
    this.session = sessionOf(preferences.partition ?? '');
    const page = new Page(this.#preferences, this.session, {
      ...events,
      emit: (name, ...args) => void this.emit(name, ...(args.length > 0 ? args : [{}])),
    });
    // The app's side is typed by Electron's own declarations; this class implements the part that the host supports.
    page.contents = this as unknown as Electron.WebContents;
    pages.set(this, page);
    this.on('newListener', (name) => {
      if (name === 'before-input-event') page.ipc.hint('watch-keys', true);
    });
    // A new document starts without the zoom of the one before it.
    this.on('dom-ready', () => {
      if (this.#zoom !== 1) this.setZoomFactor(this.#zoom);
    });
    sayDeaf(this, 'webContents', [
      'context-menu',
      'certificate-error',
      'login',
      'found-in-page',
      'zoom-changed',
      'page-favicon-updated',
    ]);
    all.set(this.id, this);
  }

  static getAllWebContents(): WebContents[] {
    return [...all.values()];
  }
  static fromId(id: number): WebContents | undefined {
    return all.get(id);
  }
  static fromDevToolsTargetId(targetId: string): WebContents | undefined {
    return pagesByTarget.get(targetId)?.contents as unknown as WebContents | undefined;
  }
  static getFocusedWebContents(): WebContents | null {
    return focused?.() ?? null;
  }

  get mainFrame() {
    return frameOf(pageOf(this));
  }
  get hostWebContents(): null {
    return null;
  }

  async loadURL(url: string, _options?: object): Promise<void> {
    const page = pageOf(this);
    await this.#events.open(url);
    const done = new Promise<void>((resolve) => this.once('did-finish-load', () => resolve()));
    this.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false }, url, false, true, 1, 1);
    const outcome = await page.navigate(url);
    // An empty page does not say that it is there.
    if (outcome === 'inside' || (outcome === 'document' && url.startsWith('about:blank'))) return;
    if (outcome === 'document') return done;
    const code = outcome.errorText.replace(/^net::/, '');
    const errno = netErrors[code] ?? -2;
    this.emit('did-fail-load', {}, errno, code, url, true, 1, 1);
    throw Object.assign(new Error(`${code} (${errno}) loading '${url}'`), { code, errno, url });
  }

  loadFile(file: string): Promise<void> {
    return this.loadURL(pathToFileURL(resolve(host.appPath, file)).href);
  }

  getURL(): string {
    const page = pageOf(this);
    return page.isBlank ? '' : page.url;
  }
  getTitle(): string {
    return pageOf(this).title;
  }
  getType(): 'window' {
    return 'window';
  }
  getLastWebPreferences(): Electron.WebPreferences {
    return { ...this.#preferences };
  }
  isDestroyed(): boolean {
    return !all.has(this.id);
  }
  isLoading(): boolean {
    return pageOf(this).loading;
  }
  isLoadingMainFrame(): boolean {
    return pageOf(this).loading;
  }
  isCrashed(): boolean {
    return pageOf(this).crashed;
  }
  isFocused(): boolean {
    return WebContents.getFocusedWebContents() === this;
  }
  getOSProcessId(): number {
    return process.pid;
  }
  getProcessId(): number {
    return this.id;
  }
  getUserAgent(): string {
    return this.#userAgent;
  }
  setUserAgent(userAgent: string): void {
    this.#userAgent = userAgent;
    this.#tell('Emulation.setUserAgentOverride', { userAgent });
  }

  send(channel: string, ...args: unknown[]): void {
    pageOf(this).ipc.send(channel, args);
  }
  postMessage(...args: [channel: string, message: unknown, transfer?: MessagePortMain[]]): void {
    pageOf(this).ipc.post(...args);
  }
  executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    return pageOf(this).evaluate(code, userGesture);
  }
  async insertCSS(css: string): Promise<string> {
    await pageOf(this).evaluate(
      `document.head.append(Object.assign(document.createElement('style'), {textContent: ${JSON.stringify(css)}}))`,
      false,
    );
    return '';
  }
  async insertText(text: string): Promise<void> {
    await this.#send('Input.insertText', { text });
  }
  /** What Ctrl+V makes the page do, with a key that has no meaning of its own. */
  paste(): void {
    const key = { key: 'Unidentified', windowsVirtualKeyCode: 0 };
    this.#tell('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['Paste'], ...key });
    this.#tell('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  }
  async capturePage(rect?: Electron.Rectangle): Promise<Electron.NativeImage> {
    const { data } = await this.#send<{ data: string }>(
      'Page.captureScreenshot',
      rect && { clip: { ...rect, scale: 1 } },
    );
    return makeImage(Buffer.from(data, 'base64'));
  }
  async printToPDF(
    options: { landscape?: boolean; printBackground?: boolean; preferCSSPageSize?: boolean } = {},
  ): Promise<Buffer> {
    const { data } = await this.#send<{ data: string }>('Page.printToPDF', options);
    return Buffer.from(data, 'base64');
  }
  reload(): void {
    this.#reload();
  }
  reloadIgnoringCache(): void {
    this.#reload({ ignoreCache: true });
  }
  #reload(options?: { ignoreCache: boolean }): void {
    const page = pageOf(this);
    page.guard.expect(browserAddress(this));
    page.isReloading = true;
    this.#tell('Page.reload', options);
  }
  stop(): void {
    this.#tell('Page.stopLoading');
  }
  forcefullyCrashRenderer(): void {
    // The answer never arrives: the page that would give it has crashed.
    pageOf(this)
      .cdp?.send('Page.crash')
      .catch(() => {});
  }
  focus(): void {
    this.#tell('Page.bringToFront');
  }
  setZoomFactor(factor: number): void {
    if (factor !== 1) warnOnce('webContents.setZoomFactor', "is the page's CSS zoom here");
    this.#zoom = factor;
    pageOf(this)
      .evaluate(`document.documentElement.style.zoom = ${factor}`, false)
      .catch(() => {});
  }
  setZoomLevel(level: number): void {
    this.setZoomFactor(1.2 ** level);
  }
  getZoomLevel(): number {
    return Math.round((Math.log(this.#zoom) / Math.log(1.2)) * 100) / 100;
  }
  getZoomFactor(): number {
    return this.#zoom;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  sendInputEvent(_event: object): void {
    warnOnce('webContents.sendInputEvent');
  }
  openDevTools(_options?: object): void {
    warnOnce(
      'webContents.openDevTools',
      'does nothing here: start with --remote-debugging-port=9222 and open chrome://inspect',
    );
  }
  closeDevTools(): void {}
  isDevToolsOpened(): boolean {
    return false;
  }
  close(_options?: object): void {
    this.emit('-close');
  }

  /** For calls without an answer: a page that is gone meanwhile needs nothing any more. */
  #tell(method: string, params?: object): void {
    this.#send(method, params).catch(() => {});
  }

  async #send<T>(method: string, params?: object): Promise<T> {
    const page = pageOf(this);
    await page.attached;
    if (page.cdp === null || page.gone) throw new Error('Object has been destroyed');
    return page.cdp.send<T>(method, params);
  }
}

const browserAddress = (contents: WebContents): string => pageOf(contents).browserUrl;
let focused: (() => WebContents | null) | null = null;
/** The list of windows knows which page has the focus. */
export const setFocusedContents = (find: () => WebContents | null): void => void (focused = find);

export function endContents(contents: WebContents): void {
  pageOf(contents).end();
  all.delete(contents.id);
  contents.emit('destroyed');
}

sayClassGaps(WebContents, 'webContents', {
  cosmetic: [
    'setBackgroundThrottling',
    'setVisualZoomLevelLimits',
    'setAudioMuted',
    'setIgnoreMenuShortcuts',
    'replaceMisspelling',
  ],
});
type Supported = Pick<
  Electron.WebContents,
  | 'id'
  | 'getURL'
  | 'getTitle'
  | 'isLoading'
  | 'isCrashed'
  | 'executeJavaScript'
  | 'capturePage'
  | 'reload'
  | 'setZoomFactor'
  | 'setWindowOpenHandler'
  | 'insertText'
  | 'paste'
  | 'forcefullyCrashRenderer'
  | 'loadURL'
>;
WebContents satisfies new (...args: never[]) => Supported;
