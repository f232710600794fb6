export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

export const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

export const spread = (values: readonly number[]): string =>
  values.length === 0 ? '' : `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`;

export function columns(lines: readonly (readonly string[])[], width = 14): string {
  const first = Math.max(...lines.map((cells) => cells[0]?.length ?? 0)) + 2;
  return lines
    .map(([name = '', ...cells]) => `${name.padEnd(first)}${cells.map((cell) => cell.padStart(width)).join('')}`)
    .join('\n');
}

/** An aim and what was measured of it. `limit` is the most, or the least if `isLeast`. */
export interface Goal {
  readonly name: string;
  readonly is: number;
  readonly limit: number;
  readonly unit: string;
  readonly isLeast?: boolean;
}

export const goalTable = (goals: readonly Goal[]): string =>
  columns(
    goals.map(({ name, is, limit, unit, isLeast = false }) => [
      name,
      `${is.toFixed(2)} ${unit}`,
      `${isLeast ? '>=' : '<='} ${String(Math.round(limit * 100) / 100)} ${unit}`,
      (isLeast ? is >= limit : is <= limit) ? 'met' : 'missed',
    ]),
    14,
  );
