import { afterEach, describe, expect, it } from 'vitest';
import { MessageChannel, type MessagePort as NodePort } from 'node:worker_threads';
import { z } from 'zod';
import { connectPage } from '../../renderer/bridge/open-stream.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { defineContract } from '../../shared/ipc/define.ts';
import type { MainStream, PageStream, StreamHandlers } from '../../shared/ipc/derive.ts';
import { streamWindow } from '../../shared/ipc/stream-link.ts';
import { ok } from '../../shared/result/result.ts';
import type { CallReport } from '../../electron/ipc/dispatch.ts';
import { createRateLimiter } from '../../electron/ipc/rate-limit.ts';
import { refusal } from '../../electron/ipc/refusal.ts';
import { isTrustedSender, type SenderFacts } from '../../electron/ipc/sender-policy.ts';
import { createStreams, type StreamPort } from '../../electron/ipc/streams.ts';

const number = lazySchema(() => z.number());
const small = defineContract({
  requests: {},
  events: {},
  streams: {
    'test.any': { open: lazySchema(() => z.strictObject({})), up: number, down: number },
    'test.record': { open: lazySchema(() => z.strictObject({})), up: number, down: number, usesMicrophone: true },
  },
});
type Handler = StreamHandlers<typeof small>['test.any'];

const studio: SenderFacts = { windowId: 7, frameUrl: 'app://studio/', isMainFrame: true };
const request = (stream = 'test.any') => ({ stream, options: {}, nonce: '0123456789abcdef' });

const openPorts: NodePort[] = [];
afterEach(() => {
  for (const port of openPorts.splice(0)) port.close();
});

function build(handler: Handler) {
  const reports: CallReport[] = [];
  const streams = createStreams({
    contract: small,
    handlers: { 'test.any': handler, 'test.record': handler },
    isTrusted: (sender) => isTrustedSender(sender, 'studio', (id) => (id === 7 ? 'studio' : undefined)),
    rate: createRateLimiter({ burst: 100, perSecond: 1 }, () => 0),
    checksOutput: true,
    now: () => 0,
    newBugId: () => 'bug-1',
    report: (report) => reports.push(report),
  });
  /** Opens a stream as main does, over a real channel; returns the page's port. */
  const openPort = (name = 'test.any'): NodePort => {
    const granted = streams.grant(studio, request(name));
    if (!granted.ok) throw new Error('refused');
    const { port1, port2 } = new MessageChannel();
    openPorts.push(port1, port2);
    const main: StreamPort = {
      postMessage: (message) => port1.postMessage(message),
      on: (event: 'message' | 'close', listener: (message: never) => void) =>
        port1.on(event, (data?: unknown) => listener({ data } as never)),
      start: () => undefined,
      close: () => port1.close(),
    };
    granted.value.connect(main);
    return port2;
  };
  const open = (name?: string) =>
    connectPage(openPort(name) as unknown as MessagePort, small.streams['test.any']) as PageStream<number, number>;
  return { streams, reports, open, openPort };
}

const echo: Handler = async (_options, stream) => {
  for await (const value of stream.incoming) await stream.send(value * 2);
  return ok(undefined);
};
const untilAborted = (stream: MainStream<number, number>) =>
  new Promise<void>((resolve) => stream.signal.addEventListener('abort', () => resolve()));

describe('a stream', () => {
  it('carries thousands of values both ways in order, and ends when both are done', async () => {
    const { open, reports } = build(echo);
    const page = open();
    const values = Array.from({ length: 2000 }, (_, at) => at);
    const sent = Promise.all(values.map((value) => page.send(value))).then(() => page.finish());
    const received: number[] = [];
    for await (const value of page.incoming) received.push(value);
    await sent;
    expect(received).toEqual(values.map((value) => value * 2));
    expect(await page.ended).toEqual(ok(null));
    expect(await page.send(1)).toBe(false);
    expect(reports.map(({ event }) => event)).toEqual(['ipc-stream']);
  });

  it('makes main wait for a page that does not read, and the page for a main that does not', async () => {
    const counts = { down: 0, up: 0 };
    const { open } = build(async (_options, stream) => {
      for (let value = 0; ; value += 1) {
        if (!(await stream.send(value))) return ok(undefined);
        counts.down += 1;
      }
    });
    const page = open();
    for (let value = 0; value < 100; value += 1) void page.send(value).then((isSent) => (counts.up += isSent ? 1 : 0));
    await expect.poll(() => counts).toEqual({ down: streamWindow, up: streamWindow });
    expect((await page.incoming[Symbol.asyncIterator]().next()).value).toBe(0);
    page.cancel();
    await expect.poll(() => counts.down).toBeLessThanOrEqual(streamWindow * 2);
  });

  it('ends in main when the page says so, even if main never learns that the port was closed', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<null>();
    const { openPort } = build(async (_options, stream) => {
      await untilAborted(stream);
      resolve(null);
      return ok(undefined);
    });
    openPort().postMessage({ kind: 'cancel' });
    expect(await aborted).toBe(null);
  });

  it.each(['cancel', 'reload', 'close of the window'] as const)('ends in main after a %s', async (how) => {
    let isAborted = false;
    const { open, openPort, streams } = build(async (_options, stream) => {
      await untilAborted(stream);
      isAborted = true;
      return ok(undefined);
    });
    if (how === 'cancel') {
      const page = open();
      page.cancel();
      expect(await page.ended).toMatchObject({ ok: false, error: { code: 'stream_cancelled' } });
    } else if (how === 'reload') openPort().close();
    else {
      const page = open();
      streams.closeWindow(7);
      expect(await page.ended).toMatchObject({ ok: false, error: { code: 'stream_broken' } });
    }
    await expect.poll(() => isAborted).toBe(true);
  });

  it.each([
    ['something of another shape', [{ kind: 'value', value: 'text' }]],
    ['an unknown message', [{ kind: 'shout' }]],
    ['the end, which only main may say', [{ kind: 'end', result: { ok: true } }]],
    ['room that main did not fill', [{ kind: 'took', count: 1 }]],
    ['a value that is too large', [{ kind: 'value', value: 'x'.repeat(70_000) }]],
    ['more than it may', Array.from({ length: streamWindow + 1 }, (_, value) => ({ kind: 'value', value }))],
  ])('is closed if the page sends %s', async (_what, messages) => {
    const ends: string[] = [];
    const { openPort, reports } = build(async (_options, stream) => {
      await untilAborted(stream);
      ends.push('aborted');
      return ok(undefined);
    });
    const port = openPort();
    for (const message of messages) port.postMessage(message);
    await expect.poll(() => ends).toEqual(['aborted']);
    expect(reports[0]?.event).toBe('ipc-refused');
  });

  it('reports a defect to the page by its id alone', async () => {
    const { open } = build(async () => {
      throw new Error('/home/person');
    });
    const ended = await open().ended;
    expect(ended).toMatchObject({ ok: false, error: { params: { bugId: 'bug-1' } } });
    expect(JSON.stringify(ended)).not.toContain('/home');
  });

  it('is refused with the one constant to unknown senders, for unknown names, and beyond sixteen', () => {
    const { streams, openPort } = build(() => new Promise(() => undefined));
    const strangers = [
      { ...studio, isMainFrame: false },
      { ...studio, windowId: 8 },
      { ...studio, frameUrl: 'https://studio/' },
    ];
    for (const sender of strangers) expect(streams.grant(sender, request())).toBe(refusal);
    for (const message of [request('constructor'), request('test.none'), { ...request(), options: { more: 1 } }, null])
      expect(streams.grant(studio, message)).toBe(refusal);
    for (let at = 0; at < 16; at += 1) openPort();
    expect(streams.grant(studio, request())).toBe(refusal);
    streams.closeWindow(7);
    expect(streams.grant(studio, request()).ok).toBe(true);
  });

  it('that declares it gives the page the microphone while it is open', async () => {
    const { streams, open } = build(echo);
    open('test.any').finish();
    expect(streams.usesMicrophone()).toBe(false);
    const page = open('test.record');
    expect(streams.usesMicrophone()).toBe(true);
    page.finish();
    await page.ended;
    await expect.poll(() => streams.usesMicrophone()).toBe(false);
  });
});
