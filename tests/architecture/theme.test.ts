import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Other ways than colours for a theme to change something: `light-dark()` takes colours only. */
function otherChanges(sheet: string): string[] {
  const plain = sheet.replaceAll(/\/\*.*?\*\//gs, '');
  const ofTheme = [...plain.matchAll(/([^{}]*data-theme[^{}]*)\{([^{}]*)\}/g)].flatMap(([, at, body = '']) =>
    body
      .split(';')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^(?:color-scheme|color|background-color|fill|stroke)\s*:/.test(line))
      .map((line) => `${(at ?? '').trim()}: ${line}`),
  );
  return [...ofTheme, ...(plain.match(/prefers-color-scheme/g) ?? [])];
}

it('a theme changes only colours, so that a screen that fits in one fits in the other', () => {
  const sheets = globSync('renderer/**/*.css', { cwd: root });
  expect(sheets.length).toBeGreaterThan(40);
  const found = sheets.flatMap((sheet) =>
    otherChanges(readFileSync(`${root}/${sheet}`, 'utf8')).map((what) => `${sheet}: ${what}`),
  );
  expect(found).toEqual([]);

  expect(otherChanges(":root[data-theme='dark'] { color-scheme: dark; padding: 2px }")).toHaveLength(1);
  expect(otherChanges('@media (prefers-color-scheme: dark) { a { margin: 0 } }')).toHaveLength(1);
});

/** A `:has()` that depends on the order of elements makes the browser restyle its subjects wherever one is inserted. */
const orderedHas = (sheet: string): string[] =>
  sheet.match(/:has\([^{)]*:(?:nth|first|last|only)-[^{]*\{/g)?.map((rule) => rule.trim()) ?? [];

it('no style makes the browser look at all buttons again for each inserted element', () => {
  const found = globSync('renderer/**/*.css', { cwd: root }).flatMap((sheet) =>
    orderedHas(readFileSync(`${root}/${sheet}`, 'utf8')).map((rule) => `${sheet}: ${rule}`),
  );
  expect(found).toEqual([]);

  expect(orderedHas('.drop:has(> :nth-child(2)) > button {')).toHaveLength(1);
  expect(orderedHas('.switch:has(:checked) .track:last-child {')).toHaveLength(0);
});
