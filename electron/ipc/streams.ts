import { z } from 'zod';
import { lazySchema, type ContractShape, type StreamShape } from '../../shared/ipc/define.ts';
import type { CallContext, MainStream, StreamHandlers } from '../../shared/ipc/derive.ts';
import { createStreamLink, streamMessage } from '../../shared/ipc/stream-link.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { IpcOptions } from './dispatch.ts';
import { measureBytes } from './measure.ts';
import { bugFailure, rebuildFailure, refusal } from './refusal.ts';
import type { SenderFacts } from './sender-policy.ts';

const defaultMaxUpBytes = 64 * 1024;
const maxOptionsBytes = 256 * 1024;
const maxOpenPerWindow = 16;

const envelope = lazySchema(() =>
  z.strictObject({
    stream: z.string().max(64),
    options: z.unknown(),
    /** Identifies the port to the page that asked for it. */
    nonce: z.string().min(16).max(64),
    activation: z.number().int().nonnegative().optional(),
  }),
);

/** Main's end of a port; Electron's `MessagePortMain` is one. */
export interface StreamPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
  close(): void;
}

/** A stream that may be opened: `connect` starts its handler on main's end of the port. */
export interface GrantedStream {
  readonly nonce: string;
  readonly connect: (port: StreamPort) => void;
}

export interface StreamsOptions<C extends ContractShape> extends IpcOptions<C> {
  readonly handlers: StreamHandlers<C>;
}

type AnyStreamHandler = (
  options: unknown,
  stream: MainStream<unknown, unknown>,
  context: CallContext,
) => Promise<Result<void, Failure>>;

interface OpenStream {
  readonly windowId: number;
  readonly usesMicrophone: boolean;
  /** The page is gone, or broke the rules. */
  readonly abandon: () => void;
}

/**
 * Streams between pages and main. As for requests, the sender is checked before its message is read; a page that sends
 * too much, or anything outside the contract, loses the stream.
 */
export function createStreams<const C extends ContractShape>(options: StreamsOptions<C>) {
  const { contract, isTrusted, rate, now, report } = options;
  const handlers = options.handlers as Readonly<Record<string, AnyStreamHandler>>;
  const open = new Set<OpenStream>();

  const refuse = (method: string) => {
    report({ event: 'ipc-refused', method, ms: 0 });
    return refusal;
  };

  const connect = (
    name: string,
    shape: StreamShape,
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
    const entry: OpenStream = { windowId: context.windowId, usesMicrophone: shape.usesMicrophone === true, abandon };
    open.add(entry);

    const maxBytes = shape.maxUpBytes ?? defaultMaxUpBytes;
    const accepts = (data: unknown): boolean => {
      if (measureBytes(data, maxBytes) > maxBytes) return false;
      const message = streamMessage().safeParse(data);
      if (!message.success) return false;
      switch (message.data.kind) {
        case 'value': {
          const value = shape.up().safeParse(message.data.value);
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
    const send = (value: unknown): Promise<boolean> => {
      if (options.checksOutput) shape.down().parse(value);
      return link.send(value);
    };
    const run = async () => {
      try {
        const stream = { incoming: link.incoming, send, signal: abort.signal };
        const answer = await handlers[name]!(streamOptions, stream, context);
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
    /** Checks a page's request for a stream; the caller then creates the port and connects it. */
    grant: (sender: SenderFacts, message: unknown): Result<GrantedStream, Failure> => {
      if (!isTrusted(sender)) return refuse('untrusted');
      if (!rate.allows(sender.windowId)) return refuse('too-often');
      const { windowId } = sender;
      if ([...open].filter((one) => one.windowId === windowId).length >= maxOpenPerWindow) return refuse('too-many');
      const opened = envelope().safeParse(message);
      if (!opened.success) return refuse('malformed');
      const { stream: name, nonce, activation = null } = opened.data;
      if (!Object.hasOwn(contract.streams, name) || !Object.hasOwn(handlers, name)) return refuse('unknown');
      const shape = contract.streams[name]!;
      if (measureBytes(opened.data.options, maxOptionsBytes) > maxOptionsBytes) return refuse(name);
      const parsed = shape.open().safeParse(opened.data.options);
      if (!parsed.success) return refuse(name);
      return ok({
        nonce,
        connect: (port) => {
          connect(name, shape, parsed.data, { windowId, activation }, port);
        },
      });
    },
    /** The window is gone. */
    closeWindow(windowId: number): void {
      for (const stream of open) if (stream.windowId === windowId) stream.abandon();
    },
    /** Whether the page of an open stream may ask for the microphone. */
    usesMicrophone: (): boolean => [...open].some((stream) => stream.usesMicrophone),
  };
}

export type Streams = ReturnType<typeof createStreams>;
