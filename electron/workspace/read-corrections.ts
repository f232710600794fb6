import { join } from 'node:path';
import {
  largestOverridesBytes,
  readOverrides,
  type OverrideComplaint,
} from '../../shared/wire/overrides/read-overrides.ts';
import { defaultWireTable, type WireTable } from '../../shared/wire/wire-table.ts';
import { readSmallText } from '../platform/node/small-text-file.ts';

/** The user's file of corrections in the data folder (`docs/corrections.md`). */
export const correctionsName = 'corrections.json';

/** The routes and names in use, and how the file of corrections affected them. */
export interface Corrections {
  /** The table of this version when there is no file or it was rejected. */
  readonly wire: WireTable;
  /** The corrected places (`paths.webhooks.list`). */
  readonly corrected: readonly string[];
  /** Why the file was rejected, each with its line from 1; empty when it was accepted or there is none. */
  readonly complaints: readonly { readonly line: number; readonly at: string; readonly problem: CorrectionProblem }[];
}

type CorrectionProblem = OverrideComplaint['problem'] | 'unreadable';

/** Reads the file of corrections. All of it is applied or nothing. */
export function readCorrections(dataRoot: string): Corrections {
  const refused = (complaints: Corrections['complaints']): Corrections => ({
    wire: defaultWireTable,
    corrected: [],
    complaints,
  });
  const found = readSmallText(join(dataRoot, correctionsName), largestOverridesBytes);
  switch (found.kind) {
    case 'absent':
      return refused([]);
    case 'too-large':
    case 'unreadable':
      return refused([{ line: 1, at: '', problem: found.kind }]);
    case 'text': {
      const read = readOverrides(found.text);
      return read.ok ? { ...read.value, complaints: [] } : refused(read.error);
    }
  }
}
