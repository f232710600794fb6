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
import { useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useCommands, useCommandTitle, useKeyFor } from '../../../lib/commands.tsx';
import { isShortcut } from '../../../lib/hotkeys.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useEditor } from '../editor-context.ts';
import { FoundList, timeOf } from './found-list.tsx';
import css from './inspector.module.css';
import { ReplacePart } from './replace-part.tsx';
import { useBackToText } from './use-back-to-text.ts';
import { useFind } from './use-find.ts';

/** Finds words in the text and replaces one match or all, as one undo step. */
export function FindPanel() {
  const t = useText();
  const keyFor = useKeyFor();
  const { document: text, store, speakers, detail, player, timeline } = useEditor();
  const { replacesInFind } = useSettings();
  const change = useSettingsChange();
  const find = useFind();
  const { query, result, matches, current } = find;
  const titleOf = useCommandTitle();
  const playKey = keyFor('text.playMatch');
  const fields = useRef<HTMLElement>(null);
  // The commands give the field the focus themselves; comparing versions gives it back to the text.
  const [isOpenedByTab] = useState(() => document.activeElement?.closest('[role="tab"]') != null);
  const backToCaret = useBackToText();
  /** With the caret at the current match. */
  const backToText = () => {
    const match = matches[current];
    if (match !== undefined) text.setState({ caret: { segmentId: match.segmentId, offset: match.from } });
    else backToCaret();
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
          if (playKey === null || !isShortcut(event.nativeEvent, playKey)) return;
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
          isAutoFocused={isOpenedByTab}
          error={result.ok ? null : t(`editor.find.${result.error === 'bad-pattern' ? 'badPattern' : 'tooSlow'}`)}
          suffix={
            query.text === ''
              ? undefined
              : t('editor.find.count', { current: String(current + 1), count: String(matches.length) })
          }
          onChange={(value) => {
            store.find({ text: value });
          }}
          onEnter={find.goToNext}
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
        {/* One stop for Tab: what replaces is two presses from what is searched for. */}
        <Toolbar className={css['findOptions'] ?? ''} aria-label={t('editor.find.options')}>
          <IconButton
            size="sm"
            icon={CaseSensitive}
            variant="default"
            label={t('editor.find.case')}
            isPressed={query.matchesCase}
            onPress={() => {
              store.find({ matchesCase: !query.matchesCase });
            }}
          />
          <IconButton
            size="sm"
            icon={WholeWord}
            variant="default"
            label={t('editor.find.word')}
            isPressed={query.isWholeWord}
            onPress={() => {
              store.find({ isWholeWord: !query.isWholeWord });
            }}
          />
          <IconButton
            size="sm"
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
                  size="sm"
                  icon={UserRound}
                  variant="default"
                  label={speaker?.name ?? t('editor.find.anySpeaker')}
                  {...(speaker !== undefined && { isPressed: true })}
                />
              }
            />
          )}
          <IconButton
            size="sm"
            icon={Replace}
            variant="default"
            label={titleOf('text.replace')}
            shortcut={keyFor('text.replace')}
            isPressed={replacesInFind}
            onPress={() => void change({ replacesInFind: !replacesInFind })}
          />
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
              onPress={find.goToNext}
            />
          </span>
        </Toolbar>
        {replacesInFind && (
          <ReplacePart
            find={find}
            onAllReplaced={() => {
              // Nothing is left to press here, and Ctrl+Z in the field takes the replacing back.
              fields.current?.querySelector('input')?.focus();
            }}
          />
        )}
      </search>
      {query.text !== '' && result.ok && matches.length === 0 && (
        <p className={css['legend']}>
          {find.finished === null
            ? t('editor.find.none')
            : t(find.finished.isDeleted ? 'editor.find.lastDeleted' : 'editor.find.lastReplaced')}
        </p>
      )}
      <FoundList matches={matches} current={current} onPick={find.goTo} />
    </div>
  );
}
