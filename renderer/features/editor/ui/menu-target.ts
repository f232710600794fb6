import type { WordRange } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { Editor } from '../editor-context.ts';
import { wordsInText, type SelectedPart } from '../model/block-selection.ts';
import { hostOfCaret } from './caret.ts';
import { lettersSelected, wordsSelected } from './selected-words.ts';
import { partsNow, selectedNow } from './use-block-selection.ts';
import { wordAtPoint } from './use-word-clicks.ts';

/** What the menu of the text applies to. */
export interface MenuTarget {
  readonly x: number;
  readonly y: number;
  readonly segment: Segment;
  readonly word: number;
  /** The target of marks and commands: the selected words, or the one under the pointer. */
  readonly ranges: readonly WordRange[];
  readonly segments: readonly Segment[];
  /** The exact selected parts of segments; none without a selection. */
  readonly parts: readonly SelectedPart[];
  /** The caret or the selection of the browser in that segment, which leaves it while a menu has the focus. */
  readonly caret: Range | null;
}

/** The word, the selection or the segment under the pointer; null outside the text. */
export function menuTargetAt(event: MouseEvent, editor: Editor): MenuTarget | null {
  const { timeline } = editor;
  // A speaker has a menu of their own.
  if (event.target instanceof Element && event.target.closest('button') !== null) return null;
  const index = Number(
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] : Number.NaN,
  );
  const segment = timeline.segments[index];
  if (segment === undefined) return null;
  const block = selectedNow(editor);
  const selected = wordsSelected(timeline.segments);
  const word = wordAtPoint(event, segment) ?? 0;
  const segments = block.some(({ id }) => id === segment.id) ? block : [segment];
  const ranges =
    segments === block
      ? partsNow(editor).map((part) => {
          const [from, to] = wordsInText(part.segment, part.from, part.to);
          return { segmentId: part.segment.id, from, to };
        })
      : selected !== null && selected.segmentId === segment.id
        ? [selected]
        : [{ segmentId: segment.id, from: word, to: word + 1 }];
  const letters = selected === null ? null : lettersSelected(segment);
  const parts = segments === block ? partsNow(editor) : letters === null ? [] : [{ segment, ...letters }];
  const selection = document.getSelection();
  const range = selection === null || selection.rangeCount === 0 ? null : selection.getRangeAt(0);
  const caret = range !== null && hostOfCaret()?.contains(range.commonAncestorContainer) === true ? range : null;
  return {
    x: event.clientX,
    y: event.clientY,
    segment,
    word,
    ranges,
    segments,
    parts,
    caret: caret?.cloneRange() ?? null,
  };
}
