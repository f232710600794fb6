import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient, type ServiceClient } from '../../electron/api/service-client.ts';
import { startPracticeServer } from '../../electron/practice/server.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';

/** Reads that cost and change nothing, by their names in the table. */
const freeReads: Readonly<Record<string, (client: ServiceClient) => Promise<Result<unknown, Failure>>>> = {
  'speak.languages': ({ speak }) => speak.catalog(),
  'speak.list': ({ speak }) => speak.list({ limit: 1 }),
  'voices.list': ({ speak }) => speak.voices({}),
  'voices.list of one language': ({ speak }) => speak.voices({ language: 'uz' }),
  'voices.list of own voices': ({ speak }) => speak.voices({ kind: 'custom' }),
  'isolate.list': ({ isolate }) => isolate.list({ limit: 1 }),
  'ask.models': ({ ask }) => ask.models(),
  'ask.files': ({ ask }) => ask.files({ limit: 1 }),
  'clone.capabilities': ({ clone }) => clone.capabilities(),
  'webhooks.list': ({ webhooks }) => webhooks.list({ pageSize: 1 }),
};

const open = (kind: 'practice' | 'service', baseUrl: string, key: string): ServiceClient =>
  openServiceClient({
    connection: () => ({ kind, baseUrl, key: new Secret(key) }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });

describe('the practice service', () => {
  let server: Awaited<ReturnType<typeof startPracticeServer>>;
  let client: ServiceClient;
  beforeAll(async () => {
    server = await startPracticeServer();
    client = open('practice', server.url, server.token);
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  test.each(Object.entries(freeReads))('answers %s as the client understands it', async (_name, read) => {
    expect(await read(client)).toMatchObject({ ok: true });
  });
});

const [address, key] = [process.env['OVOZ_SERVICE_URL'], process.env['OVOZ_API_KEY']];

describe.skipIf(address === undefined || key === undefined)(
  'the real service (skipped unless OVOZ_SERVICE_URL and OVOZ_API_KEY are set)',
  () => {
    let client: ServiceClient;
    beforeAll(() => {
      client = open('service', address ?? '', key ?? '');
    });
    afterAll(() => client.close());

    test.each(Object.entries(freeReads))('answers %s, or says that this key has no permission', async (_name, read) => {
      const answer = await read(client);
      // A wrongly assumed path or an unavailable product is worth reporting; a missing permission is not.
      if (answer.ok || answer.error.row === 'E-037') return;
      expect.fail(`${answer.error.row} with status ${String(answer.error.status)}`);
    });
  },
);
