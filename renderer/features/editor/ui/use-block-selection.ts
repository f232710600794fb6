import { useEffect, type RefObject } from 'react';
import { replaceTexts } from '../../../../shared/domain/transcript/edit-segments.ts';
import { cleanPastedText, replaceStretch } from '../../../../shared/domain/transcript/replace-stretch.ts';
import { spellAsTyped } from '../../../../shared/domain/transcript/in-script.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { isShortcut, isTextField, layers } from '../../../lib/hotkeys.ts';
import { Scope } from '../../../lib/scope.ts';
import { targetPlace, useEditor, type Editor } from '../editor-context.ts';
import {
  pastedOver,
  replacingOf,
  selectedParts,
  selectedSegments,
  type BlockSelection,
  type SelectedPart,
  textOfParts,
} from '../model/block-selection.ts';
import { caretOffset, hostNear, hostOf, idOf, isOnEdgeLine, offsetNear, placeCaret, textNodeOf } from './caret.ts';
import { isOnScrollbar } from './use-following-text.ts';

export const selectedNow = ({ store, timeline }: Editor): readonly Segment[] =>
  selectedSegments(timeline.segments, store.getState().selection);

/** The selected segments, or the one that keys apply to. */
export const chosenIds = (editor: Editor): readonly string[] => {
  const selected = selectedNow(editor);
  const chosen = selected.length > 0 ? selected : editor.timeline.segments.slice(targetPlace(editor)).slice(0, 1);
  return chosen.map(({ id }) => id);
};

export const partsNow = ({ store, timeline }: Editor): readonly SelectedPart[] =>
  selectedParts(timeline.segments, store.getState().selection);

/**
 * Selection across segments, as in one text: by letter with dragging or Shift+click, by segment with Shift+arrows, and
 * everything with Ctrl+A twice. The selection can be copied, cut, deleted, and replaced by typing or pasting; other
 * commands apply to all of its segments. A press beside the text counts as one in its nearest line.
 */
export function useBlockSelection(
  scroller: RefObject<HTMLElement | null>,
  revealSegment: (index: number) => void,
): void {
  const editor = useEditor();
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const { store, timeline, document: text, speakers, player } = editor;
    const scope = new Scope();
    const select = (selection: BlockSelection | null) => {
      if (selection !== null) {
        document.getSelection()?.removeAllRanges();
        element.focus({ preventScroll: true });
      }
      store.select(selection);
    };
    // A selection is over as soon as the caret, or the playhead at rest, is moved out of it; playback leaves it alone.
    let restedAtMs = player.timeMs();
    scope.add(
      store.subscribe(({ selection, caretSegment, current }, before) => {
        const hasCaretMoved = caretSegment !== before.caretSegment && caretSegment !== null;
        // Another index may be the same segment, after a split or a merge before it.
        const hasPlayheadMoved =
          current !== before.current && player.timeMs() !== restedAtMs && !player.getState().isPlaying;
        if (current !== before.current) restedAtMs = player.timeMs();
        if (selection === null || selection !== before.selection || (!hasCaretMoved && !hasPlayheadMoved)) return;
        const place = hasCaretMoved ? caretSegment : timeline.segments[current]?.id;
        if (!selectedNow(editor).some(({ id }) => id === place)) store.select(null);
      }),
    );
    let draggedFrom: { readonly anchorId: string; readonly anchorOffset: number } | null = null;
    /** Beside the text the browser selects nothing. */
    let isPressedBeside = false;
    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      if (event.button !== 0 || isOwnControl(element, event)) return;
      const host = hostNear(element, event);
      const { selection } = store.getState();
      const held = hostOf(document.activeElement);
      const anchorId = selection?.anchorId ?? held?.dataset['text'];
      if (event.shiftKey && host !== null && anchorId !== undefined && anchorId !== idOf(host)) {
        event.preventDefault();
        const anchorOffset = selection?.anchorOffset ?? (held === null ? null : caretOffset(held));
        const focusOffset = offsetNear(host, event.clientX, event.clientY);
        select({ anchorId, focusId: idOf(host), focusOffset, ...(anchorOffset === null ? {} : { anchorOffset }) });
        return;
      }
      if (selection !== null) store.select(null);
      draggedFrom =
        host === null || isFarBelow(element, event)
          ? null
          : { anchorId: idOf(host), anchorOffset: offsetNear(host, event.clientX, event.clientY) };
    });
    scope.listen<MouseEvent>(element, 'mousedown', (event) => {
      isPressedBeside = event.button === 0 && hostOf(event.target) === null && !isOwnControl(element, event);
      const host = isPressedBeside ? hostNear(element, event) : null;
      if (host === null) return;
      event.preventDefault();
      if (!event.shiftKey && isFarBelow(element, event)) {
        document.getSelection()?.removeAllRanges();
        element.focus({ preventScroll: true });
        return;
      }
      if (event.shiftKey) return;
      placeCaret(host, isTime(event.target) ? 0 : offsetNear(host, event.clientX, event.clientY));
    });
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (draggedFrom === null || event.buttons !== 1) return;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const host =
        isPressedBeside && under !== null && element.contains(under) ? hostNear(element, event) : hostOf(under);
      const { selection } = store.getState();
      if (host === null) return;
      const focusOffset = offsetNear(host, event.clientX, event.clientY);
      if (idOf(host) === draggedFrom.anchorId && selection === null) {
        const text = textNodeOf(host);
        if (isPressedBeside)
          document.getSelection()?.setBaseAndExtent(text, draggedFrom.anchorOffset, text, focusOffset);
        return;
      }
      if (selection?.focusId !== idOf(host) || selection.focusOffset !== focusOffset)
        select({ ...draggedFrom, focusId: idOf(host), focusOffset });
    });
    scope.listen(window, 'pointerup', () => {
      const { selection } = store.getState();
      // Back in the segment where it began: the browser's own selection takes over, which supports typing.
      if (draggedFrom !== null && selection?.focusId === draggedFrom.anchorId) {
        const host = element.querySelector<HTMLElement>(`[data-text="${CSS.escape(draggedFrom.anchorId)}"]`);
        store.select(null);
        if (host !== null) {
          host.focus({ preventScroll: true });
          const text = textNodeOf(host);
          document.getSelection()?.setBaseAndExtent(text, draggedFrom.anchorOffset, text, selection.focusOffset ?? 0);
        }
      }
      draggedFrom = null;
    });
    const nameOf = ({ speakerId }: Segment) => speakers.find(({ id }) => id === speakerId)?.name ?? null;
    const replace = (written: string, isTyped = true) => {
      const parts = partsNow(editor);
      const [first] = parts;
      const last = parts.at(-1);
      if (first === undefined || last === undefined) return;
      const index = timeline.segments.indexOf(first.segment);
      const whole = isTyped ? { from: first.from, to: last.to, inserted: written } : replacingOf(first, last, written);
      const { inserted } = whole;
      const from = { segmentId: first.segment.id, offset: whole.from };
      text.edit(
        written === '' ? 'delete' : 'type',
        (transcript) => replaceStretch(transcript, from, { segmentId: last.segment.id, offset: whole.to }, inserted),
        { caretBefore: from, caretAfter: { ...from, offset: from.offset + inserted.length } },
      );
      store.select(null);
      const next = timeline.segments[Math.min(index, timeline.segments.length - 1)];
      if (next === undefined) return;
      const offset = next.id === from.segmentId ? from.offset + inserted.length : 0;
      text.setState({ caret: { segmentId: next.id, offset } });
    };
    const clipboard = (event: ClipboardEvent) => {
      const parts = partsNow(editor);
      if (parts.length === 0 || isMeantElsewhere(event.target)) return;
      event.preventDefault();
      copyParts(event, parts, nameOf);
      if (event.type === 'cut') replace('', false);
    };
    const spellPasted = (pasted: string) => spellAsTyped(text.getState().transcript, pasted);
    /** As many segments as are selected go into these, one into each. */
    const pasteInto = (parts: readonly SelectedPart[], copied: readonly string[]) => {
      const pasted = parts.map((part, at) => ({
        segment: part.segment,
        ...pastedOver(part, copied[at] ?? '', spellPasted),
      }));
      const [first] = pasted;
      const last = pasted.at(-1);
      if (first === undefined || last === undefined) return;
      const typed = pasted.map(({ segment: { id, text: said }, from, to, inserted }): [string, string] => [
        id,
        said.slice(0, from) + inserted + said.slice(to),
      ]);
      const caretAfter = { segmentId: last.segment.id, offset: last.from + last.inserted.length };
      text.edit('type', (transcript) => replaceTexts(transcript, new Map(typed)), {
        caretBefore: { segmentId: first.segment.id, offset: first.from },
        caretAfter,
      });
      store.select(null);
      text.setState({ caret: caretAfter });
    };
    scope.listen<ClipboardEvent>(document, 'paste', (event) => {
      const pasted = spellPasted(cleanPastedText(pastedText(event)));
      const parts = partsNow(editor);
      if (pasted === '' || parts.length === 0 || isMeantElsewhere(event.target)) return;
      event.preventDefault();
      const texts = copiedParts(event);
      if (texts.length === parts.length && parts.length > 1) pasteInto(parts, texts);
      else replace(pasted, false);
    });
    scope.listen<ClipboardEvent>(document, 'copy', clipboard);
    scope.listen<ClipboardEvent>(document, 'cut', clipboard);
    const extend = (by: number, from: BlockSelection) => {
      const at = timeline.segments.findIndex(({ id }) => id === from.focusId);
      const next = timeline.segments[at + by];
      if (next === undefined) return;
      select({ ...from, focusId: next.id });
      revealSegment(at + by);
    };
    const pressKey = (event: KeyboardEvent) => {
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
        replace('');
      } else if (segments.length > 0 && isWritten(event)) {
        event.preventDefault();
        event.stopPropagation();
        replace(event.key);
      } else if (selection !== null && isPlain && event.key.startsWith('Arrow')) store.select(null);
    };
    scope.listen<KeyboardEvent>(element, 'keydown', pressKey, { capture: true });
    return () => scope.dispose();
  }, [scroller, editor, revealSegment]);
}

const isMeantElsewhere = (target: EventTarget | null): boolean =>
  isTextField(target) || (target instanceof Element && target.closest(layers) !== null);

/** A press this far below the last line is not meant for it. */
const farBelowPx = 40;

function isFarBelow(list: HTMLElement, { target, clientY }: MouseEvent): boolean {
  if (target instanceof Element && target.closest('[data-index]') !== null) return false;
  const bottoms = [...list.querySelectorAll('[data-text]')].map((host) => host.getBoundingClientRect().bottom);
  return clientY > Math.max(...bottoms) + farBelowPx;
}

const isOwnControl = (list: HTMLElement, event: MouseEvent): boolean =>
  isOnScrollbar(event, list) || (event.target instanceof Element && event.target.closest('button') !== null);

export const isTime = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-segment-time]') !== null;

const isWritten = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1 && event.key !== ' ';

function isAllSelected(host: HTMLElement): boolean {
  const selection = document.getSelection();
  return host.textContent === '' || selection?.toString().length === host.textContent.length;
}

/** The texts of copied segments without the names of their speakers, which only other programs are told. */
const partsType = 'application/x-ovoz-segments';

function copyParts(
  { clipboardData }: ClipboardEvent,
  parts: readonly SelectedPart[],
  nameOf: (segment: Segment) => string | null,
): void {
  clipboardData?.setData('text/plain', textOfParts(parts, nameOf));
  clipboardData?.setData(partsType, JSON.stringify(parts.map((part) => textOfParts([part], () => null))));
}

function copiedParts({ clipboardData }: ClipboardEvent): readonly string[] {
  try {
    const copied: unknown = JSON.parse(clipboardData?.getData(partsType) ?? '');
    return Array.isArray(copied) ? copied.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export function pastedText(event: ClipboardEvent): string {
  const copied = copiedParts(event);
  return copied.length > 0 ? copied.join(' ') : (event.clipboardData?.getData('text/plain') ?? '');
}
