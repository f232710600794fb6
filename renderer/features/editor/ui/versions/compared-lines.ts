import type { ComparedRow } from '../../../../../shared/domain/transcript/compare.ts';

type Line =
  | { readonly kind: 'row'; readonly row: ComparedRow; readonly change: number }
  | { readonly kind: 'gap'; readonly from: number; readonly count: number };

/** The listed rows: differences with their numbers, and the size of the gaps between them. */
export function linesOf(
  rows: readonly ComparedRow[],
  onlyChanges: boolean,
  opened: ReadonlySet<number>,
): readonly Line[] {
  const lines: Line[] = [];
  let change = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined) break;
    let end = at;
    while (rows[end]?.isSame === true) end += 1;
    if (end > at && onlyChanges && !opened.has(at)) {
      lines.push({ kind: 'gap', from: at, count: end - at });
      at = end - 1;
    } else lines.push({ kind: 'row', row, change: row.isSame ? -1 : change++ });
  }
  return lines;
}
