import type { TextSpan } from '../../../../shared/domain/speech/split-text.ts';
import { spellTyped } from '../../../lib/spell-typed.ts';

/** Typing and pasting divide lines by elements in some cases, although the field accepts plain text only. */
const isLine = (node: Node | null): boolean => node?.nodeName === 'DIV' || node?.nodeName === 'P';

interface Piece {
  readonly node: Node;
  readonly from: number;
  readonly to: number;
}

/** Text nodes in order, and line breaks, which editing inserts as elements or as characters. */
function piecesOf(field: HTMLElement): readonly Piece[] {
  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(field, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let length = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    const add = (size: number) => {
      pieces.push({ node, from: length, to: length + size });
      length += size;
    };
    if (isLine(node) ? pieces.length > 0 : isLine(node.previousSibling)) {
      pieces.push({ node: isLine(node) ? node : field, from: length, to: length + 1 });
      length += 1;
    }
    if (isText) add(node.textContent?.length ?? 0);
    // In an empty line the break only keeps the line open.
    else if (node.nodeName === 'BR') add(isLine(node.parentNode) && node.parentNode?.childNodes.length === 1 ? 0 : 1);
  }
  return pieces;
}

export const readField = (field: HTMLElement): string =>
  piecesOf(field)
    .map(({ node, from, to }) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '\n'.repeat(to - from)))
    .join('');

export function cursorIn(field: HTMLElement): number | null {
  const selection = window.getSelection();
  return selection === null ? null : offsetIn(field, selection.anchorNode, selection.anchorOffset);
}

/** What is selected in the field, and where it is on the screen; null where nothing is. */
export function selectionIn(
  field: HTMLElement,
): { readonly start: number; readonly end: number; readonly range: Range } | null {
  const selection = window.getSelection();
  if (selection === null || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const start = offsetIn(field, range.startContainer, range.startOffset);
  const end = offsetIn(field, range.endContainer, range.endOffset);
  return start === null || end === null ? null : { start, end, range };
}

function offsetIn(field: HTMLElement, anchor: Node | null, offset: number): number | null {
  if (anchor === null || !field.contains(anchor)) return null;
  const pieces = piecesOf(field);
  const own = pieces.find(({ node }) => node === anchor && node.nodeType === Node.TEXT_NODE);
  if (own !== undefined) return own.from + offset;
  // In an element the offset counts children: the cursor stands before that child, or behind the last one.
  const child = anchor.childNodes[offset];
  if (child === undefined) return pieces.findLast(({ node }) => anchor.contains(node))?.to ?? null;
  const next = pieces.find(({ node }) => child.contains(node));
  // The break before a line belongs to the line, and the cursor stands behind it.
  return (isLine(next?.node ?? null) ? next?.to : next?.from) ?? null;
}

export function rangesIn(field: HTMLElement, spans: readonly Pick<TextSpan, 'start' | 'end'>[]): Range[] {
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

/** What was typed into Uzbek text gets the apostrophes of its letters. */
export const spellTypedIn = (field: HTMLElement, event: InputEvent): void =>
  spellTyped(event, readField(field), cursorIn(field), (from, to) => {
    const [range] = rangesIn(field, [{ start: Math.min(from, to - 1), end: to }]);
    if (range === undefined) return;
    if (from === to) range.collapse(false);
    window
      .getSelection()
      ?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
  });

/** The text, or a row of it, moves as far as it must for a part of it to be seen. */
export function keepInSight(range: Range | undefined): void {
  const scroller = range?.startContainer.parentElement?.closest('[data-spoken-scroller]');
  const rect = range?.getBoundingClientRect();
  if (scroller == null || rect === undefined) return;
  const view = scroller.getBoundingClientRect();
  if (rect.top < view.top) scroller.scrollTop += rect.top - view.top - 16;
  else if (rect.bottom > view.bottom) scroller.scrollTop += rect.bottom - view.bottom + 16;
}
