import { useEffect, type RefObject } from 'react';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';
import { lineHeight } from './use-rows.ts';

export const isOnScrollbar = ({ target, offsetX }: MouseEvent, element: HTMLElement): boolean =>
  target === element && offsetX >= element.clientWidth;

/**
 * While the button of the mouse is down in the text, nothing in there moves by itself. Near the edge the browser scrolls
 * while text is selected, which is meant only by a drag that came from another line or leaves the text.
 */
export function useStillText(scroller: RefObject<HTMLElement | null>): void {
  const { store } = useEditor();
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const scope = new Scope();
    /** Where the text is scrolled to; null while it may be scrolled. */
    let heldTop: number | null = null;
    let pressedY = 0;
    let isOnPressedLine = true;
    const release = () => {
      heldTop = null;
      store.setState({ isTextPressed: false });
    };
    scope.add(release);
    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      if (event.button !== 0 || event.pointerType !== 'mouse' || isOnScrollbar(event, element)) return;
      heldTop = element.scrollTop;
      pressedY = event.clientY;
      isOnPressedLine = true;
      store.setState({ isTextPressed: true });
    });
    scope.listen<PointerEvent>(window, 'pointermove', ({ clientY, buttons }) => {
      if (store.getState().isTextPressed && buttons === 0) release();
      if (heldTop === null) return;
      const { top, bottom } = element.getBoundingClientRect();
      isOnPressedLine = Math.abs(clientY - pressedY) < lineHeight && clientY >= top && clientY < bottom;
    });
    scope.listen(element, 'scroll', () => {
      if (heldTop === null || heldTop === element.scrollTop) return;
      if (isOnPressedLine) element.scrollTop = heldTop;
      else heldTop = element.scrollTop;
    });
    scope.listen(
      element,
      'wheel',
      () => {
        heldTop = null;
      },
      { passive: true },
    );
    scope.listen(window, 'pointerup', release, { capture: true });
    scope.listen(window, 'pointercancel', release, { capture: true });
    // The button may be released in another window.
    scope.listen(window, 'blur', release);
    return () => {
      scope.dispose();
    };
  }, [scroller, store]);
}
