import { Check, X, type LucideIcon } from 'lucide-react';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { Scope } from '../lib/scope.ts';
import { PressButton } from './press-button.tsx';
import css from './toast.module.css';

interface ToastAction {
  readonly text: string;
  readonly onPress: () => void;
}

export interface ToastContent {
  readonly text: string;
  readonly icon?: LucideIcon;
  readonly action?: ToastAction;
  readonly secondAction?: ToastAction;
  readonly shownForMs?: number;
}
interface ShownToast extends ToastContent {
  readonly id: number;
}

const usuallyMs = 6000;
/** Longer than a success, because there is something to do about it. */
export const failureShownForMs = 20_000;
const atMost = 2;

/** One without an action is dropped first. */
const withRoom = (toasts: readonly ShownToast[]): readonly ShownToast[] => {
  if (toasts.length <= atMost) return toasts;
  const leaving = toasts.find(({ action }) => action === undefined) ?? toasts[0];
  return toasts.filter((toast) => toast !== leaving);
};

const ToastContext = createContext<(toast: ToastContent) => () => void>(() => () => undefined);

/** The result removes it early. Never the only place for an error. */
export const useToast = () => useContext(ToastContext);

interface ToastRegionProps {
  readonly label: string;
  readonly closeLabel: string;
  readonly children: ReactNode;
}

/** Timers pause under pointer and focus. A toast that says the same again replaces the first. */
export function ToastRegion({ label, closeLabel, children }: ToastRegionProps) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const [isHeld, setIsHeld] = useState(false);
  // What is taken away under the pointer, or with the focus, is not left.
  if (isHeld && toasts.length === 0) setIsHeld(false);
  const region = useRef<HTMLElement>(null);
  const lastId = useRef(0);
  /** It gets the focus back when the toast is closed. */
  const cameFrom = useRef<HTMLElement | null>(null);
  const end = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), []);
  const show = useCallback(
    (content: ToastContent) => {
      lastId.current += 1;
      const toast = { ...content, id: lastId.current };
      const isSame = ({ text, action }: ToastContent) =>
        text === content.text && action === undefined && content.action === undefined;
      setToasts((shown) => withRoom([...shown.filter((other) => !isSame(other)), toast]));
      return () => end(toast.id);
    },
    [end],
  );

  useEffect(() => {
    if (region.current === null) return undefined;
    const scope = new Scope();
    scope.listen<FocusEvent>(region.current, 'focusin', ({ relatedTarget }) => {
      setIsHeld(true);
      if (relatedTarget instanceof HTMLElement && region.current?.contains(relatedTarget) === false)
        cameFrom.current = relatedTarget;
    });
    // One that comes to where the pointer rests is not looked at for that.
    scope.listen<PointerEvent>(region.current, 'pointermove', ({ movementX, movementY }) => {
      if (movementX !== 0 || movementY !== 0) setIsHeld(true);
    });
    for (const type of ['pointerleave', 'focusout']) scope.listen(region.current, type, () => setIsHeld(false));
    return () => scope.dispose();
  }, []);

  const giveFocusBack = () => {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) cameFrom.current?.focus({ preventScroll: true });
    });
  };

  const list = useRef<HTMLOutputElement>(null);
  useRoomForBars(list, toasts);

  return (
    <ToastContext value={show}>
      {children}
      <section
        ref={region}
        data-pane="notices"
        data-react-aria-top-layer="true"
        aria-label={label}
        className={css['region']}
      >
        <output ref={list} className={css['list']}>
          {toasts.map((toast) => (
            <Toast
              key={toast.id}
              toast={toast}
              closeLabel={closeLabel}
              isHeld={isHeld}
              onEnd={end}
              onClose={() => {
                end(toast.id);
                setIsHeld(false);
                giveFocusBack();
              }}
            />
          ))}
        </output>
      </section>
    </ToastContext>
  );
}

const bars = '[role="toolbar"], [data-bottom-bar], [data-placement]:not([role="tooltip"])';

/** Makes room for toasts beside a text that is worked on. */
const corner = '[data-notice-corner]';
const besideCorner = 12;
/** A narrower corner would make a column of single words. */
const leastCorner = 200;

/** Above the edge of the window, in CSS pixels, where no bar is in the way. */
const usualRoom = 20;
const aboveBar = 8;

/** Keeps what is in the corner above the toasts, and in sight what has the focus there. */
function makeRoom(inCorner: HTMLElement, px: number): void {
  // A border, because below what scrolls there is no padding before its end.
  const border = px <= 0 ? '' : `${String(Math.ceil(px))}px solid transparent`;
  if (inCorner.style.borderBlockEnd === border) return;
  inCorner.style.borderBlockEnd = border;
  const { activeElement } = document;
  if (border !== '' && inCorner.contains(activeElement)) activeElement?.scrollIntoView({ block: 'nearest' });
}

/** In a corner where there is one, and above bars; over a dialog, or without room, at the top. */
function useRoomForBars(list: RefObject<HTMLElement | null>, toasts: readonly ShownToast[]): void {
  useLayoutEffect(() => {
    if (toasts.length === 0) return undefined;
    const scope = new Scope();
    let isAsked = false;
    let shrunk: HTMLElement | null = null;
    const place = () => {
      isAsked = false;
      const element = list.current;
      if (element === null || scope.isDisposed) return;
      const isOverDialog = document.querySelector('header[data-dialog-header]') !== null;
      const beside = isOverDialog ? null : document.querySelector<HTMLElement>(corner);
      const free = beside?.getBoundingClientRect();
      const isInCorner = free !== undefined && free.width >= leastCorner;
      const region = element.parentElement;
      region?.toggleAttribute('data-in-corner', isInCorner);
      if (free !== undefined && isInCorner) {
        region?.style.setProperty('--corner-size', `${String(free.width - 2 * besideCorner)}px`);
        region?.style.setProperty('--corner-room', `${String(window.innerWidth - free.right + besideCorner)}px`);
      } else region?.style.removeProperty('--corner-size');
      const { left, right, height } = element.getBoundingClientRect();
      const inTheWay = [...document.querySelectorAll(bars)]
        .map((bar) => bar.getBoundingClientRect())
        .filter((bar) => bar.height > 0 && bar.left < right && bar.right > left)
        .toSorted((one, other) => other.bottom - one.bottom);
      let room = usualRoom;
      for (const bar of inTheWay) {
        const bottom = window.innerHeight - room;
        if (bar.top < bottom && bar.bottom > bottom - height) room = window.innerHeight - bar.top + aboveBar;
      }
      const isAtTop = isOverDialog || room + height > window.innerHeight;
      region?.toggleAttribute('data-at-top', isAtTop);
      element.style.setProperty('margin-block-end', `${String(isAtTop ? 0 : room - usualRoom)}px`);
      if (shrunk !== null && shrunk !== beside) makeRoom(shrunk, 0);
      shrunk = isInCorner && !isAtTop ? beside : null;
      if (shrunk !== null && free !== undefined)
        makeRoom(shrunk, free.bottom - element.getBoundingClientRect().top + aboveBar);
    };
    const placeSoon = () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(place);
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
  }, [list, toasts]);
}

interface ToastProps {
  readonly toast: ShownToast;
  readonly closeLabel: string;
  readonly isHeld: boolean;
  readonly onEnd: (id: number) => void;
  readonly onClose: () => void;
}

function Toast({ toast, closeLabel, isHeld, onEnd, onClose }: ToastProps) {
  const Icon = toast.icon ?? Check;
  const { id, action, secondAction, shownForMs = usuallyMs } = toast;
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => onEnd(id), shownForMs);
    return () => clearTimeout(timer);
  }, [id, isHeld, shownForMs, onEnd]);
  return (
    <div className={css['toast']}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span className={css['text']}>{toast.text}</span>
      <span className={css['buttons']}>
        {[action, secondAction].map(
          (one) =>
            one && (
              <PressButton
                key={one.text}
                className={css['action']}
                onPress={() => {
                  one.onPress();
                  onClose();
                }}
              >
                {one.text}
              </PressButton>
            ),
        )}
        <PressButton className={css['action']} label={closeLabel} onPress={onClose}>
          <X aria-hidden size={14} strokeWidth={1.75} />
        </PressButton>
      </span>
    </div>
  );
}
