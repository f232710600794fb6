import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newDataDir, removeDataDir, startStudio } from '../tests/e2e/support/studio.ts';
import { buildIfStale } from './build.ts';
import { hearHere, pictureTaker, walkThrough } from './demo/walk-through.ts';
import { shellEnvironment } from './find-shell.ts';
import { prepareMachine } from './prepare-machine.ts';

/** Plays a newcomer's first minutes without a display. `-- --pictures` also renews the pictures of the README. */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'demo');
const committed = join(root, 'docs', 'pictures');

const started = Date.now();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

await prepareMachine({ need: ['browser'] });
await buildIfStale();
Object.assign(process.env, shellEnvironment());

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const dataDir = newDataDir();
const pictures: string[] = [];
let studio = await startStudio({ dataDir, colorScheme: 'light' });
try {
  const texts = await walkThrough(studio, folder, pictureTaker(studio.page, folder, pictures));
  await studio.quit();
  removeDataDir(dataDir);
  const env = { OVOZ_LOCAL_MODEL: join(root, 'tests', 'fixtures', 'recogniser') };
  studio = await startStudio({ dataDir: newDataDir(), colorScheme: 'light', env });
  texts.push(await hearHere(studio, folder, pictureTaker(studio.page, folder, pictures)));
  if (process.argv.includes('--pictures')) {
    mkdirSync(committed, { recursive: true });
    const chosen = pictures.filter((path) =>
      /^(?:welcome|transcribe|editor)-(?:light|dark)[.]png$/.test(basename(path)),
    );
    for (const path of chosen) {
      const copy = join(committed, basename(path));
      copyFileSync(path, copy);
      pictures.push(copy);
    }
  }
  for (const path of [...texts, ...pictures]) {
    const size = statSync(path).size;
    if (size === 0) throw new Error(`${relative(root, path)} is empty`);
    say(`${relative(root, path).padEnd(40)} ${String(Math.ceil(size / 1024)).padStart(5)} KB`);
  }
  say(
    `${String(texts.length)} texts and ${String(pictures.length)} pictures in ${((Date.now() - started) / 1000).toFixed(0)} s`,
  );
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`The demo stopped: ${error instanceof Error ? error.message : String(error)}\n`);
  const path = join(folder, 'stopped-here.png');
  await studio.page.screenshot({ path }).then(
    () => process.stderr.write(`The screen at that moment: ${relative(root, path)}\n`),
    () => undefined,
  );
} finally {
  await studio.quit();
  removeDataDir(studio.dataDir);
}
