import type { Client, StudioBridge, PageStream } from '../../electron/ipc/bridge.ts';
import type { Events, Procedures, StreamProcedures } from '../../electron/sections/procedures.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { createStreamLink, streamMessage } from '../../shared/domain/stream-link.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { type Result, err, ok } from '../../shared/result/result.ts';

const broken = makeFailure('internal-error', { code: 'stream_broken' });
const cancelled = makeFailure('internal-error', { code: 'stream_cancelled' });

declare global {
  interface Window {
    readonly studio: StudioBridge;
  }
}

export interface StudioClient extends Client<Procedures, StreamProcedures, Events> {
  /** Opaque: the path of a dropped or picked file never reaches the page. */
  fileTokenFor(file: File): Promise<Result<string>>;
}

/** Main is trusted, so nothing that it sends is checked again. */
export const createStudioClient = (bridge: StudioBridge): StudioClient =>
  ({
    request: bridge.request,
    subscribe: bridge.on,
    open: (stream, options) => openStream(bridge, stream, options),
    fileTokenFor: bridge.fileTokenFor,
  }) as StudioClient;

async function openStream(
  bridge: StudioBridge,
  name: string,
  options: unknown,
): Promise<Result<PageStream<unknown, unknown>, Failure>> {
  const nonce = crypto.randomUUID();
  const arrival = new AbortController();
  const arrived = new Promise<MessagePort>((resolve) => {
    window.addEventListener(
      'message',
      ({ source, data, ports: [port] }: MessageEvent<{ readonly streamPort?: string } | null>) => {
        if (source !== window || data?.streamPort !== nonce || port === undefined) return;
        resolve(port);
        arrival.abort();
      },
      { signal: arrival.signal },
    );
  });
  const granted = await bridge.openStream(name, options, nonce);
  if (!granted.ok) {
    arrival.abort();
    return granted;
  }
  return ok(connectPage(await arrived));
}

export function connectPage(port: MessagePort): PageStream<unknown, unknown> {
  const link = createStreamLink<unknown, unknown>((message) => port.postMessage(message));
  const { promise: ended, resolve } = Promise.withResolvers<Result<void, Failure>>();
  const end = (result: Result<void, Failure>) => {
    resolve(result);
    link.close();
    port.close();
  };
  const receive = (data: unknown): boolean => {
    const message = streamMessage().safeParse(data);
    if (!message.success) return false;
    switch (message.data.kind) {
      case 'value':
        return link.receive(message.data.value);
      case 'took':
        return link.gotCredit(message.data.count);
      case 'finish':
        link.finishedThere();
        return true;
      case 'end':
        end(message.data.result as Result<void, Failure>);
        return true;
      case 'cancel':
        return false;
    }
  };
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!receive(data)) end(err(broken));
  });
  port.addEventListener('close', () => end(err(broken)));
  port.start();
  return {
    incoming: link.incoming,
    send: link.send,
    finish: () => port.postMessage({ kind: 'finish' }),
    cancel: () => {
      port.postMessage({ kind: 'cancel' });
      end(err(cancelled));
    },
    ended,
  };
}
