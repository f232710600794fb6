import { MessageChannel, type MessagePort as NodePort } from 'node:worker_threads';
import { describe, expect, it, vi, afterEach } from 'vitest';
import { z } from 'zod';
import { err, ok } from '../../shared/result/result.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { createDispatcher, createRateLimiter, refusal, type CallReport } from '../../electron/ipc/dispatch.ts';
import {
  nothing,
  procedure,
  isTrustedSender,
  streamOf,
  type SenderFacts,
  type MainStream,
  type StreamProcedure,
} from '../../electron/ipc/procedure.ts';
import type { PageStream } from '../../electron/ipc/bridge.ts';
import { createStreams, type StreamPort } from '../../electron/ipc/streams.ts';
import { connectPage } from '../../renderer/bridge/client.ts';
import { streamWindow } from '../../shared/domain/stream-link.ts';

// Its dialogs are not opened here.
vi.mock('electron', () => ({}));

const failure: Failure = {
  kind: 'file-unreadable',
  row: 'E-010',
  code: 'file_unreadable',
  outcome: 'not_sent',
  layer: 'local',
  retry: 'wait_user',
  scope: 'item',
  envelope: 'none',
  params: { name: 'a.mp3' },
};
const leaky = { ...failure, path: '/home/person/a.mp3', stack: 'Error at …' };

const small = {
  'echo.text': procedure(z.strictObject({ text: z.string() }), async ({ text }) => ok({ text })),
  'echo.bytes': procedure(
    z.strictObject({ bytes: z.instanceof(Uint8Array) }),
    async ({ bytes }) => ok({ length: bytes.byteLength }),
    { maxInputBytes: 1_000_000 },
  ),
  'breaks.throw': procedure(nothing, async () => {
    throw new Error('secret path /home/person');
  }),
  'refuses.politely': procedure(nothing, async () => err(leaky)),
};

const studio: SenderFacts = { windowId: 7, frameUrl: 'app://studio/#/transcribe', isMainFrame: true };
const trusts = (sender: SenderFacts) => isTrustedSender(sender, 'studio', (id) => (id === 7 ? 'studio' : undefined));

function build() {
  const reports: CallReport[] = [];
  let nowMs = 0;
  const dispatch = createDispatcher({
    procedures: small,
    isTrusted: trusts,
    rate: createRateLimiter({ burst: 5, perSecond: 10 }, () => nowMs),
    now: () => nowMs,
    newBugId: () => 'bug-1',
    report: (report) => reports.push(report),
  });
  return { dispatch, reports, wait: (ms: number) => (nowMs += ms) };
}

describe('a call', () => {
  it('reaches its handler and comes back as a value', async () => {
    const { dispatch, reports } = build();
    expect(await dispatch(studio, { method: 'echo.text', input: { text: 'salom' } })).toEqual(ok({ text: 'salom' }));
    expect(reports).toEqual([{ event: 'ipc-call', method: 'echo.text', ms: 0 }]);
  });

  it('that throws is a bug with an id, and nothing of the error reaches the page', async () => {
    const { dispatch, reports } = build();
    const answer = await dispatch(studio, { method: 'breaks.throw', input: {} });
    expect(answer).toMatchObject({ ok: false, error: { kind: 'internal-error', params: { bugId: 'bug-1' } } });
    expect(!answer.ok && answer.error.params).toEqual({ bugId: 'bug-1' });
    expect(JSON.stringify(answer)).not.toContain('person');
    expect(reports[0]).toMatchObject({ event: 'ipc-bug', method: 'breaks.throw', bugId: 'bug-1' });
  });

  it('that fails comes back rebuilt, without what a failure may not hold', async () => {
    expect(await build().dispatch(studio, { method: 'refuses.politely', input: {} })).toEqual(err(failure));
  });
});

describe('a forbidden call gets the same constant', () => {
  const good = { method: 'echo.text', input: { text: 'x' } };
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  it.each<[string, SenderFacts, unknown]>([
    ['another window', { ...studio, windowId: 8 }, good],
    ['a frame inside the page', { ...studio, isMainFrame: false }, good],
    ['another site', { ...studio, frameUrl: 'https://studio/' }, good],
    ['a look-alike host', { ...studio, frameUrl: 'app://studio.evil/' }, good],
    ['the key window’s page', { ...studio, frameUrl: 'app://studio/key.html' }, good],
    ['an empty address', { ...studio, frameUrl: '' }, good],
    ['about:blank', { ...studio, frameUrl: 'about:blank' }, good],
    ['an unknown method', studio, { method: 'echo.nothing', input: {} }],
    ['a method of Object', studio, { method: 'constructor', input: {} }],
    ['__proto__', studio, { method: '__proto__', input: {} }],
    ['no envelope', studio, 'echo.text'],
    ['an envelope with more in it', studio, { ...good, as: 'admin' }],
    ['a wrong type', studio, { method: 'echo.text', input: { text: 3 } }],
    ['a field too many', studio, { method: 'echo.text', input: { text: 'x', more: 1 } }],
    ['too many bytes of text', studio, { method: 'echo.text', input: { text: 'ў'.repeat(140_000) } }],
    ['too many bytes of buffer', studio, { method: 'echo.bytes', input: { bytes: new Uint8Array(1_000_001) } }],
    ['a cycle', studio, { method: 'echo.text', input: loop }],
    ['a Map', studio, { method: 'echo.text', input: new Map([['text', 'x']]) }],
  ])('%s', async (_name, sender, message) => {
    const { dispatch, reports } = build();
    expect(await dispatch(sender, message)).toBe(refusal);
    expect(reports.map(({ event }) => event)).toEqual(['ipc-refused']);
  });

  it('and so do calls that come too fast, until time has passed', async () => {
    const { dispatch, wait } = build();
    const answers = await Promise.all(Array.from({ length: 8 }, () => dispatch(studio, good)));
    expect(answers.filter((answer) => answer === refusal)).toHaveLength(3);
    wait(1000);
    expect(await dispatch(studio, good)).toEqual(ok({ text: 'x' }));
  });
});

const number = z.number();
type Handler = StreamProcedure<typeof nothing, typeof number, number>['handle'];

const request = (stream = 'test.any') => ({ stream, options: {}, nonce: '0123456789abcdef' });

const openPorts: NodePort[] = [];
afterEach(() => {
  for (const port of openPorts.splice(0)) port.close();
});

function buildStreams(handler: Handler) {
  const reports: CallReport[] = [];
  const streams = createStreams({
    procedures: {
      'test.any': streamOf<number>()({ open: nothing, up: number }, handler),
      'test.record': streamOf<number>()({ open: nothing, up: number, usesMicrophone: true }, handler),
    },
    isTrusted: trusts,
    rate: createRateLimiter({ burst: 100, perSecond: 1 }, () => 0),
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
  const open = (name?: string) => connectPage(openPort(name) as unknown as MessagePort) as PageStream<number, number>;
  return { streams, reports, open, openPort };
}

const echo: Handler = async (_options, stream) => {
  for await (const value of stream.incoming) await stream.send(value * 2);
  return ok(undefined);
};
const untilAborted = (stream: MainStream<number, number>) =>
  new Promise<void>((resolve) => stream.signal.addEventListener('abort', () => resolve()));

it('a stream carries thousands of values both ways in order, and ends when both are done', async () => {
  const { open, reports } = buildStreams(echo);
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

it.each(['cancel', 'reload', 'close of the window'] as const)('a stream ends in main after a %s', async (how) => {
  let isAborted = false;
  const { open, openPort, streams } = buildStreams(async (_options, stream) => {
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
])('a stream is closed if the page sends %s', async (_what, messages) => {
  const ends: string[] = [];
  const { openPort, reports } = buildStreams(async (_options, stream) => {
    await untilAborted(stream);
    ends.push('aborted');
    return ok(undefined);
  });
  const port = openPort();
  for (const message of messages) port.postMessage(message);
  await expect.poll(() => ends).toEqual(['aborted']);
  expect(reports[0]?.event).toBe('ipc-refused');
});

it('a stream reports a defect to the page by its id alone', async () => {
  const { open } = buildStreams(async () => {
    throw new Error('/home/person');
  });
  const ended = await open().ended;
  expect(ended).toMatchObject({ ok: false, error: { params: { bugId: 'bug-1' } } });
  expect(JSON.stringify(ended)).not.toContain('/home');
});

it('a stream is refused with the one constant to unknown senders, for unknown names, and beyond sixteen', () => {
  const { streams, openPort } = buildStreams(() => new Promise(() => undefined));
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

it('a stream that declares it gives the page the microphone while it is open', async () => {
  const { streams, open } = buildStreams(echo);
  open('test.any').finish();
  expect(streams.usesMicrophone()).toBe(false);
  const page = open('test.record');
  expect(streams.usesMicrophone()).toBe(true);
  page.finish();
  await page.ended;
  await expect.poll(() => streams.usesMicrophone()).toBe(false);
});
