import { expect, it } from 'vitest';
import { openQueueRig, TestClock } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

const files = 200;
const speed = 30;

it('200 recordings at the service are polled less than five times a second in all, each in its turn', async () => {
  const clock = new TestClock(speed);
  const reads: { readonly id: string; readonly atMs: number }[] = [];
  const rig = await openQueueRig(
    (request, response, { number }) => {
      const id = request.method === 'POST' ? `tr_${String(number)}` : (/tr_\d+/.exec(request.url)?.[0] ?? '');
      if (request.method === 'GET' && id !== '') reads.push({ id, atMs: clock.monotonic() });
      sendJson(response, 200, id === '' ? { data: [], next_cursor: null } : { data: { id, status: 'processing' } });
    },
    { clock, concurrency: 8 },
  );
  try {
    await rig.add(...Array.from({ length: files }, (_, at) => rig.record(`${String(at)}.wav`, 200 + at, 0.05)));
    await rig.until(
      Array.from({ length: files }, () => 'processing'),
      30_000,
    );
    const from = reads.length;
    await expect.poll(() => reads.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(from + files);
    const turn = reads.slice(from, from + files);
    const tookMs = (turn.at(-1)?.atMs ?? 0) - (turn[0]?.atMs ?? 0);
    expect((files - 1) / (tookMs / 1000)).toBeLessThan(5);
    // No job is forgotten, and none is polled twice while others wait.
    expect(new Set(turn.map(({ id }) => id)).size).toBeGreaterThan(files * 0.9);
  } finally {
    await rig.close();
  }
}, 90_000);
