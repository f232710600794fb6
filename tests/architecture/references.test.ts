import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { failureRows } from '../../shared/domain/failures/rows.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w-])[EFPS]-\d{2,3}(?![\w-])/g)].map(([code]) => code);
}
/** Codes that stand at the start of a table row are defined there. */
const definedIn = (text: string) =>
  codesIn(text.replaceAll(/^(?!\| [FPS]-).*$/gm, '').replaceAll(/^\| (\S+) .*$/gm, '$1'));

it('every E-, F-, P- and S-code that is cited is defined in this repository', () => {
  const defined = new Set([
    ...Object.keys(failureRows),
    ...definedIn(read('docs/reference/codes.md')),
    ...definedIn(read('docs/safety.md')),
  ]);
  expect(defined.size).toBeGreaterThan(300);
  // Fixtures of tests cite codes that do not exist on purpose.
  const madeUp = new Set(['E-999', 'S-45', 'S-46', 'S-61', 'S-65']);
  // Rows of features that are still to come are listed by name in the parity tests.
  const planned = 'tests/contract/parity/planned-rows.ts';
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md', '*.json'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(
      (file) => file !== '' && file !== planned && !file.endsWith('package-lock.json') && existsSync(join(root, file)),
    );
  const unknown = files.flatMap((file) =>
    codesIn(read(file))
      .filter((code) => !defined.has(code) && !madeUp.has(code))
      .map((code) => `${file}: ${code}`),
  );
  expect([...new Set(unknown)]).toEqual([]);
});
