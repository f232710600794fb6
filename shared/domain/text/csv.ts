const quoted = (field: string): string => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** Rows as a CSV with line ends that every program reads. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');

/** Rows of a CSV: fields in quotes may hold commas, quotes and line ends. Empty rows are left out. */
export function readCsv(csv: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /\s*"((?:[^"]|"")*)"\s*(,|\r?\n|$)|([^,\r\n]*)(,|\r?\n|$)/gy;
  const text = csv.replace(/^\uFEFF/, '');
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) break;
    row.push(match[1]?.replaceAll('""', '"') ?? match[3] ?? '');
    if ((match[2] ?? match[4]) !== ',') {
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) rows.push([...row, '']);
  return rows.filter((fields) => fields.some((one) => one.trim() !== ''));
}
