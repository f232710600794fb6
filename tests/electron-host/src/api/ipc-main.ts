import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import type { MainFrame } from '../frame.ts';
import type { MessagePortMain } from '../ports.ts';
import { sayClassGaps } from '../unsupported.ts';

export interface IpcEvent {
  readonly type: 'frame';
  readonly sender: Electron.WebContents;
  readonly senderFrame: MainFrame;
  readonly processId: number;
  readonly frameId: number;
  readonly ports: readonly MessagePortMain[];
  readonly reply: (channel: string, ...args: unknown[]) => void;
}

type Handler = Parameters<Electron.IpcMain['handle']>[1];

class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, Handler>();

  constructor() {
    super();
    // A channel may be named so.
    this.on('error', () => {});
  }

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof handler !== 'function')
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`);
    this.#handlers.set(channel, handler);
  }

  handleOnce(channel: string, handler: Handler): void {
    this.handle(channel, (event, ...args: unknown[]) => {
      this.removeHandler(channel);
      return handler(event, ...args) as unknown;
    });
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  /** Runs a channel's handler for a page's `invoke`; an error is printed here and sent to the page, as in Electron. */
  async call(channel: string, event: IpcEvent, args: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    try {
      return (await handler(event as unknown as Electron.IpcMainInvokeEvent, ...args)) as unknown;
    } catch (error) {
      process.stderr.write(
        `Error occurred in handler for '${channel}': ${error instanceof Error ? error.stack : String(error)}\n`,
      );
      throw error;
    }
  }
}

sayClassGaps(IpcMain, 'ipcMain');
export const ipcMain = new IpcMain() satisfies Pick<Electron.IpcMain, 'handle' | 'handleOnce' | 'removeHandler'>;
ipcMain.setMaxListeners(0);
