import { useEffect, type RefObject } from 'react';
import { deleteSegments } from '../../../../shared/domain/transcript/edit-segments.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { isShortcut } from '../../../lib/hotkeys.ts';
import { Scope } from '../../../lib/scope.ts';
import { useEditor, type Editor } from '../editor-context.ts';
import { selectedSegments, textOfSegments, type BlockSelection } from '../model/block-selection.ts';
import { isOnEdgeLine } from './caret.ts';

const hostOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-text]') : null;
const idOf = (host: HTMLElement): string => host.dataset['text'] ?? '';

/** The segments that are selected now. */
export const selectedNow = ({ store, timeline }: Editor): readonly Segment[] =>
  selectedSegments(timeline.segments, store.getState().selection);

/**
 * Selecting over the edge of a segment selects whole segments: by dragging, by Shift and a click, by Shift and arrows, and
 * all of them by Ctrl A twice. They are copied, cut and deleted; other commands do to all of them what they do to one.
 */
export function useBlockSelection(
  scroller: RefObject<HTMLElement | null>,
  revealSegment: (index: number) => void,
): void {
  const editor = useEditor();
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const { store, timeline, canEdit, document: text, speakers } = editor;
    const scope = new Scope();
    const select = (selection: BlockSelection | null) => {
      if (selection !== null) {
        document.getSelection()?.removeAllRanges();
        element.focus({ preventScroll: true });
      }
      store.select(selection);
    };
    let draggedFrom: string | null = null;
    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      const host = hostOf(event.target);
      if (event.button !== 0) return;
      const { selection } = store.getState();
      const anchorId = selection?.anchorId ?? hostOf(document.activeElement)?.dataset['text'];
      if (event.shiftKey && host !== null && anchorId !== undefined && anchorId !== idOf(host)) {
        event.preventDefault();
        select({ anchorId, focusId: idOf(host) });
        return;
      }
      if (selection !== null) store.select(null);
      draggedFrom = host === null ? null : idOf(host);
    });
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (draggedFrom === null || event.buttons !== 1) return;
      const host = hostOf(document.elementFromPoint(event.clientX, event.clientY));
      const isOver = host !== null && (idOf(host) !== draggedFrom || store.getState().selection !== null);
      if (isOver && store.getState().selection?.focusId !== idOf(host))
        select({ anchorId: draggedFrom, focusId: idOf(host) });
    });
    scope.listen(window, 'pointerup', () => {
      draggedFrom = null;
    });
    const nameOf = ({ speakerId }: Segment) => speakers.find(({ id }) => id === speakerId)?.name ?? null;
    const remove = (segments: readonly Segment[]) => {
      if (!canEdit) return;
      const first = timeline.segments.findIndex(({ id }) => id === segments[0]?.id);
      text.endStep();
      text.edit('delete', (transcript) => deleteSegments(transcript, new Set(segments.map(({ id }) => id))));
      store.select(null);
      const next = timeline.segments[Math.min(first, timeline.segments.length - 1)];
      if (next !== undefined) text.setState({ caret: { segmentId: next.id, offset: 0 } });
    };
    const clipboard = (event: ClipboardEvent) => {
      const segments = selectedNow(editor);
      if (segments.length === 0) return;
      event.preventDefault();
      event.clipboardData?.setData('text/plain', textOfSegments(segments, nameOf));
      if (event.type === 'cut') remove(segments);
    };
    scope.listen<ClipboardEvent>(document, 'copy', clipboard);
    scope.listen<ClipboardEvent>(document, 'cut', clipboard);
    const extend = (by: number, from: BlockSelection) => {
      const at = timeline.segments.findIndex(({ id }) => id === from.focusId);
      const next = timeline.segments[at + by];
      if (next === undefined) return;
      select({ ...from, focusId: next.id });
      revealSegment(at + by);
    };
    scope.listen<KeyboardEvent>(
      element,
      'keydown',
      (event) => {
        const segments = selectedNow(editor);
        const host = hostOf(event.target);
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
        const { selection } = store.getState();
        if (by !== 0 && event.shiftKey && isPlain) {
          if (selection !== null) extend(by, selection);
          else if (host !== null && isOnEdgeLine(host, by > 0 ? 'last' : 'first'))
            extend(by, { anchorId: idOf(host), focusId: idOf(host) });
          else return;
          event.preventDefault();
          event.stopPropagation();
        } else if (isShortcut(event, 'Mod+KeyA') && (host === null || isAllSelected(host))) {
          const [first, last] = [timeline.segments[0], timeline.segments.at(-1)];
          if (first === undefined || last === undefined) return;
          event.preventDefault();
          select({ anchorId: first.id, focusId: last.id });
        } else if (segments.length > 0 && isPlain && (event.key === 'Delete' || event.key === 'Backspace')) {
          event.preventDefault();
          remove(segments);
        } else if (selection !== null && event.key === 'Escape') {
          event.preventDefault();
          store.select(null);
        } else if (selection !== null && isPlain && event.key.startsWith('Arrow')) store.select(null);
      },
      { capture: true },
    );
    return () => {
      scope.dispose();
    };
  }, [scroller, editor, revealSegment]);
}

/** Whether all text of a segment is selected, so that selecting all means all segments. */
function isAllSelected(host: HTMLElement): boolean {
  const selection = document.getSelection();
  return host.textContent === '' || selection?.toString().length === host.textContent.length;
}
