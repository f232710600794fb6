import { useEffect, type RefObject, useLayoutEffect, useRef } from 'react';
import { holdsKey } from '../../../../shared/domain/text/looks-like-key.ts';
import { correctionOfTyped } from '../../../../shared/domain/text/uzbek-letters.ts';
import { maskedText } from '../../../../shared/domain/transcript/edit-marks.ts';
import { replaceText } from '../../../../shared/domain/transcript/edit-segments.ts';
import type { Caret } from '../model/text-document.ts';
import { scriptOf, spellAsTyped } from '../../../../shared/domain/transcript/in-script.ts';
import { cleanPastedText, fitSpaces } from '../../../../shared/domain/transcript/replace-stretch.ts';
import { cleanTypedText } from '../../../../shared/domain/transcript/spoken-text.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { isTextField } from '../../../lib/hotkeys.ts';
import { Scope } from '../../../lib/scope.ts';
import { useEditor, type Editor, useDocument } from '../editor-context.ts';
import { wordLayout } from '../model/word-layout.ts';
import type { EditCommands } from '../use-edit-commands.ts';
import {
  caretOffset,
  caretRect,
  hasSelection,
  hostOf,
  hostOfCaret,
  idOf,
  isOnEdgeLine,
  modelOffset,
  placeCaret,
  scrollToCaret,
  placeCaretAcross,
  selectAgain,
  selectedOffsets,
  showText,
  showWhetherBlank,
  storedOffset,
  textNodeOf,
} from './caret.ts';
import { pastedText } from './use-block-selection.ts';
import type { Rows } from './use-rows.ts';
import type { WordMarks } from './word-marks.ts';

/** A row is mounted, or a dialog that closes has let the focus go, much sooner: in 30 frames on a slow machine too. */
const longestTryMs = 600;
const mostTries = 30;

/**
 * Typing in the text: the browser changes the single text node of a segment, and the document follows. Keys that would
 * leave the segment (Enter, Backspace at its start, arrows at its edge) are handled here.
 */
export function useTextEditing(
  scroller: RefObject<HTMLElement | null>,
  rows: Rows,
  marks: WordMarks,
  commands: EditCommands,
): void {
  const editor = useEditor();
  usePlacedCaret(scroller, rows);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const { document: text, store, timeline, player } = editor;
    const scope = new Scope();
    let before: Caret | null = null;
    /** What was selected where the focus left the text: a dialog that closes gives the focus back, but not that. */
    let left: { readonly host: HTMLElement; readonly range: readonly [number, number] } | null = null;
    const caretIn = (host: HTMLElement): Caret => ({ segmentId: idOf(host), offset: caretOffset(host) ?? 0 });
    const indexOf = (host: HTMLElement) => {
      const segmentId = idOf(host);
      return timeline.segments.findIndex(({ id }) => id === segmentId);
    };

    const take = (host: HTMLElement, isCorrection = false) => {
      const node = textNodeOf(host);
      const caretAfter = caretIn(host);
      const segmentId = idOf(host);
      text.edit('type', (transcript) => replaceText(transcript, segmentId, node.data), {
        mergeKey: `type:${segmentId}`,
        caretBefore: before,
        caretAfter,
        isTyped: true,
        isCorrection,
      });
      marks.refresh(indexOf(host), node, true);
      // Following the playback would scroll the text away from the caret.
      if (player.getState().isPlaying) store.follow(false);
    };
    // One undo right after it takes it back and leaves what was typed.
    const spellApostrophe = (host: HTMLElement) => {
      const offset = caretOffset(host) ?? 0;
      const correction = correctionOfTyped(textNodeOf(host).data, offset - 1);
      if (correction === null || scriptOf(text.getState().transcript) !== 'latin') return;
      text.endStep();
      before = caretIn(host);
      textNodeOf(host).replaceData(correction.at, 1, correction.mark);
      placeCaret(host, offset);
      take(host, true);
    };
    // A letter that is undone before React has rendered it was never another text for React.
    const showUndone = ({ segments }: Transcript) => {
      const hosts = new Map(
        [...element.querySelectorAll<HTMLElement>('[data-text]')].map((host) => [idOf(host), host]),
      );
      for (const segment of segments) {
        const host = hosts.get(segment.id);
        const { text: said } = wordLayout(segment);
        if (host !== undefined && cleanTypedText(host.textContent) !== said) showText(host, said);
      }
    };
    scope.add(
      text.subscribe(({ transcript, isTyped }, beforeIt) => {
        if (!isTyped && transcript !== beforeIt.transcript) showUndone(transcript);
      }),
    );
    scope.listen<InputEvent>(element, 'beforeinput', (event) => {
      const host = hostOf(event.target);
      if (host === null) return;
      before = caretIn(host);
      if (event.inputType === 'historyUndo' || event.inputType === 'historyRedo') {
        event.preventDefault();
        // The page has one list of undoing, so this can also come from a field that has the focus.
        if (element.contains(document.activeElement)) text[event.inputType === 'historyUndo' ? 'undo' : 'redo']();
      } else if (event.inputType.startsWith('deleteContentBackward') && before.offset === 0 && !hasSelection()) {
        event.preventDefault();
        commands.mergeWithPrevious(before.segmentId);
      } else if (
        event.inputType.startsWith('deleteContentForward') &&
        before.offset >= host.textContent.length &&
        !hasSelection()
      ) {
        event.preventDefault();
        const next = timeline.segments[indexOf(host) + 1];
        if (next !== undefined) commands.mergeWithPrevious(next.id);
      }
    });
    scope.listen<InputEvent>(element, 'input', (event) => {
      const host = hostOf(event.target);
      if (host !== null) showWhetherBlank(host);
      if (host === null || event.isComposing) return;
      take(host);
      if (event.inputType === 'insertText' && event.data?.length === 1) spellApostrophe(host);
    });
    // Redacted words are masked wherever the text goes.
    const handOver = (host: HTMLElement, [from, to]: readonly [number, number], data: DataTransfer | null) => {
      const segment = timeline.segments[indexOf(host)];
      const at = (offset: number) => storedOffset(host.textContent, offset);
      data?.clearData();
      if (segment !== undefined) data?.setData('text/plain', maskedText(segment, at(from), at(to)));
    };
    scope.listen<DragEvent>(element, 'dragstart', ({ dataTransfer }) => {
      const host = hostOfCaret();
      const range = host === null ? null : selectedOffsets(host);
      if (host !== null && range !== null) handOver(host, range, dataTransfer);
    });
    // Words are cut and pasted with the spaces they need, which the browser would leave out.
    const clipboard = (event: ClipboardEvent) => {
      const host = hostOf(event.target);
      const range = host === null ? null : selectedOffsets(host);
      const isPaste = event.type === 'paste';
      const pasted = isPaste ? pastedText(event) : '';
      // A key in the text is left to the guard of the window.
      if (host === null || range === null || event.defaultPrevented || holdsKey(pasted)) return;
      const [from, to] = range;
      const inserted = spellAsTyped(text.getState().transcript, cleanPastedText(pasted));
      if (isPaste ? inserted === '' : from === to) return;
      event.preventDefault();
      if (!isPaste) handOver(host, range, event.clipboardData);
      if (event.type === 'copy') return;
      const shown = host.textContent;
      const segmentId = idOf(host);
      const fitted = fitSpaces(shown, { from, to, inserted });
      if (inserted.endsWith(' ') && fitted.to === shown.length) {
        // A blank behind the text belongs to no word: as after typing it, it stays on the page alone.
        text.endStep();
        before = { segmentId, offset: storedOffset(shown, to) };
        textNodeOf(host).replaceData(fitted.from, fitted.to - fitted.from, `${fitted.inserted} `);
        placeCaret(host, host.textContent.length);
        scrollToCaret(element, host, scope);
        take(host);
        text.endStep();
        return;
      }
      const next = shown.slice(0, fitted.from) + fitted.inserted + shown.slice(fitted.to);
      const caretAfter = { segmentId, offset: storedOffset(next, fitted.from + fitted.inserted.length) };
      text.edit(isPaste ? 'type' : 'delete', (now) => replaceText(now, segmentId, next), {
        caretBefore: { segmentId, offset: storedOffset(shown, to) },
        caretAfter,
      });
      text.setState({ caret: caretAfter });
    };
    scope.listen<ClipboardEvent>(element, 'copy', clipboard);
    scope.listen<ClipboardEvent>(element, 'cut', clipboard);
    scope.listen<ClipboardEvent>(element, 'paste', clipboard);
    // React would look for listeners above the text with every letter, and there are none.
    for (const kind of ['beforeinput', 'input', 'keypress', 'textInput'])
      scope.listen(element, kind, (event) => event.stopPropagation());
    scope.listen<CompositionEvent>(element, 'compositionend', (event) => {
      const host = hostOf(event.target);
      if (host !== null) take(host);
    });
    scope.listen<FocusEvent>(element, 'focusin', (event) => {
      const host = hostOf(event.target);
      if (host === null) return;
      if (left?.host === host) selectAgain(host, left.range);
      left = null;
      store.holdCaret(idOf(host));
    });
    const letGoOfCaret = () => {
      if (hostOf(document.activeElement) === null) store.holdCaret(null);
    };
    scope.add(player.onSeek(letGoOfCaret));
    scope.add(player.onPlay(letGoOfCaret));
    scope.listen<PointerEvent>(element, 'pointerdown', () => {
      left = null;
      text.endStep();
    });
    scope.listen<FocusEvent>(element, 'focusout', (event) => {
      const host = hostOf(event.target);
      if (host === null) return;
      const segmentId = idOf(host);
      const range = selectedOffsets(host);
      left = range === null ? null : { host, range };
      store.setState({ leftCaret: { segmentId, offset: modelOffset(host) } });
      const shown = text.getState().transcript.segments.find(({ id }) => id === segmentId)?.text;
      // Typed spaces that belong to no word.
      if (shown !== undefined && host.textContent !== shown) textNodeOf(host).data = shown;
    });
    scope.listen<KeyboardEvent>(element, 'keydown', (event) => {
      const host = hostOf(event.target);
      if (host === null || event.isComposing) return;
      if (event.key.startsWith('Arrow')) text.endStep();
      if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
        event.preventDefault();
        commands.splitAt(idOf(host), modelOffset(host));
        return;
      }
      const isFar = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      const end =
        event.key === 'Home' ? timeline.segments[0] : event.key === 'End' ? timeline.segments.at(-1) : undefined;
      if (isFar && end !== undefined) {
        event.preventDefault();
        text.endStep();
        // The next letter may come before the next frame: the row is there by then.
        if (element.querySelector(`[data-text="${CSS.escape(end.id)}"]`) === null) {
          rows.scrollToIndex(timeline.segments.indexOf(end), { align: 'center' });
          element.dispatchEvent(new Event('scroll'));
        }
        text.setState({ caret: { segmentId: end.id, offset: event.key === 'Home' ? 0 : end.text.length } });
        return;
      }
      const plain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;
      if (plain && event.key.startsWith('Arrow') && leaveSegment(event.key, host, element, rows, indexOf(host), editor))
        event.preventDefault();
    });
    return () => scope.dispose();
  }, [scroller, rows, marks, commands, editor]);
}

function leaveSegment(
  key: string,
  host: HTMLElement,
  scroller: HTMLElement,
  rows: Rows,
  index: number,
  { timeline }: Editor,
): boolean {
  const offset = caretOffset(host) ?? 0;
  const isBack =
    (key === 'ArrowLeft' && offset === 0 && !hasSelection()) || (key === 'ArrowUp' && isOnEdgeLine(host, 'first'));
  const isOn =
    (key === 'ArrowRight' && offset >= host.textContent.length && !hasSelection()) ||
    (key === 'ArrowDown' && isOnEdgeLine(host, 'last'));
  const to = timeline.segments[index + (isBack ? -1 : 1)];
  if ((!isBack && !isOn) || to === undefined) return false;
  const x = caretRect()?.left ?? host.getBoundingClientRect().left;
  rows.scrollToIndex(index + (isBack ? -1 : 1), { align: 'auto' });
  const next = scroller.querySelector<HTMLElement>(`[data-text="${CSS.escape(to.id)}"]`);
  if (next === null) return false;
  if (key === 'ArrowUp' || key === 'ArrowDown') placeCaretAcross(next, isBack ? 'last' : 'first', x);
  else placeCaret(next, isBack ? next.textContent.length : 0);
  return true;
}

function usePlacedCaret(scroller: RefObject<HTMLElement | null>, rows: Rows): void {
  const { timeline } = useEditor();
  const caret = useDocument((state) => state.caret);
  const toReveal = useDocument((state) => state.toReveal);
  // What was changed before the text was shown is not looked for.
  const revealed = useRef(toReveal);
  useLayoutEffect(() => {
    if (toReveal === revealed.current) return;
    revealed.current = toReveal;
    const ids = new Set(toReveal);
    const { startIndex = 0, endIndex = -1 } = rows.range ?? {};
    if (timeline.segments.slice(startIndex, endIndex + 1).some(({ id }) => ids.has(id))) return;
    const index = timeline.segments.findIndex(({ id }) => ids.has(id));
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
  }, [toReveal, rows, timeline]);
  const placed = useRef<Caret | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (caret === null || caret === placed.current || element === null) return undefined;
    const scope = new Scope();
    let tries = 0;
    const find = () => element.querySelector<HTMLElement>(`[data-text="${CSS.escape(caret.segmentId)}"]`);
    const place = (): boolean => {
      const host = find();
      if (host === null) return false;
      placeCaret(host, caret.offset);
      // Until a dialog that closes is gone, nothing behind it takes the focus.
      if (document.activeElement !== host) return false;
      placed.current = caret;
      scrollToCaret(element, host, scope);
      return true;
    };
    if (!place()) {
      const index = timeline.segments.findIndex(({ id }) => id === caret.segmentId);
      if (index < 0) {
        placed.current = caret;
        return undefined;
      }
      if (find() === null) rows.scrollToIndex(index, { align: 'center' });
      const sinceMs = performance.now();
      const focused = document.activeElement;
      let typed = '';
      // What is typed on the way is typed there.
      const typing = new Scope();
      scope.add(() => typing.dispose());
      const hold = (event: InputEvent) => {
        if (event.inputType !== 'insertText') return;
        event.preventDefault();
        event.stopPropagation();
        typed += event.data ?? '';
      };
      typing.listen<InputEvent>(element, 'beforeinput', hold, { capture: true });
      const end = scope.eachFrame(() => {
        tries += 1;
        const { activeElement } = document;
        // Who goes to another field meanwhile types there.
        const isElsewhere = activeElement !== focused && isTextField(activeElement);
        const isInVain = isElsewhere || (tries > mostTries && performance.now() - sinceMs > longestTryMs);
        if (isInVain || place()) {
          end();
          typing.dispose();
          if (typed !== '' && !isElsewhere) document.execCommand('insertText', false, typed);
        }
        // Nothing that changes later puts it there again.
        if (isInVain) placed.current = caret;
      });
    }
    return () => scope.dispose();
  }, [caret, scroller, rows, timeline]);
}
