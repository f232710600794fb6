import { err, ok, type Result } from '../../result/result.ts';
import { isJsonObject } from '../json-access.ts';
import { overrideWire, type OverrideProblem, type WireTable } from '../wire-table.ts';
import { parseJsonWithLines, type JsonComplaint } from './parse-json-with-lines.ts';

/** The version that `docs/corrections.md` describes. */
const newestFormat = 1;
/** The step at index n migrates format n + 1 to format n + 2. A released step never changes. */
const formatSteps: readonly ((data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>)[] = [];

/** More than a table with every row corrected. */
export const largestOverridesBytes = 256 * 1024;

/** Why a file of corrections was rejected, and where: line from 1, path such as `paths.webhooks.list`. */
export interface OverrideComplaint {
  readonly line: number;
  readonly at: string;
  readonly problem: OverrideProblem['problem'] | JsonComplaint['problem'] | 'too-large' | 'no-format' | 'newer-format';
}

/** A table with corrections, and the corrected paths. */
export interface Overrides {
  readonly wire: WireTable;
  readonly corrected: readonly string[];
}

/**
 * Parses the text of a file of corrections: `{"format": 1, "paths": {}, "fields": {}, "aliases": {}}`. All or nothing;
 * every problem is reported with its line. Only what the service's document leaves open can be corrected: never a host,
 * a method, a credential or a permission, because the format has no field for them.
 */
export function readOverrides(text: string): Result<Overrides, readonly OverrideComplaint[]> {
  if (text.length > largestOverridesBytes) return err([{ line: 1, at: '', problem: 'too-large' }]);
  const parsed = parseJsonWithLines(text.replace(/^\uFEFF/u, ''));
  if (!parsed.ok) return err([{ ...parsed.error, at: '' }]);
  const { value, lineOf } = parsed.value;
  if (!isJsonObject(value)) return err([{ line: 1, at: '', problem: 'not-an-object' }]);
  const { format, ...found } = value;
  if (typeof format !== 'number' || !Number.isSafeInteger(format) || format < 1) {
    return err([{ line: lineOf(['format']), at: 'format', problem: 'no-format' }]);
  }
  if (format > newestFormat) return err([{ line: lineOf(['format']), at: 'format', problem: 'newer-format' }]);
  const data = formatSteps.slice(format - 1).reduce((older, step) => step(older), found as Readonly<typeof found>);
  const table = overrideWire(data);
  if (!table.ok) {
    return err(table.error.map(({ at, problem }) => ({ line: lineOf(pathOf(at)), at, problem })));
  }
  return ok({ wire: table.value, corrected: placesIn(data) });
}

/** Names of routes and fields contain dots themselves: only the first dot separates the section from the name. */
function pathOf(at: string): readonly string[] {
  const dot = at.indexOf('.');
  return dot === -1 ? [at] : [at.slice(0, dot), at.slice(dot + 1)];
}

const placesIn = (data: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(data).flatMap(([section, rows]) =>
    isJsonObject(rows) ? Object.keys(rows).map((name) => `${section}.${name}`) : [],
  );
