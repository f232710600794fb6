import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appIn, compareStarts, startFigures } from './compare-starts.ts';
import { seedLibrary } from './seed-library.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const jobs = 1_000;
const goals: Readonly<Record<string, number>> = { 'until it can be used': 1.6, 'memory at idle (PSS)': 1.2 };

/** The studio with a library of 1,000 jobs against an empty window of the same runtime, one after the other in turns. */
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
