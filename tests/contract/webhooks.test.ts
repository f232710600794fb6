import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWebhookService } from '../../electron/services/webhooks/webhook-service.ts';
import { overrideWire } from '../../shared/wire/wire-table.ts';
import { sendJson, startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { openService } from './service-rig.ts';

let server: ScriptedServer;
let client: ReturnType<typeof openService>;

beforeAll(async () => {
  server = await startScriptedServer((_request, response) => sendJson(response, 500, {}));
  client = openService(server.url);
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const webhook = {
  id: 'wh_1',
  url: 'https://hooks.example/a',
  event_types: ['tts.generation.completed'],
  secret_suffix: 'ab12',
  enabled: true,
  revision: 3,
  created_at: '2026-11-01T10:00:00Z',
  disabled_at: null,
};
const lastBody = (): unknown => JSON.parse(server.seen.at(-1)?.body.toString() ?? '');

test('a subscription is created once and its secret prints nothing', async () => {
  server.script = (_request, response) => sendJson(response, 201, { webhook, secret: 'whsec_CANARY', request_id: 'r' });
  const fields = { url: webhook.url, eventTypes: webhook.event_types };
  const made = await client.webhooks.create(fields);
  expect(made).toMatchObject({ ok: true, value: { webhook: { id: 'wh_1', revision: 3, disabledAt: null } } });
  expect(JSON.stringify(made)).not.toContain('CANARY');
  expect(made.ok && made.value.secret?.reveal()).toBe('whsec_CANARY');
  expect(lastBody()).toEqual({ url: webhook.url, event_types: webhook.event_types });

  const before = server.seen.length;
  server.script = (_request, response) => void response.socket?.resetAndDestroy();
  expect(await client.webhooks.create(fields)).toMatchObject({
    ok: false,
    error: { row: 'E-013', retry: 'look_first' },
  });
  expect(server.seen.length - before).toBe(1);

  // A request refused before it was read differs: nothing can have been created.
  let isFirst = true;
  server.script = (_request, response) => {
    if (!isFirst) return sendJson(response, 201, { webhook, secret: 'whsec_CANARY', request_id: 'r' });
    isFirst = false;
    return sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '0' });
  };
  expect((await client.webhooks.create(fields)).ok).toBe(true);
});

test('lists use page numbers within the limits of the service', async () => {
  const pagination = {
    total: 51,
    total_pages: 2,
    page: 1,
    page_size: 50,
    has_next: true,
    next_page: 2,
    previous_page: null,
  };
  server.script = (_request, response) =>
    sendJson(response, 200, { webhooks: [webhook, {}], pagination, request_id: 'r' });
  expect(await client.webhooks.list({ page: 0, pageSize: 900 })).toMatchObject({
    ok: true,
    value: { items: [{ id: 'wh_1' }], total: 51, nextPage: 2, previousPage: null },
  });
  expect(server.seen.at(-1)?.url).toBe('/v1/webhooks?page=1&page_size=100');
  const delivery = { id: 'd1', event_id: 'e1', status: 'retrying', attempt_count: 2, response_status: null };
  server.script = (_request, response) => sendJson(response, 200, { deliveries: [delivery], pagination });
  expect(await client.webhooks.deliveries('wh_1', {})).toMatchObject({
    ok: true,
    value: { items: [{ id: 'd1', status: { known: true, state: 'retrying' }, attempts: 2, responseStatus: null }] },
  });
});

test('a change includes the revision that was read, and a conflict is reported, never overwritten', async () => {
  server.script = (_request, response) =>
    sendJson(response, 200, { webhook: { ...webhook, enabled: false, revision: 4 } });
  expect(await client.webhooks.update('wh_1', { enabled: false }, 3)).toMatchObject({
    ok: true,
    value: { enabled: false, revision: 4 },
  });
  expect(lastBody()).toEqual({ enabled: false, expected_revision: 3 });
  const before = server.seen.length;
  server.script = (_request, response) =>
    sendJson(response, 409, { message: '', error: { code: 'webhook_revision_conflict' } });
  expect(await client.webhooks.update('wh_1', { url: 'https://b.example' }, 3)).toMatchObject({
    ok: false,
    error: { row: 'E-100', code: 'webhook_revision_conflict', retry: 'never' },
  });
  expect(server.seen.length - before).toBe(1);
});

test('deleting sends an object, and a missing subscription counts as deleted', async () => {
  server.script = (_request, response) => void response.writeHead(204).end();
  expect(await client.webhooks.remove('wh_1', null)).toEqual({ ok: true, value: null });
  expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', url: '/v1/webhooks/wh_1' });
  expect(lastBody()).toEqual({});
  server.script = (_request, response) =>
    sendJson(response, 404, { message: '', error: { code: 'webhook_not_found' } });
  expect(await client.webhooks.remove('wh_1', 4)).toEqual({ ok: true, value: null });
  expect(await client.webhooks.read('wh_1')).toMatchObject({ ok: false, error: { row: 'E-100' } });
});

test('rotating, testing and sending again are one request without a body each, at their corrected address', async () => {
  const wire = overrideWire({ paths: { 'webhooks.test': '/v1/hooks/{webhook_id}/ping' } });
  if (!wire.ok) throw new Error('a valid correction');
  const corrected = openService(server.url, { wire: wire.value });
  server.script = (_request, response) => sendJson(response, 202, { delivery: { id: 'd2', status: 'pending' } });
  expect(await corrected.webhooks.test('wh_1')).toMatchObject({ ok: true, value: { id: 'd2' } });
  expect(server.seen.at(-1)).toMatchObject({ url: '/v1/hooks/wh_1/ping', body: Buffer.alloc(0) });
  await corrected.close();
  expect(await client.webhooks.retry('wh_1', 'd2')).toMatchObject({ ok: true, value: { id: 'd2' } });
  expect(server.seen.at(-1)?.url).toBe('/v1/webhooks/wh_1/deliveries/d2/retry');
  server.script = (_request, response) => sendJson(response, 200, { webhook, request_id: 'r' });
  expect(await client.webhooks.rotate('wh_1')).toMatchObject({ ok: true, value: { secret: null } });
});

test('a subscription whose answer was lost is found in the list and never made twice', async () => {
  const service = createWebhookService(client.webhooks, Date.now);
  const wanted = { url: 'https://hooks.example:443/a', eventTypes: webhook.event_types };
  const other = { ...webhook, id: 'wh_0', event_types: ['tts.generation.completed', 'webhook.other'] };
  const made: unknown[] = [];
  server.script = ({ method }, response) => {
    if (method === 'GET') return sendJson(response, 200, { webhooks: [other, ...made], pagination: {} });
    made.push(webhook);
    response.socket?.resetAndDestroy();
  };
  expect(await service.create(wanted)).toMatchObject({ ok: true, value: { id: 'wh_1' } });
  expect(service.secrets.get('wh_1')).toBeNull();
  expect(await service.create(wanted)).toMatchObject({
    ok: false,
    error: { code: 'webhook_exists', outcome: 'not_sent' },
  });
  expect(made).toHaveLength(1);

  const silent: typeof server.script = ({ method }, response, { number }) => {
    if (method === 'GET' && number === before + 1) return sendJson(response, 200, { webhooks: [], pagination: {} });
    response.socket?.resetAndDestroy();
  };
  const before = server.seen.length;
  server.script = silent;
  expect(await service.create(wanted)).toMatchObject({
    ok: false,
    error: { code: 'webhook_perhaps_made', outcome: 'unknown' },
  });
});

test('a next page that does not come after this one ends the list', async () => {
  const before = server.seen.length;
  server.script = (_request, response) =>
    sendJson(response, 200, { webhooks: [webhook], deliveries: [{ id: 'd1' }], pagination: { next_page: 2 } });
  expect(await createWebhookService(client.webhooks, Date.now).list()).toMatchObject({ value: [{ id: 'wh_1' }] });
  expect(await client.webhooks.deliveries('wh_1', { page: 2 })).toMatchObject({ ok: true, value: { nextPage: null } });
  expect(server.seen.slice(before).map(({ url }) => url.replace(/.*\?page=(\d).*/u, '$1'))).toEqual(['1', '2', '2']);
});
