import { useLayoutEffect, useRef, type FocusEvent, type MouseEvent } from 'react';
import { Toaster, useSonner } from 'sonner';
import 'sonner/dist/styles.css';
import { Scope } from '../lib/scope.ts';
import { useText } from '../lib/text.ts';
import { toastFocus, toastsAtMost } from '../ui/toast.tsx';
import css from './toasts.module.css';

/** The library holds its list under the pointer only, and would fetch back the focus that Tab moves on. */
function holdWithFocus(event: FocusEvent): void {
  event.stopPropagation();
  const { type, target, currentTarget, relatedTarget } = event;
  const isFocus = type === 'focus';
  if (isFocus && !currentTarget.contains(relatedTarget)) toastFocus.cameFrom = relatedTarget;
  target.dispatchEvent(new window.MouseEvent(isFocus ? 'mousemove' : 'mouseout', { bubbles: true }));
}

/** A toast that comes under a pointer at rest is not pointed at. */
function passResting(event: MouseEvent): void {
  const { nativeEvent, movementX, movementY } = event;
  if (nativeEvent.isTrusted && movementX === 0 && movementY === 0) event.stopPropagation();
}

export function Toasts() {
  const t = useText();
  const pane = useRef<HTMLDivElement>(null);
  const { toasts } = useSonner();
  useLayoutEffect(() => {
    const list = pane.current?.querySelector('ol');
    return list ? keepClear(list) : undefined;
  }, [toasts]);
  return (
    <div
      ref={pane}
      data-pane="notices"
      onFocusCapture={holdWithFocus}
      onBlurCapture={holdWithFocus}
      onMouseEnter={passResting}
      onMouseMoveCapture={passResting}
    >
      <Toaster
        expand
        gap={gap}
        visibleToasts={toastsAtMost}
        hotkey={[]}
        customAriaLabel={t('common.notices')}
        className={css['list'] ?? ''}
        toastOptions={{
          unstyled: true,
          className: css['toast'] ?? '',
          classNames: { content: css['text'] ?? '' },
        }}
      />
    </div>
  );
}

const bars = '[role="toolbar"], [data-bottom-bar], [data-placement]:not([role="tooltip"])';
/** Makes room for toasts beside a text that is worked on. */
const corner = '[data-notice-corner]';
/** A narrower corner would make a column of single words. */
const leastCorner = 200;
/** CSS pixels: between toasts and above bars, in from a corner's edges, above the edge of the window, below its top. */
const [gap, besideCorner, usualRoom, belowTop] = [8, 12, 20, 4];

/** In a corner where there is one, and above bars; over a dialog, or without room, at the top. */
function keepClear(list: HTMLElement): () => void {
  const scope = new Scope();
  let isAsked = false;
  let shrunk: HTMLElement | null = null;
  const place = () => {
    isAsked = false;
    const toasts = list.querySelectorAll<HTMLElement>(':scope > [data-removed="false"]');
    if (scope.isDisposed || toasts.length === 0) return;
    // Its buttons are the stops of Tab.
    for (const one of toasts) one.tabIndex = -1;
    const isOverDialog = document.querySelector('header[data-dialog-header]') !== null;
    const beside = isOverDialog ? null : document.querySelector<HTMLElement>(corner);
    const free = beside?.getBoundingClientRect();
    const isInCorner = free !== undefined && free.width >= leastCorner;
    const edges = isInCorner ? [free.left, window.innerWidth - free.right] : [besideCorner, besideCorner];
    list.style.insetInline = edges.map((px) => `${String(px + besideCorner)}px`).join(' ');
    const boxes = [...toasts].map((one) => one.getBoundingClientRect());
    const height = boxes.reduce((sum, box) => sum + box.height + gap, -gap);
    const inTheWay = [...document.querySelectorAll(bars)]
      .map((bar) => bar.getBoundingClientRect())
      .filter((bar) => bar.height > 0 && boxes.some(({ left, right }) => bar.left < right && bar.right > left))
      .toSorted((one, other) => other.bottom - one.bottom);
    let room = usualRoom;
    for (const bar of inTheWay) {
      const bottom = window.innerHeight - room;
      if (bar.top < bottom && bar.bottom > bottom - height) room = window.innerHeight - bar.top + gap;
    }
    const isAtTop = isOverDialog || room + height > window.innerHeight;
    if (isAtTop) room = window.innerHeight - height - belowTop;
    list.style.insetBlockEnd = `${String(room)}px`;
    if (shrunk !== null && shrunk !== beside) makeRoom(shrunk, 0);
    shrunk = isInCorner && !isAtTop ? beside : null;
    if (shrunk !== null && free !== undefined)
      makeRoom(shrunk, free.bottom - (window.innerHeight - room - height) + gap);
  };
  const placeSoon = () => {
    if (!isAsked) requestAnimationFrame(place);
    isAsked = true;
  };
  place();
  scope.listen(window, 'resize', placeSoon);
  const watch = new MutationObserver(placeSoon);
  watch.observe(document.body, { childList: true, subtree: true });
  scope.add(() => {
    watch.disconnect();
    if (shrunk !== null) makeRoom(shrunk, 0);
  });
  return () => scope.dispose();
}

/** Keeps what is in the corner above the toasts, and in sight what has the focus there. */
function makeRoom(inCorner: HTMLElement, px: number): void {
  // A border, because below what scrolls there is no padding before its end.
  const border = px <= 0 ? '' : `${String(Math.ceil(px))}px solid transparent`;
  if (inCorner.style.borderBlockEnd === border) return;
  inCorner.style.borderBlockEnd = border;
  const { activeElement } = document;
  if (border !== '' && inCorner.contains(activeElement)) activeElement?.scrollIntoView({ block: 'nearest' });
}
