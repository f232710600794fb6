import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { knownSchemes, originOf } from '../scheme-urls.ts';
import { tokenCookie } from '../server.ts';
import { browser, host } from '../state.ts';
import { sayClassGaps, sayDeaf, sayGaps, warnOnce } from '../unsupported.ts';
import type { CdpSession } from '../cdp.ts';
import type { Page } from '../page.ts';
import { Protocol } from './protocol.ts';

/** Electron's permission names and the browser's names for them. */
const browserNames: Readonly<Record<string, readonly object[]>> = {
  'media:audio': [{ name: 'microphone' }],
  'media:video': [{ name: 'camera' }],
  notifications: [{ name: 'notifications' }],
  geolocation: [{ name: 'geolocation' }],
  midi: [{ name: 'midi' }],
  midiSysex: [{ name: 'midi', sysex: true }],
  'clipboard-read': [{ name: 'clipboard-read' }],
  'clipboard-sanitized-write': [{ name: 'clipboard-write' }],
  'screen-wake-lock': [{ name: 'screen-wake-lock' }],
  'idle-detection': [{ name: 'idle-detection' }],
  'window-management': [{ name: 'window-management' }],
  'local-fonts': [{ name: 'local-fonts' }],
};

const permissionNames: readonly string[] = Object.keys(browserNames);

function descriptorsOf(permission: string, mediaTypes: readonly string[]): readonly object[] {
  if (permission !== 'media') return browserNames[permission] ?? [];
  return mediaTypes.flatMap((type) => browserNames[`media:${type}`] ?? []);
}

type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
interface Asked {
  readonly mediaTypes?: readonly string[];
  readonly mediaType?: string;
}

const networkEvents = [
  'onBeforeRequest',
  'onBeforeSendHeaders',
  'onSendHeaders',
  'onHeadersReceived',
  'onResponseStarted',
  'onBeforeRedirect',
  'onCompleted',
  'onErrorOccurred',
];

/** One partition: its schemes, its permission handlers and its own cookie jar in the browser. */
export class HostSession extends EventEmitter {
  /** Allows the schemes of this session and no other's. */
  readonly token = randomBytes(16).toString('hex');
  readonly partition: string;
  readonly protocol = new Protocol();
  readonly webRequest: object;
  #request: RequestHandler = null;
  #check: CheckHandler = null;
  #context: string | undefined;
  #contextMade: Promise<void> | null = null;

  constructor(partition: string) {
    super();
    this.partition = partition;
    sayDeaf(this, 'session', ['will-download', 'select-usb-device', 'select-hid-device', 'select-serial-port']);
    const say = (name: string) => [name, () => warnOnce(`session.webRequest.${name}`)] as const;
    this.webRequest = sayGaps(Object.fromEntries(networkEvents.map(say)), 'session.webRequest');
  }

  get isDefault(): boolean {
    return this.partition === '';
  }

  isPersistent(): boolean {
    return this.isDefault;
  }

  get storagePath(): string | null {
    return null;
  }

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }

  // Devices, displays and pairing: no page gets any here, whatever the handler returns.
  setDevicePermissionHandler(_handler: unknown): void {}
  setDisplayMediaRequestHandler(_handler: unknown, _options?: unknown): void {}
  setUSBProtectedClassesHandler(_handler: unknown): void {}
  setBluetoothPairingHandler(_handler: unknown): void {}

  async clearCache(): Promise<void> {
    warnOnce('session.clearCache', 'has nothing to clear: custom schemes are not cached');
  }

  async clearStorageData(options: { readonly origin?: string } = {}): Promise<void> {
    const { cdp } = browser();
    const origins = options.origin === undefined ? [...this.#origins] : [options.origin];
    await Promise.all(
      origins.map((origin) => cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }).catch(() => {})),
    );
  }
  readonly #origins = new Set<string>();

  /** The browser's context for a new window; undefined is the default one. Headful windows choose theirs otherwise. */
  async browserContext(): Promise<string | undefined> {
    if (this.isDefault || !host.headless) return undefined;
    this.#contextMade ??= browser()
      .cdp.send<{ browserContextId: string }>('Target.createBrowserContext', { disposeOnDetach: true })
      .then(({ browserContextId }) => void (this.#context = browserContextId));
    await this.#contextMade;
    return this.#context;
  }

  /** Gives a page's context, which may be one that only the page can name, the cookies that grant our schemes. */
  async prepare(page: CdpSession): Promise<void> {
    const schemes = new Set([...knownSchemes, ...this.protocol.handlers.keys()]);
    const cookies = [...schemes].map((scheme) => ({
      name: tokenCookie,
      value: this.token,
      domain: `.${scheme}.localhost`,
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
    }));
    await page.send('Network.setCookies', { cookies });
  }

  #apply(
    setting: 'granted' | 'denied',
    descriptors: readonly object[],
    url: string,
    browserContextId: string | undefined,
  ) {
    const { origin } = new URL(url);
    const set = (permission: object) =>
      browser()
        .cdp.send('Browser.setPermission', { permission, setting, origin, browserContextId })
        .catch((error: unknown) => {
          if (process.env['ELECTRON_HOST_DEBUG']) process.stderr.write(`electron-host: ${String(error)}\n`);
        });
    return Promise.all(descriptors.map(set));
  }

  /**
   * What pages of an origin may do before they ask: the answer of the check handler; without handlers everything, as in
   * Electron.
   */
  async allowDefaults(url: string, browserContextId: string | undefined): Promise<void> {
    if (!/^https?:/.test(url)) return;
    this.#origins.add(new URL(url).origin);
    const all = permissionNames.map((key) => {
      const [permission = key, mediaType] = key.split(':');
      const granted =
        this.#check === null
          ? this.#request === null
          : this.#ask(null, permission, url, { ...(mediaType && { mediaType }) });
      return this.#apply(
        granted ? 'granted' : 'denied',
        descriptorsOf(permission, mediaType ? [mediaType] : []),
        url,
        browserContextId,
      );
    });
    await Promise.all(all);
  }

  #ask(page: Page | null, permission: string, url: string, asked: Asked): boolean {
    if (this.#check === null) return true;
    const origin = originOf(url);
    const details = {
      isMainFrame: true,
      requestingUrl: page?.url ?? url,
      securityOrigin: `${origin}/`,
      mediaType: asked.mediaType ?? 'unknown',
    };
    type Check = (contents: unknown, permission: string, origin: string, details: object) => boolean;
    return (this.#check as unknown as Check)(page?.contents ?? null, permission, `${origin}/`, details);
  }

  /**
   * A page calls something that needs a permission: the app's request handler decides, without one everything is
   * granted.
   */
  async request(page: Page, permission: string, asked: Asked): Promise<boolean> {
    const handler = this.#request;
    const details = {
      isMainFrame: true,
      requestingUrl: page.url,
      ...(permission === 'media' && { mediaTypes: asked.mediaTypes ?? [], securityOrigin: `${originOf(page.url)}/` }),
    };
    type Ask = (contents: unknown, permission: string, callback: (granted: boolean) => void, details: object) => void;
    const granted =
      handler === null ||
      (await new Promise<boolean>((resolve) =>
        (handler as unknown as Ask)(page.contents, permission, resolve, details),
      ));
    await this.#settle(page, permission, asked.mediaTypes ?? [], granted);
    return granted;
  }

  /** `navigator.permissions.query`: the app's check handler decides. */
  async checkAndApply(page: Page, permission: string, asked: Asked): Promise<boolean> {
    const granted = this.#check === null ? this.#request === null : this.#ask(page, permission, page.url, asked);
    await this.#settle(page, permission, asked.mediaType === undefined ? [] : [asked.mediaType], granted);
    return granted;
  }

  async #settle(page: Page, permission: string, mediaTypes: readonly string[], granted: boolean): Promise<void> {
    const url = await page.evaluate('location.href', false);
    if (typeof url !== 'string' || !/^https?:/.test(url)) return;
    await this.#apply(
      granted ? 'granted' : 'denied',
      descriptorsOf(permission, mediaTypes),
      url,
      page.browserContextId,
    );
  }
}

sayClassGaps(HostSession, 'session', {
  cosmetic: [
    'setSpellCheckerEnabled',
    'setSpellCheckerLanguages',
    'setUserAgent',
    'setProxy',
    'setCertificateVerifyProc',
    'setDownloadPath',
  ],
});

const sessions = new Map<string, HostSession>();
const createdListeners: ((session: HostSession) => void)[] = [];
export const onSessionCreated = (listener: (session: HostSession) => void): void =>
  void createdListeners.push(listener);

export function sessionOf(partition: string): HostSession {
  const known = sessions.get(partition);
  if (known !== undefined) return known;
  if (partition.startsWith('persist:')) warnOnce(`partition ${partition}`, 'is kept in memory only here');
  const made = new HostSession(partition);
  sessions.set(partition, made);
  for (const listener of createdListeners) listener(made);
  return made;
}

export const sessionByToken = (token: string): HostSession | undefined =>
  [...sessions.values()].find((session) => session.token === token);

export const defaultSession = sessionOf('');
export const session = sayGaps(
  { defaultSession, fromPartition: (partition: string) => sessionOf(partition) },
  'session',
);
