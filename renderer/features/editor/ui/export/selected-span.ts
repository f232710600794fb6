import type { Segment, TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';

/** When the selected words are heard; null when no words are selected. */
export function selectedSpan(segments: readonly Segment[]): TimeSpan | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const spans = [...document.querySelectorAll<HTMLElement>('[data-text]')].flatMap((host) => {
    if (!range.intersectsNode(host)) return [];
    const segment = segments.find(({ id }) => id === host.dataset['text']);
    if (segment === undefined) return [];
    const inside = document.createRange();
    inside.selectNodeContents(host);
    const isFirst = host.contains(range.startContainer);
    const isLast = host.contains(range.endContainer);
    const from = isFirst ? lengthUntil(host, range.startContainer, range.startOffset) : 0;
    const to = isLast ? lengthUntil(host, range.endContainer, range.endOffset) : host.textContent.length;
    return wordsWithin(segment, from, to);
  });
  const [first] = spans;
  const last = spans.at(-1);
  return first === undefined || last === undefined ? null : { startMs: first.startMs, endMs: last.endMs };
}

function lengthUntil(host: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.selectNodeContents(host);
  range.setEnd(node, offset);
  return range.toString().length;
}

function wordsWithin({ text, words }: Segment, from: number, to: number): readonly TimeSpan[] {
  let at = 0;
  return words.filter((word) => {
    const start = Math.max(at, text.indexOf(word.text, at));
    at = start + word.text.length;
    return start < to && at > from;
  });
}
