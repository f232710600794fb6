import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchLocal } from './bench/local.ts';
import { benchSearch } from './bench/search.ts';
import { benchStore, benchStart } from './bench/start.ts';

function benchPage(): Promise<void> {
  const program = fileURLToPath(new URL('../tests/bench/editor.ts', import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning'];
  const { status } = spawnSync(process.execPath, [...flags, program, ...process.argv.slice(3)], { stdio: 'inherit' });
  return status === 0 ? Promise.resolve() : Promise.reject(new Error('the bench ended with an error'));
}

const benches: Readonly<Record<string, () => Promise<void>>> = {
  editor: benchPage,
  local: benchLocal,
  search: benchSearch,
  start: benchStart,
  store: benchStore,
};

const name = process.argv[2] ?? '';
const bench = benches[name];
if (bench === undefined) {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(benches).join('|')}\n`);
  process.exit(1);
}
try {
  await bench();
} catch (error) {
  process.stderr.write(`Could not measure: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
