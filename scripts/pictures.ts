import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Draws every state of every screen into `demo/states/`; the argument selects states by name. */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'demo', 'states');
mkdirSync(folder, { recursive: true });

const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'tests/page/looks.test.ts', '--maxWorkers=1'],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, OVOZ_PICTURES: folder, OVOZ_STATE: process.argv[2] ?? '' },
  },
);
process.stdout.write(`${String(readdirSync(folder).length)} pictures in ${relative(root, folder)}\n`);
if (status !== 0)
  process.stdout.write('Some of them show what the tests of the looks refuse: npx vitest run tests/page/looks\n');
process.exitCode = status ?? 1;
