import type { WordRange } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { Segment, TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { Editor } from '../editor-context.ts';
import { wordsInText, type SelectedPart, spanOfWords } from '../model/block-selection.ts';
import { wordAtOffset, wordLayout } from '../model/word-layout.ts';
import { caretNow, selectedOffsets } from './caret.ts';
import { partsNow, selectedNow } from './use-block-selection.ts';
import { asPattern, findMatches, type TextMatch } from '../../../../shared/domain/transcript/find-text.ts';

export interface WordTarget {
  readonly segment: Segment;
  readonly word: number;
  readonly ranges: readonly WordRange[];
  readonly segments: readonly Segment[];
  readonly parts: readonly SelectedPart[];
}

export function wordTargetIn(editor: Editor, segment: Segment, word: number): WordTarget {
  const block = selectedNow(editor);
  if (block.some(({ id }) => id === segment.id)) {
    const parts = partsNow(editor);
    return { segment, word, ranges: parts.map(wordsOf), segments: block, parts };
  }
  const selected = wordsSelected([segment]);
  const part = selected === null ? null : partSelected([segment]);
  return {
    segment,
    word,
    ranges: [selected ?? { segmentId: segment.id, from: word, to: word + 1 }],
    segments: [segment],
    parts: part === null ? [] : [part],
  };
}

export function wordTargetNow(editor: Editor): WordTarget | null {
  const [first] = partsNow(editor);
  if (first !== undefined) return wordTargetIn(editor, first.segment, wordsOf(first).from);
  const caret = caretNow();
  const segment = editor.timeline.segments.find(({ id }) => id === caret?.segmentId);
  if (caret === null || segment === undefined) return null;
  // A double-click beside a word's last letter selects the space behind it, and the caret is then at the next word.
  const offset = partSelected([segment])?.from ?? caret.offset;
  const word = wordsSelected([segment])?.from ?? wordAtOffset(wordLayout(segment), offset);
  return wordTargetIn(editor, segment, Math.max(0, word));
}

/** The browser's selection within one of these segments. */
function partSelected(segments: readonly Segment[]): SelectedPart | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const { startContainer: node } = selection.getRangeAt(0);
  const host = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('[data-text]') ?? null;
  const offsets = host === null ? null : selectedOffsets(host);
  const segment = segments.find(({ id }) => id === host?.dataset['text']);
  if (offsets === null || segment === undefined) return null;
  return { segment, from: offsets[0], to: Math.min(offsets[1], segment.text.length) };
}

/** What is longer is hardly searched for. */
const longestSearch = 60;

export function findSelected({ store, timeline, document: text }: Editor): void {
  const selected = partSelected(timeline.segments);
  if (selected === null) return;
  const { segment } = selected;
  const words = segment.text.slice(selected.from, selected.to);
  const wanted = words.trim();
  if (wanted === '' || wanted.length > longestSearch || wanted.includes('\n')) return;
  const from = selected.from + words.indexOf(wanted);
  store.find({ text: store.getState().query.isPattern ? asPattern(wanted) : wanted });
  const found = findMatches(text.getState().transcript, store.getState().query, () => performance.now());
  if (!found.ok) return;
  const isHere = (match: TextMatch) => match.segmentId === segment.id && match.from <= from && from < match.to;
  store.showFound(found.value, found.value.findIndex(isHere));
}

const wordsOf = ({ segment, from, to }: SelectedPart): WordRange => {
  const [first, end] = wordsInText(segment, from, to);
  return { segmentId: segment.id, from: first, to: end };
};

export function wordsSelected(segments: readonly Segment[]): WordRange | null {
  const part = partSelected(segments);
  const words = part === null ? null : wordsOf(part);
  return words !== null && words.to > words.from ? words : null;
}

export function selectedSpan(editor: Editor, index: number): TimeSpan | null {
  const { timeline, document: text } = editor;
  const block = selectedNow(editor);
  const words = wordsSelected(timeline.segments);
  const all = timeline.segments;
  const first = block[0] ?? all.find(({ id }) => id === words?.segmentId) ?? all[index];
  if (first === undefined) return null;
  const at = all.indexOf(first);
  const own = block.length > 0 ? block : [first];
  // Includes a neighbour on each side, whose words limit the surrounding silence.
  const around = [...all.slice(Math.max(0, at - 1), at), ...own, ...all.slice(at + own.length, at + own.length + 1)];
  const skipped = at > 0 ? (all[at - 1]?.words.length ?? 0) : 0;
  const count = own.reduce((sum, segment) => sum + segment.words.length, 0);
  const parts = partsNow(editor);
  const [start, end] = [parts[0], parts.at(-1)];
  const touched =
    start === undefined || end === undefined
      ? { from: 0, to: count }
      : { from: wordsOf(start).from, to: count - end.segment.words.length + wordsOf(end).to };
  const { from, to } = block.length > 0 || words === null ? touched : words;
  return spanOfWords(around, skipped + from, skipped + to, text.getState().transcript.durationMs);
}
