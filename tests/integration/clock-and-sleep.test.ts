import { describe, expect, it } from 'vitest';
import { dropAnswer, halfOpen } from '../support/fault-proxy/faults.ts';
import { sendJson } from '../support/scripted-server.ts';
import {
  speed,
  server,
  proxy,
  begin,
  elapsed,
  accepted,
  accepts,
  tags,
  open,
  addFiles,
  allDone,
  expectEachOnce,
  moveClock,
  wakeUp,
  eachOverAFaultyWay,
} from './faulty-way-rig.ts';

eachOverAFaultyWay();

describe('time', () => {
  it.each([
    ['a day ahead', 86_400_000],
    ['a day back', -86_400_000],
    ['to 1970', -1_690_000_000_000],
    ['to 2038', 450_000_000_000],
  ])('F-33: a clock that is put %s while the queue waits neither hurries nor stops it', async (_how, movedMs) => {
    let first = 0;
    server.script = (request, response, at) => {
      if (request.method === 'POST' && first === 0) {
        first = elapsed();
        return sendJson(response, 429, { error: { code: 'rate_limited' } }, { 'retry-after': '40' });
      }
      return accepts(request, response, at);
    };
    await open();
    await addFiles(3);
    await expect.poll(tags).toContain('retrying');
    moveClock(movedMs);
    await allDone(3);
    const [, ...later] = proxy.exchanges.filter(({ method, fault }) => method === 'POST' && fault === null);
    const times = later.map(({ startedAtMs }) => (startedAtMs - begin) * speed - first);
    // One other upload may have been under way when the service asked for time.
    expect(times.filter((ms) => ms < 40_000 - speed).length).toBeLessThanOrEqual(1);
    expect(accepted.size).toBe(3);
  });

  it('F-36: after sleep dead connections are dropped at once, and the same keys are sent again', async () => {
    proxy.rules = [{ method: 'POST', path: '/v1/stt', first: 2, fault: halfOpen() }];
    await open();
    await addFiles(2);
    await expect.poll(() => proxy.exchanges.length).toBe(2);
    expect(tags()).toEqual(['uploading', 'uploading']);
    // Five minutes of silence would pass before these are aborted.
    moveClock(8 * 3_600_000);
    wakeUp();
    await expect.poll(() => tags().includes('uploading') && proxy.exchanges.length === 2).toBe(false);
    await allDone(2);
    await expectEachOnce(2);
    const keys = proxy.exchanges.filter(({ method }) => method === 'POST').map(({ idempotencyKey }) => idempotencyKey);
    expect([keys.length, new Set(keys).size]).toEqual([4, 2]);
  });

  it('a wait that ends soon after waking ends then, though timers stood still during sleep', async () => {
    let isFirst = true;
    server.script = (request, response, at) => {
      if (request.method !== 'POST' || !isFirst) return accepts(request, response, at);
      isFirst = false;
      return sendJson(response, 503, { error: { code: 'out_of_order' } }, { 'retry-after': '3000' });
    };
    await open();
    await addFiles(1);
    await expect.poll(tags).toEqual(['retrying']);
    moveClock(2_990_000);
    wakeUp();
    await allDone(1);
  });

  it('a lost answer and then sleep: the wait that ended meanwhile ends on waking', async () => {
    proxy.rules = [{ method: 'POST', path: '/v1/stt', first: 1, fault: dropAnswer() }];
    await open();
    await addFiles(1);
    await allDone(1);
    await expectEachOnce(1);
    expect([...accepted.values()]).toEqual([2]);
  });
});
