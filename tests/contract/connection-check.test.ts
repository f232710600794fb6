import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceCore } from '../../electron/api/http/service-core.ts';
import { checkConnection, type ConnectionReport } from '../../electron/api/resources/connection-check.ts';
import { defaultWireTable, overrideWire } from '../../shared/wire/wire-table.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import {
  sendJson,
  startScriptedServer,
  startTcpServer,
  type Script,
  type ScriptedServer,
} from '../support/scripted-server.ts';
import { testKey } from './client-rig.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer(() => undefined);
});
afterAll(() => server.close());

const lines: LogEntry[] = [];
function check(
  script: Script,
  key: Secret | null = new Secret(testKey),
  baseUrl = server.url,
  wire = defaultWireTable,
): Promise<ConnectionReport> {
  server.script = script;
  const core = openServiceCore({
    connection: () => null,
    allowsLoopbackHttp: true,
    log: { write: (line) => void lines.push(line) },
    random: () => 0,
    wire,
  });
  onTestFinished(() => core.close());
  return checkConnection(core, { kind: 'service', baseUrl, key, wire });
}
const refuse =
  (code: string, status: number): Script =>
  (_request, response) =>
    sendJson(response, status, { message: 'no', error: { code }, request_id: 'r1' });

test('a key with all permissions is accepted for each product that has a free read', async () => {
  const before = server.seen.length;
  const report = await check((_request, response) => sendJson(response, 200, { data: [] }));
  expect(report).toMatchObject({ service: 'reached', key: 'accepted', failure: null });
  expect(report.products.map(({ product, access }) => `${product} ${access}`)).toEqual([
    'transcribe allowed',
    'dictate unknown',
    'speak allowed',
    'isolate allowed',
    'voices allowed',
    'ask allowed',
  ]);
  const asked = server.seen.slice(before);
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'GET']);
  expect(asked.every(({ headers }) => headers.authorization === `Bearer ${testKey}`)).toBe(true);
});

test('F-84: a missing permission is named, and the others still count', async () => {
  const report = await check((request, response, at) =>
    request.url.startsWith('/v1/stt') || request.url.startsWith('/v1/models')
      ? refuse('insufficient_scope', 403)(request, response, at)
      : sendJson(response, 200, { data: [] }),
  );
  expect(report).toMatchObject({ service: 'reached', key: 'accepted', failure: null });
  expect(report.products.filter(({ access }) => access === 'denied')).toEqual([
    { product: 'transcribe', access: 'denied', permission: 'speech_to_text: read' },
    { product: 'ask', access: 'denied', permission: 'llm: read' },
  ]);
});

test('a wrong key costs two free requests: one of each generation', async () => {
  const before = server.seen.length;
  const report = await check(refuse('invalid_api_key', 401));
  expect(report).toMatchObject({ service: 'reached', key: 'refused', products: [], failure: { row: 'E-032' } });
  expect(server.seen.slice(before).map(({ url }) => url)).toEqual([
    '/v1/stt/transcriptions?limit=1',
    '/api/v1/stt/get/?page=1&limit=1',
  ]);
});

test('a key of the legacy API is recognised by its own header, and offered as such', async () => {
  const before = server.seen.length;
  const report = await check((request, response, at) =>
    request.url.startsWith('/api/v1/')
      ? sendJson(response, 200, { results: [], count: 0 })
      : refuse('invalid_api_key', 401)(request, response, at),
  );
  expect(report).toMatchObject({ service: 'reached', key: 'legacy-generation', products: [], failure: null });
  const [current, legacy] = server.seen.slice(before);
  expect([current?.headers['x-api-key'], legacy?.headers['authorization']]).toEqual([undefined, undefined]);
  expect([current?.headers['authorization'], legacy?.headers['x-api-key']]).toEqual([`Bearer ${testKey}`, testKey]);
});

test('the clock of the service is compared with ours, from its own answers', async () => {
  const report = await check((_request, response) => {
    response.setHeader('date', new Date(Date.now() - 600_000).toUTCString());
    sendJson(response, 200, { data: [] });
  });
  expect(report.clockOffsetMs).toBeLessThan(-590_000);
  expect(report.clockOffsetMs).toBeGreaterThan(-610_000);
});

test('a free read whose address was corrected uses the address of the settings', async () => {
  const before = server.seen.length;
  const corrected = overrideWire({ aliases: { elementi: 'items' } });
  if (!corrected.ok) throw new Error('not taken');
  const { endpoints } = corrected.value;
  const wire = {
    ...corrected.value,
    endpoints: { ...endpoints, 'ask.models': { ...endpoints['ask.models'], path: '/v1/catalogue' } as const },
  };
  await check((_request, response) => sendJson(response, 200, { data: [] }), undefined, undefined, wire);
  expect(server.seen.slice(before).map(({ url }) => url)).toContain('/v1/catalogue');
});

test('without a key the address alone is checked, and none is sent', async () => {
  const before = server.seen.length;
  const report = await check(refuse('invalid_api_key', 401), null);
  expect(report).toMatchObject({ service: 'reached', key: 'missing', products: [], failure: null });
  expect(server.seen.slice(before).map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

const page: Script = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<html>hello</html>');
};
test.each<[string, Script, string]>([
  ['a web page', page, 'E-009'],
  ['a page that is not there', (_request, response) => void response.writeHead(404).end('Not Found'), 'E-039'],
  [
    'a redirect',
    (_request, response) => void response.writeHead(301, { location: 'https://www.example/' }).end(),
    'E-016',
  ],
])('%s is not this service', async (_name, script, row) => {
  expect(await check(script)).toMatchObject({ service: 'not-this-service', key: 'not-checked', failure: { row } });
});

test('text where JSON is due is not this service', async () => {
  expect(await check((_request, response) => void response.end('hi'))).toMatchObject({ service: 'not-this-service' });
});

test('a service in trouble counts as reached if it answers in its own format, and not if it says nothing', async () => {
  expect(await check(refuse('service_unavailable', 503))).toMatchObject({
    service: 'reached',
    key: 'not-checked',
    failure: { row: 'E-058' },
  });
  const gone = await startTcpServer(() => undefined);
  await gone.close();
  expect(await check(page, new Secret(testKey), gone.url)).toMatchObject({
    service: 'not-reached',
    key: 'not-checked',
    failure: { row: 'E-003' },
  });
});

test('an unavailable product is unknown, which is no failure', async () => {
  const report = await check((request, response, at) =>
    request.url.startsWith('/v1/voices')
      ? refuse('not_found', 404)(request, response, at)
      : sendJson(response, 200, {}),
  );
  expect(report).toMatchObject({ key: 'accepted', failure: null });
  expect(report.products.find(({ product }) => product === 'voices')?.access).toBe('unknown');
});

test('the key is in no line of the log', () => {
  expect(lines.length).toBeGreaterThan(10);
  expect(JSON.stringify(lines)).not.toContain('CANARY');
});
