import {
  ArrowDown,
  ArrowUp,
  CaseSensitive,
  ChevronDown,
  ChevronRight,
  CirclePlay,
  Regex,
  Replace,
  Search,
  UserRound,
  WholeWord,
  X,
} from 'lucide-react';
import { useRef, useState, useEffect, useMemo } from 'react';
import { Toolbar } from 'react-aria-components';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useCommands, useCommandTitle, useKeyFor } from '../../../lib/commands.tsx';
import { isShortcut } from '../../../lib/hotkeys.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useEditor, useBackToText } from '../editor-context.ts';
import { wordAtOffset, wordLayout } from '../model/word-layout.ts';
import css from './inspector.module.css';
import { useFind } from './use-find.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { maskedText, withWholeSecrets } from '../../../../shared/domain/transcript/edit-marks.ts';
import type { TextMatch } from '../../../../shared/domain/transcript/find-text.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { cx } from '../../../lib/class-names.ts';
import { tint } from './speaker-menu.tsx';

const toggles = [
  ['matchesCase', CaseSensitive, 'case'],
  ['isWholeWord', WholeWord, 'word'],
  ['isPattern', Regex, 'pattern'],
] as const;

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
  useCommands({ 'text.findNext': find.goToNext, 'text.findPrevious': () => find.goTo(current - 1) });
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
            matches.length === 0
              ? undefined
              : t('editor.find.count', { current: String(current + 1), count: String(matches.length) })
          }
          onChange={(value) => store.find({ text: value })}
          onEnter={find.goToNext}
        />
        {speaker !== undefined && (
          <Button size="sm" icon={X} onPress={() => store.find({ speakerId: null })}>
            {t('editor.find.onlySpeaker', { name: speaker.name })}
          </Button>
        )}
        {/* One stop for Tab: what replaces is two presses from what is searched for. */}
        <Toolbar className={css['findOptions'] ?? ''} aria-label={t('editor.find.options')}>
          {toggles.map(([name, icon, label]) => (
            <IconButton
              key={name}
              size="sm"
              icon={icon}
              variant="default"
              label={t(`editor.find.${label}`)}
              isPressed={query[name]}
              onPress={() => store.find({ [name]: !query[name] })}
            />
          ))}
          {speakers.length > 1 && (
            <Menu
              label={t('editor.find.speaker')}
              chosenId={query.speakerId ?? 'any'}
              entries={[{ id: 'any', name: t('editor.find.anySpeaker') }, ...speakers].map(({ id, name }) => ({
                id,
                text: name,
                onAction: () => store.find({ speakerId: id === 'any' ? null : id }),
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
              onPress={() => find.goTo(current - 1)}
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
        <Button
          size="sm"
          variant="ghost"
          icon={replacesInFind ? ChevronDown : ChevronRight}
          className={css['longButton']}
          shortcut={keyFor('text.replace')}
          isExpanded={replacesInFind}
          onPress={() => void change({ replacesInFind: !replacesInFind })}
        >
          {titleOf('text.replace')}
        </Button>
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
        <output className={css['legend']}>
          {find.finished === null
            ? t('editor.find.none')
            : t(find.finished.isDeleted ? 'editor.find.deleted' : 'editor.find.replaced', {
                count: find.finished.count,
              })}
        </output>
      )}
      <FoundList matches={matches} current={current} onPick={find.goTo} />
    </div>
  );
}

function ReplacePart({
  find,
  onAllReplaced,
}: {
  readonly find: ReturnType<typeof useFind>;
  readonly onAllReplaced: () => void;
}) {
  const t = useText();
  const { detail, store } = useEditor();
  const formats = useFormats();
  const { matches, isDeleting, elsewhere, query, insideWordsCount } = find;
  const chosen = matches[find.current];
  const [isAsking, setIsAsking] = useState(false);
  const countElsewhere = elsewhere.reduce((sum, { count }) => sum + count, 0);
  const replaceOne = () => {
    if (chosen !== undefined) find.replaceNext(chosen);
  };
  return (
    <>
      <div data-replace>
        <Field
          label={t('editor.find.replaceWith')}
          placeholder={t('editor.find.replaceWith')}
          value={find.replacement}
          icon={Replace}
          onChange={store.replaceWith}
          onEnter={replaceOne}
        />
      </div>
      {insideWordsCount > 0 && (
        <Button size="sm" className={css['longButton']} onPress={() => store.find({ isWholeWord: true })}>
          {t('editor.find.skipInsideWords', { count: insideWordsCount })}
        </Button>
      )}
      <div className={css['findActions']}>
        <Button size="sm" isDisabled={chosen === undefined} onPress={replaceOne}>
          {t(isDeleting ? 'editor.find.delete' : 'editor.find.replace')}
        </Button>
        <Button
          size="sm"
          isDisabled={matches.length === 0}
          onPress={() => {
            find.replaceAll();
            onAllReplaced();
          }}
        >
          {matches.length === 0
            ? t('editor.find.replaceEvery')
            : t(isDeleting ? 'editor.find.deleteAll' : 'editor.find.replaceAll', { count: String(matches.length) })}
        </Button>
        <Button size="sm" isDisabled={matches.length === 0} onPress={find.redactAll}>
          {t('editor.find.redactAll')}
        </Button>
      </div>
      {elsewhere.length > 0 && (
        <Button size="sm" variant="ghost" className={css['longButton']} onPress={() => setIsAsking(true)}>
          {t(isDeleting ? 'editor.find.deleteOpen' : 'editor.find.replaceOpen', {
            count: elsewhere.length,
            matches: String(countElsewhere),
          })}
        </Button>
      )}
      {/* Asked because the other transcripts are not in sight. */}
      <Question
        isDanger={isDeleting}
        isOpen={isAsking}
        title={t(isDeleting ? 'editor.find.deleteTitle' : 'editor.find.replaceTitle', {
          count: elsewhere.length + Math.min(1, matches.length),
        })}
        confirm={t(isDeleting ? 'editor.find.deleteAll' : 'editor.find.replaceAll', {
          count: String(countElsewhere + matches.length),
        })}
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          void find.replaceElsewhere();
          onAllReplaced();
        }}
        controls={
          <ul className={css['elsewhere']}>
            {[...(matches.length > 0 ? [{ ...detail, count: matches.length }] : []), ...elsewhere].map(
              ({ id, title, count }) => (
                <li key={id}>
                  <span>{title}</span>
                  <span>{formats.number(count)}</span>
                </li>
              ),
            )}
          </ul>
        }
      >
        {t(isDeleting ? 'editor.find.deleteText' : 'editor.find.replaceText', {
          words: query.text,
          others: find.replacement,
        })}
      </Question>
    </>
  );
}

const rowHeight = 27;
const lead = 18;

function FoundList({
  matches,
  current,
  onPick,
}: {
  readonly matches: readonly TextMatch[];
  readonly current: number;
  readonly onPick: (index: number) => void;
}) {
  const t = useText();
  const { wordsLang, timeline, speakers } = useEditor();
  const list = useRef<HTMLUListElement>(null);
  const { segments } = timeline;
  const byId = useMemo(() => new Map(segments.map((segment) => [segment.id, segment])), [segments]);
  // oxlint-disable-next-line react/incompatible-library -- its answers change under the same functions; nothing here is memoised on them
  const rows = useVirtualizer({
    count: matches.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  useEffect(() => {
    if (current >= 0) rows.scrollToIndex(current, { align: 'auto' });
  }, [rows, current]);
  return (
    <ul ref={list} className={css['list']} aria-label={t('editor.find.results')}>
      <li aria-hidden style={{ blockSize: `${String(rows.getTotalSize())}px` }} />
      {rows.getVirtualItems().map(({ index, key, start }) => {
        const match = matches[index];
        const segment = match === undefined ? undefined : byId.get(match.segmentId);
        if (match === undefined || segment === undefined) return null;
        const speaker = speakers.find(({ id }) => id === segment.speakerId);
        return (
          <li key={key} className={css['item']} style={{ transform: `translateY(${String(start)}px)` }}>
            <button
              type="button"
              tabIndex={index === Math.max(0, current) ? 0 : -1}
              aria-current={index === current}
              className={cx(css['row'], index === current && css['current'])}
              style={tint(speaker)}
              onClick={() => onPick(index)}
            >
              <span className={css['time']}>{clock(timeOf(segment, match.from))}</span>
              <span className="cut" lang={wordsLang}>
                <Match segment={segment} match={match} />
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** A match with its context, in which redacted words are masked: part of one would say the rest. */
function Match({ segment, match }: { readonly segment: Segment; readonly match: TextMatch }) {
  const [from, to] = withWholeSecrets(segment, match.from, match.to);
  return (
    <>
      {from > lead && '…'}
      {maskedText(segment, Math.max(0, from - lead), from)}
      <mark>{maskedText(segment, from, to)}</mark>
      {maskedText(segment, to, Math.min(segment.text.length, to + 60))}
    </>
  );
}

const timeOf = (segment: Segment, offset: number): number =>
  segment.words[wordAtOffset(wordLayout(segment), offset)]?.startMs ?? segment.startMs;
