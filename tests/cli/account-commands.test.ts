import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand, type Terminal } from '../../electron/cli/run-command.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceSession, type ServiceSession } from '../../electron/workspace/open-service-session.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { ok } from '../../shared/result/result.ts';
import { folderOfFile } from '../support/test-folders.ts';

const dataDir = folderOfFile();
let server: PracticeServer;
beforeAll(async () => {
  server = await startPracticeServer();
});
afterAll(async () => {
  await server.close();
});

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** The command over a real session with the practice service, without a process of its own. */
async function run(
  args: readonly string[],
  language: InterfaceLanguage = 'en',
  disturbed: (session: ServiceSession) => ServiceSession = (session) => session,
): Promise<Printed> {
  let [out, error] = ['', ''];
  const opened = openServiceSession({
    mode: 'practice',
    dataDir,
    source: () => ({
      kind: 'practice',
      baseUrl: server.url,
      key: new Secret(server.token),
      accessToken: new Secret(server.accessToken),
    }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  const session = disturbed(opened);
  const terminal = {
    args,
    language,
    version: '1',
    signal: new AbortController().signal,
    streams: {
      out: (text: string) => void (out += text),
      error: (text: string) => void (error += text),
      isTerminal: false,
    },
    prepare: async () => ({ kind: 'ready', openSession: async () => ok(session), close: () => session.close() }),
  } as unknown as Terminal;
  const code = await runCommand(terminal);
  return { code, out, error };
}

const json = async (args: readonly string[]): Promise<Record<string, never>> => {
  const { out } = await run([...args, '--json']);
  return JSON.parse(out) as Record<string, never>;
};

test('a key is made, printed once, listed without its secret, turned off and on, revoked and deleted', async () => {
  const made = await run([
    'keys',
    'create',
    'Server',
    '--allow',
    'llm=read',
    '--credits',
    '50',
    '--ip',
    '203.0.113.0/24',
  ]);
  expect(made).toMatchObject({ code: 0, error: '' });
  const secret = made.out.split('\n')[1] ?? '';
  expect(secret).toMatch(/^\S{20,}$/);
  const listed = await run(['keys']);
  expect(listed.out).toContain('Server');
  expect(listed.out).not.toContain(secret);
  const { keys } = (await json(['keys'])) as unknown as { keys: { id: string; name: string; permissions: object }[] };
  const { id = '', permissions } = keys.find(({ name }) => name === 'Server') ?? {};
  expect(permissions).toEqual({ llm: 'read' });
  const states: string[] = [];
  for (const action of ['disable', 'enable']) states.push((await run(['keys', action, id])).out);
  expect(states).toEqual([expect.stringContaining('Disabled'), expect.stringContaining('Active')]);
  expect(await run(['keys', 'revoke', id])).toMatchObject({ code: 0, out: `${id}: revoked.\n` });
  expect(await run(['keys', 'delete', id], 'uz')).toMatchObject({ code: 0, out: `${id}: oʻchirildi.\n` });
  expect((await run(['keys', 'revoke', id])).code).toBe(1);
  const shown = (await json(['keys', 'create', 'Once', '--allow-all'])) as unknown as { secret: string; key: object };
  expect(shown.secret).toMatch(/^\S{20,}$/);
  expect(JSON.stringify(shown.key)).not.toContain(shown.secret);
});

test('what the service would refuse is reported by field, in the language of the terminal, and nothing is sent', async () => {
  const long = await run(['keys', 'create', 'a'.repeat(81), '--allow-all'], 'ru');
  expect([long.code, long.out]).toEqual([1, '']);
  expect(long.error).toBe('Ничего не отправлено. Не больше 80 символов.\n');
  const far = await run(['webhooks', 'create', 'https://10.0.0.1/hook', '--event', 'tts.generation.completed']);
  expect(far.error).toContain('Use a name, not an IP address.');
  expect((await run(['webhooks', 'create', 'https://hooks.example.com/a'])).error).toContain('at least one event');
  for (const [args, words] of [
    [['keys', 'create', 'A'], '--allow'],
    [['keys', 'create', 'A', '--allow', 'llm=fly'], 'llm=fly'],
    [['keys', 'burn'], 'burn'],
    [['webhooks', 'change', 'wh_1'], '--url'],
    [['requests', '--days', '2'], '"2"'],
    [['keys', 'list', '--allow', 'llm=read'], '--allow'],
    [['keys', 'revoke', 'key_1', '--credits', '5'], '--credits'],
    [['keys', 'create', 'A', '--allow-all', '--expires', '2027-02-30'], '2027-02-30'],
    [['webhooks', 'create', 'https://hooks.example.com/a', '--url', 'https://hooks.example.com/b'], '--url'],
    [['webhooks', 'test', 'wh_1', '--event', 'tts.generation.completed'], '--event'],
  ] as const)
    expect(await run(args)).toMatchObject({ code: 2, out: '', error: expect.stringContaining(words) });
});

test('a webhook is made with its secret once, changed, tried, rotated and deleted, with its deliveries', async () => {
  const create = ['webhooks', 'create', 'https://hooks.example.com/a', '--event', 'tts.generation.completed'];
  const made = (await json(create)) as unknown as { webhook: { id: string }; secret: string };
  const { id } = made.webhook;
  expect(made.secret).toMatch(/^\S{16,}$/);
  const changed = await run(['webhooks', 'change', id, '--url', 'https://hooks.example.com/b']);
  expect(changed.out).toContain('https://hooks.example.com/b');
  expect((await run(['webhooks', 'test', id])).out).toContain('webhook.test');
  const failed = async (): Promise<string> => {
    const { deliveries } = (await json(['webhooks', 'deliveries', id])) as unknown as { deliveries: { id: string }[] };
    return deliveries[0]?.id ?? '';
  };
  expect(await failed()).not.toBe('');
  // A delivery that is still under way can't be retried, and the words say so.
  expect((await run(['webhooks', 'retry', id, await failed()])).code).toBe(1);
  const rotated = await run(['webhooks', 'rotate', id]);
  const renewed = rotated.out.split('\n')[1] ?? '';
  expect(renewed).not.toBe(made.secret);
  expect(rotated.out).toContain('Shown once');
  expect((await run(['webhooks', 'disable', id])).out).toContain('Off');
  expect((await run(['webhooks', 'delete', id])).out).toBe(`${id}: deleted.\n`);
  expect((await run(['webhooks'])).out).not.toContain(renewed);
});

test('usage and requests are those of the account', async () => {
  await run(['voices']);
  const usage = (await json(['usage', '--account', '--days', '7'])) as unknown as { requests: number };
  expect(usage.requests).toBeGreaterThan(0);
  const requests = await run(['requests', '--method', 'get', '--route', '/v1/voices', '--limit', '1']);
  expect(requests.out).toContain('GET /v1/voices');
  expect(requests.out.trim().split('\n')).toHaveLength(2);
});

test('a key that is lost on the way is to be revoked, because keys are not rotated', async () => {
  const lost = await run(['keys', 'create', 'Lost', '--allow-all'], 'en', (session) => {
    const { account } = session;
    return { ...session, account: { ...account, secrets: { ...account.secrets, get: () => null } } };
  });
  expect(lost.out).toContain('Revoke this one and create another.');
  expect(lost.out).not.toContain('Rotate');
});

test('a change that comes too late says so to programs too, and the webhook as it is now', async () => {
  const create = ['webhooks', 'create', 'https://hooks.example.com/a', '--event', 'tts.generation.completed'];
  const { webhook } = (await json(create)) as unknown as { webhook: { id: string } };
  const late = await run(['webhooks', 'disable', webhook.id, '--json'], 'en', (session) => {
    const list: typeof session.webhooks.list = async () => {
      const read = await session.webhooks.list();
      return read.ok ? ok(read.value.map((one) => ({ ...one, revision: (one.revision ?? 0) + 1 }))) : read;
    };
    return { ...session, webhooks: { ...session.webhooks, list } };
  });
  expect(late.code).toBe(1);
  expect(JSON.parse(late.out)).toMatchObject({
    webhooks: [{ id: webhook.id, enabled: true }],
    error: { code: 'webhook_revision_conflict', message: 'Changed somewhere else' },
  });
});
