import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defects, type Check, type Defect } from './defects.ts';
import { copyProject, type Finding, type PlantedCopy } from './planted-copy.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
/** In every run cheap ones stand for the rest. */
const quick = [
  'a missing sender check',
  'inline scripts allowed',
  'window.open allowed',
  'a secret among the arguments of a program',
];

const chosen: readonly Defect[] = isLong
  ? defects
  : defects
      .filter(({ name }) => quick.includes(name))
      .map((defect) => ({ ...defect, checks: defect.checks.filter(({ runner }) => runner === 'vitest').slice(0, 1) }));

let copy: PlantedCopy;
beforeAll(() => {
  copy = copyProject();
});
afterAll(() => copy.remove());

const told = (findings: ReadonlyMap<Check, Finding>) =>
  [...findings].map(([{ file, name }, { verdict }]) => `${file}, ${name}: ${verdict}`);

describe('a safety check that cannot fail proves nothing', () => {
  it('ten defects are known, and each has a check of its own', () => {
    expect(defects).toHaveLength(10);
    expect(defects.filter(({ checks }) => checks.length === 0)).toEqual([]);
  });

  it('each of them can still be planted in the present sources', () => {
    for (const { edits } of defects) copy.plant(edits)();
  });

  it('without a defect all of these checks pass', async () => {
    const checks = chosen.flatMap((defect) => defect.checks);
    const findings = await copy.run(checks);
    expect(told(findings)).toEqual(checks.map(({ file, name }) => `${file}, ${name}: passed`));
  }, 900_000);

  it.each(chosen.map((defect) => [defect.name, defect] as const))(
    '%s is caught',
    async (planted, { edits, checks }) => {
      const takeOut = copy.plant(edits);
      try {
        const findings = await copy.run(checks);
        if (isLong) for (const [{ name }, { words }] of findings) console.log(`${planted} | ${name} | ${words}`);
        expect(told(findings)).toEqual(checks.map(({ file, name }) => `${file}, ${name}: failed`));
      } finally {
        takeOut();
      }
    },
    900_000,
  );
});
