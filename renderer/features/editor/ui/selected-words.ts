import type { WordRange } from '../../../../shared/domain/transcript/edit-marks.ts';
import { asPattern, findMatches, type TextMatch } from '../../../../shared/domain/transcript/find-text.ts';
import type { Segment, TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { Editor } from '../editor-context.ts';
import { spanOfWords, wordsInText } from '../model/block-selection.ts';
import { selectedOffsets } from './caret.ts';
import { partsNow, selectedNow } from './use-block-selection.ts';

/** The browser's selection within one segment; null when there is none. */
function selectedIn(): { readonly segmentId: string; readonly from: number; readonly to: number } | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const { startContainer } = range;
  const host = (
    startContainer instanceof Element ? startContainer : startContainer.parentElement
  )?.closest<HTMLElement>('[data-text]');
  const offsets = host === null || host === undefined ? null : selectedOffsets(host);
  return offsets === null ? null : { segmentId: host?.dataset['text'] ?? '', from: offsets[0], to: offsets[1] };
}

/** The selected letters of a segment, in UTF-16 offsets of its text. */
export function lettersSelected({ id, text }: Segment): { readonly from: number; readonly to: number } | null {
  const found = selectedIn();
  return found?.segmentId === id ? { from: found.from, to: Math.min(found.to, text.length) } : null;
}

/** What is longer is hardly searched for. */
const longestSearch = 60;

/** Searches for what is selected in one line, from there; without a selection the search stays as it is. */
export function findSelected({ store, timeline, document: text }: Editor): void {
  const selected = selectedIn();
  const segment = timeline.segments.find(({ id }) => id === selected?.segmentId);
  if (selected === null || segment === undefined) return;
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

/** The words selected in one segment; null when there are none. */
export function wordsSelected(segments: readonly Segment[]): WordRange | null {
  const found = selectedIn();
  const segment = segments.find(({ id }) => id === found?.segmentId);
  if (found === null || segment === undefined) return null;
  const [from, to] = wordsInText(segment, found.from, found.to);
  return to > from ? { segmentId: segment.id, from, to } : null;
}

/** The time of the selection; without one, of the segment at `index`. Null when there are no words. */
export function selectedSpan(editor: Editor, index: number): TimeSpan | null {
  const { timeline, storedDocument } = editor;
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
  const [start] = parts;
  const end = parts.at(-1);
  const touched =
    start === undefined || end === undefined
      ? ([0, count] as const)
      : ([
          wordsInText(start.segment, start.from, start.to)[0],
          count - end.segment.words.length + wordsInText(end.segment, end.from, end.to)[1],
        ] as const);
  const [from, to] = block.length > 0 || words === null ? touched : [words.from, words.to];
  return spanOfWords(around, skipped + from, skipped + to, storedDocument.getState().transcript.durationMs);
}
