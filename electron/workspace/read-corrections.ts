import { join } from 'node:path';
import {
  largestOverridesBytes,
  readOverrides,
  type OverrideComplaint,
} from '../../shared/wire/overrides/read-overrides.ts';
import { defaultWireTable, type WireTable } from '../../shared/wire/wire-table.ts';
import { readSmallText } from '../platform/node/small-text-file.ts';

/** The person's file of corrections in the data folder, as `docs/corrections.md` describes it. */
export const correctionsName = 'corrections.json';

/** What the client goes by, and what the file of corrections had to do with it. */
export interface Corrections {
  /** The table of this version when there is no file or nothing of it was taken. */
  readonly wire: WireTable;
  /** Places that were corrected (`paths.webhooks.list`). */
  readonly corrected: readonly string[];
  /** Why the file was not taken, each with its line from 1; empty when it was or there is none. */
  readonly complaints: readonly { readonly line: number; readonly at: string; readonly problem: CorrectionProblem }[];
}

type CorrectionProblem = OverrideComplaint['problem'] | 'unreadable';

/** Reads the file of corrections. All of it is taken or nothing. */
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
