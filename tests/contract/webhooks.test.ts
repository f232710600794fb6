import { expect, test } from 'vitest';
import { createWebhookService } from '../../electron/services/webhooks/webhook-service.ts';
import { sendJson } from '../support/scripted-server.ts';
import { scriptedService } from './client-rig.ts';

const { server, client, answer, refuse, loseAnswers, lastJson, countOf } = await scriptedService();

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
const made = { webhook, secret: 'whsec_CANARY', request_id: 'r' };

test('a subscription is created once and its secret prints nothing', async () => {
  const fields = { url: webhook.url, eventTypes: webhook.event_types };
  const create = () => client.webhooks.create(fields);
  answer(201, made);
  const created = await create();
  expect(created).toMatchObject({ ok: true, value: { webhook: { id: 'wh_1', revision: 3, disabledAt: null } } });
  expect(JSON.stringify(created)).not.toContain('CANARY');
  expect(created.ok && created.value.secret?.reveal()).toBe('whsec_CANARY');
  expect(lastJson()).toEqual({ url: webhook.url, event_types: webhook.event_types });

  loseAnswers();
  const lost = { ok: false, error: { kind: 'answer-lost', retry: 'look_first' } };
  expect(await countOf(async () => expect(await create()).toMatchObject(lost))).toBe(1);

  // A request refused before it was read differs: nothing can have been created.
  let isFirst = true;
  server.script = (_request, response) => {
    if (!isFirst) return sendJson(response, 201, made);
    isFirst = false;
    return sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '0' });
  };
  expect((await create()).ok).toBe(true);
});

test('a change includes the revision that was read, and a conflict is reported, never overwritten', async () => {
  answer(200, { webhook: { ...webhook, enabled: false, revision: 4 } });
  expect(await client.webhooks.update('wh_1', { enabled: false }, 3)).toMatchObject({
    ok: true,
    value: { enabled: false, revision: 4 },
  });
  expect(lastJson()).toEqual({ enabled: false, expected_revision: 3 });
  refuse(409, 'webhook_revision_conflict');
  const conflict = { kind: 'webhook-unchanged', code: 'webhook_revision_conflict', retry: 'never' };
  const sent = await countOf(async () =>
    expect(await client.webhooks.update('wh_1', { url: 'https://b.example' }, 3)).toMatchObject({
      ok: false,
      error: conflict,
    }),
  );
  expect(sent).toBe(1);
});

test('a subscription whose answer was lost is found in the list and never made twice', async () => {
  const service = createWebhookService(client.webhooks, Date.now);
  const wanted = { url: 'https://hooks.example:443/a', eventTypes: webhook.event_types };
  const other = { ...webhook, id: 'wh_0', event_types: ['tts.generation.completed', 'webhook.other'] };
  const kept: unknown[] = [];
  server.script = ({ method }, response) => {
    if (method === 'GET') return sendJson(response, 200, { webhooks: [other, ...kept], pagination: {} });
    kept.push(webhook);
    response.socket?.resetAndDestroy();
  };
  expect(await service.create(wanted)).toMatchObject({ ok: true, value: { id: 'wh_1' } });
  expect(service.secrets.get('wh_1')).toBeNull();
  expect(await service.create(wanted)).toMatchObject({
    ok: false,
    error: { code: 'webhook_exists', outcome: 'not_sent' },
  });
  expect(kept).toHaveLength(1);

  const before = server.seen.length;
  server.script = ({ method }, response, { number }) => {
    if (method === 'GET' && number === before + 1) return sendJson(response, 200, { webhooks: [], pagination: {} });
    response.socket?.resetAndDestroy();
  };
  expect(await service.create(wanted)).toMatchObject({
    ok: false,
    error: { code: 'webhook_perhaps_made', outcome: 'unknown' },
  });
});

test('a next page that does not come after this one ends the list', async () => {
  const before = server.seen.length;
  answer(200, { webhooks: [webhook], deliveries: [{ id: 'd1' }], pagination: { next_page: 2 } });
  expect(await createWebhookService(client.webhooks, Date.now).list()).toMatchObject({ value: [{ id: 'wh_1' }] });
  expect(await client.webhooks.deliveries('wh_1', { page: 2 })).toMatchObject({ ok: true, value: { nextPage: null } });
  expect(server.seen.slice(before).map(({ url }) => url.replace(/.*\?page=(\d).*/u, '$1'))).toEqual(['1', '2', '2']);
});
