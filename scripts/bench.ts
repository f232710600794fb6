import { benchExports } from './bench/exports.ts';
import { benchDictate } from './bench/dictate.ts';
import { benchEditor } from './bench/editor.ts';
import { benchList } from './bench/list.ts';
import { benchQueue } from './bench/queue.ts';
import { benchSearch } from './bench/search.ts';
import { benchSpeak } from './bench/speak.ts';
import { benchStore, benchStart } from './bench/start.ts';
import { benchUpload } from './bench/upload.ts';

/** `npm run bench -- NAME`: measurements against something to compare with. They tell figures and never fail a build. */
const benches: Readonly<Record<string, () => Promise<void>>> = {
  exports: benchExports,
  dictate: benchDictate,
  editor: benchEditor,
  list: benchList,
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
