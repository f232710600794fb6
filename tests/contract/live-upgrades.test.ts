import { expect, onTestFinished, test } from 'vitest';
import { readyMessage, refuse, startScriptedStream, type Upgrading } from '../support/scripted-stream.ts';
import { dictate, liveClient, speak } from './live-rig.ts';

const pcm = Buffer.alloc(32_000, 1);
const json = { 'content-type': 'application/json' };
const said = (code: string): string => JSON.stringify({ message: 'm', error: { code }, request_id: 'req_9' });
const upgraded = 'HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
const page = '<!doctype html><html><body>Sign in ticket_CANARY_00000001</body></html>';

async function streamOf(script: (upgrading: Upgrading) => void | Promise<void>) {
  const server = await startScriptedStream(script);
  onTestFinished(() => server.close());
  return server;
}

/** Says one phrase and stops. */
async function say(client: ReturnType<typeof liveClient>) {
  const dictating = dictate(client);
  speak(dictating.session, pcm);
  await dictating.session.stop();
  return dictating;
}

/** Answers every commit. */
async function serveTexts({ accept }: Upgrading): Promise<void> {
  const socket = await accept();
  socket.send(readyMessage);
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary && data.includes('commit')) socket.send(JSON.stringify({ event: 'final', text: 'salom' }));
  });
}

test.each<readonly [number, string, Readonly<Record<string, string>>, string]>([
  [403, said('origin_forbidden'), json, 'live-not-permitted'],
  [404, said('not_found'), json, 'live-disabled'],
  [402, said('insufficient_credits'), json, 'credits-exhausted'],
  [402, said('api_key_credit_limit'), json, 'key-limit-reached'],
  [301, '', { location: 'https://evil.example/v1/stt/stream' }, 'redirect-refused'],
  [302, '', { location: 'https://login.example/' }, 'web-page-answered'],
])(
  'a refused upgrade (%i %s) is read, ends the session with its row, and is not repeated',
  async (status, body, headers, row) => {
    const server = await streamOf(({ socket }) => refuse(socket, status, body, headers));
    const { of } = await say(liveClient(server));
    expect(of('ended')).toMatchObject([{ failure: { kind: row, status }, lost: [{ utterance: 1 }] }]);
    expect(server.asked).toHaveLength(1);
  },
);

test.each<readonly [string, (upgrading: Upgrading) => void]>([
  ['429', ({ socket }) => refuse(socket, 429, said('rate_limited'), { ...json, 'retry-after': '0' })],
  ['503', ({ socket }) => refuse(socket, 503, said('service_unavailable'), json)],
  ['a page with 200', ({ socket }) => refuse(socket, 200, page, { 'content-type': 'text/html' })],
  ['an answer that is cut', ({ socket }) => refuse(socket, 500, 'x', { 'content-length': '900' })],
  ['no HTTP at all', ({ socket }) => void socket.end('SSH-2.0-nothing\r\n')],
  ['a reset', ({ socket }) => void socket.destroy()],
  ['the wrong accept word', ({ socket }) => void socket.write(`${upgraded}Sec-WebSocket-Accept: no\r\n\r\n`)],
  ['silence', () => undefined],
  ['an endless answer', ({ socket }) => refuse(socket, 500, 'x'.repeat(200_000))],
])('live-dropped: %s is answered with another ticket, and the speech continues', async (_name, refusal) => {
  const server = await streamOf((upgrading) => (upgrading.number <= 2 ? refusal(upgrading) : serveTexts(upgrading)));
  const client = liveClient(server, { upgradeMs: 5000 }, {}, 10);
  const { of } = await say(client);
  expect(of('final').map(({ result }) => result.text)).toEqual(['salom']);
  expect(server.tickets()).toBe(3);
  expect(new Set(server.asked).size).toBe(3);
  const refused = client.lines.filter(({ event, row }) => event === 'stream-opened' && row !== undefined);
  expect(refused.map(({ row }) => row)).toEqual(Array.from({ length: 2 }, () => refused[0]?.row));
  expect(JSON.stringify(client.lines)).not.toContain('CANARY');
});

test('live-ticket-expired: a refused ticket is renewed at once, then with delays, and the fifth refusal ends it', async () => {
  const server = await streamOf(({ socket }) => refuse(socket, 401, said('invalid_realtime_ticket'), json));
  const { of } = await say(liveClient(server, {}, {}, 10));
  expect(of('ended')).toMatchObject([
    { failure: { kind: 'live-text-stopped', code: 'invalid_realtime_ticket', status: 401 } },
  ]);
  expect(server.asked).toHaveLength(5);
});

test('live-ticket-expired: a ticket that came when its time was over is not used, and a fresh one is', async () => {
  const server = await streamOf(serveTexts);
  server.ticket = { expires_at: new Date(Date.now() - 60_000).toISOString() };
  const stale = await say(liveClient(server, {}, {}, 10));
  expect(stale.of('ended')).toMatchObject([{ failure: { kind: 'live-text-stopped', code: 'ticket_expired' } }]);
  expect([server.tickets(), server.asked]).toEqual([5, []]);
  server.ticket = { expires_at: new Date(Date.now() + 60_000).toISOString() };
  const { of } = await say(liveClient(server));
  expect(of('final')).toHaveLength(1);
});

test('F-26: an address that is not the service’s is refused, and the ticket is not sent', async () => {
  const server = await streamOf(({ socket }) => void socket.destroy());
  const own = new URL(server.url).host;
  for (const websocketUrl of [
    'wss://evil.example/v1/stt/stream',
    'ws://127.0.0.1:1/v1/stt/stream',
    `ws://user:pass@${own}/v1/stt/stream`,
    `ws://${own}/v1/stt/stream#part`,
    `http://${own}/v1/stt/stream`,
    'wss://127.0.0.1/v1/stt/stream',
    'nothing',
  ]) {
    server.ticket = { websocket_url: websocketUrl };
    const { of } = await say(liveClient(server));
    const { failure } = of('ended')[0] ?? {};
    expect([websocketUrl, failure?.code]).toEqual([websocketUrl, 'unsafe_stream_address']);
    if (websocketUrl.includes('evil'))
      expect(failure).toMatchObject({ kind: 'live-host-differs', params: { name: 'evil.example' } });
  }
  expect(server.asked).toEqual([]);
});

test('F-26, S-32: the address of the ticket is used with the ticket alone, without key, origin or cookie', async () => {
  const server = await streamOf(serveTexts);
  server.ticket = { websocket_url: `${server.url.replace('http', 'ws')}/v1/stt/stream?region=a` };
  const { of } = await say(liveClient(server));
  expect(of('final')).toHaveLength(1);
  expect(server.asked).toEqual(['/v1/stt/stream?region=a&ticket=ticket_CANARY_00000001']);
  const [sent] = server.headers;
  expect(Object.keys(sent ?? {}).toSorted()).toEqual([
    'connection',
    'host',
    'sec-websocket-key',
    'sec-websocket-version',
    'upgrade',
    'user-agent',
  ]);
});

test('audio-format-changed: another format is rejected before a sample is sent; live-start-timeout: without `ready` another connection is tried', async () => {
  const heard: Buffer[] = [];
  for (const format of [{ audio_format: 'opus' }, { sample_rate: 48_000 }, { channels: 2 }]) {
    const other = await streamOf(async ({ accept }) => {
      const socket = await accept();
      socket.on('message', (data: Buffer) => void heard.push(data));
      socket.send(JSON.stringify({ event: 'ready', ...format }));
    });
    const first = await say(liveClient(other));
    expect(first.of('ended')).toMatchObject([{ failure: { kind: 'audio-format-changed' } }]);
  }
  expect(heard).toEqual([]);
  const mute = await streamOf((upgrading) =>
    upgrading.number === 1 ? void upgrading.accept() : serveTexts(upgrading),
  );
  const second = await say(liveClient(mute, {}, {}, 10));
  expect(second.of('final')).toHaveLength(1);
});

test('live-aborted: a peer that no longer answers pings is dropped, and nothing of the speech is lost', async () => {
  const server = await streamOf(async (upgrading) => {
    if (upgrading.number > 1) return serveTexts(upgrading);
    const socket = await upgrading.accept();
    socket.send(readyMessage);
    // Half-open: the connection exists, and nobody reads from it any more.
    socket.pause();
  });
  const client = liveClient(server, { pingEveryMs: 4000, silenceMs: 150 }, {}, 100);
  const { of } = await say(client);
  expect(of('final').map(({ isPerhapsCountedTwice }) => isPerhapsCountedTwice)).toEqual([true]);
  expect(client.lines.filter(({ event }) => event === 'stream-late')).toMatchObject([
    { row: 'E-146', code: 'ping_unanswered' },
  ]);
  // Each of the two may be charged, so both are in the ledger.
  expect(client.begun).toHaveLength(2);
  expect(client.ended.map(({ outcome }) => outcome)).toEqual(['unknown', 'accepted']);
});

test('a service that froze with a phrase and comes back is sent the phrase once, and its late answer is taken', async () => {
  const committed: string[] = [];
  let thaw = (): void => undefined;
  const server = await streamOf(async ({ accept, number, request }) => {
    const socket = await accept();
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary || !data.includes('commit')) return;
      committed.push(request.url ?? '');
      socket.send(JSON.stringify({ event: 'final', text: `${number}` }));
    });
    socket.send(readyMessage);
    if (number > 1) return thaw();
    // The commit arrives, and neither it nor a ping is read until the service goes on.
    socket.pause();
    thaw = () => socket.resume();
  });
  const client = liveClient(server, { pingEveryMs: 150, silenceMs: 600 });
  const { session, of, states } = dictate(client);
  speak(session, pcm);
  session.commit();
  await expect.poll(() => of('final').length).toBe(1);
  speak(session, pcm);
  await session.stop();
  expect(committed).toHaveLength(2);
  expect(of('final').map(({ utterance, result }) => [utterance, result.text])).toEqual([
    [1, '1'],
    [2, '2'],
  ]);
  expect(of('final').map(({ isPerhapsCountedTwice }) => isPerhapsCountedTwice)).toEqual([false, false]);
  expect(states()).toEqual(['connecting', 'live', 'reconnecting', 'live', 'ended']);
  expect(client.ended.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
});

test.each([false, true])(
  'while no ping is answered nothing is committed, so nothing is paid for twice (it wakes up: %s)',
  async (wakesUp) => {
    let pings = 0;
    const committed: number[] = [];
    const server = await streamOf(async ({ accept, number }) => {
      const socket = await accept();
      const pong = socket.pong.bind(socket);
      if (number === 1) socket.pong = () => undefined;
      socket.on('ping', () => (pings += 1));
      socket.on('message', (data: Buffer, isBinary) => {
        if (wakesUp) socket.pong = pong;
        if (isBinary || !data.includes('commit')) return;
        committed.push(number);
        socket.send(JSON.stringify({ event: 'final', text: 'salom' }));
      });
      socket.send(readyMessage);
    });
    const client = liveClient(server, { pingEveryMs: 100, silenceMs: wakesUp ? 2000 : 500 });
    const { session, of } = dictate(client);
    // Three pings later it has been silent for too long to be trusted, and not long enough to be left.
    await expect.poll(() => pings, { interval: 5 }).toBe(3);
    speak(session, pcm);
    await session.stop();
    expect(committed).toEqual([wakesUp ? 1 : 2]);
    expect(of('final').map(({ isPerhapsCountedTwice }) => isPerhapsCountedTwice)).toEqual([false]);
    expect(client.ended.map(({ outcome }) => outcome)).toEqual(['accepted']);
  },
);
