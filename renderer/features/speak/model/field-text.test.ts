import { afterEach, expect, test, vi } from 'vitest';
import { cursorIn, readField } from './field-text.ts';

/** As much of the page as the field needs: elements with children, and texts. */
class FakeNode {
  readonly childNodes: readonly FakeNode[];
  parentNode: FakeNode | null = null;
  readonly nodeName: string;
  readonly textContent: string;
  constructor(nodeName: string, inside: string | readonly FakeNode[]) {
    this.nodeName = nodeName;
    this.childNodes = typeof inside === 'string' ? [] : inside;
    this.textContent = typeof inside === 'string' ? inside : inside.map((one) => one.textContent).join('');
    for (const child of this.childNodes) child.parentNode = this;
  }
  get nodeType(): number {
    return this.nodeName === '#text' ? 3 : 1;
  }
  get previousSibling(): FakeNode | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) - 1] ?? null;
  }
  contains(node: FakeNode | null): boolean {
    return node === this || this.childNodes.some((child) => child.contains(node));
  }
  get inside(): readonly FakeNode[] {
    return this.childNodes.flatMap((child) => [child, ...child.inside]);
  }
}
const text = (words: string) => new FakeNode('#text', words);
const line = (...inside: readonly FakeNode[]) => new FakeNode('DIV', inside);
const open = () => new FakeNode('BR', []);

function cursorAt(field: FakeNode, anchorNode: FakeNode, anchorOffset: number): number | null {
  vi.stubGlobal('Node', { TEXT_NODE: 3 });
  vi.stubGlobal('NodeFilter', { SHOW_TEXT: 4, SHOW_ELEMENT: 1 });
  vi.stubGlobal('window', { getSelection: () => ({ anchorNode, anchorOffset }) });
  vi.stubGlobal('document', {
    createTreeWalker: (root: FakeNode) => {
      const nodes = root.inside.values();
      return { nextNode: () => nodes.next().value ?? null };
    },
  });
  return cursorIn(field as unknown as HTMLElement);
}
afterEach(() => void vi.unstubAllGlobals());

// One⏎Two⏎⏎Four: the first line is a text of the field itself, the others are elements.
const words = text('One');
const two = line(text('Two'));
const empty = line(open());
const four = line(text('Four'));
const field = new FakeNode('DIV', [words, two, empty, four]);

test.each([
  ['in a text', words, 2, 2],
  ['in the text of a line', two.childNodes[0]!, 1, 5],
  ['in an empty line', empty, 0, 8],
  ['behind the break of an empty line', empty, 1, 8],
  ['at the beginning of a line that is named by the element', four, 0, 9],
  ['at its end', four, 1, 13],
  ['before a line of the field', field, 1, 4],
  ['before the last line of the field', field, 3, 9],
  ['behind all lines of the field', field, 4, 13],
])('the cursor %s is where the text has it', (_where, node, offset, at) => {
  expect(cursorAt(field, node, offset)).toBe(at);
  expect(readField(field as unknown as HTMLElement)).toBe('One\nTwo\n\nFour');
});
