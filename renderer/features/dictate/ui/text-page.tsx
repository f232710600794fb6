import {
  ArrowLeftRight,
  Copy,
  MoreHorizontal,
  Pause,
  PencilLine,
  Play,
  RotateCw,
  Trash2,
  Undo2,
  WandSparkles,
} from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { modelStyles, toHundredths, type WritingStyle } from '../../../../shared/domain/dictation/clean-up.ts';
import { correctionOf } from '../../../../shared/domain/dictation/replacement-list.ts';
import {
  pageOf,
  textOfRewriting,
  type Rewriting,
  type Stretch,
  type WrittenRewriting,
} from '../../../../shared/domain/dictation/rewriting.ts';
import { withoutSilentRests, type WrittenPhrase } from '../../../../shared/domain/dictation/written-phrases.ts';
import { isUnreached } from '../../../../shared/domain/failures/network-fault.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu, MenuAt, type MenuEntry } from '../../../ui/menu.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import css from '../dictate.module.css';
import { useDictationState } from '../dictation-context.tsx';
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
        <Tools
          entries={[
            command('edit', PencilLine, t('dictation.edit'), () => afterMenu(edit)),
            command('back', Undo2, t('dictation.rewrite.back'), () => void put(null), {
              isDisabled: rewriting.edited === null,
            }),
          ]}
        />
      )}
    </div>
  );
}

interface PhraseRowProps {
  readonly takeId: string;
  readonly phrase: WrittenPhrase;
  /** Null: its audio is missing, or not there yet. */
  readonly player: TakePlayer | null;
}

/** One phrase: its text, its problem, and its actions. */
function PhraseRow({ takeId, phrase, player }: PhraseRowProps) {
  const t = useText();
  const copyText = useCopy();
  const formats = useFormats();
  const studio = useStudio();
  const showUndo = useUndoNotice();
  const row = useRef<HTMLLIElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const [menuAt, setMenuAt] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const { isOnThisComputer, isFree } = modeOf(useSettings().mode);
  // A session of an earlier run waits for a press, where sending costs.
  const sending = useDictationState((state) => (state.takeId === takeId ? state.sending : null));
  const isUnsent =
    sending?.failure !== undefined &&
    sending.kind !== 'held' &&
    isUnreached(sending.failure) &&
    phrase.unanswered === 0;
  const isSent = !isUnsent && ['connecting', 'live', 'reconnecting'].includes(sending?.kind ?? '');
  const { write, setBack } = useEditing(takeId, phrase);
  const seconds = formats.number(Math.round(((phrase.endMs ?? phrase.startMs) - phrase.startMs) / 100) / 10);
  const again = (language: WrittenPhrase['language']) =>
    void studio.request('dictation.sendAgain', { takeId, phrase: { id: phrase.id, language } });
  const isSettled = phrase.state === 'failed' || phrase.state === 'silent' || phrase.state === 'text';
  const isPlaying = player?.isPlaying(takeId, phrase) === true;
  const edit = () => setIsEditing(true);
  const place = { takeId, phraseId: phrase.id };
  const restore = () => void studio.request('dictation.restore', place);
  const discard = async () => {
    const discarded = await studio.request('dictation.discard', place);
    if (discarded.ok) showUndo({ text: t('dictation.discarded', { seconds }), undo: restore });
  };
  const copy: MenuEntry = {
    id: 'copy',
    text: t('common.copy'),
    icon: Copy,
    onAction: () => void copyText(phrase.text),
  };
  const play: MenuEntry = {
    id: 'play',
    text: t(isPlaying ? 'dictation.history.pause' : 'dictation.history.play'),
    icon: isPlaying ? Pause : Play,
    onAction: () => player?.toggle(takeId, phrase),
  };
  const writings = useWritings(takeId, phrase);
  const entries: readonly MenuEntry[] = [
    ...(phrase.text === '' ? [] : [copy]),
    ...(phrase.state === 'text'
      ? [{ id: 'edit', text: t('dictation.edit'), icon: PencilLine, onAction: () => afterMenu(edit) }]
      : []),
    ...(phrase.isEdited ? [{ id: 'back', text: t('dictation.editBack'), icon: Undo2, onAction: setBack }] : []),
    ...(player === null ? [] : [play]),
    {
      id: 'again',
      text: t(isOnThisComputer ? 'dictation.recogniseAgain' : 'dictation.again'),
      icon: RotateCw,
      chosenId: phrase.language,
      entries: speechLanguages.map((language) => ({
        id: language,
        text: t(`common.languages.${language}`),
        onAction: () => again(language),
      })),
    },
    // A style would throw away a correction; going back to what was heard comes first.
    ...(phrase.state === 'text' && !phrase.isEdited ? writings : []),
    'separator',
    {
      id: 'discard',
      text: t('dictation.discard'),
      icon: Trash2,
      isDanger: true,
      onAction: () => void discard(),
    },
  ];
  const more = isSettled && <Tools entries={entries} />;
  const send = (text: string) => (
    <Button size="sm" icon={RotateCw} onPress={() => again(phrase.language)}>
      {text}
    </Button>
  );
  const notes =
    phrase.state === 'text' ? (
      <TextNotes takeId={takeId} phrase={phrase} />
    ) : (
      <span className={css['note']}>
        {phrase.state === 'failed' && <b className={css['bad']}>{t('dictation.notRead')}</b>}
        {phrase.state === 'failed' && <span className={css['hint']}>{t('dictation.notReadText', { seconds })}</span>}
        {phrase.state === 'silent' && <b className={css['bad']}>{t('dictation.noSpeech')}</b>}
        {phrase.state === 'silent' && <span className={css['hint']}>{t('dictation.noSpeechText')}</span>}
        {phrase.state === 'discarded' && (
          <span className={css['hint']}>
            {t('dictation.discarded', { seconds })}
            {!isFree && phrase.unanswered > 0 && `. ${t('dictation.sentBefore')}`}
          </span>
        )}
        {phrase.state === 'discarded' && (phrase.text !== '' || player !== null) && (
          <Button size="sm" icon={Undo2} onPress={restore}>
            {t(phrase.text === '' ? 'dictation.turnIntoText' : 'library.restore')}
          </Button>
        )}
        {phrase.state === 'speaking' && <Pending label={t('dictation.recording')} />}
        {phrase.state === 'waiting' && isUnsent && <span className={css['hint']}>{t('dictation.notSent')}</span>}
        {phrase.state === 'waiting' &&
          (sending === null || isUnsent) &&
          send(t(isOnThisComputer ? 'dictation.turnIntoText' : 'dictation.history.send'))}
        {phrase.state === 'waiting' && isSent && <Pending label={t('dictation.sent', { seconds })} />}
        {phrase.state === 'failed' && send(t('common.retry'))}
        {more}
      </span>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the same menu as of the button
    <li
      ref={row}
      tabIndex={-1}
      className={css['phrase']}
      data-phrase={phrase.id}
      data-state={phrase.state}
      data-taken-back={phrase.isTakenBack ? '' : undefined}
      onContextMenu={(event) => {
        if (!isSettled || isEditing) return;
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      {isEditing ? (
        <TextEditor
          before={phrase.text}
          lang={phrase.language}
          onEnd={(text) => {
            setIsEditing(false);
            row.current?.focus();
            if (text !== null && text !== phrase.text) write(text);
          }}
        />
      ) : (
        phrase.text !== '' && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the menu has it for the keyboard
          <p className={css['words']} lang={phrase.language} onDoubleClick={phrase.state === 'text' ? edit : undefined}>
            <Replaced phrase={phrase} />{' '}
          </p>
        )
      )}
      {phrase.state === 'text' && more}
      {!isEditing && notes}
      {menuAt !== null && (
        <MenuAt
          label={t('common.more')}
          at={menuAt}
          entries={entries}
          onClose={() => {
            setMenuAt(null);
          }}
        />
      )}
    </li>
  );
}

/** A menu that closes gives the focus back to its button first. */
const afterMenu = (edit: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(edit));

function Tools({ entries }: { readonly entries: readonly MenuEntry[] }) {
  const t = useText();
  return (
    <span className={css['tools']}>
      <Menu
        label={t('common.more')}
        placement="bottom end"
        entries={entries}
        trigger={<IconButton size="sm" icon={MoreHorizontal} label={t('common.more')} />}
      />
    </span>
  );
}

function Pending({ label }: { readonly label: string }) {
  return (
    <output className={css['pending']} aria-label={label} title={label}>
      <i />
      <i />
      <i />
    </output>
  );
}

const special = /[\\^$.*+?()[\]{}|/-]/g;

/** What replacements wrote is underlined. */
function Replaced({ phrase: { text, used } }: { readonly phrase: WrittenPhrase }) {
  const t = useText();
  const written = used.filter((one) => one.trim() !== '');
  if (written.length === 0) return text;
  const pattern = new RegExp(`(${written.map((one) => one.replaceAll(special, String.raw`\$&`)).join('|')})`, 'gu');
  return text.split(pattern).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- words stand where they stand
      <span key={at} className={css['replaced']} title={t('dictation.replaced')}>
        {part}
      </span>
    ),
  );
}

/** A correction may be applied to later phrases too. */
function useEditing(takeId: string, phrase: WrittenPhrase) {
  const t = useText();
  const studio = useStudio();
  const showToast = useToast();
  const change = useSettingsChange();
  const { replacements } = useSettings();
  const put = (text: string | null) => studio.request('dictation.edit', { takeId, phraseId: phrase.id, text });
  const write = async (text: string) => {
    const written = await put(text);
    const correction = correctionOf(phrase.text, text);
    if (!written.ok || correction === null) return;
    const one = { ...correction, language: phrase.language, kind: 'word', isCaseSensitive: false } as const;
    showToast({
      text: t('dictation.corrected', correction),
      action: {
        text: t('dictation.correctAlways'),
        onPress: () => void change({ replacements: [...replacements.filter(({ say }) => say !== one.say), one] }),
      },
    });
  };
  return { write: (text: string) => void write(text), setBack: () => void put(null) };
}

/** The styles in which a phrase can be written, those that cost apart from those that do not. */
function useWritings(takeId: string, { id, cleanUp }: WrittenPhrase): readonly MenuEntry[] {
  const t = useText();
  const studio = useStudio();
  const showToast = useToast();
  const failureWords = useFailureText();
  const hasModels = modeOf(useSettings().mode).origin === 'service';
  const chosenId = cleanUp?.style ?? 'verbatim';
  const entryOf = (style: WritingStyle): MenuEntry => {
    // An unanswered attempt may have been charged.
    const sendsAgain = style === cleanUp?.style && (cleanUp.fault === 'failed' || cleanUp.fault === 'late');
    const name = t(`dictation.cleanUp.styles.${style}`);
    return {
      id: style,
      text: sendsAgain ? t('dictation.cleanUp.again', { style: name }) : name,
      onAction: () =>
        void studio.request('dictation.cleanUp', { takeId, phraseId: id, style, sendsAgain }).then((done) => {
          if (!done.ok && done.error.code !== 'cancelled') showToast({ text: failureWords(done.error).title });
        }),
    };
  };
  return [
    {
      id: 'write',
      text: t('dictation.cleanUp.writeAs'),
      icon: WandSparkles,
      chosenId,
      entries: (['verbatim', 'tidy'] as const).map(entryOf),
    },
    ...(hasModels
      ? [
          {
            id: 'writeByModel',
            text: t('dictation.cleanUp.writeByModel'),
            icon: WandSparkles,
            chosenId,
            entries: modelStyles.map(entryOf),
          },
        ]
      : []),
  ];
}

interface TextEditorProps {
  readonly before: string;
  readonly lang?: string;
  /** Enter begins a line, and Enter with Ctrl ends. */
  readonly hasLines?: boolean;
  /** Null: it stays as it was. */
  readonly onEnd: (text: string | null) => void;
}

function TextEditor({ before, lang, hasLines = false, onEnd }: TextEditorProps) {
  const t = useText();
  const [text, setText] = useState(before);
  const isOver = useRef(false);
  const end = (written: string | null) => {
    // Removing the field causes another blur event.
    if (isOver.current) return;
    isOver.current = true;
    onEnd(written);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === 'Enter' && (hasLines ? event.ctrlKey || event.metaKey : !event.shiftKey);
    if (event.key !== 'Escape' && !isEnter) return;
    event.preventDefault();
    event.stopPropagation();
    end(isEnter ? text.trim() : null);
  };
  return (
    <textarea
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was pressed to be typed into
      autoFocus
      className={css['editing']}
      lang={lang}
      aria-label={t('dictation.edit')}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
      }}
      onKeyDown={onKeyDown}
      onBlur={() => {
        end(text.trim());
      }}
    />
  );
}

/** What has to be known about a text besides its words. */
function TextNotes({ takeId, phrase }: { readonly takeId: string; readonly phrase: WrittenPhrase }) {
  const t = useText();
  const { isFree } = modeOf(useConnection().mode);
  return (
    <>
      <CleanUpNote takeId={takeId} phrase={phrase} />
      {phrase.firstTry !== null && (
        <span className={cx(css['note'], css['hint'])}>
          <LanguageTag code={phrase.language} name={t(`common.languageNames.${phrase.language}`)} />{' '}
          {t('dictation.secondTry', { language: t(`common.languages.${phrase.language}`) })}
        </span>
      )}
      {!isFree && phrase.unanswered > 0 && (
        <span className={cx(css['note'], css['hint'])}>{t('dictation.perhapsTwice')}</span>
      )}
      {phrase.isTakenBack && <span className={cx(css['note'], css['hint'])}>{t('dictation.takenBack')}</span>}
    </>
  );
}

/** How the text was cleaned up, what that cost, or why it was not; one press shows the user's own words. */
function CleanUpNote({ takeId, phrase }: { readonly takeId: string; readonly phrase: WrittenPhrase }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const { cleanUp } = phrase;
  const { mode } = useConnection();
  if (cleanUp === null || phrase.isEdited) return null;
  // By rules and free: the menu of the phrase shows it.
  if (cleanUp.style === 'tidy') return null;
  const style = t(`dictation.cleanUp.styles.${cleanUp.style}`);
  const cost =
    cleanUp.credits === null || modeOf(mode).isFree
      ? ''
      : t('dictation.cleanUp.cost', {
          count: toHundredths(cleanUp.credits),
          amount: formats.factor(toHundredths(cleanUp.credits)),
        });
  const note = cleanUp.isArriving
    ? t('dictation.cleanUp.arriving', { style })
    : cleanUp.fault === null
      ? cleanUp.isChanged
        ? style
        : t('dictation.cleanUp.unchanged', { style })
      : t(`dictation.cleanUp.faults.${cleanUp.fault}`);
  return (
    <span className={css['note']}>
      {cleanUp.isArriving && (
        <span className={css['spinner']}>
          <Spinner />
        </span>
      )}
      <span className={css['hint']}>{[note, cost].filter((part) => part !== '').join(', ')}</span>
      {cleanUp.isChanged && (
        <Button
          size="sm"
          variant="ghost"
          icon={ArrowLeftRight}
          onPress={() =>
            void studio.request('dictation.showRaw', { takeId, phraseId: phrase.id, isRaw: cleanUp.isShown })
          }
        >
          {t(cleanUp.isShown ? 'dictation.cleanUp.showRaw' : 'dictation.cleanUp.showCleaned')}
        </Button>
      )}
    </span>
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
