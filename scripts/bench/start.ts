import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appIn, compareStarts, startFigures } from './compare-starts.ts';
import { seedLibrary } from './seed-library.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const jobs = 1_000;
const goals: Readonly<Record<string, number>> = { 'until it can be used': 1.6, 'memory at idle (PSS)': 1.2 };

/** Compares the app with a library of 1,000 jobs to an empty window of the same runtime, started alternately. */
export const benchStart = (): Promise<void> =>
  compareStarts({
    title: `Start and idle with ${String(jobs)} jobs`,
    names: ['studio', 'empty window'],
    figures: startFigures.map((one) => {
      const goal = goals[one.name];
      return goal === undefined ? one : { ...one, goal };
    }),
    pairs: 7,
    idlePairs: 3,
    prepare: (folder) => {
      const studio = appIn(folder, 'studio', root, '[role="row"]');
      seedLibrary(studio.dataDir, jobs);
      return [studio, appIn(folder, 'empty', join(root, 'scripts', 'bench', 'empty-app'), 'h1')];
    },
  });

const finishedJobs = 10_000;

/** Compares the app with 10,000 finished jobs in its library to the app with an empty library. */
export const benchStore = (): Promise<void> =>
  compareStarts({
    title: `Start and memory with ${String(finishedJobs)} finished jobs`,
    names: ['full library', 'empty library'],
    figures: startFigures,
    pairs: 5,
    idlePairs: 2,
    prepare: (folder) => {
      const full = appIn(folder, 'full', root, '[role="row"]');
      seedLibrary(full.dataDir, finishedJobs);
      // The text of an empty queue is in a section of its own.
      const empty = appIn(folder, 'none', root, 'main section > h2');
      seedLibrary(empty.dataDir, 0);
      return [full, empty];
    },
  });
