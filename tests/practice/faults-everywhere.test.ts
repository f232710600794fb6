import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { practiceRoutes, routes } from '../../electron/practice/routes/route-table.ts';
import type { Route } from '../../electron/practice/http/route.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';

const streams = practiceRoutes.filter(({ path }) => path.endsWith('/stream') || path.endsWith('/realtime'));

async function serverWith(fault: object): Promise<PracticeServer> {
  const plan = parseFaultPlan({ rules: [{ route: '*', ...fault }] });
  if (!plan.ok) throw new Error(plan.error);
  const server = await startPracticeServer({ faultPlan: plan.value, limits: { requestsPerSecond: 1000 } });
  onTestFinished(() => server.close());
  return server;
}

/** Each route with the credential that it requires, and the result. */
async function onAll(server: PracticeServer, patienceMs = 20_000): Promise<readonly (readonly [string, string])[]> {
  const headersOf = (credential: string): Record<string, string> => ({
    'x-api-key': server.legacyToken,
    authorization: `Bearer ${credential === 'access-token' ? server.accessToken : server.token}`,
  });
  const ask = (some: readonly Route[]): Promise<readonly (readonly [string, string])[]> =>
    Promise.all(
      some.map(async ({ method, path, credential }) => {
        const outcome = await fetch(`${server.url}${path.replaceAll(/:\w+/g, 'none')}`, {
          method,
          redirect: 'manual',
          headers: headersOf(credential),
          signal: AbortSignal.timeout(patienceMs),
        }).then(
          async (answer) => `${answer.status} ${(await answer.text()).slice(0, 15)}`,
          (error: Error) => (error.name === 'TimeoutError' ? 'silence' : 'broken'),
        );
        return [`${method} ${path}`, outcome] as const;
      }),
    );
  // There are more routes than simultaneous connections.
  const middle = Math.ceil(routes.length / 2);
  return [...(await ask(routes.slice(0, middle))), ...(await ask(routes.slice(middle)))];
}

const dial = (server: PracticeServer, path: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}?ticket=none&token=none`);
    onTestFinished(() => socket.terminate());
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    socket.once('error', () => resolve('broken'));
  });

describe('a planned fault', () => {
  it.each<readonly [string, object, RegExp]>([
    ['breaks', { fault: 'reset-before-read' }, /^broken$/],
    ['is refused', { fault: 'status', status: 503, code: 'service_unavailable' }, /^503/],
    ['costs too much', { fault: '402' }, /^402/],
    ['comes too often', { fault: '429', retryAfter: '1' }, /^429/],
    ['leads to a page', { fault: 'html-page' }, /^200 <!doctype html>/],
    ['leads elsewhere', { fault: 'redirect', location: 'http://127.0.0.1:9/' }, /^302/],
    ['loses its answer', { fault: 'drop-answer-after-acceptance' }, /^broken$/],
    ['is silent', { fault: 'never-answer' }, /^silence$/],
  ])('reaches every route, which then %s', async (_name, fault, expected) => {
    const server = await serverWith(fault);
    const isSilent = expected.test('silence');
    const outcomes = await onAll(server, isSilent ? 1000 : 20_000);
    expect(outcomes.length).toBeGreaterThan(55);
    expect(outcomes.filter(([, outcome]) => !expected.test(outcome))).toEqual([]);
  });

  it('reaches the upgrade of every stream', async () => {
    const [broken, refused] = [await serverWith({ fault: 'reset-before-read' }), await serverWith({ fault: '429' })];
    expect(streams.length).toBeGreaterThan(0);
    for (const { path } of streams) expect([path, await dial(broken, path)]).toEqual([path, 'broken']);
    for (const { path } of streams) expect([path, await dial(refused, path)]).toEqual([path, '429']);
  });
});
