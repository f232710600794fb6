import { BookA } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { sentencesIn } from '../../../../shared/domain/speech/edit-document.ts';
import { findReadings, readingOf } from '../../../../shared/domain/speech/find-readings.ts';
import { useCommands } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSpeaking } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import type { ShownText } from './text-pane.tsx';

const settlesAfterMs = 200;
const longest = 60;

interface Asked {
  readonly written: string;
  readonly spoken: string;
  readonly language: SpeechLanguage;
  readonly left: number;
  readonly top: number;
}

/** Says under a selected word how it is read; a change there is an entry of the pronunciation. */
export function ReadsAs({ pane, onMore }: { readonly pane: RefObject<ShownText | null>; readonly onMore: () => void }) {
  const t = useText();
  const words = useFailureText();
  const showToast = useToast();
  const { store } = useSpeaking();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [spoken, setSpoken] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const find = (): Asked | null => {
    const { document, requests, pronunciations } = store.getState();
    const selected = pane.current?.selected() ?? null;
    if (document === null || selected === null) return null;
    const spans = sentencesIn(document);
    const index = spans.findIndex(({ start, end }) => start <= selected.start && selected.start < end);
    const [span, language] = [spans[index], requests[index]?.language];
    if (span === undefined || language === undefined) return null;
    const inside = { start: selected.start - span.start, end: Math.min(selected.end, span.end) - span.start };
    const picked = span.text.slice(inside.start, inside.end);
    const start = inside.start + picked.length - picked.trimStart().length;
    const place = { start, end: start + picked.trim().length };
    const cutsWord = (at: number) => /^[\p{L}\d]{2}$/u.test(span.text.slice(Math.max(0, at - 1), at + 1));
    if (cutsWord(place.start) || cutsWord(place.end) || !/[\p{L}\d]/u.test(picked) || place.end - place.start > longest)
      return null;
    const list = [...document.pronunciations, ...(pronunciations[language] ?? [])];
    const { written, spoken: now } = readingOf(span.text, place, findReadings(span.text, language, list));
    const { left, bottom } = selected.range.getBoundingClientRect();
    return { written, spoken: now, language, left, top: bottom + 4 };
  };
  const look = useEffectEvent(() => {
    if (isOpen) return;
    const found = find();
    setAsked(found);
    setSpoken(found?.spoken ?? '');
  });
  useEffect(() => {
    const scope = new Scope();
    let cancel: (() => void) | null = null;
    scope.listen(document, 'selectionchange', () => {
      cancel?.();
      cancel = scope.after(settlesAfterMs, () => look());
    });
    // It stays with its word.
    scope.listen(document, 'scroll', () => look(), { capture: true, passive: true });
    return () => scope.dispose();
  }, []);
  useCommands({ 'speak.readsAs': asked !== null && (() => setIsOpen(true)) });
  if (asked === null) return null;
  const close = () => {
    setIsOpen(false);
    setAsked(null);
    pane.current?.focus();
  };
  const keep = () => {
    const { pronunciations, document } = store.getState();
    const { written, language } = asked;
    const isSame = (word: { readonly written: string }) => word.written.toLowerCase() === written.toLowerCase();
    const said = spoken.trim();
    const isRule = said === '' || said === written;
    const own = document?.pronunciations ?? [];
    if (own.some(isSame))
      store.patchDocument({
        pronunciations: isRule
          ? own.filter((word) => !isSame(word))
          : own.map((word) => (isSame(word) ? { ...word, spoken: said } : word)),
      });
    else {
      const others = (pronunciations[language] ?? []).filter((word) => !isSame(word));
      // "US" is no "us".
      const matchCase = written.length > 1 && written === written.toUpperCase();
      const list = isRule ? others : [{ written, spoken: said, matchCase }, ...others];
      void store.setPronunciations({ ...pronunciations, [language]: list }).then((saved) => {
        if (!saved.ok) showToast({ text: `${t('speak.notSaved')}. ${words(saved.error).text}` });
      });
    }
    close();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a press must leave the word selected
    <div
      className={css['readsAs']}
      style={{ left: `${String(asked.left)}px`, top: `${String(asked.top)}px` }}
      onMouseDown={(event) => {
        // Not of what opens from it, which is no child in the page.
        if (event.target instanceof Node && event.currentTarget.contains(event.target)) event.preventDefault();
      }}
    >
      <Popover
        label={t('speak.readsAs.open')}
        placement="bottom start"
        isOpen={isOpen}
        onOpenChange={(shown) => (shown ? setIsOpen(true) : close())}
        trigger={
          <Button size="sm" icon={BookA}>
            {t('speak.readsAs.open')}
          </Button>
        }
      >
        <div className="column gap-16">
          <Field
            isAutoFocused
            label={t('speak.pronunciation.spokenOf', { word: asked.written })}
            hint={t(`speak.readsAs.everywhere.${asked.language}`)}
            value={spoken}
            onChange={setSpoken}
            onEnter={keep}
          />
          <div className="flex gap-8">
            <Button size="sm" variant="primary" onPress={keep}>
              {t('speak.save')}
            </Button>
            <Button
              size="sm"
              variant="ghost"
              onPress={() => {
                close();
                onMore();
              }}
            >
              {t('speak.pronunciation.open')}
            </Button>
          </div>
        </div>
      </Popover>
    </div>
  );
}
