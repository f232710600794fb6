import { expect, test } from 'vitest';
import { openServiceClient } from '../../electron/service/client.ts';
import { endingOf } from '../../electron/cli/ending.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { createAccountService } from '../../electron/services/account/account-service.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { scriptedService, testKey } from './client-rig.ts';

const { server, client, answer, refuse, loseAnswers, last, lastJson, countOf } = await scriptedService();
const key = { id: 'k1', name: 'Studio', masked_key: 'sk_…ab12', enabled: true, permissions: { llm: 'read', odd: 7 } };

test('S-32: account routes take the access token, legacy routes their own key, the others the developer key', async () => {
  answer(200, { data: { keys: [key], next_cursor: null } });
  await client.account.keys({});
  expect(last().headers).toMatchObject({ authorization: 'Bearer jwt_CANARY_0123456789abcdef' });
  expect(last().headers).not.toHaveProperty('x-api-key');
  answer(200, { results: [], count: 0 });
  await client.legacy.speeches({ page: 1, limit: 10 });
  expect(last().headers).toMatchObject({ 'x-api-key': 'old_CANARY_0123456789abcdef', 'accept-language': 'en' });
  expect(last().headers).not.toHaveProperty('authorization');
  answer(200, { voices: [] });
  await client.speak.voices({});
  expect(last().headers['authorization']).toBe(`Bearer ${testKey}`);
});

test('without its secret a route is not even requested', async () => {
  const bare = openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl: server.url, key: new Secret(testKey) }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  const sent = await countOf(async () => {
    expect(await bare.account.keys({})).toMatchObject({
      ok: false,
      error: { kind: 'token-refused', outcome: 'not_sent' },
    });
    expect(await bare.legacy.longTranscription('1')).toMatchObject({
      ok: false,
      error: { kind: 'key-refused', code: 'no_legacy_key' },
    });
  });
  expect(sent).toBe(0);
  await bare.close();
});

test('keys are read, changed, revoked and deleted; the secret of a new one prints nothing', async () => {
  answer(200, { data: { keys: [key], next_cursor: 'c' }, request_id: 'r' });
  expect(await client.account.keys({ limit: 0 })).toMatchObject({
    ok: true,
    value: { items: [{ id: 'k1', permissions: { llm: 'read' } }], nextCursor: 'c' },
  });
  expect(last().url).toBe('/api/v1/account/api-keys?limit=1');
  answer(201, { data: { key, secret: 'sk_CANARY' }, request_id: 'r' });
  const made = await client.account.createKey({ name: 'Studio', permissions: { llm: 'read' } });
  expect(JSON.stringify(made)).not.toContain('CANARY');
  expect(made.ok && made.value.secret?.reveal()).toBe('sk_CANARY');
  answer(200, { data: { key: { ...key, enabled: false } } });
  const changed = await client.account.updateKey('k1', { enabled: false, expires_at: null });
  expect(changed).toMatchObject({ ok: true, value: { enabled: false } });
  expect(lastJson()).toEqual({ enabled: false, expires_at: null });
  answer(204);
  expect(await client.account.revokeKey('k1')).toEqual({ ok: true, value: null });
  expect(last()).toMatchObject({ method: 'POST', url: '/api/v1/account/api-keys/k1/revoke' });
  expect(await client.account.removeKey('k1')).toEqual({ ok: true, value: null });
  expect(last()).toMatchObject({ method: 'DELETE', url: '/api/v1/account/api-keys/k1' });
  refuse(409, 'api_key_in_use');
  expect(await client.account.removeKey('k1')).toMatchObject({ ok: false, error: { kind: 'key-in-use' } });
  refuse(404, 'not_found');
  expect(await client.account.removeKey('k1')).toEqual({ ok: true, value: null });
});

test('key-secret-lost: a new key whose answer was lost is never requested twice', async () => {
  loseAnswers();
  const sent = await countOf(async () =>
    expect(await client.account.createKey({ name: 'x' })).toMatchObject({
      ok: false,
      error: { kind: 'key-secret-lost', retry: 'look_first' },
    }),
  );
  expect(sent).toBe(1);
});

test('a list follows each cursor once, and the log reads the page that was asked for', async () => {
  const account = createAccountService(client.account, Date.now, () => '');
  let before = server.seen.length;
  const cursors = () => server.seen.slice(before).map(({ url }) => new URL(url, server.url).searchParams.get('cursor'));
  answer(200, { data: { keys: [key], next_cursor: 'same' } });
  expect(await account.keys()).toMatchObject({ ok: true, value: [{ id: 'k1' }] });
  expect(cursors()).toEqual([null, 'same']);

  before = server.seen.length;
  const filter = { days: 7 as const, status: null, method: null, route: null, keyId: null, text: '' };
  const everything = { ...filter, isFailedOnly: false, hidesReads: false };
  answer(200, { items: [{ request_id: 'r', status_code: 200 }], next_cursor: 'same' });
  expect(await account.log(everything, null)).toMatchObject({ ok: true, value: { nextCursor: 'same' } });
  expect(await account.log(everything, 'same')).toMatchObject({ ok: true, value: { nextCursor: null } });
  expect(await account.log({ ...everything, isFailedOnly: true }, null)).toMatchObject({ value: { entries: [] } });
  expect(cursors()).toEqual([null, 'same', null, 'same']);
});

test('an id or a key that can’t be sent is said to be one, and nothing is sent', async () => {
  const messages = [{ role: 'user' as const, content: 'a' }];
  const question = { model: 'm', messages, maxCompletionTokens: 1, idempotencyKey: 'a\r\nb' };
  const sent = await countOf(async () => {
    expect(await client.speak.read('..')).toMatchObject({ error: { code: 'value_unsafe', outcome: 'not_sent' } });
    expect(await client.ask.ask(question)).toMatchObject({
      error: { failure: { kind: 'idempotency-key-invalid', code: 'unfit_idempotency_key', layer: 'local' } },
    });
  });
  expect(sent).toBe(0);
  for (const code of ['value_unsafe', 'unfit_idempotency_key'])
    expect(endingOf(makeFailure('request-invalid', { code, layer: 'local' }))).toMatch(/badId|badRequestKey/);
});
