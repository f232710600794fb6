import { ipcMain, MessageChannelMain, type IpcMainInvokeEvent } from 'electron';
import { channels } from './bridge.ts';
import { ok } from '../../shared/result/result.ts';
import { refusal, type Dispatch, type RateLimiter } from './dispatch.ts';
import { keyChannel, keyMessage, type KeyMessage } from './key-entry.ts';
import { overlayChannel, overlayMessage, type OverlayMessage } from './overlay.ts';
import type { PageName, SenderFacts } from './procedure.ts';
import type { Streams } from './streams.ts';

export interface ListenOptions {
  readonly dispatch: Dispatch;
  readonly grantStream: Streams['grant'];
  readonly isTrusted: (sender: SenderFacts, page: PageName) => boolean;
  /** A drop may contain thousands of files, so they have a limit of their own. */
  readonly fileRate: RateLimiter;
  readonly issueFileToken: (windowId: number, path: string) => string;
  readonly answerKeyWindow: (message: KeyMessage) => Promise<unknown>;
  readonly answerOverlay: (message: OverlayMessage) => null;
}

const maxPathLength = 32_768;

function factsOf(event: IpcMainInvokeEvent): SenderFacts {
  const frame = event.senderFrame;
  return {
    windowId: event.sender.id,
    frameUrl: frame?.url ?? '',
    isMainFrame: frame !== null && frame.parent === null,
  };
}

/** Registers the only five channels of the app. No other file touches `ipcMain` (S-12). */
export function listen(options: ListenOptions): void {
  ipcMain.handle(channels.request, (event, message: unknown) => options.dispatch(factsOf(event), message));

  ipcMain.handle(channels.stream, (event, message: unknown) => {
    const granted = options.grantStream(factsOf(event), message);
    if (!granted.ok) return granted;
    const { port1, port2 } = new MessageChannelMain();
    event.senderFrame?.postMessage(channels.streamPort, granted.value.nonce, [port2]);
    granted.value.connect(port1);
    return ok(null);
  });

  ipcMain.handle(channels.fileToken, (event, path: unknown) => {
    const sender = factsOf(event);
    const isPath = typeof path === 'string' && path.length > 0 && path.length <= maxPathLength;
    const isTaken = isPath && options.isTrusted(sender, 'studio') && options.fileRate.allows(sender.windowId);
    return isTaken ? ok(options.issueFileToken(sender.windowId, path)) : refusal;
  });

  ipcMain.handle(keyChannel, (event, message: unknown) => {
    const parsed = keyMessage().safeParse(message);
    return parsed.success && options.isTrusted(factsOf(event), 'key') ? options.answerKeyWindow(parsed.data) : refusal;
  });

  ipcMain.handle(overlayChannel, (event, message: unknown) => {
    const parsed = overlayMessage().safeParse(message);
    return parsed.success && options.isTrusted(factsOf(event), 'overlay')
      ? options.answerOverlay(parsed.data)
      : refusal;
  });
}

/** electron-store opens a channel that reveals the data folder to pages; ours don't need it. */
export function closeForeignChannels(): void {
  ipcMain.removeAllListeners('electron-store-get-data');
}

export interface EventTarget {
  isDestroyed(): boolean;
  send(channel: string, message: unknown): void;
}

export interface EventMessage {
  readonly event: string;
  readonly payload: unknown;
}

/** Sends to every page that we opened. Producers limit how often they emit; nothing is queued for a closed page. */
export function createEventHub<E extends object>(targets: () => Iterable<EventTarget>) {
  const emit = <N extends keyof E & string>(event: N, payload: E[N]): void => {
    const message: EventMessage = { event, payload };
    for (const target of targets()) if (!target.isDestroyed()) target.send(channels.event, message);
  };
  return {
    emit,
    emits:
      <N extends keyof E & string>(event: N) =>
      (payload: E[N]): void =>
        emit(event, payload),
  };
}

export type EventHub<E extends object> = ReturnType<typeof createEventHub<E>>;
