import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { Editor } from '../editor-context.ts';
import { hostOfCaret } from './caret.ts';
import { wordAtPoint } from './use-word-clicks.ts';
import { wordTargetIn, type WordTarget } from './word-target.ts';

/** What the menu of the text applies to. */
export interface MenuTarget extends WordTarget {
  readonly x: number;
  readonly y: number;
  /** The caret or the selection of the browser in that segment, which leaves it while a menu has the focus. */
  readonly caret: Range | null;
}

/** The word, the selection or the segment under the pointer; null outside the text. */
export function menuTargetAt(event: MouseEvent, editor: Editor): MenuTarget | null {
  // A speaker has a menu of their own.
  if (event.target instanceof Element && event.target.closest('button') !== null) return null;
  const index = Number(
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] : Number.NaN,
  );
  const segment: Segment | undefined = editor.timeline.segments[index];
  if (segment === undefined) return null;
  const selection = document.getSelection();
  const range = selection === null || selection.rangeCount === 0 ? null : selection.getRangeAt(0);
  const caret = range !== null && hostOfCaret()?.contains(range.commonAncestorContainer) === true ? range : null;
  return {
    ...wordTargetIn(editor, segment, wordAtPoint(event, segment) ?? 0),
    x: event.clientX,
    y: event.clientY,
    caret: caret?.cloneRange() ?? null,
  };
}
