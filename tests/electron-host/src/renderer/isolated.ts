import type { makeCodec as MakeCodec } from '../codec.ts';
import type { MakeBridge } from './bridge.ts';
import type { MakeEmitter } from './emitter.ts';

export interface IsolatedConfig {
  readonly secret: string;
  readonly ipcUrl: string;
  readonly syncUrl: string;
  readonly platform: string;
  readonly arch: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly argv: readonly string[];
  /** Whether main listens for the window's 'close'. */
  readonly guardClose: boolean;
  /** Whether main listens for 'before-input-event'. */
  readonly watchesKeys: boolean;
}

export type Preload = (
  exports: unknown,
  require: (name: string) => unknown,
  module: { exports: unknown },
  process: object,
  global: typeof globalThis,
  setImmediate: (fn: () => void) => number,
  clearImmediate: (id: number) => void,
) => void;

/**
 * The world of the preload: what a sandboxed preload has in Electron, over one socket to main. Runs at document start,
 * before the page's scripts; refers to nothing outside itself and its arguments.
 */
export function runIsolated(
  config: IsolatedConfig,
  makeBridge: MakeBridge,
  makeCodec: typeof MakeCodec,
  makeEmitter: MakeEmitter,
  preload: Preload,
): void {
  if (window !== window.top || location.pathname === '/__electron-host/blank' || location.protocol === 'about:') return;
  type Wire = readonly [kind: string, ...rest: unknown[]];
  const codec = makeCodec();
  const bridge = makeBridge(config.secret, ':isolated', ':main');
  bridge.open(() => undefined);
  const inPage = (...args: unknown[]) => bridge.call(1, args);

  const Emitter = makeEmitter();
  const socket = new WebSocket(config.ipcUrl);
  socket.binaryType = 'arraybuffer';
  const waiting: Uint8Array<ArrayBuffer>[] = [];
  const answers = new Map<number, (answer: { error?: string; result?: unknown }) => void>();
  const ports = new Map<string, MessagePort>();
  let lastCall = 0;
  let lastPort = 0;
  const tell = (...message: Wire) => {
    const bytes = codec.encode(message);
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
    else waiting.push(bytes);
  };
  const ask = async (kind: string, ...rest: unknown[]): Promise<{ error?: string; result?: unknown }> => {
    const id = ++lastCall;
    const answer = new Promise<{ error?: string; result?: unknown }>((resolve) => answers.set(id, resolve));
    tell(kind, id, ...rest);
    return answer;
  };
  socket.onopen = () => {
    for (const bytes of waiting.splice(0)) socket.send(bytes);
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  tell('hello', location.href, {
    dark: dark.matches,
    width: screen.width,
    height: screen.height,
    availWidth: screen.availWidth,
    availHeight: screen.availHeight,
    scaleFactor: devicePixelRatio,
  });
  const pump = (port: MessagePort, id: string) => {
    ports.set(id, port);
    port.onmessage = (event: MessageEvent<unknown>) => tell('port', id, event.data);
    port.addEventListener('close', () => {
      if (ports.delete(id)) tell('port-close', id);
    });
  };
  const askNow = (channel: string, args: unknown[]): unknown => {
    const request = new XMLHttpRequest();
    request.open('POST', config.syncUrl, false);
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send(codec.encode([channel, args]));
    return codec.decode(Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 255));
  };
  const ipcRenderer = Object.assign(new Emitter(), {
    send: (channel: string, ...args: unknown[]) => tell('send', String(channel), args),
    async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      const { error, result } = await ask('invoke', String(channel), args);
      if (error !== undefined) throw new Error(`Error invoking remote method '${channel}': ${error}`);
      return result;
    },
    sendSync: (channel: string, ...args: unknown[]): unknown => askNow(String(channel), args),
    postMessage(channel: string, message: unknown, transfer: MessagePort[] = []) {
      const ids = transfer.map((port) => {
        const id = `page-${++lastPort}`;
        pump(port, id);
        return id;
      });
      tell('post', String(channel), message, ids);
    },
  });
  socket.onmessage = (event: MessageEvent<ArrayBuffer>) => {
    const [kind, ...rest] = codec.decode(new Uint8Array(event.data)) as Wire;
    switch (kind) {
      case 'event': {
        const [channel, args, ids] = rest as [string, unknown[], string[]];
        const received = ids.map((id) => {
          const { port1, port2 } = new MessageChannel();
          pump(port1, id);
          return port2;
        });
        ipcRenderer.emit(channel, { sender: ipcRenderer, ports: received, preventDefault: () => undefined }, ...args);
        break;
      }
      case 'answer': {
        const [id, answer] = rest as [number, { error?: string; result?: unknown }];
        answers.get(id)?.(answer);
        answers.delete(id);
        break;
      }
      case 'port':
        ports.get(rest[0] as string)?.postMessage(rest[1]);
        break;
      case 'port-close': {
        const port = ports.get(rest[0] as string);
        ports.delete(rest[0] as string);
        port?.close();
        break;
      }
      case 'accelerators':
        accelerators = new Set(rest[0] as string[]);
        break;
      case 'watch-keys':
        watchesKeys = rest[0] as boolean;
        break;
      case 'guard-close':
        guardClose = rest[0] as boolean;
        break;
    }
  };

  // The host answers while this frame is paused at the debugger statement, so the call is as synchronous as in
  // Electron.
  const electronHostPathOf = (file: unknown): string => {
    let path = '';
    if (!(file instanceof File))
      throw new TypeError('getPathForFile expected to receive a File object but one was not provided');
    // oxlint-disable-next-line no-debugger -- see above
    debugger;
    return path;
  };

  // ---- user actions in the window
  let accelerators = new Set<string>();
  let guardClose = config.guardClose;
  let leaving = false;
  const stateOf = () => ({ focused: document.hasFocus(), visible: document.visibilityState === 'visible' });
  addEventListener('focus', () => tell('window', stateOf()));
  addEventListener('blur', () => tell('window', stateOf()));
  addEventListener('resize', () => tell('window', stateOf()));
  document.addEventListener('visibilitychange', () => tell('window', stateOf()));
  dark.addEventListener('change', () => tell('dark', dark.matches));
  addEventListener('beforeunload', (event) => {
    if (guardClose && !leaving) event.preventDefault();
  });
  const comboOf = (event: KeyboardEvent): string =>
    [
      event.ctrlKey && 'ctrl',
      event.altKey && 'alt',
      event.shiftKey && 'shift',
      event.metaKey && 'meta',
      event.key.toLowerCase(),
    ]
      .filter(Boolean)
      .join('+');
  addEventListener('keydown', (event) => {
    if (!event.isTrusted || event.defaultPrevented || !accelerators.has(comboOf(event))) return;
    event.preventDefault();
    tell('accelerator', comboOf(event));
  });
  let watchesKeys = config.watchesKeys;
  const onKey = (event: KeyboardEvent) => {
    if (!watchesKeys || !event.isTrusted) return;
    const { key, code, repeat, isComposing, shiftKey, ctrlKey, altKey, metaKey, location: place } = event;
    const type = event.type === 'keydown' ? 'keyDown' : 'keyUp';
    const input = {
      type,
      key,
      code,
      isAutoRepeat: repeat,
      isComposing,
      shift: shiftKey,
      control: ctrlKey,
      alt: altKey,
      meta: metaKey,
      location: place,
      modifiers: [],
    };
    // A key that types proceeds at once; for a command main may prevent it before the page sees it.
    if (!ctrlKey && !altKey && !metaKey && key.length === 1) tell('key', input);
    else if (askNow('#key', [input]) === false) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  addEventListener('keydown', onKey, true);
  addEventListener('keyup', onKey, true);
  // In order with the messages, unlike the browser's own notification.
  window.navigation?.addEventListener('currententrychange', () => tell('moved', location.href));
  // Documents over http are stopped in the network layer; other targets (blob:, about:, mailto:) are checked here.
  window.navigation?.addEventListener('navigate', (event) => {
    const { url, sameDocument } = event.destination;
    if (sameDocument || event.downloadRequest !== null) return;
    leaving = true;
    setTimeout(() => (leaving = false), 1000);
    if (/^https?:/i.test(url) || !event.cancelable) return;
    event.preventDefault();
    tell('navigate', url);
  });
  const openElsewhere = (event: MouseEvent, disposition: string) => {
    const link = event
      .composedPath()
      .find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement && node.href !== '');
    if (link === undefined || event.defaultPrevented || !event.isTrusted) return;
    const other = link.target !== '' && !['_self', '_top', '_parent'].includes(link.target.toLowerCase());
    if (!other && disposition === 'foreground-tab' && !event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    event.preventDefault();
    tell('open', link.href, event.ctrlKey || event.metaKey ? 'background-tab' : disposition);
  };
  addEventListener('click', (event) => openElsewhere(event, event.shiftKey ? 'new-window' : 'foreground-tab'));
  addEventListener('auxclick', (event) => {
    if (event.button === 1) openElsewhere(event, 'background-tab');
  });

  // ---- what the preload sees
  const absent = (name: string, members: object): object =>
    new Proxy(members, {
      get(target, key, receiver) {
        if (typeof key === 'string' && !(key in target) && key !== 'then') tell('warn', `${name}.${key}`);
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
  const electron = absent('electron (in a preload)', {
    ipcRenderer: absent('ipcRenderer', ipcRenderer),
    contextBridge: absent('contextBridge', {
      exposeInMainWorld: (key: string, api: unknown) => inPage('expose', key, api),
    }),
    webUtils: absent('webUtils', { getPathForFile: electronHostPathOf }),
    webFrame: absent('webFrame', {}),
  });
  inPage(
    'ask',
    async (permission: string, details: object) => (await ask('permission', permission, details)).result === true,
  );
  inPage(
    'check',
    async (permission: string, details: object) => (await ask('check', permission, details)).result === true,
  );
  inPage('open', (url: string) => tell('open', url, 'new-window'));
  const later = (fn: () => void) => Number(setTimeout(fn));
  const modules: Readonly<Record<string, unknown>> = {
    electron,
    events: { EventEmitter: Emitter, default: Emitter },
    timers: { setTimeout, setInterval, clearTimeout, clearInterval, setImmediate: later, clearImmediate: clearTimeout },
    url: { URL, URLSearchParams },
  };
  const require = (name: string): unknown => {
    const found = modules[name.replace(/^node:/, '').replace(/^electron\/(renderer|common)$/, 'electron')];
    if (found === undefined) throw new Error(`module not found: ${name}`);
    return found;
  };
  const process = Object.assign(new Emitter(), {
    type: 'renderer',
    sandboxed: true,
    contextIsolated: true,
    platform: config.platform,
    arch: config.arch,
    versions: config.versions,
    argv: config.argv,
    env: {},
    nextTick: (fn: (...args: unknown[]) => void, ...args: unknown[]) => queueMicrotask(() => fn(...args)),
  });
  const module = { exports: {} as unknown };
  try {
    preload(module.exports, require, module, process, globalThis, later, clearTimeout);
  } catch (error) {
    tell('preload-error', error instanceof Error ? error : new Error(String(error)));
    reportError(error);
  }
}
