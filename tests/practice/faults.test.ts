import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { practiceRoutes, routes } from '../../electron/practice/routes.ts';
import type { PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { endpoints, type Endpoint } from '../../electron/service/endpoints.ts';
import { practice } from '../contract/live-rig.ts';
import { shortRecording, submit } from './practice-client.ts';

const post = { route: '/v1/stt', method: 'POST' };
const serverWith = (...rules: readonly unknown[]) => practice(rules, { pace: { queuedMs: 0, processingMs: 0 } });
const accepted = (server: PracticeServer): number => readLedger(server.stateDir).length;

describe('a fault plan', () => {
  it('loses the answer of work that it accepted, and the same key finds that work again', async () => {
    const server = await serverWith({ ...post, nth: 1, fault: 'drop-answer-after-acceptance' });
    const key = randomUUID();
    await expect(submit(server, shortRecording, { key })).rejects.toThrow('fetch failed');
    expect(accepted(server)).toBe(1);
    expect((await submit(server, shortRecording, { key })).status).toBe(200);
    expect(accepted(server)).toBe(1);
  });
});

describe('the routes of practice mode', () => {
  /** Names of parameters differ, their positions do not. */
  const plain = (path: string): string => path.replaceAll(/:\w+|\{\w+\}/g, '{}');
  const rows = Object.entries<Endpoint>(endpoints);

  it('are those of the client, none twice', () => {
    const known = new Set(rows.map(([, { method, path }]) => `${method} ${plain(path)}`));
    const served = practiceRoutes.map(({ method, path }) => `${method} ${plain(path)}`);
    expect(served.filter((route) => !known.has(route))).toEqual([]);
    expect(new Set(served).size).toBe(served.length);
    expect([...known].filter((route) => !served.includes(route))).toEqual(['POST /RealtimeTTS/Synthesize']);
  });

  it('need the permission that the client expects', () => {
    for (const [name, { transport, method, path, permission, credential }] of rows) {
      if (transport !== 'http' || credential !== 'api-key' || path === '/v1/ticket') continue;
      const route = routes.find((one) => one.method === method && plain(one.path) === plain(path));
      expect([name, route?.permissions[0]?.replace(':', ': ') ?? null]).toEqual([name, permission]);
    }
  });
});
