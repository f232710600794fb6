import { expect, it } from 'vitest';
import type { LogEntry } from '../../shared/domain/diagnostics/log-entry.ts';
import { createCallLog } from './call-log.ts';

it('a flood of refusals becomes one line a second that counts them', () => {
  const lines: LogEntry[] = [];
  let nowMs = 0;
  const note = createCallLog(
    { write: (entry) => lines.push(entry) },
    () => nowMs,
    () => undefined,
  );
  for (let call = 0; call < 10_000; call += 1) note({ event: 'ipc-refused', method: 'too-often', ms: 0 });
  nowMs = 1000;
  note({ event: 'ipc-refused', method: 'too-often', ms: 0 });
  expect(lines.map(({ count }) => count)).toEqual([1, 10_000]);
});

it('a bug is shown to the developer and logged without what was thrown', () => {
  const lines: LogEntry[] = [];
  const shown: unknown[] = [];
  const note = createCallLog(
    { write: (entry) => lines.push(entry) },
    () => 0,
    (_method, thrown) => shown.push(thrown),
  );
  const thrown = new Error('/home/me');
  note({ event: 'ipc-bug', method: 'jobs.add', ms: 3, bugId: 'b1', thrown });
  expect([shown, lines]).toEqual([
    [thrown],
    [{ event: 'ipc-bug', route: 'jobs.add', ms: 3, item: 'b1', level: 'error' }],
  ]);
});
