import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import {
  asPerson,
  call,
  callJson,
  codeOf,
  shortRecording,
  submit,
  type Reply,
  type Server,
} from './practice-client.ts';

const keysPath = '/api/v1/account/api-keys';

let server: PracticeServer;
let person: Server;
beforeAll(async () => {
  server = await startPracticeServer();
  person = asPerson(server);
});
afterAll(() => server.close());

interface KeyBody extends Record<string, unknown> {
  readonly id: string;
}
const dataOf = (reply: Reply): Record<string, unknown> => reply.body['data'] as Record<string, unknown>;
const keyOf = (reply: Reply): KeyBody => dataOf(reply)['key'] as KeyBody;

/** A key as the account page creates it, ready to be used. */
async function makeKey(settings: Record<string, unknown>): Promise<Server & { readonly id: string }> {
  const reply = await callJson(person, 'POST', keysPath, { name: 'Made by a test', ...settings });
  expect(reply.status, reply.text).toBe(201);
  return { url: server.url, token: String(dataOf(reply)['secret']), id: keyOf(reply).id };
}
const list = (key: Server): Promise<Reply> => call(key, 'GET', '/v1/stt/transcriptions');

describe('the keys of the account', () => {
  it('show their secret once, at their creation', async () => {
    const made = await callJson(person, 'POST', keysPath, {
      name: 'Studio',
      permissions: { speech_to_text: 'read', llm: 'none' },
    });
    const secret = String(dataOf(made)['secret']);
    expect(keyOf(made)).toMatchObject({
      name: 'Studio',
      masked_key: `${secret.slice(0, 13)}••••••••${secret.slice(-4)}`,
      permissions: { speech_to_text: 'read' },
      scopes: ['stt:read'],
      enabled: true,
      revoked_at: null,
      restrict_key: true,
      credit_limit: null,
      allowed_ips: [],
      auto_disable_if_leaked: true,
      leaked_at: null,
      last_used_at: null,
    });
    const others = [
      await call(person, 'GET', keysPath),
      await callJson(person, 'PATCH', `${keysPath}/${keyOf(made).id}`, { name: 'Renamed' }),
    ];
    for (const other of others) expect(other.text).not.toContain(secret.slice(14, -4));
    const listed = dataOf(others[0] as Reply)['keys'] as KeyBody[];
    expect(Object.keys(listed.find(({ id }) => id === keyOf(made).id) ?? {}).toSorted()).toEqual([
      'created_at',
      'enabled',
      'expires_at',
      'id',
      'masked_key',
      'name',
      'permissions',
      'revoked_at',
    ]);
  });

  it('are listed newest first, page after page', async () => {
    const made = [await makeKey({}), await makeKey({}), await makeKey({})].map(({ id }) => id).toReversed();
    const first = await call(person, 'GET', `${keysPath}?limit=2`);
    const second = await call(person, 'GET', `${keysPath}?limit=2&cursor=${String(dataOf(first)['next_cursor'])}`);
    const ids = [first, second].flatMap((page) => (dataOf(page)['keys'] as KeyBody[]).map(({ id }) => id));
    expect(ids.slice(0, 3)).toEqual(made);
    const last = await call(person, 'GET', `${keysPath}?limit=100`);
    expect(dataOf(last)['next_cursor']).toBeNull();
    for (const query of ['limit=0', 'limit=101', 'cursor=mine'])
      expect(codeOf(await call(person, 'GET', `${keysPath}?${query}`))).toBe('invalid_pagination');
  });

  it.each<readonly [string, Record<string, unknown>]>([
    ['a name that is empty', { name: '' }],
    ['a name of 81 characters', { name: 'x'.repeat(81) }],
    ['control characters in the name', { name: 'a\u0007b' }],
    ['an unknown permission', { permissions: { telepathy: 'read' } }],
    ['a level that the permission has not', { permissions: { stt_realtime: 'read' } }],
    ['permissions and scopes together', { permissions: {}, scopes: ['stt:read'] }],
    ['an unknown scope', { scopes: ['stt:everything'] }],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }],
    ['an end that is no time', { expires_at: 'tomorrow' }],
    ['a limit below zero', { credit_limit: -1 }],
    ['an address that is none', { allowed_ips: ['10.0.0.300'] }],
    ['a range that is too wide', { allowed_ips: ['10.0.0.0/33'] }],
    ['more than 100 addresses', { allowed_ips: Array.from({ length: 101 }, () => '10.0.0.1') }],
    ['an unknown field', { colour: 'red' }],
  ])('are not created with %s', async (_name, settings) => {
    const reply = await callJson(person, 'POST', keysPath, { name: 'Studio', ...settings });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'validation_error']);
  });

  it('are not created from an incomplete body', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(codeOf(await call(person, 'POST', keysPath, { headers, body: '{"name":' }))).toBe('invalid_json');
  });

  it('change only in what is sent, and a map of permissions is replaced as a whole', async () => {
    const key = await makeKey({
      permissions: { speech_to_text: 'access', llm: 'read' },
      expires_at: new Date(Date.now() + 60_000).toISOString(),
      credit_limit: 5,
    });
    const patch = async (body: unknown): Promise<KeyBody> =>
      keyOf(await callJson(person, 'PATCH', `${keysPath}/${key.id}`, body));
    expect(await patch({ name: 'Other' })).toMatchObject({
      name: 'Other',
      credit_limit: 5,
      permissions: { speech_to_text: 'access', llm: 'read' },
    });
    expect(await patch({ expires_at: null })).toMatchObject({ expires_at: null, credit_limit: 5 });
    expect(await patch({ permissions: { voices: 'read' } })).toMatchObject({ permissions: { voices: 'read' } });
    expect(await patch({ scopes: ['stt:read', 'stt:write'] })).toMatchObject({
      permissions: { speech_to_text: 'access' },
    });
    const wrong = await callJson(person, 'PATCH', `${keysPath}/${key.id}`, { name: 'New', permissions: { x: 'read' } });
    expect(codeOf(wrong)).toBe('validation_error');
    expect(await patch({})).toMatchObject({ name: 'Other' });
    expect(codeOf(await callJson(person, 'PATCH', `${keysPath}/key_absent`, {}))).toBe('not_found');
  });

  it('stop at once when they are disabled or revoked, and a revoked key stays in the list', async () => {
    const key = await makeKey({ permissions: { speech_to_text: 'read' } });
    expect((await list(key)).status).toBe(200);
    await callJson(person, 'PATCH', `${keysPath}/${key.id}`, { enabled: false });
    expect([(await list(key)).status, codeOf(await list(key))]).toEqual([401, 'invalid_api_key']);
    await callJson(person, 'PATCH', `${keysPath}/${key.id}`, { enabled: true });
    expect((await list(key)).status).toBe(200);
    expect((await call(person, 'POST', `${keysPath}/${key.id}/revoke`)).status).toBe(204);
    expect(codeOf(await list(key))).toBe('invalid_api_key');
    const kept = (dataOf(await call(person, 'GET', keysPath))['keys'] as KeyBody[]).find(({ id }) => id === key.id);
    expect(kept?.['revoked_at']).toMatch(/^\d{4}-/);
    expect((await call(person, 'DELETE', `${keysPath}/${key.id}`)).status).toBe(204);
    expect((await call(person, 'DELETE', `${keysPath}/${key.id}`)).status).toBe(404);
    expect((await call(person, 'POST', `${keysPath}/${key.id}/revoke`)).status).toBe(404);
  });

  it('can not be deleted once they were used', async () => {
    const key = await makeKey({ permissions: { speech_to_text: 'write' } });
    expect((await submit(key, shortRecording)).status).toBe(200);
    const reply = await call(person, 'DELETE', `${keysPath}/${key.id}`);
    expect([reply.status, codeOf(reply)]).toEqual([409, 'api_key_in_use']);
  });

  it('expire', async () => {
    const key = await makeKey({
      permissions: { speech_to_text: 'read' },
      expires_at: new Date(Date.now() + 400).toISOString(),
    });
    expect((await list(key)).status).toBe(200);
    await expect.poll(async () => codeOf(await list(key)), { timeout: 5000 }).toBe('invalid_api_key');
  });

  it.each([
    [['127.0.0.1'], 200],
    [['127.0.0.0/8', '10.0.0.1'], 200],
    [['10.0.0.0/8', '2001:db8::/32'], 403],
  ])('may be used from %j: %i', async (allowed_ips, status) => {
    const key = await makeKey({ permissions: { speech_to_text: 'read' }, allowed_ips });
    expect((await list(key)).status).toBe(status);
  });
});

describe('permissions', () => {
  const change = (key: Server): Promise<Reply> =>
    callJson(key, 'PATCH', '/v1/stt/transcriptions/tr_absent', { title: 'x' });

  it.each([
    ['nothing', { permissions: {} }, 403, 403],
    ['none', { permissions: { speech_to_text: 'none' } }, 403, 403],
    ['another product', { permissions: { llm: 'access' } }, 403, 403],
    ['read', { permissions: { speech_to_text: 'read' } }, 200, 403],
    ['write', { permissions: { speech_to_text: 'write' } }, 403, 404],
    ['access', { permissions: { speech_to_text: 'access' } }, 200, 404],
    ['a reading scope', { scopes: ['stt:read'] }, 200, 403],
    ['both scopes', { scopes: ['stt:write', 'stt:read'] }, 200, 404],
    ['no restriction', { restrict_key: false }, 200, 404],
  ])('a key with %s reads and writes as far as that allows', async (_name, settings, reads, writes) => {
    const key = await makeKey(settings);
    const replies = [await list(key), await change(key)];
    expect(replies.map(({ status }) => status)).toEqual([reads, writes]);
    for (const reply of replies) if (reply.status === 403) expect(codeOf(reply)).toBe('insufficient_scope');
  });

  it('are listed in a catalogue, with what practice mode really offers', async () => {
    const reply = await call(person, 'GET', '/api/v1/account/api-key-permissions');
    const entries = dataOf(reply)['permissions'] as { id: string; levels: string[]; implemented: boolean }[];
    expect(entries.map(({ id }) => id)).toEqual([
      'text_to_speech',
      'tts_realtime',
      'speech_to_text',
      'stt_realtime',
      'audio_isolation',
      'llm',
      'voices',
      'webhooks',
    ]);
    const own = (dataOf(await call(person, 'GET', `${keysPath}?limit=100`))['keys'] as KeyBody[]).find(
      ({ id }) => id === 'key_practice',
    );
    expect(Object.keys(own?.['permissions'] as object).toSorted()).toEqual(
      entries.flatMap(({ id, implemented }) => (implemented ? [id] : [])).toSorted(),
    );
    const scopes = (await call(person, 'GET', '/api/v1/account/api-key-scopes')).body['scopes'] as { id: string }[];
    expect(scopes.map(({ id }) => id)).toContain('stt:realtime');
  });
});

describe('the two credentials', () => {
  it('are not interchangeable', async () => {
    const withKey = await call(server, 'GET', keysPath);
    expect([withKey.status, codeOf(withKey)]).toEqual([401, 'session_expired']);
    const withToken = await list(person);
    expect([withToken.status, codeOf(withToken)]).toEqual([401, 'invalid_api_key']);
    for (const path of [`${keysPath}/key_x/nothing`, '/v1/nothing'])
      expect((await call({ url: server.url, token: 'x' }, 'GET', path)).status).toBe(401);
    expect((await call(person, 'GET', '/api/v1/account/nothing')).status).toBe(404);
  });

  it('a forged or expired sign-in is refused', async () => {
    const [head = '', , signature = ''] = server.accessToken.split('.');
    const forged = Buffer.from(JSON.stringify({ sub: 'practice', exp: 9_999_999_999 })).toString('base64url');
    for (const token of [`${head}.${forged}.${signature}`, `${head}.${forged}.`, 'x.y.z'])
      expect(codeOf(await call({ url: server.url, token }, 'GET', keysPath))).toBe('session_expired');
    const brief = await startPracticeServer({ sessionLifeMs: 0 });
    expect(codeOf(await call(asPerson(brief), 'GET', keysPath))).toBe('session_expired');
    await brief.close();
  });
});

it('more than the general rate of requests has to wait', async () => {
  const strict = await startPracticeServer({ limits: { requestsPerSecond: 2 } });
  const replies = [await list(strict), await list(strict), await list(strict)];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(replies[2]?.headers.get('retry-after')).toBe('1');
  await strict.close();
});
