import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isBuildFresh } from '../../scripts/build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const isFresh = isBuildFresh();

/** The thread of the fresh build starts twice as fast as its sources. */
export const decoderWorker = pathToFileURL(
  join(root, isFresh ? 'dist/main/decoder-worker.js' : 'electron/entries/decoder-worker.ts'),
);

/**
 * The folder of the page as it ships: the existing build if it was made from these sources, otherwise one that lasts as
 * long as this process, so that simultaneous runs do not collide.
 */
export async function builtPage(): Promise<string> {
  if (isFresh) return join(root, 'dist', 'renderer');
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-page-'));
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  // A process of its own, because a test run makes vite bundle React for development.
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', '--mode', 'renderer', '--outDir', folder, '--logLevel', 'error'],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production' } },
  );
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
