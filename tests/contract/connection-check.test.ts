import { expect, onTestFinished, test } from 'vitest';
import { openServiceCore } from '../../electron/service/client.ts';
import { checkConnection } from '../../electron/service/connection-check.ts';
import { Secret } from '../../electron/secret/secret.ts';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import { sendJson, startTcpServer, type Script } from '../support/scripted-server.ts';
import { scriptedService, testKey } from './client-rig.ts';

const { server } = await scriptedService();
const lines: LogEntry[] = [];
/** The report of a check whose requests the script answers, and the requests. */
async function check(script: Script, key: Secret | null = new Secret(testKey), baseUrl = server.url) {
  server.script = script;
  const before = server.seen.length;
  const log = { write: (line: LogEntry) => void lines.push(line) };
  const core = openServiceCore({ connection: () => null, allowsLoopbackHttp: true, log, random: () => 0 });
  onTestFinished(() => core.close());
  const report = await checkConnection(core, { kind: 'service', baseUrl, key });
  return { report, asked: server.seen.slice(before) };
}
const accept: Script = (_request, response) => sendJson(response, 200, { data: [] });
const refuse =
  (code: string, status: number): Script =>
  (_request, response) =>
    sendJson(response, status, { message: 'no', error: { code }, request_id: 'r1' });
/** Refuses the addresses that begin like these and accepts the others. */
const refuseOnly =
  (places: readonly string[], refusal: Script): Script =>
  (request, response, at) =>
    (places.some((place) => request.url.startsWith(place)) ? refusal : accept)(request, response, at);

test('a key with all permissions is accepted for each product that has a free read', async () => {
  const { report, asked } = await check(accept);
  expect(report).toMatchObject({ service: 'reached', key: 'accepted', failure: null });
  expect(report.products.map(({ product, access }) => `${product} ${access}`)).toEqual([
    'transcribe allowed',
    'dictate unknown',
    'speak allowed',
    'isolate allowed',
    'voices allowed',
    'ask allowed',
  ]);
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'GET', 'GET']);
  expect(asked.every(({ headers }) => headers.authorization === `Bearer ${testKey}`)).toBe(true);
});

test('F-84: a missing permission is named, an unavailable product is unknown, and the others still count', async () => {
  const { report } = await check(refuseOnly(['/v1/stt', '/v1/models'], refuse('insufficient_scope', 403)));
  expect(report).toMatchObject({ service: 'reached', key: 'accepted', failure: null });
  expect(report.products.filter(({ access }) => access === 'denied')).toEqual([
    { product: 'transcribe', access: 'denied', permission: 'speech_to_text: read' },
    { product: 'ask', access: 'denied', permission: 'llm: read' },
  ]);
  const { report: partly } = await check(refuseOnly(['/v1/voices'], refuse('not_found', 404)));
  expect(partly).toMatchObject({ key: 'accepted', failure: null });
  expect(partly.products.find(({ product }) => product === 'voices')?.access).toBe('unknown');
});

test('a wrong key costs two free requests: one of each generation', async () => {
  const { report, asked } = await check(refuse('invalid_api_key', 401));
  expect(report).toMatchObject({ service: 'reached', key: 'refused', products: [], failure: { kind: 'key-refused' } });
  expect(asked.map(({ url }) => url)).toEqual(['/v1/stt/transcriptions?limit=1', '/api/v1/stt/get/?page=1&limit=1']);
});

test('a key of the legacy API is recognised by its own header, and offered as such', async () => {
  const { report, asked } = await check(refuseOnly(['/v1/'], refuse('invalid_api_key', 401)));
  expect(report).toMatchObject({ service: 'reached', key: 'legacy-generation', products: [], failure: null });
  const [current, legacy] = asked;
  expect([current?.headers['x-api-key'], legacy?.headers['authorization']]).toEqual([undefined, undefined]);
  expect([current?.headers['authorization'], legacy?.headers['x-api-key']]).toEqual([`Bearer ${testKey}`, testKey]);
});

test('without a key the address alone is checked, and none is sent', async () => {
  const { report, asked } = await check(refuse('invalid_api_key', 401), null);
  expect(report).toMatchObject({ service: 'reached', key: 'missing', products: [], failure: null });
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

const page: Script = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>');
const moved = { location: 'https://www.example/' };
test.each<[string, Script, string | null]>([
  ['a web page', page, 'web-page-answered'],
  ['a page that is not there', (_request, response) => void response.writeHead(404).end('Not Found'), 'not-offered'],
  ['a redirect', (_request, response) => void response.writeHead(301, moved).end(), 'redirect-refused'],
  ['text where JSON is due', (_request, response) => void response.end('hi'), null],
])('%s is not this service', async (_name, script, kind) => {
  const { report } = await check(script);
  const failure = kind === null ? null : { kind };
  expect(report).toMatchObject({ service: 'not-this-service', key: 'not-checked', failure });
});

test('a service in trouble counts as reached if it answers in its own format, and not if it says nothing', async () => {
  expect((await check(refuse('service_unavailable', 503))).report).toMatchObject({
    service: 'reached',
    key: 'not-checked',
    failure: { kind: 'product-unavailable' },
  });
  const gone = await startTcpServer(() => undefined);
  await gone.close();
  expect((await check(page, new Secret(testKey), gone.url)).report).toMatchObject({
    service: 'not-reached',
    key: 'not-checked',
    failure: { kind: 'service-unreachable' },
  });
});

test('the key is in no line of the log', () => {
  expect(lines.length).toBeGreaterThan(10);
  expect(JSON.stringify(lines)).not.toContain('CANARY');
});
