import fc from 'fast-check';

type Property<Values extends [unknown, ...unknown[]]> = [
  ...arbitraries: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
  check: (...values: Values) => boolean | void,
];

/** The check holds for whatever is drawn. */
export function forAll<Values extends [unknown, ...unknown[]]>(...property: Property<Values>): void {
  fc.assert(fc.property(...property));
}

/** The same, drawn this many times. */
export function forAllIn<Values extends [unknown, ...unknown[]]>(numRuns: number, ...property: Property<Values>): void {
  fc.assert(fc.property(...property), { numRuns });
}
