import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLicences } from './licences.ts';
import { run } from './run-command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = join(root, 'dist', '.built-from');
const sources = [
  'electron',
  'renderer',
  'shared',
  'assets/fonts',
  'assets/samples',
  'vite.config.ts',
  'package-lock.json',
];
const modes = ['renderer', 'main', 'preload', 'preload-key', 'preload-overlay'];

function* filesUnder(path: string): Generator<string> {
  const full = join(root, path);
  if (!existsSync(full)) return;
  const entries = path.includes('.') ? null : readdirSync(full, { withFileTypes: true });
  if (entries === null) {
    yield path;
    return;
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* filesUnder(`${path}/${entry.name}`);
    else if (!/[.]test[.]tsx?$/.test(entry.name)) yield `${path}/${entry.name}`;
  }
}

/** The hash covers contents and not times, so that a fresh clone and a copy agree. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesUnder(source))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

const isFresh = (print: string) => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === print;

export const isBuildFresh = (): boolean => isFresh(fingerprint());

export async function build(): Promise<void> {
  const print = fingerprint();
  rmSync(join(root, 'dist', 'preload'), { recursive: true, force: true });
  rmSync(stampFile, { force: true });
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  for (const mode of modes) {
    // The two preloads share a folder, so they are built one after another; together they take about two seconds.
    await run(process.execPath, [vite, 'build', '--mode', mode, '--logLevel', 'warn'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    });
  }
  writeLicences(['renderer', 'main']);
  writeFileSync(stampFile, print);
}

export async function buildIfStale(): Promise<void> {
  if (isFresh(fingerprint())) return;
  process.stderr.write('Building what has changed…\n');
  await build();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
