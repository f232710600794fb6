import { expect, it } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { createHidingAtService, hiddenAfterMs } from './isolation-service.ts';

type Ports = Parameters<typeof createHidingAtService>[0];

/** A library that outlives what is opened on it, a network that can be away, and a clock moved by hand. */
function world() {
  let note: string | null = null;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  let nowMs = 0;
  const net = { isAway: false };
  const hidden: string[] = [];
  const ports = {
    store: {
      note: () => ok(note),
      saveNote: (_name: string, value: string) => ((note = value), ok(null)),
    },
    client: {
      isolate: {
        remove: async (id: string) => {
          if (net.isAway) return err(makeFailure('still-processing', { code: 'away', outcome: 'unknown' }));
          hidden.push(id);
          return ok(null);
        },
      },
    },
    clock: {
      after: (ms: number, run: () => void) => {
        const timer = { at: nowMs + ms, run };
        timers.push(timer);
        return () => (timers = timers.filter((one) => one !== timer));
      },
    },
  } as unknown as Ports;
  const pass = async (ms: number) => {
    nowMs += ms;
    const due = timers.filter(({ at }) => at <= nowMs);
    timers = timers.filter(({ at }) => at > nowMs);
    for (const { run } of due) run();
    await new Promise(setImmediate);
  };
  return { hidden, net, pass, open: () => createHidingAtService(ports) };
}

it('a row that was hidden just before a quit is hidden at the service at the next start, once', async () => {
  const { hidden, open, pass } = world();
  const first = open();
  first.add('job', 'remote');
  await pass(hiddenAfterMs - 1);
  first.close();
  await pass(hiddenAfterMs);
  expect(hidden).toEqual([]);
  open();
  await pass(0);
  expect(hidden).toEqual(['remote']);
  open();
  await pass(hiddenAfterMs);
  expect(hidden).toEqual(['remote']);
});

it('what a lost network left at the service is hidden at the next start, and what was undone in time never is', async () => {
  const { hidden, net, open, pass } = world();
  net.isAway = true;
  const first = open();
  first.add('job', 'remote');
  first.add('undone', 'wanted');
  first.cancel('undone');
  await pass(hiddenAfterMs);
  net.isAway = false;
  open();
  await pass(0);
  expect(hidden).toEqual(['remote']);
});
