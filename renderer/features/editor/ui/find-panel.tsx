import {
  ArrowDown,
  ArrowUp,
  CaseSensitive,
  CirclePlay,
  Regex,
  Replace,
  Search,
  UserRound,
  WholeWord,
  X,
} from 'lucide-react';
import { useRef } from 'react';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { isShortcut } from '../../../lib/hotkeys.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useEditor } from '../editor-context.ts';
import { FoundList, timeOf } from './found-list.tsx';
import css from './inspector.module.css';
import { useFind } from './use-find.ts';

/** In the fields of the panel: plays from the current match. */
const playKey = 'Mod+Enter';

/** Finds words in the text and replaces one match or all, as one undo step. */
export function FindPanel() {
  const t = useText();
  const keyFor = useKeyFor();
  const { document: text, store, speakers, detail, player, timeline } = useEditor();
  const { query, result, matches, current, isDeleting, elsewhere, ...find } = useFind();
  const fields = useRef<HTMLElement>(null);
  /** With the caret at the current match. */
  const backToText = () => {
    const match = matches[current];
    if (match !== undefined) text.setState({ caret: { segmentId: match.segmentId, offset: match.from } });
    else document.querySelector<HTMLElement>('[data-pane="text"] > section')?.focus({ preventScroll: true });
  };
  const playMatch = () => {
    const match = matches[current];
    const segment = timeline.segments.find(({ id }) => id === match?.segmentId);
    if (match === undefined || segment === undefined || detail.mediaUrl === null) return;
    player.playFrom(timeOf(segment, match.from));
  };
  useCommands({
    'text.findNext': find.goToNext,
    'text.findPrevious': () => {
      find.goTo(current - 1);
    },
  });
  const speaker = speakers.find(({ id }) => id === query.speakerId);
  const chosen = matches[current];
  return (
    <div className={css['find']}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to the fields inside */}
      <search
        ref={fields}
        className={css['findFields']}
        onInput={find.noteTyping}
        onFocus={({ relatedTarget, currentTarget }) => {
          if (!currentTarget.contains(relatedTarget)) find.startHere();
        }}
        onKeyDownCapture={(event) => {
          if (!isShortcut(event.nativeEvent, playKey)) return;
          // In the fields Enter alone has another meaning, and in the text it splits.
          event.preventDefault();
          event.stopPropagation();
          playMatch();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            event.stopPropagation();
            backToText();
            return;
          }
          // Fields undo their own typing, unless the replacing was done last, here and in the text.
          if (isShortcut(event.nativeEvent, 'Mod+KeyZ') && find.undoReplacing()) event.preventDefault();
        }}
      >
        <Field
          label={t('editor.find.label')}
          placeholder={t('editor.find.label')}
          value={query.text}
          type="search"
          icon={Search}
          isAutoFocused
          error={result.ok ? null : t(`editor.find.${result.error === 'bad-pattern' ? 'badPattern' : 'tooSlow'}`)}
          suffix={
            query.text === ''
              ? undefined
              : t('editor.find.count', { current: String(current + 1), count: String(matches.length) })
          }
          onChange={(value) => {
            find.forgetVisit();
            store.find({ text: value });
          }}
          onEnter={() => {
            find.goToNext();
          }}
        />
        {speaker !== undefined && (
          <Button
            size="sm"
            icon={X}
            onPress={() => {
              store.find({ speakerId: null });
            }}
          >
            {t('editor.find.onlySpeaker', { name: speaker.name })}
          </Button>
        )}
        <div data-replace>
          <Field
            label={t('editor.find.replaceWith')}
            placeholder={t('editor.find.replaceWith')}
            value={find.replacement}
            icon={Replace}
            onChange={find.setReplacement}
            onEnter={() => {
              // A place that was not seen yet is shown first.
              if (!find.isVisited) find.goTo(current);
              else if (chosen !== undefined) find.replaceNext(chosen);
            }}
          />
        </div>
        <div className={css['findOptions']}>
          <IconButton
            icon={CaseSensitive}
            variant="default"
            label={t('editor.find.case')}
            isPressed={query.matchesCase}
            onPress={() => {
              store.find({ matchesCase: !query.matchesCase });
            }}
          />
          <IconButton
            icon={WholeWord}
            variant="default"
            label={t('editor.find.word')}
            isPressed={query.isWholeWord}
            onPress={() => {
              store.find({ isWholeWord: !query.isWholeWord });
            }}
          />
          <IconButton
            icon={Regex}
            variant="default"
            label={t('editor.find.pattern')}
            isPressed={query.isPattern}
            onPress={() => {
              store.find({ isPattern: !query.isPattern });
            }}
          />
          {speakers.length > 1 && (
            <Menu
              label={t('editor.find.speaker')}
              chosenId={query.speakerId ?? 'any'}
              entries={[{ id: 'any', name: t('editor.find.anySpeaker') }, ...speakers].map(({ id, name }) => ({
                id,
                text: name,
                onAction: () => {
                  store.find({ speakerId: id === 'any' ? null : id });
                },
              }))}
              trigger={
                <IconButton
                  icon={UserRound}
                  variant="default"
                  label={speaker?.name ?? t('editor.find.anySpeaker')}
                  {...(speaker !== undefined && { isPressed: true })}
                />
              }
            />
          )}
          <span className={css['findArrows']}>
            <IconButton
              size="sm"
              icon={CirclePlay}
              label={t('editor.find.play')}
              shortcut={playKey}
              isDisabled={matches.length === 0 || detail.mediaUrl === null}
              onPress={playMatch}
            />
            <IconButton
              size="sm"
              icon={ArrowUp}
              label={t('editor.find.previous')}
              shortcut={keyFor('text.findPrevious')}
              isDisabled={matches.length === 0}
              onPress={() => {
                find.goTo(current - 1);
              }}
            />
            <IconButton
              size="sm"
              icon={ArrowDown}
              label={t('editor.find.next')}
              shortcut={keyFor('text.findNext')}
              isDisabled={matches.length === 0}
              onPress={() => {
                find.goTo(current + 1);
              }}
            />
          </span>
        </div>
        <div className={css['findActions']}>
          <Button
            isDisabled={chosen === undefined}
            onPress={() => {
              if (chosen !== undefined) find.replaceNext(chosen);
            }}
          >
            {t(isDeleting ? 'editor.find.delete' : 'editor.find.replace')}
          </Button>
          <Button
            isDisabled={matches.length === 0}
            onPress={() => {
              find.replaceAll();
              // Nothing is left to press here, and Ctrl+Z in the field takes the replacing back.
              fields.current?.querySelector('input')?.focus();
            }}
          >
            {matches.length === 0
              ? t('editor.find.replaceEvery')
              : t(isDeleting ? 'editor.find.deleteAll' : 'editor.find.replaceAll', { count: String(matches.length) })}
          </Button>
        </div>
        {elsewhere.count > 0 && (
          <Button size="sm" variant="ghost" onPress={() => void find.replaceElsewhere()}>
            {t('editor.find.replaceOpen', { count: elsewhere.texts.length, matches: String(elsewhere.count) })}
          </Button>
        )}
      </search>
      {query.text !== '' && result.ok && matches.length === 0 && (
        <p className={css['legend']}>{t('editor.find.none')}</p>
      )}
      <FoundList matches={matches} current={current} onPick={find.goTo} />
    </div>
  );
}
