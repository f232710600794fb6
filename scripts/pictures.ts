import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run pictures` draws every state of every screen that the tests of the looks know, in every language, theme and
 * size, into `demo/states/` (not committed), for comparison with the mocks. `-- "a row in every state"` draws the
 * states whose names match; OVOZ_LONG=1 draws every size in both themes.
 */
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
