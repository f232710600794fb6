import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceCore } from '../../electron/api/http/service-core.ts';
import type { Call } from '../../electron/api/http/call.ts';
import { systemClientClock, type ClientClock } from '../../electron/api/http/clock.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import { isKnownRow } from '../../shared/domain/failures/rows.ts';
import type { Endpoint } from '../../shared/wire/endpoint.ts';
import { endpoints } from '../../shared/wire/endpoints.ts';
import { serviceCodes, type ServiceCode } from '../../shared/wire/service-codes.ts';
import { startScriptedServer, startTcpServer, type ScriptedServer } from '../support/scripted-server.ts';
import { testKey } from './client-rig.ts';

/** The client's clock, `speed` times as fast, so that waits of seconds take milliseconds; timeouts shrink as well. */
function fastClientClock(speed: number): ClientClock {
  const startedAtMs = Date.now();
  const started = performance.now();
  const since = (): number => (performance.now() - started) * speed;
  return {
    now: () => startedAtMs + since(),
    monotonic: since,
    after: (ms, callback) => systemClientClock.after(ms / speed, callback),
  };
}

const lines: LogEntry[] = [];
/** On a busy computer an answer takes long, and the clock here is fast. */
const patientMs = 3_000_000;
/** The clock is a hundred times as fast, so that neither rate limit nor backoff makes these tests long. */
const open = (baseUrl: string) =>
  openServiceCore({
    connection: () => ({
      kind: 'practice',
      baseUrl,
      key: new Secret(testKey),
      accessToken: new Secret('jwt_CANARY_0123456789abcdef'),
      legacyKey: new Secret('old_CANARY_0123456789abcdef'),
    }),
    log: { write: (entry) => void lines.push(entry) },
    allowsLoopbackHttp: true,
    clock: fastClientClock(100),
    random: () => 0,
    limits: { connectMs: patientMs, firstByteMs: patientMs, sendStallMs: patientMs, receiveStallMs: patientMs },
  });
const callOf = (endpoint: Endpoint): Call => ({
  endpoint: { ...endpoint, firstByteMs: patientMs },
  target: 'route',
  attempts: 'interactive',
  values: Object.fromEntries([...endpoint.path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => [name, 'a'])),
  ...(endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { json: {} }),
  ...(endpoint.retry === 'with-idempotency-key' ? { idempotencyKey: '6f8a1c1e-8d60-4e0c-9a0e-0123456789ab' } : {}),
});
const httpRoutes = Object.entries<Endpoint>(endpoints).filter(([, { transport }]) => transport === 'http');

beforeEach(() => {
  lines.length = 0;
});

const bodies: Readonly<Record<string, string>> = {
  empty: '',
  html: '<!doctype html><html><body>Sign in</body></html>',
  text: 'upstream said no',
  'JSON null': 'null',
  'a JSON list': '[1,2]',
  standard: '{"message":"No","error":{"code":"some_code","fields":{"title":"too long"}},"request_id":"r1"}',
  LLM: '{"error":{"message":"No","type":"request_error","code":"some_code"},"request_id":"r2"}',
  legacy: '{"detail":[{"loc":["body"],"msg":"bad"}],"error_key":"bad_audio"}',
  mixed: '{"message":"Top","error":{"message":"In","type":"x","code":"some_code"},"detail":"d"}',
};

const isLong = process.env['OVOZ_LONG'] !== undefined;
/** `classify.test.ts` checks all combinations without sockets; this test takes the realistic ones and every tenth. */
const met = new Set([
  200, 202, 204, 302, 304, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 501, 502, 503, 511,
]);
const statuses = Array.from({ length: 500 }, (_, at) => at + 100).filter(
  (status) => isLong || met.has(status) || status % 10 === 9,
);

describe('F-28: 500 statuses with nine bodies, over real sockets', () => {
  let answer = { status: 200, body: '' };
  let asked = 0;
  const reply = (socket: Socket): void => {
    asked += 1;
    const { status, body } = answer;
    // These have no body.
    const text = status === 204 || status === 304 ? '' : body;
    const head = `HTTP/1.1 ${status} S\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    // An interim answer alone is no answer.
    if (status < 200) socket.end();
  };

  test.each(Object.entries(bodies))(
    '%s: a row for each, no throw, and no refused request is sent again',
    async (_name, body) => {
      const server = await startTcpServer((socket) => {
        let received = '';
        socket.on('data', (chunk) => {
          received += chunk.toString('latin1');
          if (!received.endsWith('{}')) return;
          received = '';
          reply(socket);
        });
      });
      let client = open(server.url);
      for (const [at, status] of statuses.entries()) {
        // A client pauses after many failures (E-018).
        if (at % 10 === 9) {
          await client.close();
          client = open(server.url);
        }
        answer = { status, body };
        asked = 0;
        const result = await client.call(callOf(endpoints['stt.submit']));
        if (result.ok) {
          expect([status, status >= 200 && status < 300]).toEqual([status, true]);
          continue;
        }
        const { row, outcome } = result.error;
        expect([status, row, isKnownRow(row)]).toEqual([status, row, true]);
        // Repeat with the same key until an answer arrives in time; a refusal is final, unless it says "later".
        const saysLater = status === 429 || row === 'E-058';
        if (outcome === 'refused' && !saysLater) expect([status, asked]).toEqual([status, 1]);
        expect(asked).toBeLessThanOrEqual(4);
      }
      await client.close();
      await server.close();
    },
  );
});

describe('over HTTP', () => {
  let server: ScriptedServer;
  let second: ScriptedServer;
  beforeAll(async () => {
    server = await startScriptedServer(() => undefined);
    second = await startScriptedServer((_request, response) => void response.end('{}'));
  });
  afterAll(() => Promise.all([server.close(), second.close()]));

  /** A route of the part of the service that uses this code. */
  const routeOf: Readonly<Record<ServiceCode['area'], keyof typeof endpoints>> = {
    generic: 'stt.list',
    keys: 'account.keys.create',
    usage: 'usage.analytics',
    llm: 'ask.complete',
    isolation: 'isolate.submit',
    files: 'ask.files.upload',
    webhooks: 'webhooks.create',
    clone: 'clone.upload',
    dictation: 'realtime.ticket',
  };
  const withStatus = serviceCodes.filter((one): one is ServiceCode & { status: number } => one.status !== null);

  test.each(withStatus.map((one) => [one.area, one.status, one.code] as const))(
    'F-29: in %s a %i %s is itself; with another status it still is, and the difference is logged',
    async (area, status, code) => {
      const client = open(server.url);
      const told = async (said: number) => {
        lines.length = 0;
        server.script = (_request, response) =>
          void response.writeHead(said).end(JSON.stringify({ message: 'm', error: { code }, request_id: 'r' }));
        const result = await client.call({ ...callOf(endpoints[routeOf[area]]), attempts: 'once' });
        if (result.ok) throw new Error('a refusal was taken for a success');
        const drift = lines.filter(({ event }) => event === 'shape-drift').map((line) => [line.code, line.status]);
        return { code: result.error.code, row: result.error.row, drift };
      };
      const right = await told(status);
      expect(right).toMatchObject({ code, drift: [] });
      const wrong = await told(418);
      expect(wrong).toMatchObject({ code, drift: [[code, 418]] });
      // The status is more specific than this code in two cases only (a 409 to a question, a 402 to a batch).
      if (code !== 'duplicate_idempotency_key') expect(wrong.row).toBe(right.row);
      await client.close();
    },
  );

  test.each(httpRoutes.map(([name, endpoint]) => [name, endpoint] as const))(
    'F-20: %s follows no redirect, and neither key nor token is sent anywhere else',
    async (_name, endpoint) => {
      const client = open(server.url);
      for (const status of [301, 302, 303, 307, 308]) {
        server.script = (_request, response) =>
          void response.writeHead(status, { location: `${second.url.replace('127.0.0.1', 'localhost')}/take` }).end();
        const before = server.seen.length;
        const result = await client.call(callOf(endpoint));
        expect(result).toMatchObject({ ok: false, error: { code: 'unexpected_redirect', scope: 'queue' } });
        expect(server.seen.length - before).toBe(1);
      }
      expect(second.seen).toEqual([]);
      expect(JSON.stringify(lines)).not.toMatch(/CANARY|localhost|127\.0\.0\.1/u);
      await client.close();
    },
  );

  test('E-018: a probe of a service in trouble is a free read; only when it is answered the work is sent', async () => {
    const client = open(server.url);
    const paid = { ...callOf(endpoints['stt.submit']), attempts: 'once' } as const;
    server.script = (_request, response) => void response.writeHead(500).end();
    let held = await client.call(paid);
    for (let tries = 0; tries < 500 && !held.ok && held.error.row !== 'E-018'; tries += 1) {
      held = await client.call(paid);
    }
    expect(held).toMatchObject({ ok: false, error: { row: 'E-018', outcome: 'not_sent' } });
    const sent = server.seen.length;
    // Longer than fifteen seconds of the client's time.
    await expect
      .poll(async () => {
        await client.call(paid);
        return server.seen.length;
      })
      .toBeGreaterThan(sent);
    const probes = server.seen.slice(sent);
    expect(probes.map(({ method, url }) => `${method} ${url}`)).toEqual(probes.map(() => 'GET /v1/tts/languages'));
    server.script = (request, response) =>
      void response.writeHead(request.method === 'GET' ? 403 : 200).end('{"id":"a","text":"x"}');
    await expect.poll(async () => (await client.call(paid)).ok).toBe(true);
    await client.close();
  });
});
