import type { Scope } from '../../../lib/scope.ts';
import type { Caret } from '../model/text-document.ts';
import { cleanTypedText } from '../../../../shared/domain/transcript/spoken-text.ts';

export const hostOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-text]') : null;
export const idOf = (host: HTMLElement): string => host.dataset['text'] ?? '';

export const hostOfCaret = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('[data-text]') ?? null;

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

/** A caret at or in a changed word is then at its end, and everywhere else it stays. */
export function showText(host: HTMLElement, text: string): void {
  const node = textNodeOf(host);
  const [before, after] = [[...node.data.matchAll(/\S+/gu)], [...text.matchAll(/\S+/gu)]];
  for (const [at, { 0: old, index }] of before.length === after.length ? [...before.entries()].toReversed() : []) {
    const written = after[at]?.[0] ?? old;
    if (written === old) continue;
    // Inserted first, because a caret in what is deleted goes before it.
    node.insertData(index, written);
    node.deleteData(index + written.length, old.length);
  }
  if (node.data !== text) node.data = text;
}

/** Not by `:empty`, for which the browser looks up the styles anew with every letter. */
export const showWhetherBlank = (host: HTMLElement) => host.toggleAttribute('data-blank', host.textContent === '');

export function caretOffset(host: HTMLElement): number | null {
  const { focusNode = null, focusOffset = 0 } = document.getSelection() ?? {};
  if (focusNode === null || !host.contains(focusNode)) return null;
  return offsetOf(host, focusNode, focusOffset);
}

/** The offset in the text of a segment of a place in what it consists of. */
export function offsetOf(host: HTMLElement, node: Node, offset: number): number {
  if (node === host.firstChild && node instanceof Text) return offset;
  const range = document.createRange();
  range.selectNodeContents(host);
  range.setEnd(node, offset);
  return range.toString().length;
}

export function selectedOffsets(host: HTMLElement): readonly [number, number] | null {
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0) return null;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  if (!host.contains(startContainer) || !host.contains(endContainer)) return null;
  return [offsetOf(host, startContainer, startOffset), offsetOf(host, endContainer, endOffset)];
}

export function selectAgain(host: HTMLElement, range: readonly [number, number]): void {
  const text = textNodeOf(host);
  const [from, to] = range.map((offset) => Math.min(offset, text.length));
  document.getSelection()?.setBaseAndExtent(text, from ?? 0, text, to ?? 0);
}

export const hasSelection = (): boolean => document.getSelection()?.isCollapsed === false;

export function placeCaret(host: HTMLElement, offset: number): void {
  const text = host.firstChild;
  host.focus({ preventScroll: true });
  if (text instanceof Text) document.getSelection()?.collapse(text, Math.max(0, Math.min(text.length, offset)));
  else document.getSelection()?.collapse(host, 0);
}

export function isOnEdgeLine(host: HTMLElement, edge: 'first' | 'last'): boolean {
  const rect = caretRect();
  if (rect === null) return true;
  const box = host.getBoundingClientRect();
  return edge === 'first' ? rect.top - box.top < rect.height : box.bottom - rect.bottom < rect.height;
}

export function caretRect(): DOMRect | null {
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0) return null;
  const [rect] = selection.getRangeAt(0).getClientRects();
  return rect ?? null;
}

const scrollMargin = 12;

/** A segment that grew has its room a frame or two later. */
const longestWait = 4;

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

export function placeCaretAcross(host: HTMLElement, edge: 'first' | 'last', x: number): void {
  placeCaret(host, offsetNear(host, x, edge === 'first' ? -Infinity : Infinity));
}

export const modelOffset = (host: HTMLElement): number => storedOffset(host.textContent, caretOffset(host) ?? 0);

export function storedOffset(typed: string, offset: number): number {
  const left = typed.slice(0, offset);
  const cleaned = cleanTypedText(left);
  return cleaned.length + (cleaned !== '' && /\s$/u.test(left) ? 1 : 0);
}

export function caretNow(): Caret | null {
  const host = hostOfCaret();
  return host === null ? null : { segmentId: idOf(host), offset: modelOffset(host) };
}
