import { Check, Play, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { HeardChange } from '../../../../../shared/domain/transcript/heard-again.ts';
import { isRedacted } from '../../../../../shared/domain/transcript/word-mark.ts';
import { clock } from '../../../../../shared/domain/time/time-code.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useDocument, useEditor } from '../../editor-context.ts';
import css from './listen-panel.module.css';
import type { Listening } from './use-listen-again.ts';

interface HeardChangesProps {
  readonly listening: Listening;
  readonly onClose: () => void;
}

/** What was heard differently, each to be accepted or left; or that there is nothing to decide. */
export function HeardChanges({ listening, onClose }: HeardChangesProps) {
  const t = useText();
  const { detail } = useEditor();
  const { changes, acceptedCount } = listening;
  if (changes.length > 0) return <ChangeList listening={listening} />;
  // Practice mode hears no words, so it can't say that they are the same.
  const hasVerdict = !detail.isPractice || acceptedCount > 0;
  return (
    <div className={css['before']}>
      {!hasVerdict && <output>{t('listen.noChanges')}</output>}
      {hasVerdict && (
        <output className={css['same']}>
          <Check aria-hidden size={16} strokeWidth={1.75} />
          <b>{t(acceptedCount > 0 ? 'listen.done' : 'listen.same')}</b>
        </output>
      )}
      {hasVerdict && acceptedCount === 0 && <p>{t('listen.sameText')}</p>}
      <div data-main>
        <Button onPress={onClose}>{t('listen.close')}</Button>
      </div>
    </div>
  );
}

/** The place of the button that accepts, among those of a row. */
const acceptPlace = 1;

/** The arrows go from change to change, and the text shows the one with the focus. */
function ChangeList({ listening }: Pick<HeardChangesProps, 'listening'>) {
  const t = useText();
  const { changes } = listening;
  const list = useRef<HTMLOListElement>(null);
  const [currentKey, setCurrentKey] = useState<string | null>(null);
  const current = changes.findIndex(({ key }) => key === currentKey);
  useMarkedChanges(changes, current);
  const focus = (row: number, place: number) =>
    list.current?.children[row]?.querySelectorAll<HTMLElement>('button')[place]?.focus();
  const decided = useRef<number | null>(null);
  /** The next change takes the place of the one that was decided. */
  const decide = (row: number, act: () => void) => () => {
    decided.current = row;
    act();
  };
  useLayoutEffect(() => {
    const row = decided.current;
    decided.current = null;
    if (row !== null && changes.length > 0) focus(Math.min(row, changes.length - 1), acceptPlace);
  }, [changes]);
  const rowOf = (target: EventTarget) =>
    [...(list.current?.children ?? [])].findIndex((one) => one.contains(target as Node));
  const walk = (event: KeyboardEvent) => {
    const row = rowOf(event.target);
    const buttons = [...(list.current?.children[row]?.querySelectorAll('button') ?? [])];
    const place = buttons.indexOf(event.target as HTMLButtonElement);
    const to = {
      ArrowDown: [row + 1, place],
      ArrowUp: [row - 1, place],
      ArrowRight: [row, place + 1],
      ArrowLeft: [row, place - 1],
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    focus(to[0] ?? row, to[1] ?? place);
  };
  return (
    <>
      <output className={css['line']}>{t('listen.changes', { count: changes.length })}</output>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys belong to the buttons inside */}
      <ol
        ref={list}
        className={css['list']}
        aria-label={t('listen.title')}
        onKeyDown={walk}
        onFocus={({ target }) => {
          setCurrentKey(changes[rowOf(target)]?.key ?? null);
        }}
      >
        {changes.map((change, row) => (
          <ChangeRow
            key={change.key}
            change={change}
            isMain={row === 0}
            onAccept={decide(row, () => {
              listening.accept([change]);
            })}
            onKeep={decide(row, () => {
              listening.decline(change);
            })}
          />
        ))}
      </ol>
    </>
  );
}

interface ChangeRowProps {
  readonly change: HeardChange;
  /** Its accept button has the focus first. */
  readonly isMain: boolean;
  readonly onAccept: () => void;
  readonly onKeep: () => void;
}

function ChangeRow({ change, isMain, onAccept, onKeep }: ChangeRowProps) {
  const t = useText();
  const { player, view, wordsLang } = useEditor();
  const { segmentId, from, old, heard, isOnlyTimes, atMs } = change;
  const shown = useDocument(({ transcript }) => transcript.segments.find(({ id }) => id === segmentId));
  const oldText = old.map(({ text }, at) => shown?.words[from + at]?.text ?? view.showWord(text)).join(' ');
  const heardText = heard.map(({ text }) => view.showWord(text)).join(' ');
  return (
    <li className={css['row']}>
      <span className={css['what']}>
        <span className={css['time']}>{clock(atMs)}</span>
        {isOnlyTimes ? (
          <span>{t('listen.times', { count: old.length })}</span>
        ) : (
          <span className={cx(css['words'], old.some(isRedacted) && css['covered'])} lang={wordsLang}>
            {old.length > 0 && <del>{oldText}</del>} <ins>{heard.length > 0 ? heardText : t('listen.nothing')}</ins>
          </span>
        )}
      </span>
      <IconButton
        icon={Play}
        size="sm"
        label={t('listen.hear')}
        onPress={() => {
          player.seek(Math.max(0, atMs - 400));
          player.play();
        }}
      />
      <span className={css['accept']} {...(isMain && { 'data-main': '' })}>
        <IconButton icon={Check} size="sm" label={t('listen.accept')} onPress={onAccept} />
      </span>
      <IconButton icon={X} size="sm" label={t('listen.keep')} onPress={onKeep} />
    </li>
  );
}

/** The words in question are marked in the text, and the current ones are brought into view. */
function useMarkedChanges(changes: readonly HeardChange[], current: number): void {
  const { store, timeline } = useEditor();
  const visited = useRef<string | null>(null);
  useEffect(() => {
    const matches = changes.map(({ segmentId, from, to }) => {
      const words = timeline.segments.find(({ id }) => id === segmentId)?.words ?? [];
      const lengthOf = (count: number) => words.slice(0, count).reduce((sum, { text }) => sum + text.length + 1, 0);
      // Between two words there is nothing to mark yet.
      return { segmentId, from: lengthOf(from), to: Math.max(lengthOf(from), lengthOf(to) - 1) };
    });
    const key = changes[current]?.key ?? null;
    // The changes are compared again after every edit, which scrolls to none of them.
    store.showFound(matches, current, key !== null && key !== visited.current);
    visited.current = key;
  }, [changes, current, store, timeline]);
  useEffect(
    () => () => {
      store.showFound([], -1);
    },
    [store],
  );
}
