import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { jsonLines } from '../support/cli-run.ts';
import { openRunRig } from '../support/run-rig.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const hook = fileURLToPath(new URL('../support/die-at-commit.ts', import.meta.url));
const fileCount = isLong ? 10 : 3;
/** A few moments in the suite; in the long run every commit until a run has no more; `OVOZ_FROM` continues at one. */
const moments = isLong ? Array.from({ length: 200 }, (_, at) => at + Number(process.env['OVOZ_FROM'] ?? 1)) : [3, 6];

describe('F-02: the process dies right before and right after a commit', () => {
  test(
    'every file is transcribed once, whichever commit it was',
    { timeout: isLong ? 3_600_000 : 120_000 },
    async () => {
      let died = 0;
      for (const moment of moments) {
        let hasEnded = false;
        for (const side of isLong ? ['before', 'after'] : [moment % 2 === 0 ? 'before' : 'after']) {
          const rig = await openRunRig(fileCount, [
            { route: '/v1/stt', method: 'POST', nth: 2, fault: 'drop-answer-after-acceptance' },
          ]);
          const first = await rig.start({ hooks: { modules: [hook], env: { DIE_AT: `${moment}-${side}` } } }).ended;
          hasEnded ||= first.signal !== 'SIGKILL';
          died += first.signal === 'SIGKILL' ? 1 : 0;
          const second = await rig.start().ended;
          const checked = await rig.check('--items', String(fileCount), '--done', String(fileCount));
          const done = jsonLines(second.out).at(-1)?.summary?.done;
          const isWhole = done === fileCount && checked.code === 0;
          // What a lost file leaves behind is the only evidence of its cause.
          const told = isWhole ? '' : `commit ${moment}, ${side}; kept in ${rig.root}\n${second.out}\n${second.error}`;
          expect([told, done, ...checked.lines.slice(0, -1)]).toEqual(['', fileCount]);
          expect(checked.code).toBe(0);
          await rig.dispose();
        }
        if (hasEnded) break;
      }
      console.log(`died at ${died} commits`);
      expect(died).toBeGreaterThan(isLong ? 60 : 1);
    },
  );
});
