import type { Scope } from '../../../lib/scope.ts';
import type { Caret } from '../../../../shared/domain/transcript/history.ts';
import { cleanTypedText } from '../../../../shared/domain/transcript/spoken-text.ts';

/** The segment element of an event. */
export const hostOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-text]') : null;
export const idOf = (host: HTMLElement): string => host.dataset['text'] ?? '';

/** The segment that the caret stands in; null when it is outside the text. */
export const hostOfCaret = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[data-text]') ?? null;

/** The text of a segment on the page; words are marked in its single text node. */
export function textNodeOf(host: HTMLElement): Text {
  const only = host.childNodes.length === 1 ? host.firstChild : null;
  if (only instanceof Text) return only;
  // Read only where the caret can be: reading it forces a layout, and a list mounts many segments at once.
  const offset = host.contains(document.activeElement) ? caretOffset(host) : null;
  const text = new Text(host.textContent);
  host.replaceChildren(text);
  if (offset !== null) placeCaret(host, offset);
  return text;
}

/**
 * Changes the displayed text while keeping the node, and word by word where there are as many as before: a caret at or
 * in a changed word is then at its end, and everywhere else it stays.
 */
export function showText(host: HTMLElement, text: string): void {
  const node = textNodeOf(host);
  const [before, after] = [[...node.data.matchAll(/\S+/gu)], [...text.matchAll(/\S+/gu)]];
  // From the end, so that the places of the others stay.
  for (const [at, { 0: old, index }] of before.length === after.length ? [...before.entries()].toReversed() : []) {
    const written = after[at]?.[0] ?? old;
    if (written === old) continue;
    // Inserted first, because a caret in what is deleted goes before it.
    node.insertData(index, written);
    node.deleteData(index + written.length, old.length);
  }
  if (node.data !== text) node.data = text;
}

/**
 * Marks a segment without text, which has words in its place. By hand and not by `:empty`, for which the browser looks
 * up the styles anew with every letter.
 */
export const showWhetherBlank = (host: HTMLElement): void => {
  host.toggleAttribute('data-blank', host.textContent === '');
};

/** Offset of the caret in a segment; null when it is elsewhere. */
export function caretOffset(host: HTMLElement): number | null {
  const selection = document.getSelection();
  const { focusNode, focusOffset } = selection ?? {};
  if (focusNode === null || focusNode === undefined || focusOffset === undefined || !host.contains(focusNode))
    return null;
  if (focusNode === host.firstChild && focusNode instanceof Text) return focusOffset;
  const range = document.createRange();
  range.selectNodeContents(host);
  range.setEnd(focusNode, focusOffset);
  return range.toString().length;
}

/** The offsets between which text is selected in a segment, the same twice at a caret; null when it is elsewhere. */
export function selectedOffsets(host: HTMLElement): readonly [number, number] | null {
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0) return null;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  if (!host.contains(startContainer) || !host.contains(endContainer)) return null;
  const range = document.createRange();
  range.selectNodeContents(host);
  range.setEnd(startContainer, startOffset);
  const from = range.toString().length;
  range.setEnd(endContainer, endOffset);
  return [from, range.toString().length];
}

/** Selects what `selectedOffsets` told, as far as the text goes by now. */
export function selectAgain(host: HTMLElement, range: readonly [number, number]): void {
  const text = textNodeOf(host);
  const [from, to] = range.map((offset) => Math.min(offset, text.length));
  document.getSelection()?.setBaseAndExtent(text, from ?? 0, text, to ?? 0);
}

/** Whether text is selected in a segment, so that a key would replace it. */
export const hasSelection = (): boolean => document.getSelection()?.isCollapsed === false;

export function placeCaret(host: HTMLElement, offset: number): void {
  const text = host.firstChild;
  host.focus({ preventScroll: true });
  if (text instanceof Text) document.getSelection()?.collapse(text, Math.max(0, Math.min(text.length, offset)));
  else document.getSelection()?.collapse(host, 0);
}

/** Whether the caret is on the first or the last line of a segment, from which an arrow key leaves it. */
export function isOnEdgeLine(host: HTMLElement, edge: 'first' | 'last'): boolean {
  const rect = caretRect();
  if (rect === null) return true;
  const box = host.getBoundingClientRect();
  return edge === 'first' ? rect.top - box.top < rect.height : box.bottom - rect.bottom < rect.height;
}

/** Where the caret is on the screen. */
export function caretRect(): DOMRect | null {
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0) return null;
  const [rect] = selection.getRangeAt(0).getClientRects();
  return rect ?? null;
}

/** Between the line with the caret and the edge that it is scrolled to, in pixels. */
const scrollMargin = 12;

/** A segment that grew has its room a frame or two later. */
const longestWait = 4;

/** Scrolls the line with the caret into view, because its segment may be higher than the list. */
export function scrollToCaret(list: HTMLElement, host: HTMLElement, scope: Scope): void {
  let frames = 0;
  const end = scope.eachFrame(() => {
    const line = caretRect() ?? host.getBoundingClientRect();
    const { top, bottom } = list.getBoundingClientRect();
    if (line.top < top) list.scrollTop -= top - line.top + scrollMargin;
    else if (line.bottom > bottom) list.scrollTop += line.bottom - bottom + scrollMargin;
    frames += 1;
    if (frames === longestWait) end();
  });
}

/** The segment that an event in the list belongs to: the one under it, or the nearest one above or below. */
export function hostNear(list: HTMLElement, { target, clientY }: MouseEvent): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  const own =
    target.closest<HTMLElement>('[data-text]') ?? target.closest('[data-index]')?.querySelector('[data-text]');
  if (own instanceof HTMLElement) return own;
  const away = (host: HTMLElement) => {
    const { top, bottom } = host.getBoundingClientRect();
    return Math.max(top - clientY, clientY - bottom);
  };
  const hosts = [...list.querySelectorAll<HTMLElement>('[data-text]')];
  return hosts.toSorted((one, other) => away(one) - away(other))[0] ?? null;
}

/** The offset nearest to a point, which may be beside, above or below the text. */
export function offsetNear(host: HTMLElement, x: number, y: number): number {
  const box = host.getBoundingClientRect();
  const line = Number.parseFloat(getComputedStyle(host).lineHeight) / 2;
  const within = (value: number, from: number, to: number) => Math.max(from, Math.min(to, value));
  const position = document.caretPositionFromPoint(
    within(x, box.left + 1, box.right - 1),
    within(y, box.top + line, box.bottom - line),
  );
  const isInside = position !== null && host.contains(position.offsetNode) && position.offsetNode instanceof Text;
  return isInside ? position.offset : y < box.top + line ? 0 : textNodeOf(host).length;
}

/** Places the caret on the first or last line of a segment, as near as possible to its horizontal position. */
export function placeCaretAcross(host: HTMLElement, edge: 'first' | 'last', x: number): void {
  placeCaret(host, offsetNear(host, x, edge === 'first' ? -Infinity : Infinity));
}

/** Offset of the caret in the stored text, which has no spaces at its ends and no double ones. */
export const modelOffset = (host: HTMLElement): number => storedOffset(host.textContent, caretOffset(host) ?? 0);

/** The same for an offset in a text as it was typed. */
export function storedOffset(typed: string, offset: number): number {
  const left = typed.slice(0, offset);
  const cleaned = cleanTypedText(left);
  return cleaned.length + (cleaned !== '' && /\s$/u.test(left) ? 1 : 0);
}

/** The segment of the caret and its offset in the stored text; null when it is outside the text. */
export function caretNow(): Caret | null {
  const host = hostOfCaret();
  return host === null ? null : { segmentId: idOf(host), offset: modelOffset(host) };
}
