import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Row {
  readonly id: string;
  readonly state: string;
  readonly proofs: readonly { readonly file: string; readonly name: string }[];
  readonly note: string;
}

const span = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `S-${String(from + index).padStart(2, '0')}`);
/** Windows to files, the practice service, and external input: all rules that apply to this app so far. */
const expected = [...span(1, 44), ...span(51, 56), ...span(67, 69)];
/** Rules known to hold only in part. Adding one is a decision, not a slip. */
const knownOpen: readonly string[] = [];

function readSafetyTable(text: string): readonly Row[] {
  return text
    .split('\n')
    .filter((line) => /^- S-\d+ /.test(line))
    .map((line) => {
      const [, id = '', state = '', proof = ''] = /^- (S-\d+) \(([^)]+)\): .+?\. (.*)$/.exec(line) ?? [];
      const parts = proof.split('<br>');
      const proofs = parts.flatMap((part) => {
        const [, file, name] = /^`([^`]+)` › (.+)$/.exec(part) ?? [];
        return file === undefined || name === undefined ? [] : [{ file, name }];
      });
      return { id, state, proofs, note: parts.filter((part) => !part.includes(' › ')).join(' ') };
    });
}

/** The problems of a row, in words; empty if it holds. */
function faultsOf({ id, state, proofs, note }: Row): readonly string[] {
  const isProved = state === 'test' || state === 'static';
  if (!isProved && state !== 'not yet' && state !== 'open') return [`${id}: "${state}" is no state`];
  if (!isProved && note.length < 40) return [`${id}: ${state} without a reason`];
  if (isProved && proofs.length === 0) return [`${id}: nothing proves it`];
  return proofs.flatMap(({ file, name }) => {
    const path = join(root, file);
    if (!existsSync(path)) return [`${id}: ${file} does not exist`];
    return readFileSync(path, 'utf8').includes(name) ? [] : [`${id}: ${file} has no test "${name}"`];
  });
}

describe('the list of docs/safety.md', () => {
  const rows = readSafetyTable(readFileSync(join(root, 'docs', 'safety.md'), 'utf8'));

  it('has each rule once', () => {
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });

  it('names only tests that exist, and no rule goes without one or a reason', () => {
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });

  it('has no more incomplete rules than the known ones', () => {
    expect(rows.filter(({ state }) => state === 'open').map(({ id }) => id)).toEqual(knownOpen);
  });

  it('the reader finds a missing test, a rule without proof, and an unknown state', () => {
    const bad = [
      '- S-01 (test): a. `tests/security/no-such.test.ts` › x',
      '- S-02 (test): a. `tests/security/safety-table.test.ts` › has each ' + 'rule twice',
      '- S-03 (test): a. ',
      '- S-04 (not yet): a. later',
      '- S-05 (surely): a. `tests/security/safety-table.test.ts` › has each rule once',
    ];
    expect(bad.map((line) => readSafetyTable(line).flatMap(faultsOf).length)).toEqual([1, 1, 1, 1, 1]);
  });
});
