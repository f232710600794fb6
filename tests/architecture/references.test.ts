import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { failureNumbers } from '../../shared/result/failure-kinds.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w-])[EFPS]-\d{2,3}(?![\w-])/g)].map(([code]) => code);
}
/** Codes that stand at the start of a row or a line of a list are defined there. */
const definedIn = (text: string) =>
  codesIn(text.replaceAll(/^(?![|-] [FPS]-).*$/gm, '').replaceAll(/^[|-] ([\w-]+).*$/gm, '$1'));

const textFiles = execFileSync(
  'git',
  ['ls-files', '*.ts', '*.tsx', '*.css', '*.md', '*.json', '*.proto', '*.yml', '*.cjs'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('package-lock.json') && existsSync(join(root, file)));

it('every section of the contract that is cited is in docs/reference/contract.md', () => {
  const sections = new Set([...read('docs/reference/contract.md').matchAll(/^\| ([\d.]+) /gmu)].map(([, one]) => one));
  expect(sections.size).toBeGreaterThan(40);
  const cited = textFiles.flatMap((file) =>
    [...read(file).matchAll(/\bcontract (\d[\d.]*(?:(?:, | and | to )\d[\d.]*)*)/gu)].flatMap(([, list = '']) =>
      (list.match(/\d+(?:\.\d+)*/gu) ?? []).map((section) => ({ file, section })),
    ),
  );
  expect(cited.length).toBeGreaterThan(80);
  expect(cited.filter(({ section }) => !sections.has(section))).toEqual([]);
});

it('every assumption that is cited is in docs/reference/assumptions.md', () => {
  const written = read('docs/reference/assumptions.md');
  const cited = textFiles.flatMap((file) =>
    [...read(file).matchAll(/\(assumptions: ([\w-]+)\)/gu)].map(([, name = '']) => name),
  );
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter((name) => !written.includes(`| ${name} `))).toEqual([]);
});

it('every file that a comment or a document names by its path is there', () => {
  const named = textFiles.flatMap((file) =>
    [
      ...read(file).matchAll(/`((?:electron|renderer|shared|scripts|docs|tests)\/[\w./-]+\.(?:ts|tsx|md|css|json))`/gu),
    ].map(([, path = '']) => ({ file, path })),
  );
  expect(named.filter(({ path }) => !path.includes('/no-such') && !existsSync(join(root, path)))).toEqual([]);
});

it('every shared class that a style composes or an element has is in renderer/ui/layout.css', () => {
  const shared = new Set([...read('renderer/ui/layout.css').matchAll(/\.([\w-]+)/gu)].map(([, name]) => name));
  const literalsIn = (joined: string) =>
    [...joined.replaceAll(/\[[^\]]*\]|[!=]== '[^']*'/gu, '').matchAll(/'([^']+)'/gu)].map(([, own = '']) => own);
  const named = textFiles
    .filter((file) => file.startsWith('renderer/'))
    .flatMap((file) =>
      [
        ...read(file).matchAll(/composes: (.+) from global|className="([^"]+)"|\bcx\(((?:[^()]|\([^()]*\))*)\)/gu),
      ].flatMap(([, composed, own, joined = '']) =>
        [composed ?? own ?? '', ...literalsIn(joined)]
          .flatMap((names) => names.split(' ').filter(Boolean))
          .map((name) => ({ file, name })),
      ),
    );
  expect(named.length).toBeGreaterThan(1000);
  expect(named.filter(({ name }) => !shared.has(name))).toEqual([]);
});

it('every E-, F-, P- and S-code that is cited is defined in this repository', () => {
  const defined = new Set([
    ...Object.values(failureNumbers),
    ...definedIn(read('docs/reference/codes.md')),
    ...definedIn(read('docs/safety.md')),
  ]);
  expect(defined.size).toBeGreaterThan(300);
  // Fixtures of tests cite codes that do not exist on purpose.
  const madeUp = new Set(['E-999', 'S-45', 'S-46', 'S-61', 'S-65']);
  // Rows of features that are still to come are listed by name in the parity tests.
  const planned = 'tests/contract/parity/planned-rows.ts';
  const unknown = textFiles.flatMap((file) =>
    codesIn(file === planned ? '' : read(file))
      .filter((code) => !defined.has(code) && !madeUp.has(code))
      .map((code) => `${file}: ${code}`),
  );
  expect([...new Set(unknown)]).toEqual([]);
});
