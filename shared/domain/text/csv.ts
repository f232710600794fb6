const quoted = (field: string): string => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');

export const readCsv = (csv: string): readonly (readonly string[])[] => readCsvLines(csv).map(({ fields }) => fields);

export function readCsvLines(
  csv: string,
  separator: ',' | ';' = ',',
): readonly { readonly line: number; readonly fields: readonly string[] }[] {
  const rows: { readonly line: number; readonly fields: readonly string[] }[] = [];
  let row: string[] = [];
  let line = 1;
  let next = 1;
  const end = `(${separator}|\\r?\\n|$)`;
  const field = new RegExp(`[^\\S\\r\\n]*"((?:[^"]|"")*)"[^\\S\\r\\n]*${end}|([^${separator}\\r\\n]*)${end}`, 'gy');
  const text = csv.replace(/^\uFEFF/, '');
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) break;
    row.push(match[1]?.replaceAll('""', '"') ?? match[3] ?? '');
    next += match[0].split('\n').length - 1;
    if ((match[2] ?? match[4]) === separator) continue;
    rows.push({ line, fields: row });
    row = [];
    line = next;
  }
  if (row.length > 0) rows.push({ line, fields: [...row, ''] });
  return rows.filter(({ fields }) => fields.some((one) => one.trim() !== ''));
}
