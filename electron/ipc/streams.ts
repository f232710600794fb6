import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { createStreamLink, streamMessage } from '../../shared/domain/stream-link.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { measureBytes, bugFailure, rebuildFailure, refusal, type IpcOptions } from './dispatch.ts';
import type { CallContext, StreamProcedure, StreamProcedures, SenderFacts } from './procedure.ts';

const defaultMaxUpBytes = 64 * 1024;
const maxOptionsBytes = 256 * 1024;
const maxOpenPerWindow = 16;

const envelope = lazySchema(() =>
  z.strictObject({
    stream: z.string().max(64),
    options: z.unknown(),
    nonce: z.string().min(16).max(64),
    activation: z.number().int().nonnegative().optional(),
  }),
);

export interface StreamPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

export interface GrantedStream {
  readonly nonce: string;
  readonly connect: (port: StreamPort) => void;
}

export interface StreamsOptions extends IpcOptions {
  readonly procedures: StreamProcedures;
}

interface OpenStream {
  readonly windowId: number;
  readonly usesMicrophone: boolean;
  readonly abandon: () => void;
}

/**
 * Streams between pages and main. As for requests, the sender is checked before its message is read; a page that sends
 * too much, or anything outside the contract, loses the stream.
 */
export function createStreams(options: StreamsOptions) {
  const { procedures, isTrusted, rate, now, report } = options;
  const open = new Set<OpenStream>();

  const refuse = (method: string) => {
    report({ event: 'ipc-refused', method, ms: 0 });
    return refusal;
  };

  const connect = (
    name: string,
    procedure: StreamProcedure,
    streamOptions: unknown,
    context: CallContext,
    port: StreamPort,
  ) => {
    const startedMs = now();
    const abort = new AbortController();
    const link = createStreamLink<unknown, unknown>((message) => port.postMessage(message));
    const close = () => {
      open.delete(entry);
      link.close();
      port.close();
    };
    const abandon = () => {
      if (!open.has(entry)) return;
      close();
      abort.abort();
    };
    const entry: OpenStream = {
      windowId: context.windowId,
      usesMicrophone: procedure.usesMicrophone === true,
      abandon,
    };
    open.add(entry);

    const maxBytes = procedure.maxUpBytes ?? defaultMaxUpBytes;
    const accepts = (data: unknown): boolean => {
      if (measureBytes(data, maxBytes) > maxBytes) return false;
      const message = streamMessage().safeParse(data);
      if (!message.success) return false;
      switch (message.data.kind) {
        case 'value': {
          const value = procedure.up.safeParse(message.data.value);
          return value.success && link.receive(value.data);
        }
        case 'took':
          return link.gotCredit(message.data.count);
        case 'finish':
          link.finishedThere();
          return true;
        case 'cancel':
          abandon();
          return true;
        case 'end':
          return false;
      }
    };
    port.on('message', ({ data }) => {
      if (!open.has(entry) || accepts(data)) return;
      refuse(name);
      abandon();
    });
    port.on('close', abandon);
    port.start();

    const bug = (thrown: unknown) => {
      const bugId = options.newBugId();
      report({ event: 'ipc-bug', method: name, ms: now() - startedMs, bugId, thrown });
      return err(bugFailure(bugId));
    };
    const run = async () => {
      try {
        const stream = { incoming: link.incoming, send: link.send, signal: abort.signal };
        const answer = await procedure.handle(streamOptions, stream, context);
        const row = answer.ok ? {} : { row: answer.error.row };
        report({ event: 'ipc-stream', method: name, ms: now() - startedMs, ...row });
        return answer.ok ? ok(null) : err(rebuildFailure(answer.error));
      } catch (thrown) {
        return bug(thrown);
      }
    };
    void run().then((result) => {
      if (!open.has(entry)) return;
      port.postMessage({ kind: 'end', result });
      close();
    });
  };

  return {
    grant: (sender: SenderFacts, message: unknown): Result<GrantedStream> => {
      if (!isTrusted(sender)) return refuse('untrusted');
      if (!rate.allows(sender.windowId)) return refuse('too-often');
      const { windowId } = sender;
      if ([...open].filter((one) => one.windowId === windowId).length >= maxOpenPerWindow) return refuse('too-many');
      const opened = envelope().safeParse(message);
      if (!opened.success) return refuse('malformed');
      const { stream: name, nonce, activation = null } = opened.data;
      const procedure = Object.hasOwn(procedures, name) ? procedures[name] : undefined;
      if (procedure === undefined) return refuse('unknown');
      if (measureBytes(opened.data.options, maxOptionsBytes) > maxOptionsBytes) return refuse(name);
      const parsed = procedure.open.safeParse(opened.data.options);
      if (!parsed.success) return refuse(name);
      return ok({
        nonce,
        connect: (port) => {
          connect(name, procedure, parsed.data, { windowId, activation }, port);
        },
      });
    },
    closeWindow(windowId: number): void {
      for (const stream of open) if (stream.windowId === windowId) stream.abandon();
    },
    usesMicrophone: (): boolean => [...open].some((stream) => stream.usesMicrophone),
  };
}

export type Streams = ReturnType<typeof createStreams>;
