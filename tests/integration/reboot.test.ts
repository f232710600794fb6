import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { jsonLines } from '../support/cli-run.ts';
import { openRunRig, type RunRig } from '../support/run-rig.ts';

const fileCount = process.env['OVOZ_LONG'] === undefined ? 12 : 50;
const atOnce = 8;
const nth = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const upload = { route: '/v1/stt', method: 'POST', fault: 'never-answer' };

function rowsIn(file: string, sql: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
const attempts = (rig: RunRig) =>
  rowsIn(join(rig.serviceDir, 'practice.sqlite'), 'SELECT idempotency_key AS key FROM attempts').map(({ key }) => key);

test(
  `F-05: the computer restarts while ${atOnce} of ${fileCount} items are being sent, and its temporary folder is emptied: the same keys are sent again, nothing is done twice`,
  { timeout: 120_000 },
  async () => {
    // Half of the running uploads were accepted, the other half not received; no answer ever arrived.
    const rules = [
      { ...upload, nth: nth(1, atOnce / 2), when: 'after' },
      { ...upload, nth: nth(atOnce / 2 + 1, atOnce), when: 'before' },
    ];
    const rig = await openRunRig(fileCount, rules, { concurrency: atOnce });
    const temporary = join(rig.root, 'temporary');
    mkdirSync(temporary);
    const hooks = { modules: [], env: { TMPDIR: temporary, TMP: temporary, TEMP: temporary } };
    const run = rig.start({ hooks });
    while (attempts(rig).length < atOnce) await delay(15);
    run.kill();
    await run.ended;
    const before = new Set(attempts(rig));
    const states = rowsIn(rig.libraryPath, 'SELECT tag FROM jobs').map(({ tag }) => tag);
    expect(states.filter((tag) => tag === 'sending')).toHaveLength(atOnce);
    expect(before.size).toBe(atOnce);

    rmSync(temporary, { recursive: true });
    mkdirSync(temporary);
    const { code, out } = await rig.start({ hooks }).ended;
    expect(jsonLines(out).at(-1)).toEqual({ summary: { done: fileCount, failed: 0, skipped: 0 } });
    expect(code).toBe(0);
    const keys = attempts(rig);
    expect(new Set(keys).size).toBe(fileCount);
    for (const key of before) expect(keys.filter((one) => one === key)).toHaveLength(2);
    // Only the library has what is needed to resume.
    expect(readdirSync(temporary)).toEqual([]);
    await rig.stopService();
    const checked = await rig.check('--items', String(fileCount), '--done', String(fileCount));
    expect(checked.lines.slice(0, -1)).toEqual([]);
    expect(checked.code).toBe(0);
    await rig.dispose();
  },
);
