import { beforeAll, expect, it, vi } from 'vitest';
import { createDispatcher, createRateLimiter, refusal, type CallReport } from '../../electron/ipc/dispatch.ts';
import { listen } from '../../electron/ipc/listen.ts';
import { createStreams } from '../../electron/ipc/streams.ts';
import { isTrustedSender, type PageName } from '../../electron/ipc/procedure.ts';
import { ok } from '../../shared/result/result.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { createHostilePage } from './hostile-page.ts';
import { answeredBy, bareProcedures, runBy } from '../support/bare-procedures.ts';
import { cpuTimeMs } from '../support/measure-thread.ts';

type Listener = (event: object, message: unknown) => unknown;
const { bound } = vi.hoisted(() => ({ bound: new Map<string, Listener>() }));
vi.mock('electron', () => ({
  MessageChannelMain: class {
    readonly port1 = {
      on: () => undefined,
      start: () => undefined,
      postMessage: () => undefined,
      close: () => undefined,
    };
    readonly port2 = this.port1;
  },
  ipcMain: { handle: (channel: string, listener: Listener) => void bound.set(channel, listener) },
}));

/** Everything main did because of a message: only a valid call of the right page may add to it. */
const effects: string[] = [];
const reports: CallReport[] = [];
const procedures = answeredBy(async (method, input) => {
  effects.push(method);
  const { success } = bareProcedures[method as keyof typeof bareProcedures].input.safeParse(input);
  if (!success) effects.push(`${method} with an invalid input`);
  return ok({ by: method });
});

const isTrusted = (sender: Parameters<typeof isTrustedSender>[0], page: PageName) =>
  isTrustedSender(sender, page, (id) => ({ 7: 'studio', 8: 'key', 9: 'overlay' } as const)[id]);

const streams = createStreams({
  procedures: runBy(async (name) => {
    effects.push(`stream ${name}`);
    return ok(undefined);
  }),
  isTrusted: (sender) => isTrusted(sender, 'studio'),
  rate: createRateLimiter({ burst: Infinity, perSecond: 1 }, () => 0),
  now: () => 0,
  newBugId: () => 'bug-1',
  report: (report) => reports.push(report),
});

const bind = (filesAtOnce: number) =>
  listen({
    grantStream: streams.grant,
    dispatch: createDispatcher({
      procedures,
      isTrusted: (sender) => isTrusted(sender, 'studio'),
      rate: createRateLimiter({ burst: Infinity, perSecond: 1 }, () => 0),
      now: () => 0,
      newBugId: () => 'bug-1',
      report: (report) => reports.push(report),
    }),
    isTrusted,
    fileRate: createRateLimiter({ burst: filesAtOnce, perSecond: 1 }, () => 0),
    issueFileToken: (windowId) => {
      effects.push(`a token for window ${windowId}`);
      return 'token';
    },
    answerKeyWindow: async ({ type }) => {
      effects.push(`key window: ${type}`);
      return null;
    },
    answerOverlay: ({ type }) => {
      effects.push(`overlay: ${type}`);
      return null;
    },
  });

beforeAll(() => bind(Infinity));

const rounds = 20_000;

it(`P-01: ${rounds} calls with wrong senders, types, sizes and shapes: one constant, no throw, no effect, p99 under 5 ms`, async () => {
  expect([...bound.keys()].toSorted()).toEqual([
    'studio:file-token',
    'studio:key',
    'studio:overlay',
    'studio:request',
    'studio:stream',
  ]);
  const seed = Number(process.env['OVOZ_SEED'] ?? Date.now() % 2 ** 31);
  const page = createHostilePage(seededRandom(seed));
  const times: number[] = [];
  const counts = { refused: 0, served: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { channel, event, message, isOurs } = page.next();
    effects.length = 0;
    reports.length = 0;
    const started = cpuTimeMs();
    const answer = await (async () => bound.get(channel)?.(event, message))();
    times.push(cpuTimeMs() - started);
    const seen = `seed ${seed}, round ${round}`;
    if (answer === refusal) {
      counts.refused += 1;
      if (effects.length > 0) expect.unreachable(`${seen}: refused, yet ${effects.join()}`);
    } else {
      counts.served += 1;
      if (!isOurs) expect.unreachable(`${seen}: a stranger was served on ${channel}`);
      if (effects.length !== 1) expect.unreachable(`${seen}: ${effects.join()}`);
    }
    if (reports.some(({ event: name }) => name === 'ipc-bug')) expect.unreachable(`${seen}: an exception in a handler`);
  }
  // Both paths must have been taken, otherwise the test has proved nothing.
  expect(counts.served).toBeGreaterThan(rounds / 50);
  expect(counts.refused).toBeGreaterThan(rounds / 2);
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(rounds * 0.99)];
  expect(p99).toBeLessThan(5);
});

it('F-78: of a hundred thousand calls at once only the burst reaches main’s work, and each costs microseconds', async () => {
  let served = 0;
  const rate = createRateLimiter({ burst: 400, perSecond: 200 }, () => 0);
  const dispatch = createDispatcher({
    procedures: answeredBy(async () => ok({ served: (served += 1) })),
    isTrusted: (sender) => isTrusted(sender, 'studio'),
    rate,
    now: () => 0,
    newBugId: () => 'bug-1',
    report: () => undefined,
  });
  const sender = { windowId: 7, frameUrl: 'app://studio/', isMainFrame: true };
  const started = cpuTimeMs();
  for (let call = 0; call < 100_000; call += 1) await dispatch(sender, { method: 'jobs.list', input: {} });
  expect(served).toBe(400);
  expect((cpuTimeMs() - started) / 100_000).toBeLessThan(0.1);
});

it('of a flood of paths only the burst becomes tokens', async () => {
  bind(3);
  effects.length = 0;
  const from = (id: number) => ({ sender: { id }, senderFrame: { url: 'app://studio/', parent: null } });
  const answers = [];
  for (let call = 0; call < 1000; call += 1) answers.push(await bound.get('studio:file-token')?.(from(7), '/a.wav'));
  expect(answers.filter((answer) => answer !== refusal)).toHaveLength(3);
  expect(effects).toEqual(Array.from({ length: 3 }, () => 'a token for window 7'));
});
