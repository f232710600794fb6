import { MoreHorizontal, PencilLine, Undo2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import {
  pageOf,
  textOfRewriting,
  type Rewriting,
  type Stretch,
  type WrittenRewriting,
} from '../../../../shared/domain/dictation/rewriting.ts';
import { withoutSilentRests, type WrittenPhrase } from '../../../../shared/domain/dictation/written-phrases.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import css from '../dictate.module.css';
import { PhraseRow, TextEditor } from './phrase-row.tsx';
import type { TakePlayer } from './use-take-player.ts';

interface TextPageProps {
  readonly takeId: string | null;
  readonly phrases: readonly WrittenPhrase[];
  readonly rewritings: readonly WrittenRewriting[];
  readonly player: TakePlayer | null;
  readonly showsDiscarded?: boolean;
  /** New phrases come into view. */
  readonly isGrowing?: boolean;
  readonly empty: string;
  readonly field?: RefObject<HTMLElement | null>;
}

/** A take as a page of text: its phrases run on, and what was rewritten stands in their place. */
export function TextPage({
  takeId,
  phrases,
  rewritings,
  player,
  showsDiscarded = false,
  isGrowing = false,
  empty,
  field,
}: TextPageProps) {
  const t = useText();
  const end = useRef<HTMLSpanElement>(null);
  // What was discarded is gone from here; a notice takes it back, and the menu of the document shows it.
  const shown = withoutSilentRests(phrases).filter(({ state }) => showsDiscarded || state !== 'discarded');
  const count = shown.length;
  useEffect(() => {
    if (isGrowing) end.current?.scrollIntoView({ block: 'nearest' });
  }, [count, isGrowing]);
  if (takeId === null || count === 0)
    return (
      <div className={css['page']}>
        <p className={css['empty']}>{empty}</p>
      </div>
    );
  const parts = pageOf(shown, rewritings);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
    <section ref={field} className={css['page']} aria-label={t('dictation.text')} tabIndex={0}>
      {parts.map((part) =>
        part.kind === 'rewriting' ? (
          <Rewritten key={part.rewriting.id} takeId={takeId} rewriting={part.rewriting} />
        ) : (
          <ul key={part.phrases[0]?.id} className={css['words']} aria-live="polite" aria-label={t('dictation.phrases')}>
            {part.phrases.map((phrase) => (
              <PhraseRow key={phrase.id} takeId={takeId} phrase={phrase} player={player} />
            ))}
          </ul>
        ),
      )}
      <span ref={end} />
    </section>
  );
}

/** Corrected in place like a phrase; what the model wrote stays one press away. */
function Rewritten({ takeId, rewriting }: { readonly takeId: string; readonly rewriting: Rewriting }) {
  const t = useText();
  const studio = useStudio();
  const showToast = useToast();
  const failureWords = useFailureText();
  const place = useRef<HTMLDivElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const text = textOfRewriting(rewriting);
  const paragraphs = text.split(/\n{2,}/u);
  const put = async (edited: string | null) => {
    const saved = await studio.request('dictation.editRewriting', { takeId, rewritingId: rewriting.id, text: edited });
    if (!saved.ok) showToast({ text: failureWords(saved.error).title });
  };
  const edit = () => setIsEditing(true);
  // A menu that closes gives the focus back to its button first.
  const editAfterMenu = () => void requestAnimationFrame(() => requestAnimationFrame(edit));
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the menu has it for the keyboard
    <div
      ref={place}
      tabIndex={-1}
      className={css['rewritten']}
      data-rewritten={rewriting.style}
      onDoubleClick={isEditing ? undefined : edit}
    >
      {isEditing ? (
        <TextEditor
          hasLines
          before={text}
          onEnd={(edited) => {
            setIsEditing(false);
            place.current?.focus();
            if (edited !== null && edited !== text)
              void put(edited === '' || edited === rewriting.written ? null : edited);
          }}
        />
      ) : (
        paragraphs.map((paragraph, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs stand where they stand
          <p key={at} className={css['words']}>
            {paragraph}
          </p>
        ))
      )}
      {!isEditing && (
        <span className={css['tools']}>
          <Menu
            label={t('common.more')}
            placement="bottom end"
            entries={[
              command('edit', PencilLine, t('dictation.edit'), editAfterMenu),
              command('back', Undo2, t('dictation.rewrite.back'), () => void put(null), {
                isDisabled: rewriting.edited === null,
              }),
            ]}
            trigger={<IconButton size="sm" icon={MoreHorizontal} label={t('common.more')} />}
          />
        </span>
      )}
    </div>
  );
}

const idAt = (node: Node | null): number | null => {
  const element = node instanceof Element ? node : node?.parentElement;
  const id = Number(element?.closest<HTMLElement>('[data-phrase]')?.dataset['phrase']);
  return Number.isInteger(id) ? id : null;
};

/** The phrases that are selected with the pointer, until another place of the page is pressed. */
export function useSelectedStretch(takeId: string | null) {
  const field = useRef<HTMLElement>(null);
  const [selected, setSelected] = useState<(Stretch & { readonly takeId: string | null }) | null>(null);
  const look = useCallback(() => {
    const selection = document.getSelection();
    const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    if (range === null || field.current?.contains(range.commonAncestorContainer) !== true) return;
    const [from, to] = [idAt(range.startContainer), idAt(range.endContainer)];
    setSelected(range.collapsed || from === null || to === null ? null : { takeId, from, to });
  }, [takeId]);
  useEffect(() => {
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [look]);
  return { field, stretch: selected?.takeId === takeId ? selected : null };
}
