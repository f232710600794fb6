import type { TextSpan } from '../../../../shared/domain/speech/split-text.ts';

interface Piece {
  readonly node: Node;
  readonly from: number;
  readonly to: number;
}

/**
 * Text nodes of the field in order, and its line breaks, which editing inserts sometimes as elements and sometimes as
 * characters.
 */
function piecesOf(field: HTMLElement): readonly Piece[] {
  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(field, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let length = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    if (!isText && node.nodeName !== 'BR') continue;
    const size = isText ? (node.textContent?.length ?? 0) : 1;
    pieces.push({ node, from: length, to: length + size });
    length += size;
  }
  return pieces;
}

/** What stands in the field. */
export const readField = (field: HTMLElement): string =>
  piecesOf(field)
    .map(({ node }) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '\n'))
    .join('');

/** Offset of the cursor in the field's text; null when it is elsewhere. */
export function cursorIn(field: HTMLElement): number | null {
  const selection = window.getSelection();
  const anchor = selection?.anchorNode ?? null;
  if (selection === null || anchor === null || !field.contains(anchor)) return null;
  const pieces = piecesOf(field);
  const own = pieces.find(({ node }) => node === anchor);
  if (own !== undefined) return own.from + selection.anchorOffset;
  const child = anchor.childNodes[selection.anchorOffset];
  return pieces.find(({ node }) => child !== undefined && (node === child || child.contains(node)))?.from ?? null;
}

/** DOM ranges for parts of the text. */
export function rangesIn(field: HTMLElement, spans: readonly TextSpan[]): Range[] {
  const texts = spans.length === 0 ? [] : piecesOf(field).filter(({ node }) => node.nodeType === Node.TEXT_NODE);
  return spans.flatMap(({ start, end }) => {
    const first = texts.find(({ to }) => start < to);
    const last = texts.findLast(({ from }) => from < end);
    if (first === undefined || last === undefined) return [];
    const range = document.createRange();
    range.setStart(first.node, Math.max(0, start - first.from));
    range.setEnd(last.node, Math.min(end, last.to) - last.from);
    return [range];
  });
}
