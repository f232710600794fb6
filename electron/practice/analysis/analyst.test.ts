import { describe, expect, it, onTestFinished } from 'vitest';
import { Analyst } from './analyst.ts';

/** A worker that answers like the real one, unless the path says what goes wrong. */
const strangeWorker = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ path }) => {
      if (path === 'loop') for (;;);
      if (path === 'crash') throw new Error('crash');
      if (path === 'slow') {
        let signs = 0;
        const timer = setInterval(() => {
          signs += 1;
          if (signs === 30) clearInterval(timer);
          parentPort.postMessage({ outcome: signs === 30 ? { kind: 'longer' } : null });
        }, 100);
        return;
      }
      parentPort.postMessage({ outcome: { kind: 'longer' } });
    });
  `)}`,
);

function analyst(silenceLimitMs: number): Analyst {
  const made = new Analyst(strangeWorker, silenceLimitMs);
  onTestFinished(() => made.close());
  return made;
}

describe('the thread that measures', () => {
  it.each(['loop', 'crash'])('costs one file when a decoder goes wrong by a %s, and takes the next', async (path) => {
    const one = analyst(1500);
    const outcomes = await Promise.all([one.analyse(path), one.analyse('good'), one.analyse('good')]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['undecodable', 'longer', 'longer']);
  });

  it('waits for as long as there are signs of life', async () => {
    expect(await analyst(2500).analyse('slow')).toEqual({ kind: 'longer' });
  });

  it('leaves nobody waiting when it is closed', async () => {
    const one = new Analyst(strangeWorker);
    const waiting = [one.analyse('loop'), one.analyse('good')];
    await one.close();
    expect((await Promise.all(waiting)).map((outcome) => outcome.kind)).toEqual(['undecodable', 'undecodable']);
  });
});
