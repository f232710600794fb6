import { fileURLToPath } from 'node:url';
import { appIn, compareStarts, startFigures } from './compare-starts.ts';
import { seedLibrary } from './seed-library.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const jobs = 10_000;

/** The studio with 10,000 finished jobs in its library against the studio with an empty one. */
export const benchStore = (): Promise<void> =>
  compareStarts({
    title: `Start and memory with ${String(jobs)} finished jobs`,
    names: ['full library', 'empty library'],
    figures: startFigures,
    pairs: 5,
    idlePairs: 2,
    prepare: (folder) => {
      const full = appIn(folder, 'full', root, '[role="row"]');
      seedLibrary(full.dataDir, jobs);
      // What an empty queue says stands in a section of its own.
      const empty = appIn(folder, 'none', root, 'main section > h2');
      seedLibrary(empty.dataDir, 0);
      return [full, empty];
    },
  });
