import { Copy, MoreHorizontal, Pause, PencilLine, Play, RotateCw, Trash2, Undo2, WandSparkles } from 'lucide-react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useRef, useState, type KeyboardEvent } from 'react';
import { modelStyles, type WritingStyle } from '../../../../shared/domain/dictation/clean-up.ts';
import { correctionOf } from '../../../../shared/domain/dictation/replacements.ts';
import type { WrittenPhrase } from '../../../../shared/domain/dictation/written-phrases.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuAt, type MenuEntry } from '../../../ui/menu.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import css from '../dictate-screen.module.css';
import { PhraseText } from './phrase-text.tsx';
import type { TakePlayer } from './use-take-player.ts';

interface PhraseRowProps {
  readonly takeId: string;
  readonly phrase: WrittenPhrase;
  /** Null: its audio is missing, or not there yet. */
  readonly player: TakePlayer | null;
}

/** One phrase: its text, its problem, and its actions. */
export function PhraseRow({ takeId, phrase, player }: PhraseRowProps) {
  const t = useText();
  const copyText = useCopy();
  const formats = useFormats();
  const studio = useStudio();
  const showUndo = useUndoNotice();
  const row = useRef<HTMLLIElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const [menuAt, setMenuAt] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const { mode } = useSettings();
  const { write, setBack } = useEditing(takeId, phrase);
  const seconds = formats.number(Math.round(((phrase.endMs ?? phrase.startMs) - phrase.startMs) / 100) / 10);
  const again = (language: WrittenPhrase['language']) =>
    void studio.request('dictation.sendAgain', { takeId, phrase: { id: phrase.id, language } });
  const isSettled = phrase.state === 'failed' || phrase.state === 'silent' || phrase.state === 'text';
  const isPlaying = player?.isPlaying(takeId, phrase) === true;
  const edit = () => {
    setIsEditing(true);
  };
  // A menu that closes gives the focus back to its button first.
  const editAfterMenu = () => {
    requestAnimationFrame(() => requestAnimationFrame(edit));
  };
  const discard = async () => {
    const place = { takeId, phraseId: phrase.id };
    const discarded = await studio.request('dictation.discard', place);
    if (!discarded.ok) return;
    const undo = () => void studio.request('dictation.restore', place);
    showUndo({ text: t('dictation.discarded', { seconds }), undo });
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
      ? [{ id: 'edit', text: t('dictation.edit'), icon: PencilLine, onAction: editAfterMenu }]
      : []),
    ...(phrase.isEdited ? [{ id: 'back', text: t('dictation.editBack'), icon: Undo2, onAction: setBack }] : []),
    ...(player === null ? [] : [play]),
    {
      id: 'again',
      text: t(modeOf(mode).isOnThisComputer ? 'dictation.recogniseAgain' : 'dictation.again'),
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
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the same menu as of the button
    <li
      ref={row}
      tabIndex={-1}
      className={cx(css['phrase'], phrase.isTakenBack && css['takenBack'])}
      data-state={phrase.state}
      onContextMenu={(event) => {
        if (!isSettled || isEditing) return;
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <time className={css['at']}>{formats.time(phrase.spokenAtMs)}</time>
      <div className={css['said']}>
        {isEditing ? (
          <PhraseEditor
            phrase={phrase}
            onEnd={(text) => {
              setIsEditing(false);
              row.current?.focus();
              if (text !== null && text !== phrase.text) write(text);
            }}
          />
        ) : (
          <PhraseText takeId={takeId} phrase={phrase} seconds={seconds} onEdit={edit} />
        )}
      </div>
      <div className={css['actions']}>
        {phrase.state === 'waiting' && (
          <span className={css['hint']}>
            <span className={css['spinner']}>
              <Spinner />
            </span>
            {t('dictation.sent', { seconds })}
          </span>
        )}
        {phrase.state === 'speaking' && <span className={css['live']}>{t('dictation.recording')}</span>}
        {phrase.state === 'failed' && (
          <Button size="sm" icon={RotateCw} onPress={() => again(phrase.language)}>
            {t('common.retry')}
          </Button>
        )}
        {phrase.text !== '' && phrase.state !== 'discarded' && (
          <IconButton size="sm" icon={Copy} label={copy.text} onPress={copy.onAction} />
        )}
        {isSettled && (
          <Menu
            label={t('common.more')}
            placement="bottom end"
            entries={entries}
            trigger={<IconButton size="sm" icon={MoreHorizontal} label={t('common.more')} />}
          />
        )}
      </div>
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
  const failureWords = useFailureWords();
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

function PhraseEditor({
  phrase,
  onEnd,
}: {
  readonly phrase: WrittenPhrase;
  /** Null: it stays as it was. */
  readonly onEnd: (text: string | null) => void;
}) {
  const t = useText();
  const [text, setText] = useState(phrase.text);
  const isOver = useRef(false);
  const end = (written: string | null) => {
    // Removing the field causes another blur event.
    if (isOver.current) return;
    isOver.current = true;
    onEnd(written);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
    end(event.key === 'Enter' ? text.trim() : null);
  };
  return (
    <textarea
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was pressed to be typed into
      autoFocus
      className={css['editing']}
      lang={phrase.language}
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
