import type { z } from 'zod';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { StreamShape } from '../../shared/ipc/define.ts';
import type { PageStream, StudioBridge } from '../../shared/ipc/derive.ts';
import { createStreamLink, streamMessage } from '../../shared/ipc/stream-link.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';

const broken = makeFailure('E-230', { code: 'stream_broken' });
const cancelled = makeFailure('E-230', { code: 'stream_cancelled' });

/** Asks main for a stream and waits for its port; `Stream` is the contract's type for `shape`. */
export async function openStream<Stream>(
  bridge: StudioBridge,
  name: string,
  shape: StreamShape,
  options: unknown,
): Promise<Result<Stream, Failure>> {
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
  return ok(connectPage(await arrived, shape) as Stream);
}

/** The page's end of a stream, over its port. */
export function connectPage(port: MessagePort, shape: StreamShape): PageStream<unknown, unknown> {
  const link = createStreamLink<unknown, unknown>((message) => {
    port.postMessage(message);
  });
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
      case 'value': {
        const value: z.ZodSafeParseResult<unknown> = shape.down().safeParse(message.data.value);
        return value.success && link.receive(value.data);
      }
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
  port.addEventListener('close', () => {
    end(err(broken));
  });
  port.start();
  return {
    incoming: link.incoming,
    send: link.send,
    finish: () => {
      port.postMessage({ kind: 'finish' });
    },
    cancel: () => {
      port.postMessage({ kind: 'cancel' });
      end(err(cancelled));
    },
    ended,
  };
}
