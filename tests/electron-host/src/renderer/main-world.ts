import type { MakeBridge } from './bridge.ts';

/** The half that lives in the page's own world. Runs before any of the page's scripts; refers to nothing outside itself. */
export function runMainWorld(secret: string, makeBridge: MakeBridge): void {
  if (window !== window.top || location.pathname === '/__electron-host/blank' || location.protocol === 'about:') return;
  type Ask = (permission: string, details: object) => Promise<boolean>;
  type Method = (this: unknown, ...args: unknown[]) => unknown;
  let ask: Ask = () => Promise.resolve(false);
  let check: Ask = () => Promise.resolve(false);

  const freeze = (value: unknown): unknown => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
    if (ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
    return value;
  };
  const bridge = makeBridge(secret, ':main', ':isolated');
  bridge.open((operation, first, second) => {
    switch (operation) {
      case 'expose':
        if ((first as string) in window) {
          throw new Error('Cannot bind an API on top of an existing property on the window object');
        }
        Object.defineProperty(window, first as string, { value: freeze(second), enumerable: true });
        break;
      case 'ask':
        ask = first as Ask;
        break;
      case 'check':
        check = first as Ask;
        break;
      case 'open':
        window.open = (url) => {
          (first as (url: string) => void)(new URL(String(url ?? 'about:blank'), location.href).href);
          return null;
        };
        break;
    }
  });

  const wrap = (owner: object | undefined, name: string, make: (original: Method) => Method): void => {
    const original = owner === undefined ? undefined : ((owner as Record<string, unknown>)[name] as Method | undefined);
    if (owner === undefined || original === undefined) return;
    const wrapped = make(original);
    Object.defineProperty(wrapped, 'name', { value: name });
    Object.defineProperty(owner, name, { value: wrapped, writable: true, configurable: true, enumerable: true });
  };
  const prototypeOf = (name: string): object | undefined =>
    (window as unknown as Record<string, { prototype: object } | undefined>)[name]?.prototype;
  const refused = (message: string, name = 'NotAllowedError') => new DOMException(message, name);
  /** Asks the app; if it refuses, the call fails here as the browser itself would make it fail. */
  const guard = (
    owner: string,
    name: string,
    permission: string,
    detailsOf: (args: unknown[]) => object = () => ({}),
  ) =>
    wrap(
      prototypeOf(owner),
      name,
      (original) =>
        async function (this: unknown, ...args) {
          if (!(await ask(permission, detailsOf(args)))) throw refused(`${owner}.${name}: permission denied.`);
          return original.apply(this, args);
        },
    );

  wrap(
    prototypeOf('MediaDevices'),
    'getUserMedia',
    (original) =>
      async function (this: unknown, ...args) {
        const wanted = (args[0] ?? {}) as { audio?: unknown; video?: unknown };
        const mediaTypes = [...(wanted.audio ? ['audio'] : []), ...(wanted.video ? ['video'] : [])];
        if (mediaTypes.length > 0 && !(await ask('media', { mediaTypes }))) throw refused('Permission denied');
        return original.apply(this, args);
      },
  );
  wrap(prototypeOf('MediaDevices'), 'getDisplayMedia', () => () => {
    void ask('display-capture', {});
    return Promise.reject(refused('Not supported', 'NotSupportedError'));
  });
  guard('Clipboard', 'writeText', 'clipboard-sanitized-write');
  guard('Clipboard', 'write', 'clipboard-sanitized-write');
  guard('Clipboard', 'readText', 'clipboard-read');
  guard('Clipboard', 'read', 'clipboard-read');
  guard('Element', 'requestFullscreen', 'fullscreen');
  guard('Element', 'requestPointerLock', 'pointerLock');
  guard('WakeLock', 'request', 'screen-wake-lock');
  guard('Navigator', 'requestMIDIAccess', 'midi');
  for (const owner of ['USB', 'HID', 'Serial', 'Bluetooth']) {
    const name = owner === 'Serial' ? 'requestPort' : 'requestDevice';
    wrap(prototypeOf(owner), name, () => () => Promise.reject(refused('No device selected.', 'NotFoundError')));
  }
  wrap(
    typeof Notification === 'undefined' ? undefined : Notification,
    'requestPermission',
    () => async () => ((await ask('notifications', {})) ? 'granted' : 'denied'),
  );
  for (const name of ['getCurrentPosition', 'watchPosition']) {
    wrap(
      prototypeOf('Geolocation'),
      name,
      (original) =>
        function (this: unknown, ...args) {
          void ask('geolocation', {}).then((granted) => {
            const fail = args[1] as ((error: object) => void) | undefined;
            if (granted) original.apply(this, args);
            else fail?.({ code: 1, message: 'User denied Geolocation', PERMISSION_DENIED: 1 });
          });
          return 0;
        },
    );
  }
  const electronNames: Readonly<Record<string, string>> = {
    microphone: 'media',
    camera: 'media',
    'clipboard-write': 'clipboard-sanitized-write',
  };
  wrap(
    prototypeOf('Permissions'),
    'query',
    (original) =>
      async function (this: unknown, ...args) {
        const { name } = (args[0] ?? {}) as { name?: string };
        if (typeof name === 'string') {
          const mediaType =
            name === 'microphone' ? { mediaType: 'audio' } : name === 'camera' ? { mediaType: 'video' } : {};
          await check(electronNames[name] ?? name, mediaType);
        }
        return original.apply(this, args);
      },
  );
}
