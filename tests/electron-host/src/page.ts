import { randomBytes } from 'node:crypto';
import type Electron from 'electron';
import type { CdpSession } from './cdp.ts';
import { NavigationGuard } from './navigation-guard.ts';
import { PageIpc } from './page-ipc.ts';
import { isolatedSource, isolatedWorldName, mainWorldSource, pathFunctionName, readPreload } from './page-scripts.ts';
import { blankPath } from './server.ts';
import { toAppUrl, toBrowserUrl } from './scheme-urls.ts';
import { browser, host, preventable } from './state.ts';
import type { HostSession } from './api/session.ts';

const beat = 10_000;

/** Reports when a page has not run anything for two beats in a row, and when it runs again. */
function watchPulse(cdp: CdpSession, changed: (isAnswering: boolean) => void): NodeJS.Timeout {
  let missed = 0;
  let isWaiting = false;
  const check = () => {
    if (isWaiting) {
      missed++;
      if (missed === 2) changed(false);
      return;
    }
    isWaiting = true;
    const answered = () => {
      isWaiting = false;
      if (missed >= 2) changed(true);
      missed = 0;
    };
    cdp.send('Runtime.evaluate', { expression: '0' }).then(answered, answered);
  };
  return setInterval(check, beat).unref();
}

export interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
  readonly title: string;
  readonly openerId?: string;
  readonly browserContextId?: string;
}

/** What a page reports to the objects that the app sees. */
export interface PageEvents {
  /** Emits on the `webContents`. */
  emit(event: string, ...args: unknown[]): void;
  /** The user wants to close the window through the browser; false prevents it. */
  mayClose(): boolean;

  titleChanged(title: string): void;
  windowChanged(state: { readonly focused: boolean; readonly visible: boolean }): void;
  accelerator(combo: string): void;
  opened(url: string, disposition: string): void;
  firstLoad(): void;
  guardsClose(): boolean;
  watchesKeys(): boolean;
  /** The page has stopped responding, or responds again. */
  answering(isAnswering: boolean): void;
}

interface Frame {
  readonly id: string;
  readonly parentId?: string;
  readonly url: string;
  readonly urlFragment?: string;
}

const textOf = (value: unknown, description = ''): string =>
  typeof value === 'string' ? value : value === undefined ? description : JSON.stringify(value);

export const pagesByTarget = new Map<string, Page>();
export const pagesByNonce = new Map<string, Page>();

/** One browser page and its DevTools session: loading, scripts, the preload's world. */
export class Page {
  readonly nonce = randomBytes(16).toString('hex');
  readonly secret = randomBytes(16).toString('hex');
  readonly ipc: PageIpc;
  readonly guard: NavigationGuard;
  readonly attached: Promise<void>;
  readonly preferences: Electron.WebPreferences;
  readonly session: HostSession;
  readonly events: PageEvents;
  contents!: Electron.WebContents;
  cdp: CdpSession | null = null;
  targetId = '';
  mainFrameId = '';
  browserContextId: string | undefined;
  url = '';
  title = '';
  loading = false;
  /** The page is left for itself, so its window is not asked whether it may close. */
  isReloading = false;
  crashed = false;
  gone = false;
  #attachedNow!: () => void;
  #committedNow = (): void => {};
  #shown = false;
  #pulse: NodeJS.Timeout | undefined;

  constructor(preferences: Electron.WebPreferences, session: HostSession, events: PageEvents) {
    this.preferences = preferences;
    this.session = session;
    this.events = events;
    this.ipc = new PageIpc(this);
    this.guard = new NavigationGuard(this);
    this.attached = new Promise((resolve) => (this.#attachedNow = resolve));
    pagesByNonce.set(this.nonce, this);
  }

  /** Attaches to the browser's page while it is still blank: scripts first, the app's address later. */
  async attach(cdp: CdpSession, target: TargetInfo): Promise<void> {
    this.cdp = cdp;
    this.targetId = target.targetId;
    this.browserContextId = target.browserContextId;
    pagesByTarget.set(target.targetId, this);
    this.#listen(cdp);
    await Promise.all([
      cdp.send('Page.enable'),
      cdp.send('Runtime.enable'),
      cdp.send('Debugger.enable'),
      cdp.send('DOM.enable'),
      this.guard.start(cdp),
      cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldSource(this.secret) }),
      cdp.send('Page.addScriptToEvaluateOnNewDocument', {
        worldName: isolatedWorldName,
        source: isolatedSource(this.#config(), this.#preload()),
      }),
      cdp.send('Runtime.runIfWaitingForDebugger'),
    ]);
    const tree = await cdp.send<{ frameTree: { frame: Frame } }>('Page.getFrameTree');
    this.mainFrameId = tree.frameTree.frame.id;
    await this.session.prepare(cdp);
    this.#attachedNow();
    this.#pulse = watchPulse(cdp, (isAnswering) => this.events.answering(isAnswering));
  }

  #config() {
    const server = host.server;
    if (server === null) throw new Error('electron-host: the server is not there');
    return {
      secret: this.secret,
      ipcUrl: server.ipcUrl(this.nonce),
      syncUrl: server.syncUrl(this.nonce),
      platform: process.platform,
      arch: process.arch,
      versions: { ...process.versions },
      argv: [host.executable, ...(this.preferences.additionalArguments ?? [])],
      guardClose: this.events.guardsClose(),
      watchesKeys: this.events.watchesKeys(),
    };
  }

  #preload(): string {
    const file = this.preferences.preload;
    if (file === undefined) return '';
    try {
      return readPreload(file);
    } catch (error) {
      process.stderr.write(`Unable to load preload script: ${file}\n${String(error)}\n`);
      this.events.emit('preload-error', {}, file, error);
      return '';
    }
  }

  /** The page's address as the browser knows it. */
  get browserUrl(): string {
    return toBrowserUrl(this.url);
  }

  get isBlank(): boolean {
    return this.url === '' || this.url.startsWith('about:blank') || this.url.includes(blankPath);
  }

  #listen(cdp: CdpSession): void {
    cdp.on<{ frame: Frame }>('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.crashed = false;
      this.#committed(toAppUrl(frame.url + (frame.urlFragment ?? '')));
    });
    cdp.on<{ frameId: string; url: string }>('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId !== this.mainFrameId) return;
      this.url = toAppUrl(url);
      this.events.emit('did-navigate-in-page', {}, this.url, true, 1, 1);
    });
    cdp.on<{ frameId: string }>('Page.frameStartedLoading', ({ frameId }) => {
      if (frameId !== this.mainFrameId || this.loading) return;
      this.loading = true;
      this.events.emit('did-start-loading');
    });
    cdp.on<{ frameId: string }>('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId !== this.mainFrameId || !this.loading) return;
      this.loading = false;
      if (!this.isBlank) this.events.emit('did-stop-loading');
    });
    cdp.on('Page.domContentEventFired', () => {
      if (this.isBlank) return;
      this.events.emit('dom-ready', {});
      void this.#readTitle();
    });
    cdp.on('Page.loadEventFired', () => this.#loaded());
    cdp.on('Inspector.targetCrashed', () => {
      this.crashed = true;
      this.ipc.drop();
      this.events.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 133 });
    });
    cdp.on<{ type: string; args: { value?: unknown; description?: string }[] }>(
      'Runtime.consoleAPICalled',
      ({ type, args }) => {
        const message = args.map((arg) => textOf(arg.value, arg.description)).join(' ');
        const level = type === 'error' || type === 'warning' ? type : type === 'debug' ? 'debug' : 'info';
        this.events.emit('console-message', { level, message, lineNumber: 0, sourceId: '' });
      },
    );
    cdp.on<{ type: string }>('Page.javascriptDialogOpening', ({ type }) => {
      if (type !== 'beforeunload') return;
      const accept = this.isReloading || this.events.mayClose();
      cdp.send('Page.handleJavaScriptDialog', { accept }).catch(() => {});
    });
    cdp.on<{ callFrames: { callFrameId: string; functionName: string }[] }>('Debugger.paused', ({ callFrames }) => {
      this.#answerPath(cdp, callFrames[0]).catch(() => cdp.send('Debugger.resume').catch(() => {}));
    });
  }

  #committed(url: string): void {
    this.#committedNow();
    this.url = url;
    this.isReloading = false;
    this.ipc.committed(!this.isBlank);
    if (this.isBlank) return;
    this.events.emit('did-navigate', {}, url, 200, '');
    this.events.emit('did-frame-navigate', {}, url, 200, '', true, 1, 1);
  }

  #loaded(): void {
    if (this.isBlank) return;
    if (!this.#shown) {
      this.#shown = true;
      this.events.firstLoad();
    }
    this.events.emit('did-frame-finish-load', {}, true, 1, 1);
    this.events.emit('did-finish-load');
  }

  /** A title from before the browser reported a change. */
  async #readTitle(): Promise<void> {
    const title = await this.evaluate('document.title', false).catch(() => '');
    if (typeof title === 'string' && title !== '') this.events.titleChanged(title);
  }

  async #answerPath(cdp: CdpSession, frame: { callFrameId: string; functionName: string } | undefined): Promise<void> {
    if (frame?.functionName === pathFunctionName) {
      const { callFrameId } = frame;
      const evaluate = (expression: string) =>
        cdp.send<{ result: { objectId: string } }>('Debugger.evaluateOnCallFrame', { callFrameId, expression });
      const { result } = await evaluate('file');
      const info = await cdp
        .send<{ path: string }>('DOM.getFileInfo', { objectId: result.objectId })
        .catch(() => ({ path: '' }));
      await evaluate(`path = ${JSON.stringify(info.path)}`);
    }
    await cdp.send('Debugger.resume');
  }

  /** A key on its way to the page: false if a listener of 'before-input-event' prevents it. */
  key(input: object): boolean {
    const event = preventable();
    this.events.emit('before-input-event', event, input);
    return !event.defaultPrevented;
  }

  /** Loads an address for the app: a new document, a navigation within this one, or the browser's error text. */
  async navigate(url: string): Promise<'document' | 'inside' | { readonly errorText: string }> {
    await this.attached;
    if (this.cdp === null) throw new Error('electron-host: the page is gone');
    const target = toBrowserUrl(url);
    const fresh = this.isBlank;
    await this.session.allowDefaults(target, this.browserContextId);
    this.guard.expect(target);
    const committed = new Promise<void>((resolve) => (this.#committedNow = resolve));
    const answer = await this.cdp.send<{ errorText?: string; loaderId?: string }>('Page.navigate', { url: target });
    // The browser's page about the error comes after the answer, and would end what is loaded next.
    if (this.guard.failure !== null) await committed;
    if (fresh) await this.cdp.send('Page.resetNavigationHistory').catch(() => {});
    if (answer.errorText !== undefined) return { errorText: this.guard.failure ?? answer.errorText };
    return answer.loaderId === undefined ? 'inside' : 'document';
  }

  async evaluate(expression: string, userGesture: boolean): Promise<unknown> {
    await this.attached;
    const answer = await this.cdp?.send<{
      result: { value?: unknown };
      exceptionDetails?: { text: string; exception?: { description?: string; value?: unknown } };
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture });
    const failure = answer?.exceptionDetails;
    if (failure) throw new Error(textOf(failure.exception?.value, failure.exception?.description ?? failure.text));
    return answer?.result.value;
  }

  /** The browser's page is gone and can't be used any more. */
  end(): void {
    this.gone = true;
    clearInterval(this.#pulse);
    this.ipc.drop();
    pagesByTarget.delete(this.targetId);
    pagesByNonce.delete(this.nonce);
  }

  close(): void {
    if (this.targetId !== '')
      browser()
        .cdp.send('Target.closeTarget', { targetId: this.targetId })
        .catch(() => {});
  }
}
