import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Analyst } from './analyst.ts';

/** A worker that answers like the real one, unless the path asks for a malfunction. */
const strangeWorker = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { appendFileSync, readFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ path }) => {
      if (path === 'loop') for (;;);
      if (path === 'crash') throw new Error('crash');
      const [, how, tries] = /^(once|late):(.*)$/.exec(path) ?? [];
      if (tries !== undefined) {
        appendFileSync(tries, 'x');
        if (how === 'once' && readFileSync(tries, 'utf8') === 'x') for (;;);
        // Eight steps of which none can be made up for: a thread that sleeps takes longer.
        let steps = 0;
        const timer = setInterval(() => {
          steps += 1;
          if (steps < 8) return;
          clearInterval(timer);
          parentPort.postMessage({ outcome: { kind: 'longer' } });
        }, 50);
        return;
      }
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

/** The worker adds a line to this file for each attempt. */
function triesFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-analyst-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'tries');
}

describe('the thread that measures', () => {
  it.each(['loop', 'crash'])('loses one file when a decoder fails by a %s, and accepts the next', async (path) => {
    const one = analyst(1500);
    const outcomes = await Promise.all([one.analyse(path), one.analyse('good'), one.analyse('good')]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['undecodable', 'longer', 'longer']);
  });

  it('waits as long as there are signs of life', { tags: ['long'] }, async () => {
    expect(await analyst(2500).analyse('slow')).toEqual({ kind: 'longer' });
  });

  it('moves work that hung once to another thread before it rejects the file', async () => {
    const tries = triesFile();
    expect(await analyst(1000).analyse(`once:${tries}`)).toEqual({ kind: 'longer' });
    expect(readFileSync(tries, 'utf8')).toBe('xx');
  });

  it.skipIf(process.platform === 'win32')(
    'does not count time during which the whole program stood still, as when a computer sleeps',
    { tags: ['long'] },
    async () => {
      const tries = triesFile();
      const script = `
        const { Analyst } = await import(${JSON.stringify(new URL('analyst.ts', import.meta.url).href)});
        const one = new Analyst(new URL(process.argv[1]), 2000);
        console.log((await one.analyse(process.argv[2])).kind);
        await one.close();`;
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', script, strangeWorker.href, `late:${tries}`],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = new Promise((resolve) => child.once('close', resolve));
      await expect.poll(() => existsSync(tries), { timeout: 10_000, interval: 5 }).toBe(true);
      child.kill('SIGSTOP');
      await delay(2500);
      child.kill('SIGCONT');
      await ended;
      expect([said.trim(), readFileSync(tries, 'utf8')]).toEqual(['longer', 'x']);
    },
  );

  it('rejects all waiting work when it is closed', async () => {
    const one = new Analyst(strangeWorker);
    const waiting = [one.analyse('loop'), one.analyse('good')];
    await one.close();
    expect((await Promise.all(waiting)).map((outcome) => outcome.kind)).toEqual(['undecodable', 'undecodable']);
  });
});
