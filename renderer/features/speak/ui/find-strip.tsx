import { ArrowDown, ArrowUp, Search, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { TextSpan } from '../../../../shared/domain/speech/split-text.ts';
import { findMatches, replaceMatches, type TextMatch } from '../../../../shared/domain/transcript/find-text.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import css from '../speak-screen.module.css';

const segmentId = 'text';
const clock = () => performance.now();

/** Finds words in the text, and replaces one match or all of them as one step. */
export function FindStrip({
  onShow,
  onClose,
}: {
  /** The match that is shown in the text; null: none. */
  readonly onShow: (span: Pick<TextSpan, 'start' | 'end'> | null) => void;
  readonly onClose: () => void;
}) {
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
    onShow(match === undefined ? null : { start: match.from, end: match.to });
  }, [match, onShow]);
  useEffect(() => () => onShow(null), [onShow]);
  const goBy = (by: 1 | -1) => setAt(matches.length === 0 ? 0 : (current + by + matches.length) % matches.length);
  const replace = (which: readonly TextMatch[]) => {
    const replaced = replaceMatches(whole, which, query, replacement).get(segmentId);
    if (replaced !== undefined) store.setText(replaced, { isTyping: false });
  };
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
      <Field
        type="search"
        icon={Search}
        isAutoFocused
        label={t('editor.find.label')}
        value={wanted}
        suffix={
          wanted === ''
            ? undefined
            : t('editor.find.count', { current: String(isNone ? 0 : current + 1), count: String(matches.length) })
        }
        onChange={(value) => {
          setWanted(value);
          setAt(0);
        }}
        onEnter={() => goBy(1)}
      />
      <Field
        label={t('editor.find.replaceWith')}
        value={replacement}
        onChange={setReplacement}
        onEnter={() => replace(match === undefined ? [] : [match])}
      />
      <IconButton icon={ArrowUp} label={t('editor.find.previous')} isDisabled={isNone} onPress={() => goBy(-1)} />
      <IconButton icon={ArrowDown} label={t('editor.find.next')} isDisabled={isNone} onPress={() => goBy(1)} />
      <Button isDisabled={match === undefined} onPress={() => replace(match === undefined ? [] : [match])}>
        {t('editor.find.replace')}
      </Button>
      <Button isDisabled={isNone} onPress={() => replace(matches)}>
        {t('editor.find.replaceAll', { count: String(matches.length) })}
      </Button>
      <IconButton icon={X} label={t('speak.close')} onPress={onClose} />
    </search>
  );
}
