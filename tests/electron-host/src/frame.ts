import { originOf } from './scheme-urls.ts';
import { sayGaps } from './unsupported.ts';
import type { MessagePortMain } from './ports.ts';
import type { Page } from './page.ts';

export interface MainFrame {
  readonly url: string;
  readonly origin: string;
  readonly name: string;
  readonly parent: null;
  readonly frames: readonly never[];
  readonly routingId: number;
  readonly processId: number;
  readonly frameTreeNodeId: number;
  readonly detached: boolean;
  send(channel: string, ...args: unknown[]): void;
  postMessage(channel: string, message: unknown, transfer?: MessagePortMain[]): void;
  executeJavaScript(code: string, userGesture?: boolean): Promise<unknown>;
  isDestroyed(): boolean;
}

/** The page's top frame as `webFrameMain` shows it; preloads run in no other frame here. Its ids are made up. */
export function frameOf(page: Page): MainFrame & { readonly top: MainFrame } {
  const { url } = page;
  const frame = {
    url,
    origin: originOf(url),
    name: '',
    parent: null,
    frames: [],
    routingId: 1,
    processId: page.contents.id,
    frameTreeNodeId: page.contents.id,
    detached: page.gone,
    send: (channel: string, ...args: unknown[]) => page.ipc.send(channel, args),
    postMessage: (...args: [channel: string, message: unknown, transfer?: MessagePortMain[]]) => page.ipc.post(...args),
    executeJavaScript: (code: string, userGesture = false) => page.evaluate(code, userGesture),
    isDestroyed: () => page.gone,
    get top(): MainFrame {
      return frame;
    },
  };
  return sayGaps(frame, 'webFrameMain');
}
