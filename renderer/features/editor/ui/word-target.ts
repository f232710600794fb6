import type { WordRange } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { Editor } from '../editor-context.ts';
import { wordsInText, type SelectedPart } from '../model/block-selection.ts';
import { wordAtOffset, wordLayout } from '../model/word-layout.ts';
import { caretNow } from './caret.ts';
import { lettersSelected, wordsSelected } from './selected-words.ts';
import { partsNow, selectedNow } from './use-block-selection.ts';

/** What a command for words applies to. */
export interface WordTarget {
  readonly segment: Segment;
  readonly word: number;
  /** The target of marks and commands: the selected words, or the one that was pointed at. */
  readonly ranges: readonly WordRange[];
  readonly segments: readonly Segment[];
  /** The exact selected parts of segments; none without a selection. */
  readonly parts: readonly SelectedPart[];
}

/** The selection that a segment belongs to, otherwise one word of it. */
export function wordTargetIn(editor: Editor, segment: Segment, word: number): WordTarget {
  const block = selectedNow(editor);
  const selected = wordsSelected(editor.timeline.segments);
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
  return { segment, word, ranges, segments, parts };
}

/** The selection, otherwise the word at the caret; null without both. */
export function wordTargetNow(editor: Editor): WordTarget | null {
  const [first] = partsNow(editor);
  if (first !== undefined)
    return wordTargetIn(editor, first.segment, wordsInText(first.segment, first.from, first.to)[0]);
  const caret = caretNow();
  const segment = editor.timeline.segments.find(({ id }) => id === caret?.segmentId);
  if (caret === null || segment === undefined) return null;
  const selected = wordsSelected([segment]);
  return wordTargetIn(editor, segment, selected?.from ?? Math.max(0, wordAtOffset(wordLayout(segment), caret.offset)));
}
