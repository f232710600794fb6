import { FileText } from 'lucide-react';
import { useEffect, useImperativeHandle, useMemo, useRef, type Ref } from 'react';
import { longestSpoken } from '../../../../shared/domain/speech/speech-document.ts';
import { tidyText } from '../../../../shared/domain/speech/import-text.ts';
import { splitSentences, type TextSpan } from '../../../../shared/domain/speech/split-text.ts';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useToast } from '../../../ui/toast.tsx';
import { usePlayerState, useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import { cursorIn, keepInSight, rangesIn, readField, selectionIn, spellTypedIn } from '../model/field-text.ts';
import { useBlocks } from '../use-cost.ts';
import './speak-marks.css';

type Span = Pick<TextSpan, 'start' | 'end'>;

/** The text as it is shown, whole or by sentences. Places count in the text of the document. */
export interface ShownText {
  readonly sentenceAtCursor: () => number;
  readonly hasFocus: () => boolean;
  readonly focus: () => void;
  readonly cursorAt: () => number | null;
  readonly selected: () => ReturnType<typeof selectionIn>;
  /** Puts the cursor before a sentence. */
  readonly goTo: (index: number) => void;
  readonly rangesOf: (spans: readonly Span[]) => readonly Range[];
}

const marks = { now: 'ovoz-speak-now', heard: 'ovoz-speak-heard', changed: 'ovoz-speak-changed' } as const;
const chosenMark = 'ovoz-speak-chosen';

/** The whole text as one field in paragraphs; the current sentence is marked without elements of its own. */
export function TextPane({ ref }: { readonly ref: Ref<ShownText> }) {
  const t = useText();
  const { store, player } = useSpeaking();
  const box = useRef<HTMLDivElement>(null);
  const revision = useSpeakState((state) => state.textRevision);
  const text = useSpeakState((state) => state.document?.text ?? '');
  const language = useSpeakState((state) => state.document?.defaults.language ?? 'uz');
  const blocks = useSpeakState((state) => state.document?.blocks);
  const heardId = usePlayerState(player, (state) => state.heardId);
  const states = useBlocks();
  const trySample = useSampleText();
  const spans = useMemo(() => splitSentences(text, language, longestSpoken), [text, language]);
  const spansNow = useRef(spans);
  /** Where the cursor stands while a sentence is marked as chosen. */
  const chosenAt = useRef<number | null>(null);
  useEffect(() => {
    spansNow.current = spans;
  });

  useEffect(() => {
    const element = box.current;
    const shown = store.getState().document?.text ?? '';
    if (element === null || readField(element) === shown) return;
    const at = cursorIn(element);
    element.textContent = shown;
    if (at !== null) window.getSelection()?.collapse(element.firstChild ?? element, Math.min(at, shown.length));
  }, [revision, store]);

  useImperativeHandle(
    ref,
    () => ({
      focus: () => box.current?.focus(),
      hasFocus: () => box.current !== null && box.current === document.activeElement,
      cursorAt: () => (box.current === null ? null : cursorIn(box.current)),
      sentenceAtCursor() {
        const at = box.current === null ? null : cursorIn(box.current);
        const index = at === null ? -1 : spansNow.current.findLastIndex(({ start }) => start <= at);
        return Math.max(0, index);
      },
      goTo(index) {
        const span = spansNow.current[index];
        const range = span && mark(box.current, span);
        if (box.current === null || range === undefined) return;
        box.current.focus({ preventScroll: true });
        window.getSelection()?.collapse(range.startContainer, range.startOffset);
        chosenAt.current = cursorIn(box.current);
      },
      selected: () => (box.current === null ? null : selectionIn(box.current)),
      rangesOf: (wanted) => (box.current === null ? [] : rangesIn(box.current, wanted)),
    }),
    [],
  );

  useEffect(() => {
    const element = box.current;
    if (element === null || readField(element) !== text) return undefined;
    const heardAt = heardId === null ? -1 : (blocks?.findIndex(({ id }) => id === heardId) ?? -1);
    const now = spans[heardAt];
    const heard = now === undefined ? [] : spans.slice(0, heardAt);
    const changed = spans.filter((_, index) => states[index]?.status.state === 'changed');
    CSS.highlights.set(marks.now, new Highlight(...rangesIn(element, now === undefined ? [] : [now])));
    CSS.highlights.set(marks.heard, new Highlight(...rangesIn(element, heard)));
    CSS.highlights.set(marks.changed, new Highlight(...rangesIn(element, changed)));
    if (now !== undefined) keepInSight(rangesIn(element, [now])[0]);
    return () => {
      for (const name of Object.values(marks)) CSS.highlights.delete(name);
    };
  }, [text, spans, heardId, blocks, states]);

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const unmark = () => {
      chosenAt.current = null;
      CSS.highlights.delete(chosenMark);
    };
    scope.add(unmark);
    scope.listen(document, 'selectionchange', () => {
      if (chosenAt.current !== null && cursorIn(element) !== chosenAt.current) unmark();
    });
    scope.listen<InputEvent>(element, 'input', (event) => {
      unmark();
      store.setText(readField(element), { isTyping: true });
      if (store.getState().document?.defaults.language === 'uz') spellTypedIn(element, event);
    });
    scope.listen<ClipboardEvent>(element, 'paste', (event) => {
      const pasted = event.clipboardData?.getData('text/plain');
      if (pasted === undefined || pasted === '') return;
      event.preventDefault();
      // The only way of inserting text that the field's own undo supports.
      document.execCommand('insertText', false, tidyPasted(pasted));
    });
    return () => scope.dispose();
  }, [store]);

  return (
    <div className={css['scroller']} data-spoken-scroller>
      <div
        ref={box}
        className={css['text']}
        data-spoken-text
        contentEditable="plaintext-only"
        suppressContentEditableWarning
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is heard can't be marked inside a textarea
        role="textbox"
        tabIndex={0}
        aria-multiline="true"
        aria-label={t('speak.text')}
        aria-placeholder={t('speak.placeholder')}
        data-placeholder={t('speak.placeholder')}
        data-empty={text === '' || undefined}
        lang={language}
        spellCheck={false}
      />
      {text === '' && (
        <Button size="sm" icon={FileText} className={css['sample']} onPress={trySample}>
          {t('speak.trySample')}
        </Button>
      )}
    </div>
  );
}

/** Spaces at the ends of pasted text belong to the surrounding sentence. */
const tidyPasted = (pasted: string): string =>
  `${/^[ \t]/u.test(pasted) ? ' ' : ''}${tidyText(pasted)}${/[ \t]$/u.test(pasted) ? ' ' : ''}`;

function mark(element: HTMLElement | null, span: Span): Range | undefined {
  const [range] = element === null ? [] : rangesIn(element, [span]);
  if (range === undefined) return undefined;
  CSS.highlights.set(chosenMark, new Highlight(range));
  keepInSight(range);
  return range;
}

interface Sample {
  readonly segments: readonly { readonly speaker: string; readonly text: string }[];
}

const read: Readonly<Record<SpeechLanguage, () => Promise<Sample>>> = {
  uz: () =>
    import('../../../../assets/samples/interview-uz.json', { with: { type: 'json' } }).then((file) => file.default),
  ru: () =>
    import('../../../../assets/samples/lecture-ru.json', { with: { type: 'json' } }).then((file) => file.default),
  en: () =>
    import('../../../../assets/samples/podcast-en.json', { with: { type: 'json' } }).then((file) => file.default),
};

const textOf = ({ segments }: Sample): string =>
  segments.reduce(
    (text, { speaker, text: said }, at) =>
      at === 0 ? said : `${text}${segments[at - 1]?.speaker === speaker ? ' ' : '\n\n'}${said}`,
    '',
  );

/** Inserts the text of the sample recording in the text's language: into an empty text, or into a new one. */
export function useSampleText(): () => void {
  const { store } = useSpeaking();
  const showToast = useToast();
  const words = useFailureText();
  return () => {
    const put = async () => {
      const { document } = store.getState();
      if (document === null) return;
      const text = textOf(await read[document.defaults.language]());
      if (document.text.trim() !== '' && !(await store.create())) return;
      store.setText(text, { isTyping: false });
    };
    put().catch(() => showToast({ text: words(makeFailure('internal-error')).text }));
  };
}
