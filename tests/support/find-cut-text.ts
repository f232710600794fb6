import type { Page } from '@playwright/test';

/** Runs in the page: texts of the interface that are cut off by an edge, or that are outside of the window. */
export function cutTexts(mayBeShortened: readonly string[]): string[] {
  const allowed = new Set(mayBeShortened);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const found = new Set<string>();
  /** Boxes are measured once, however many words they contain. */
  const known = new Map<Element, ReturnType<typeof measure>>();
  const measure = (box: Element) => {
    const { clipPath, overflowX, overflowY } = getComputedStyle(box);
    const edge = box.getBoundingClientRect();
    const scrollsAcross = overflowX === 'auto' || overflowX === 'scroll';
    return {
      edge,
      overflowX,
      overflowY,
      isHidden: clipPath !== 'none' || edge.width <= 1,
      showsAllAcross: scrollsAcross && box.scrollWidth > box.clientWidth && box.matches('[data-scrolls-across]'),
      scrollsDown: overflowY === 'auto' || overflowY === 'scroll',
    };
  };
  const factsOf = (box: Element) => {
    const facts = known.get(box) ?? measure(box);
    known.set(box, facts);
    return facts;
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const parent = node.parentElement;
    // A text without letters and digits is an icon made of characters.
    if (
      !/[\p{L}\p{N}]/u.test(text) ||
      parent === null ||
      allowed.has(text) ||
      !parent.checkVisibility({ visibilityProperty: true })
    )
      continue;
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (rect.width === 0) continue;
    let isHidden = false;
    let canScrollAcross = false;
    let canScrollDown = false;
    const reasons: string[] = [];
    for (let box: HTMLElement | null = parent; box !== null; box = box.parentElement) {
      const { edge, isHidden: isForTheEar, overflowX, overflowY, showsAllAcross, scrollsDown } = factsOf(box);
      if (isForTheEar) {
        isHidden = true;
        break;
      }
      canScrollAcross ||= showsAllAcross;
      // A pane that scrolls downwards must not scroll sideways to show its words.
      if (overflowX !== 'visible' && !canScrollAcross && (rect.right > edge.right + 1 || rect.left < edge.left - 1)) {
        reasons.push('sideways');
      }
      if (overflowY === 'hidden' && !canScrollDown && (rect.bottom > edge.bottom + 2 || rect.top < edge.top - 2)) {
        reasons.push('below');
      }
      canScrollDown ||= scrollsDown;
    }
    const isOutside = !canScrollDown && (rect.bottom > innerHeight + 1 || rect.top < -1);
    const isBeside = !canScrollAcross && (rect.right > innerWidth + 1 || rect.left < -1);
    if (!isHidden && (reasons.length > 0 || isOutside || isBeside))
      found.add(`${text} (${reasons.join(', ') || 'window'})`);
  }
  return [...found];
}

/** Texts that can't be read in full. `mayBeShortened` are texts of the user, such as names of files. */
export const findCutText = (page: Page, mayBeShortened: readonly string[] = []): Promise<string[]> =>
  page.evaluate(cutTexts, mayBeShortened);
