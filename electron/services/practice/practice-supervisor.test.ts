import { expect, it } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { createPracticeSupervisor, type PracticeProcess } from './practice-supervisor.ts';

function build(results: ('runs' | 'fails')[]) {
  let nowMs = 0;
  const ends: ((code: number) => void)[] = [];
  let stops = 0;
  let starts = 0;
  const start = async (): Promise<Result<PracticeProcess>> => {
    starts += 1;
    await new Promise((resolve) => void setImmediate(resolve));
    if (results.shift() !== 'runs') return err(makeFailure('practice-not-started', { code: 'port_taken' }));
    const { promise: exited, resolve } = Promise.withResolvers<number | null>();
    ends.push(resolve);
    const stop = async () => {
      stops += 1;
      resolve(0);
    };
    const accessToken = `sign-in-of-start-${starts}`;
    return ok({
      url: `http://127.0.0.1:${4000 + starts}`,
      token: `token-of-start-${starts}`,
      accessToken,
      legacyToken: `legacy-key-of-start-${starts}`,
      callHost: `127.0.0.1:${5000 + starts}`,
      exited,
      pause: () => undefined,
      stop,
    });
  };
  const supervisor = createPracticeSupervisor({ start, stateDir: '/unused', now: () => nowMs });
  const states: string[] = [];
  supervisor.onChanged(() => states.push(supervisor.state()));
  return {
    supervisor,
    states,
    kill: () => ends.at(-1)!(1),
    retire: () => ends.at(-1)!(0),
    wait: (ms: number) => (nowMs += ms),
    counts: () => ({ starts, stops }),
  };
}

it('starts once for simultaneous requests', async () => {
  const { supervisor, states, counts } = build(['runs']);
  await Promise.all([supervisor.ensureRunning(), supervisor.ensureRunning()]);
  await supervisor.ensureRunning();
  expect([states, counts().starts]).toEqual([['starting', 'running'], 1]);
  expect(supervisor.connection()).toMatchObject({ kind: 'practice', baseUrl: 'http://127.0.0.1:4001' });
  expect(supervisor.connection()?.accessToken?.reveal()).toBe('sign-in-of-start-1');
  expect(supervisor.connection()?.key.reveal()).toBe('token-of-start-1');
  expect(supervisor.connection()?.legacyKey?.reveal()).toBe('legacy-key-of-start-1');
  expect(supervisor.connection()?.grpcHost).toBe('127.0.0.1:5001');
});

it('is started again after an unexpected end, and a second end soon after the last is reported (F-56)', async () => {
  const { supervisor, states, kill, wait } = build(['runs', 'runs', 'runs']);
  await supervisor.ensureRunning();
  kill();
  await expect.poll(supervisor.state).toBe('running');
  expect(supervisor.connection()?.baseUrl).toBe('http://127.0.0.1:4002');
  wait(6 * 60_000);
  kill();
  await expect.poll(() => supervisor.connection()?.baseUrl).toBe('http://127.0.0.1:4003');
  kill();
  await expect.poll(supervisor.state).toBe('failed');
  const runs = ['starting', 'running'];
  expect([states, supervisor.connection()]).toEqual([[...runs, ...runs, ...runs, 'failed'], null]);
});

it('a failed start is reported with its code, and the user may retry it', async () => {
  const { supervisor } = build(['fails', 'runs']);
  expect(await supervisor.ensureRunning()).toMatchObject({
    ok: false,
    error: { kind: 'practice-not-started', code: 'port_taken' },
  });
  expect(supervisor.state()).toBe('failed');
  expect(await supervisor.ensureRunning()).toEqual(ok(null));
});

it('stopping is no accident, even in the middle of a start', async () => {
  const { supervisor, counts } = build(['runs', 'runs']);
  await supervisor.ensureRunning();
  await supervisor.stop();
  expect([supervisor.state(), supervisor.connection(), counts()]).toEqual(['off', null, { starts: 1, stops: 1 }]);
  const starting = supervisor.ensureRunning();
  await supervisor.stop();
  expect(await starting).toMatchObject({ ok: false });
  expect([supervisor.state(), counts()]).toEqual(['off', { starts: 2, stops: 2 }]);
});
