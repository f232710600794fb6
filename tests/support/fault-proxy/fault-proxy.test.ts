import { request, Agent } from 'node:http';
import { seededRandom } from '../../../shared/domain/random/seeded-random.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startScriptedServer, type ScriptedServer } from '../scripted-server.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';
import {
  answerAfterwards,
  answerWith,
  cutAnswer,
  cutRequest,
  delayAnswer,
  dropAnswer,
  halfOpen,
  overtaken,
  sendTwice,
  slice,
  type Fault,
} from './faults.ts';

let server: ScriptedServer;
let proxy: FaultProxy;
const agent = new Agent({ keepAlive: true });
const answerText = 'Salom, dunyo! '.repeat(50);

beforeAll(async () => {
  server = await startScriptedServer(() => undefined);
  proxy = await startFaultProxy({ upstreamPort: Number(new URL(server.url).port), seed: 7 });
});
afterAll(async () => {
  agent.destroy();
  await Promise.all([proxy.close(), server.close()]);
});
beforeEach(() => {
  proxy.rules = [];
  server.script = (_request, response) => {
    response.write(answerText.slice(0, 100));
    response.end(answerText.slice(100));
  };
});

interface Told {
  readonly status: number;
  readonly body: string;
  /** Code of the error, `cut` for an answer that ended early, null for a whole one. */
  readonly trouble: string | null;
}

const ask = (path: string, body: string | Buffer = '', timeoutMs = 5000): Promise<Told> =>
  new Promise((resolve) => {
    const told = { status: 0, body: '' };
    const end = (trouble: string | null): void => resolve({ ...told, trouble });
    const sent = request(
      `${proxy.url}${path}`,
      { agent, method: body === '' ? 'GET' : 'POST', timeout: timeoutMs },
      (response) => {
        told.status = response.statusCode ?? 0;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (told.body += chunk));
        response.on('end', () => end(response.complete ? null : 'cut'));
        response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'));
      },
    );
    sent.on('timeout', () => {
      sent.destroy();
      end('silence');
    });
    sent.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'));
    sent.end(body);
  });

const under = async (fault: Fault, body: string | Buffer = 'x'): Promise<Told> => {
  proxy.rules = [{ fault, nth: 1 }];
  return ask('/v1/x', body, 300);
};

test('without rules everything passes, on a persistent connection, with the name the service expects', async () => {
  const big = Buffer.alloc(3_000_000, 0x61);
  const before = proxy.exchanges.length;
  for (const body of ['', 'small', big]) {
    expect(await ask('/v1/x?y=1', body)).toEqual({ status: 200, body: answerText, trouble: null });
  }
  expect(server.seen.at(-1)?.body.equals(big)).toBe(true);
  expect(server.seen.at(-1)?.headers.host).toBe(new URL(server.url).host);
  expect(proxy.exchanges.slice(before)).toMatchObject([
    { method: 'GET', path: '/v1/x?y=1', fault: null, serviceStatus: 200, isOver: true },
    { method: 'POST' },
    { method: 'POST' },
  ]);
});

test('an answer that is lost, cut, or replaced was given first: the service has done its work', async () => {
  for (const fault of [dropAnswer(), cutAnswer(150), cutAnswer(150, 'reset'), answerAfterwards({ status: 502 })]) {
    const before = server.seen.length;
    const told = await under(fault);
    expect([told.status, told.trouble]).not.toEqual([200, null]);
    expect(server.seen.length - before).toBe(1);
    expect(proxy.exchanges.at(-1)).toMatchObject({ fault: fault.name, serviceStatus: 200 });
  }
});

test('an answer is cut after exactly the requested bytes', async () => {
  for (const at of [1, 20, 200, 400]) {
    await under(cutAnswer(at));
    expect(proxy.exchanges.at(-1)?.answerBytes).toBe(at);
  }
});

test('a request that is cut, dropped or answered early does not reach the service whole', async () => {
  for (const fault of [cutRequest(50), cutRequest(400_000), halfOpen(), answerWith({ status: 503, body: 'no' })]) {
    const before = server.seen.filter(({ body }) => body.length > 0).length;
    const told = await under(fault, Buffer.alloc(500_000));
    expect(told).not.toMatchObject({ status: 200 });
    expect(server.seen.filter(({ body }) => body.length > 0).length).toBe(before);
  }
  expect(await under(answerWith({ status: 503, headers: { 'retry-after': '2' }, body: 'no' }))).toEqual({
    status: 503,
    body: 'no',
    trouble: null,
  });
});

test('a stall is silence, a half-open service too', async () => {
  expect((await under(cutAnswer(20, 'stall'))).trouble).toBe('silence');
  expect((await under(halfOpen())).trouble).toBe('silence');
});

test('pieces of one byte and a delay change nothing but the time', async () => {
  expect(await under(slice(1), 'abc')).toEqual({ status: 200, body: answerText, trouble: null });
  const startedAtMs = performance.now();
  expect(await under(delayAnswer(60))).toMatchObject({ trouble: null });
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(55);
});

test('a request that is sent twice is answered once', async () => {
  const before = server.seen.length;
  expect(await under(sendTwice())).toMatchObject({ status: 200, trouble: null });
  await expect.poll(() => server.seen.length - before).toBe(2);
});

test('two answers change places', async () => {
  proxy.rules = [{ path: '/first', fault: overtaken() }];
  const order: string[] = [];
  const first = ask('/first').then(() => order.push('first'));
  await expect.poll(() => server.seen.at(-1)?.url).toBe('/first');
  await ask('/second').then(() => order.push('second'));
  await first;
  expect(order).toEqual(['second', 'first']);
});

test('headers of an answer are added and removed', async () => {
  server.script = (_request, response) => void response.writeHead(200, { 'x-old': '1' }).end('{}');
  proxy.rules = [{ fault: { name: 'headers', answerHeaders: { 'x-old': null, 'retry-after': '7' } } }];
  const response = await fetch(`${proxy.url}/x`);
  expect([response.headers.get('x-old'), response.headers.get('retry-after')]).toEqual([null, '7']);
});

test('down resets, frozen is silent on open connections too, up works again', async () => {
  const anew = async (): Promise<string> => {
    try {
      const response = await fetch(`${proxy.url}/x`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(150),
      });
      return String(response.status);
    } catch (error) {
      return error instanceof Error ? error.name : 'trouble';
    }
  };
  proxy.down();
  expect(await anew()).toBe('TypeError');
  proxy.up();
  expect(await anew()).toBe('200');
  await ask('/kept');
  proxy.freeze();
  expect(await anew()).toBe('TimeoutError');
  expect((await ask('/kept', 'x', 100)).trouble).toBe('silence');
  proxy.up();
  expect(await anew()).toBe('200');
});

test('the random choices of a rule are the same for the same seed', async () => {
  const fall = async (): Promise<(string | null)[]> => {
    const again = await startFaultProxy({
      upstreamPort: Number(new URL(server.url).port),
      seed: 42,
      rules: [{ probability: 0.5, fault: answerWith({ status: 500 }) }],
    });
    for (let number = 0; number < 12; number += 1) await fetch(`${again.url}/x`);
    await again.close();
    return again.exchanges.map(({ fault }) => fault);
  };
  const once = await fall();
  expect(once).toEqual(await fall());
  expect(new Set(once).size).toBe(2);
  const random = seededRandom(3);
  const mean = Array.from({ length: 10_000 }, random).reduce((sum, value) => sum + value, 0) / 10_000;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
});
