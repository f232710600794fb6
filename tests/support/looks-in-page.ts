/** The problems of the screen as it is drawn now; every list is empty if there are none. */
export interface Look {
  /** Texts cut off by an edge. */
  readonly cut: readonly string[];
  /** Texts or controls that overlap. */
  readonly overlapping: readonly string[];
  /** Content that must be scrolled sideways to be read. */
  readonly sideways: readonly string[];
  /** Texts with less contrast than WCAG AA requires. */
  readonly faint: readonly string[];
  /** Animations that run despite reduced motion. */
  readonly moving: readonly string[];
}

interface Piece {
  readonly text: string;
  readonly parent: Element;
  readonly rect: DOMRect;
}

export interface LooksInPage {
  inspect(peoplesWords: readonly string[]): Look;
  /** All texts that are shown or read aloud on the screen, except those marked as another language. */
  texts(): string[];
}

/** Runs in the page, before its own scripts; uses nothing of this file except its argument. */
export function installLooks(findCut: (mayBeShortened: readonly string[]) => string[]): LooksInPage {
  const controls = 'button, a[href], input, select, textarea, [role="switch"], [role="slider"], [role="option"]';
  const short = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
  const nameOf = (element: Element) =>
    short((element.getAttribute('aria-label') ?? element.textContent ?? '').trim() || element.tagName.toLowerCase());

  interface Edges {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  const endless: Edges = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  /** Computed once per element and check: every text and control inside uses it. */
  let edgesAround = new Map<Element, Edges | null>();

  /** The visible part of an element inside its own edges and all around it; null if it is for screen readers only. */
  function edgesOf(element: Element): Edges | null {
    const known = edgesAround.get(element);
    if (known !== undefined) return known;
    const found = measureEdges(element);
    edgesAround.set(element, found);
    return found;
  }

  function measureEdges(element: Element): Edges | null {
    const style = getComputedStyle(element);
    const own = element.getBoundingClientRect();
    if (style.clipPath !== 'none' || style.opacity === '0' || (own.width <= 1 && own.height <= 1)) return null;
    if (style.position === 'fixed' || element === document.body || element.parentElement === null) return endless;
    const around = edgesOf(element.parentElement);
    if (around === null) return null;
    const { left, top, right, bottom } = around;
    const across = style.overflowX === 'visible' ? around : { left: own.left, right: own.right };
    const down = style.overflowY === 'visible' ? around : { top: own.top, bottom: own.bottom };
    return {
      left: Math.max(left, across.left),
      right: Math.min(right, across.right),
      top: Math.max(top, down.top),
      bottom: Math.min(bottom, down.bottom),
    };
  }

  /** The part of a box that every edge around it leaves visible; null if none, or if it is for screen readers only. */
  function seenPart(box: DOMRect, from: Element): DOMRect | null {
    const edges = edgesOf(from);
    if (edges === null) return null;
    const left = Math.max(0, box.left, edges.left);
    const top = Math.max(0, box.top, edges.top);
    const width = Math.min(box.right, edges.right, innerWidth) - left;
    const height = Math.min(box.bottom, edges.bottom, innerHeight) - top;
    return width > 1 && height > 1 ? new DOMRect(left, top, width, height) : null;
  }

  function* textNodes(): Generator<[Text, Element]> {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent === null || node.textContent?.trim() === '') continue;
      if (parent.checkVisibility({ visibilityProperty: true })) yield [node as Text, parent];
    }
  }

  function seenPieces(): Piece[] {
    const range = document.createRange();
    const pieces: Piece[] = [];
    for (const [node, parent] of textNodes()) {
      if (parent.closest('[inert]')) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const rect = seenPart(box, parent);
        if (rect) pieces.push({ text: short(node.data.trim()), parent, rect });
      }
    }
    return pieces;
  }

  /** Whether two boxes overlap noticeably; lines of text are closer together than their boxes suggest. */
  const share = (a: DOMRect, b: DOMRect, slack: number) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack * Math.min(a.height, b.height);

  /** Layers lie over the page on purpose. */
  const layerOf = (element: Element) =>
    element.closest(
      '[role="dialog"], [role="alertdialog"], [role="tooltip"], [data-react-aria-top-layer], [role="menu"], [data-layer]',
    );

  /** Sticky elements cover some of what scrolls below them at any time. */
  const stays = (one: Element, other: Element) => {
    const stuck = (element: Element): Element | null => {
      for (let at: Element | null = element; at !== null; at = at.parentElement)
        if (getComputedStyle(at).position === 'sticky') return at;
      return null;
    };
    const [first, second] = [stuck(one), stuck(other)];
    return first !== second && !(first?.contains(other) ?? false) && !(second?.contains(one) ?? false);
  };

  function findOverlaps(pieces: readonly Piece[]): string[] {
    const found = new Set<string>();
    for (const [at, one] of pieces.entries()) {
      for (const other of pieces.slice(at + 1)) {
        // The cheapest check first: nearly all pairs are far apart.
        if (one.parent === other.parent || !share(one.rect, other.rect, 0.35)) continue;
        if (layerOf(one.parent) !== layerOf(other.parent) || stays(one.parent, other.parent)) continue;
        found.add(`words: ${one.text} / ${other.text}`);
      }
      const { left, top, width, height } = one.rect;
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (hit === null || hit.contains(one.parent) || one.parent.contains(hit)) continue;
      if (layerOf(hit) !== layerOf(one.parent)) continue;
      if (stays(hit, one.parent)) continue;
      for (
        let cover: Element | null = hit;
        cover !== null && !cover.contains(one.parent);
        cover = cover.parentElement
      ) {
        if (rgba(getComputedStyle(cover).backgroundColor)[3] > 0.5)
          found.add(`covered: ${one.text} by ${nameOf(cover)}`);
      }
    }
    const boxes = [...document.querySelectorAll(controls)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]'))
      .flatMap((element) => {
        const rect = seenPart(element.getBoundingClientRect(), element);
        return rect ? [{ element, rect }] : [];
      });
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        if (!share(one.rect, other.rect, 0.15)) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        if (layerOf(one.element) !== layerOf(other.element) || stays(one.element, other.element)) continue;
        found.add(`controls: ${nameOf(one.element)} / ${nameOf(other.element)}`);
      }
    }
    return [...found];
  }

  function findSideways(): string[] {
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('body, body *')) {
      const { overflowX } = getComputedStyle(element);
      if (overflowX !== 'auto' && overflowX !== 'scroll') continue;
      if (element.matches('[data-scrolls-across], input, textarea') || element.closest('[inert]')) continue;
      if (element.scrollWidth > element.clientWidth + 1)
        found.push(`${nameOf(element)} (${String(element.scrollWidth)} in ${String(element.clientWidth)})`);
    }
    const pen = document.createElement('canvas').getContext('2d');
    for (const field of document.querySelectorAll('input')) {
      const { fontStyle, fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
      if (pen === null || field.placeholder === '' || !field.checkVisibility()) continue;
      pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      if (pen.measureText(field.placeholder).width > room + 1) found.push(`placeholder: ${field.placeholder}`);
    }
    return found;
  }

  type Colour = readonly [number, number, number, number];
  const dot = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map<string, Colour>();
  /** Red, green, blue from 0 to 255 and how opaque, from 0 to 1, of any colour that CSS can write. */
  function rgba(colour: string): Colour {
    const before = known.get(colour);
    if (before || dot === null) return before ?? [0, 0, 0, 0];
    dot.canvas.width = 1;
    dot.fillStyle = colour;
    dot.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = dot.getImageData(0, 0, 1, 1).data;
    const read: Colour = [r, g, b, a / 255];
    known.set(colour, read);
    return read;
  }
  const over = (top: Colour, below: Colour): Colour => {
    const mix = (at: 0 | 1 | 2) => top[at] * top[3] + below[at] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const luminance = (colour: Colour) => {
    const part = (at: 0 | 1 | 2) => {
      const value = colour[at] / 255;
      return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2);
  };

  /** WCAG 1.4.3 for one piece of text: its contrast and the required one, or null if its background is a picture. */
  function contrastOf({ parent }: Piece): { readonly has: number; readonly needs: number } | null {
    const grounds: Colour[] = [];
    let opacity = 1;
    for (let element: Element | null = parent; element !== null; element = element.parentElement) {
      const style = getComputedStyle(element);
      opacity *= Number(style.opacity);
      if (grounds.at(-1)?.[3] === 1) continue;
      if (style.backgroundImage !== 'none') return null;
      const ground = rgba(style.backgroundColor);
      if (ground[3] > 0) grounds.push(ground);
    }
    const ground = grounds.reduceRight<Colour>((below, top) => over(top, below), [255, 255, 255, 1]);
    const { color, fontSize, fontWeight } = getComputedStyle(parent);
    const [r, g, b, a] = rgba(color);
    const [bright, dark] = [luminance(over([r, g, b, a * opacity], ground)), luminance(ground)].toSorted(
      (x, y) => y - x,
    );
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    return { has: ((bright ?? 0) + 0.05) / ((dark ?? 0) + 0.05), needs: isLarge ? 3 : 4.5 };
  }

  function findFaint(pieces: readonly Piece[]): string[] {
    const found = new Set<string>();
    for (const piece of pieces) {
      if (piece.parent.closest('[disabled], [aria-disabled="true"], [data-disabled]')) continue;
      const contrast = contrastOf(piece);
      if (contrast && contrast.has < contrast.needs - 0.01)
        found.add(`${piece.text} (${contrast.has.toFixed(2)} of ${String(contrast.needs)})`);
    }
    return [...found];
  }

  const findMoving = () =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getTiming().duration) > 0)
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : animation.constructor.name));

  const spoken = [
    'aria-label',
    'aria-valuetext',
    'aria-description',
    'aria-roledescription',
    'title',
    'alt',
    'placeholder',
  ];
  const isForeign = (element: Element) => {
    const marked = element.closest('[lang]');
    return marked !== null && marked !== document.documentElement;
  };
  return {
    inspect(peoplesWords) {
      edgesAround = new Map();
      const pieces = seenPieces();
      return {
        cut: findCut(peoplesWords),
        overlapping: findOverlaps(pieces),
        sideways: findSideways(),
        faint: findFaint(pieces),
        moving: findMoving(),
      };
    },
    texts() {
      const found = new Set<string>();
      for (const [node, parent] of textNodes()) if (!isForeign(parent)) found.add(node.data.trim());
      for (const element of document.body.querySelectorAll(spoken.map((name) => `[${name}]`).join())) {
        if (isForeign(element)) continue;
        for (const name of spoken) found.add(element.getAttribute(name)?.trim() ?? '');
      }
      found.delete('');
      return [...found];
    },
  };
}
