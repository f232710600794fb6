import { ArrowDown, ArrowUp, CaseSensitive, Regex, Replace, Search, UserRound, WholeWord } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { err } from '../../../../shared/result/result.ts';
import { replaceTexts } from '../../../../shared/domain/transcript/edit-segments.ts';
import { findMatches, replaceMatches, type TextMatch } from '../../../../shared/domain/transcript/find-text.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { isShortcut } from '../../../lib/hotkeys.ts';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import { useDocument, useEditor, useEditorState } from '../editor-context.ts';
import { findElsewhere } from '../use-text-document.ts';
import { FoundList, wordAt } from './found-list.tsx';
import css from './inspector.module.css';

const none: readonly TextMatch[] = [];
const clock = () => performance.now();

/** Finds words in the text and replaces one match or all, as one undo step. */
export function FindPanel() {
  const t = useText();
  const keyFor = useKeyFor();
  const { detail, document: text, store, player, speakers, canEdit, timeline } = useEditor();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const transcript = useDeferredValue(useDocument((state) => state.transcript));
  const query = useEditorState((state) => state.query);
  const at = useEditorState((state) => state.found.current);
  const [replacement, setReplacement] = useState('');
  const asked = useDeferredValue(query);
  const result = useMemo(() => findMatches(transcript, asked, clock), [transcript, asked]);
  const matches = result.ok ? result.value : none;
  // From the playhead on, in reading order; Enter goes to that one first.
  const first = useMemo(() => {
    const order = new Map(transcript.segments.map(({ id }, index) => [id, index]));
    const here = timeline.segmentNear(player.timeMs());
    return Math.max(
      0,
      matches.findIndex(({ segmentId }) => (order.get(segmentId) ?? 0) >= here),
    );
  }, [matches, transcript, timeline, player]);
  const [isVisited, setIsVisited] = useState(false);
  const current = matches.length === 0 ? -1 : Math.min(at < 0 ? first : at, matches.length - 1);
  useEffect(() => {
    store.showFound(matches, current);
  }, [store, matches, current]);
  useEffect(
    () => () => {
      store.showFound(none, -1);
    },
    [store],
  );

  const goTo = (index: number) => {
    if (matches.length === 0) return;
    const next = (index + matches.length) % matches.length;
    const match = matches[next];
    const segment = transcript.segments.find(({ id }) => id === match?.segmentId);
    setIsVisited(true);
    store.showFound(matches, next);
    if (match === undefined || segment === undefined) return;
    player.seek(segment.words[wordAt(segment, match.from)]?.startMs ?? segment.startMs);
  };
  // An empty replacement removes what was found, and the buttons say so.
  const isDeleting = replacement === '' && matches.length > 0;
  /** The text as the last replacing left it; null when something was typed in the panel since. */
  const lastReplaced = useRef<Transcript | null>(null);
  const fields = useRef<HTMLElement>(null);
  const replace = (chosen: readonly TextMatch[], label: string, showsNotice = true) => {
    text.endStep();
    const refused = text.edit(label, (now) => replaceTexts(now, replaceMatches(now, chosen, query, replacement)));
    if (refused === null) lastReplaced.current = text.getState().transcript;
    if (refused !== null || chosen.length < 2 || !showsNotice) return;
    showUndo({
      icon: Replace,
      text: t(isDeleting ? 'editor.find.deleted' : 'editor.find.replaced', { count: chosen.length }),
      undo: text.undo,
      until: onceChanged(text, ({ transcript: now }) => now),
    });
  };
  const [round, setRound] = useState(0);
  const elsewhere = useMemo(() => findElsewhere(detail.id, asked, round, clock), [detail.id, asked, round]);
  const replaceElsewhere = async () => {
    const { texts, count } = elsewhere;
    for (const other of texts) {
      other.endStep();
      other.edit('replace-all', (now) => {
        const found = findMatches(now, query, clock);
        return found.ok ? replaceTexts(now, replaceMatches(now, found.value, query, replacement)) : err('does-not-fit');
      });
    }
    if (matches.length > 0) replace(matches, 'replace-all', false);
    setRound(round + 1);
    const replaced = [...texts, ...(matches.length > 0 ? [text] : [])];
    const after = new Map(replaced.map((one) => [one, one.getState().transcript]));
    await Promise.all(texts.map((other) => other.flush()));
    // A text that somebody else changed meanwhile is left alone.
    const done = texts.filter((other) => other.getState().saving === 'saved');
    const undone = replaced.filter((one) => one === text || done.includes(one));
    const notice = {
      icon: Replace,
      text: t('editor.find.replacedIn', {
        count: done.length + Math.min(1, matches.length),
        matches: String(count + matches.length),
      }),
    };
    // Undo would take back what was typed while it was saved.
    if (undone.some((one) => one.getState().transcript !== after.get(one))) showToast(notice);
    else
      showUndo({
        ...notice,
        undo: () => {
          for (const one of undone) one.undo();
        },
        until: (hide) => {
          for (const one of undone) onceChanged(one, ({ transcript: now }) => now)(hide);
        },
      });
  };
  useCommands({
    'text.findNext': () => {
      goTo(isVisited ? current + 1 : current);
    },
    'text.findPrevious': () => {
      goTo(current - 1);
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
        onInput={() => {
          lastReplaced.current = null;
        }}
        onKeyDown={(event) => {
          // Fields undo their own typing, unless the replacing was done last, here and in the text.
          if (!isShortcut(event.nativeEvent, 'Mod+KeyZ') || text.getState().transcript !== lastReplaced.current) return;
          event.preventDefault();
          text.undo();
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
            setIsVisited(false);
            store.find({ text: value });
          }}
          onEnter={() => {
            goTo(isVisited ? current + 1 : current);
          }}
        />
        <Field
          label={t('editor.find.replaceWith')}
          placeholder={t('editor.find.replaceWith')}
          value={replacement}
          icon={Replace}
          onChange={setReplacement}
        />
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
              icon={ArrowUp}
              label={t('editor.find.previous')}
              shortcut={keyFor('text.findPrevious')}
              isDisabled={matches.length === 0}
              onPress={() => {
                goTo(current - 1);
              }}
            />
            <IconButton
              icon={ArrowDown}
              label={t('editor.find.next')}
              shortcut={keyFor('text.findNext')}
              isDisabled={matches.length === 0}
              onPress={() => {
                goTo(current + 1);
              }}
            />
          </span>
        </div>
        <div className={css['findActions']}>
          <Button
            isDisabled={!canEdit || chosen === undefined}
            onPress={() => {
              if (chosen !== undefined) replace([chosen], 'replace');
            }}
          >
            {t(isDeleting ? 'editor.find.delete' : 'editor.find.replace')}
          </Button>
          <Button
            isDisabled={!canEdit || matches.length === 0}
            onPress={() => {
              replace(matches, 'replace-all');
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
          <Button size="sm" variant="ghost" isDisabled={!canEdit} onPress={() => void replaceElsewhere()}>
            {t('editor.find.replaceOpen', { count: elsewhere.texts.length, matches: String(elsewhere.count) })}
          </Button>
        )}
      </search>
      {query.text !== '' && result.ok && matches.length === 0 && (
        <p className={css['legend']}>{t('editor.find.none')}</p>
      )}
      <FoundList matches={matches} current={current} onPick={goTo} />
    </div>
  );
}
