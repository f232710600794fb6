import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { readLedger } from '../../electron/practice/state.ts';
import { jsonLines } from './cli-run.ts';
import type { RunRig } from './run-rig.ts';

function readRows(path: string, sql: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/**
 * Runs the command a last time, undisturbed: each file is done, once, under one key, and service and library agree on
 * it. `told` is included in every complaint. Resolves with the number of uploads that all runs began.
 */
export async function proveBatch(rig: RunRig, fileCount: number, told: string): Promise<number> {
  const last = await rig.start().ended;
  const lines = jsonLines(last.out);
  const notDone = lines.slice(0, -1).filter(({ state }) => state !== 'done');
  const summary = { done: fileCount, failed: 0, skipped: 0 };
  // Two answers lost in a row make a pause that is worth a word, and no fault.
  const complaints = last.error.replaceAll(/^(?:Waiting\..*|The service answers again;.*)\n/gm, '');
  expect([told, complaints, notDone, lines.at(-1)]).toEqual([told, '', [], { summary }]);
  expect([told, last.code]).toEqual([told, 0]);
  for (const { outputs } of lines) for (const path of outputs ?? []) readFileSync(path);

  const accepted = readLedger(rig.serviceDir).map(({ idempotencyKey: key, audioSha256: sha }) => ({ key, sha }));
  const jobs = readRows(rig.libraryPath, 'SELECT idempotency_key AS key, tag FROM jobs');
  const contents = new Set(accepted.map(({ sha }) => sha));
  expect([told, accepted.length, contents.size]).toEqual([told, fileCount, fileCount]);
  expect(new Set(jobs.map(({ tag }) => tag))).toEqual(new Set(['done']));
  expect(jobs).toHaveLength(fileCount);
  expect(new Set(jobs.map(({ key }) => key))).toEqual(new Set(accepted.map(({ key }) => key)));
  const checked = await rig.check('--items', String(fileCount), '--done', String(fileCount));
  expect([told, ...checked.lines.slice(0, -1)]).toEqual([told]);
  expect(checked.code).toBe(0);
  return readFileSync(join(rig.root, 'data/logs/cli.log'), 'utf8').match(/"job-sending"/g)?.length ?? 0;
}
