import type { WebSocket } from 'ws';
import { makeCodec } from './codec.ts';
import { ipcMain, type IpcEvent } from './api/ipc-main.ts';
import { checkTransfer, MessagePortMain, PortHub } from './ports.ts';
import { originOf, toAppUrl } from './scheme-urls.ts';
import { reportScreen, type ScreenReport } from './screen-report.ts';
import { warnOnce } from './unsupported.ts';
import { frameOf } from './frame.ts';
import type { Page } from './page.ts';

const codec = makeCodec();

/** Main's end of a page's socket: messages in order, calls and their answers, ports. */
export class PageIpc {
  readonly #page: Page;
  #socket: WebSocket | null = null;
  #origin = '';
  #documentThere = false;
  #waiting: Uint8Array[] = [];
  #ports: PortHub;

  constructor(page: Page) {
    this.#page = page;
    this.#ports = this.#newHub();
  }

  #newHub(): PortHub {
    return new PortHub('main', (...message) => this.#tell(...message));
  }

  #tell(...message: unknown[]): void {
    const bytes = codec.encode(message);
    if (this.#socket !== null) this.#socket.send(bytes);
    else if (this.#documentThere) this.#waiting.push(bytes);
  }

  /** A new document was loaded: messages for the previous one are lost, as in Electron. */
  committed(isReal: boolean): void {
    this.#documentThere = isReal;
    if (this.#socket === null) this.#waiting = [];
  }

  drop(): void {
    this.#socket?.terminate();
    this.#socket = null;
    this.#documentThere = false;
    this.#ports.closeAll();
  }

  take(socket: WebSocket, origin: string): boolean {
    this.#socket?.terminate();
    this.#ports.closeAll();
    this.#ports = this.#newHub();
    this.#origin = origin;
    this.#socket = socket;
    this.#documentThere = true;
    for (const bytes of this.#waiting.splice(0)) socket.send(bytes);
    socket.on('message', (data: Buffer) => {
      if (this.#socket === socket) this.#receive(codec.decode(data) as [string, ...unknown[]]);
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#ports.closeAll();
    });
    return true;
  }

  send(channel: string, args: readonly unknown[], ports: readonly MessagePortMain[] = []): void {
    checkTransfer(ports);
    this.#tell(
      'event',
      channel,
      args,
      ports.map((port) => this.#ports.give(port)),
    );
  }

  /** `postMessage(channel, message, transfer?)`, with Electron's own errors. */
  post(...args: readonly unknown[]): void {
    const [channel, message, transfer = []] = args;
    if (args.length < 2) throw new TypeError('Insufficient number of arguments.');
    if (typeof channel !== 'string')
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${String(channel)}`);
    if (!Array.isArray(transfer) || !transfer.every((port) => port instanceof MessagePortMain))
      throw new TypeError('Invalid value for transfer');
    this.send(channel, [message], transfer);
  }

  hint(kind: 'accelerators' | 'guard-close' | 'watch-keys', value: unknown): void {
    this.#tell(kind, value);
  }

  answerSync(body: Buffer): Uint8Array {
    const [channel, args] = codec.decode(body) as [string, unknown[]];
    if (channel === '#key') return codec.encode(this.#page.key(args[0] as object));
    let returned: unknown;
    const event = Object.defineProperty(this.#event(), 'returnValue', {
      get: () => returned,
      set: (value: unknown) => {
        returned = value;
      },
    });
    ipcMain.emit(channel, event, ...args);
    return codec.encode(returned);
  }

  #event(ports: readonly MessagePortMain[] = []): IpcEvent {
    const page = this.#page;
    return {
      type: 'frame',
      sender: page.contents,
      senderFrame: frameOf(page),
      processId: page.contents.id,
      frameId: 1,
      ports,
      reply: (channel, ...args) => this.send(channel, args),
    };
  }

  #receive([kind, ...rest]: [string, ...unknown[]]): void {
    const page = this.#page;
    switch (kind) {
      case 'hello': {
        // The preload's world may report its address before the browser's own message about it.
        const [url, screen] = rest as [string, ScreenReport];
        if (originOf(url) === this.#origin) page.url = toAppUrl(url);
        reportScreen(screen);
        page.events.emit('-document');
        return;
      }
      case 'moved':
        if (originOf(rest[0] as string) === this.#origin) page.url = toAppUrl(rest[0] as string);
        return;
      case 'send': {
        const [channel, args] = rest as [string, unknown[]];
        const event = this.#event();
        page.events.emit('ipc-message', event, channel, ...args);
        ipcMain.emit(channel, event, ...args);
        return;
      }
      case 'post': {
        const [channel, message, ids] = rest as [string, unknown, string[]];
        ipcMain.emit(channel, this.#event(ids.map((id) => this.#ports.take(id))), message);
        return;
      }
      case 'invoke': {
        const [id, channel, args] = rest as [number, string, unknown[]];
        this.#answer(id, () => ipcMain.call(channel, this.#event(), args));
        return;
      }
      case 'permission': {
        const [id, name, details] = rest as [number, string, object];
        this.#answer(id, () => page.session.request(page, name, details));
        return;
      }
      case 'check': {
        const [id, name, details] = rest as [number, string, object];
        this.#answer(id, () => page.session.checkAndApply(page, name, details));
        return;
      }
      case 'port':
        this.#ports.receive(rest[0] as string, rest[1]);
        return;
      case 'port-close':
        this.#ports.closed(rest[0] as string);
        return;
      case 'window':
        page.events.windowChanged(rest[0] as { focused: boolean; visible: boolean });
        return;
      case 'key':
        page.key(rest[0] as object);
        return;
      case 'accelerator':
        page.events.accelerator(rest[0] as string);
        return;
      case 'navigate':
        page.guard.asked(rest[0] as string);
        return;
      case 'open':
        page.events.opened(toAppUrl(rest[0] as string), rest[1] as string);
        return;
      case 'dark':
        reportScreen({ dark: rest[0] as boolean });
        return;
      case 'warn':
        warnOnce(rest[0] as string);
        return;
      case 'preload-error':
        process.stderr.write(
          `Unable to load preload script: ${page.preferences.preload}\n${String((rest[0] as Error).stack)}\n`,
        );
        page.events.emit('preload-error', {}, page.preferences.preload, rest[0]);
    }
  }

  #answer(id: number, work: () => unknown): void {
    const socket = this.#socket;
    const reply = (answer: { result?: unknown; error?: string }) => {
      if (this.#socket === socket) this.#tell('answer', id, answer);
    };
    void (async () => {
      try {
        reply({ result: await work() });
      } catch (error) {
        reply({ error: String(error) });
      }
    })();
  }
}
