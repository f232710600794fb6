import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useEffect, useMemo, useState, type RefObject } from 'react';
import { findMatches, replaceMatches, type TextMatch } from '../../../../shared/domain/transcript/find-text.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { keepInSight } from '../model/field-text.ts';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';
import type { ShownText } from './text-pane.tsx';

const segmentId = 'text';
const clock = () => performance.now();
const focusField = (field: HTMLInputElement | null) => field?.focus();
const marks = { found: 'ovoz-speak-found', current: 'ovoz-speak-current' } as const;

/** Finds and replaces in the text; each replacement, also of all, is one step of undo. */
export function FindBar(props: { readonly pane: RefObject<ShownText | null>; readonly onClose: () => void }) {
  const { pane, onClose } = props;
  const t = useText();
  const { store } = useSpeaking();
  const text = useSpeakState(({ document }) => document?.text ?? '');
  const language = useSpeakState(({ document }) => document?.defaults.language ?? 'uz');
  const [wanted, setWanted] = useState('');
  const [replacement, setReplacement] = useState('');
  const [at, setAt] = useState(0);
  const query = useMemo(
    () => ({ text: wanted, matchesCase: false, isWholeWord: false, isPattern: false, speakerId: null }),
    [wanted],
  );
  const whole = useMemo(
    () => ({ language, segments: [{ id: segmentId, speakerId: null, startMs: 0, endMs: 0, text, words: [] }] }),
    [text, language],
  );
  const matches = useMemo(() => {
    const found = findMatches(whole, query, clock);
    return found.ok ? found.value : [];
  }, [whole, query]);
  const current = Math.min(at, Math.max(0, matches.length - 1));
  const match = matches[current];
  useEffect(() => {
    // After the text has taken over what was replaced.
    const frame = requestAnimationFrame(() => {
      const rangesOf = (shown: readonly TextMatch[]) =>
        pane.current?.rangesOf(shown.map(({ from, to }) => ({ start: from, end: to }))) ?? [];
      const ranges = rangesOf(match === undefined ? [] : [match]);
      CSS.highlights.set(marks.found, new Highlight(...rangesOf(matches.filter((one) => one !== match))));
      CSS.highlights.set(marks.current, new Highlight(...ranges));
      keepInSight(ranges[0]);
    });
    return () => {
      cancelAnimationFrame(frame);
      for (const name of Object.values(marks)) CSS.highlights.delete(name);
    };
  }, [pane, matches, match]);
  const goBy = (by: 1 | -1) => setAt(matches.length === 0 ? 0 : (current + by + matches.length) % matches.length);
  const replace = (which: readonly TextMatch[]) => {
    const replaced = replaceMatches(whole, which, query, replacement).get(segmentId);
    if (replaced !== undefined) store.setText(replaced, { isTyping: false });
  };
  const replaceOne = () => replace(match === undefined ? [] : [match]);
  const isNone = matches.length === 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the key belongs to the fields inside
    <search
      className={css['find']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <SearchBox
        field={focusField}
        label={t('editor.find.label')}
        placeholder={t('editor.find.label')}
        value={wanted}
        onChange={(value) => {
          setWanted(value);
          setAt(0);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter') goBy(1);
        }}
      >
        {wanted !== '' && (
          <small aria-live="polite">
            {t('editor.find.count', { current: String(isNone ? 0 : current + 1), count: String(matches.length) })}
          </small>
        )}
      </SearchBox>
      {(['previous', 'next'] as const).map((to) => (
        <IconButton
          key={to}
          size="sm"
          icon={to === 'previous' ? ArrowUp : ArrowDown}
          label={t(`editor.find.${to}`)}
          isDisabled={isNone}
          onPress={() => goBy(to === 'previous' ? -1 : 1)}
        />
      ))}
      <Field
        label={t('editor.find.replaceWith')}
        placeholder={t('editor.find.replaceWith')}
        value={replacement}
        onChange={setReplacement}
        onEnter={replaceOne}
      />
      <Button size="sm" isDisabled={match === undefined} onPress={replaceOne}>
        {t('editor.find.replace')}
      </Button>
      <Button size="sm" isDisabled={isNone} onPress={() => replace(matches)}>
        {t('editor.find.replaceAll', { count: String(matches.length) })}
      </Button>
      <IconButton size="sm" icon={X} label={t('common.close')} onPress={onClose} />
    </search>
  );
}
