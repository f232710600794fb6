import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchExports } from './bench/exports.ts';
import { benchDictate } from './bench/dictate.ts';
import { benchList } from './bench/list.ts';
import { benchLocal } from './bench/local.ts';
import { benchQueue } from './bench/queue.ts';
import { benchSearch } from './bench/search.ts';
import { benchSpeak } from './bench/speak.ts';
import { benchStore, benchStart } from './bench/start.ts';
import { benchUpload } from './bench/upload.ts';

/** Benches of pages are Playwright programs and live with the tests. */
function benchPage(): Promise<void> {
  const program = fileURLToPath(new URL('../tests/bench/editor.ts', import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning'];
  const { status } = spawnSync(process.execPath, [...flags, program, ...process.argv.slice(3)], { stdio: 'inherit' });
  return status === 0 ? Promise.resolve() : Promise.reject(new Error('the bench ended with an error'));
}

/** `npm run bench -- NAME` measures something beside a reference. It prints figures and never fails a build. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  exports: benchExports,
  dictate: benchDictate,
  editor: benchPage,
  list: benchList,
  local: benchLocal,
  queue: benchQueue,
  search: benchSearch,
  speak: benchSpeak,
  start: benchStart,
  store: benchStore,
  upload: benchUpload,
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
