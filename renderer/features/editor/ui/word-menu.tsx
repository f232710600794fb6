import {
  CirclePlay,
  ClipboardCopy,
  ClipboardPaste,
  Clock,
  Copy,
  Ear,
  EyeOff,
  Merge,
  Scissors,
  Split,
  TextSelect,
  Trash2,
  UserPen,
} from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { redactedText } from '../../../../shared/domain/transcript/edit-marks.ts';
import { isRedacted } from '../../../../shared/domain/transcript/word-mark.ts';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { MenuAt, type MenuEntry } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { useEditor } from '../editor-context.ts';
import { useDeleteSegments } from '../use-delete-segments.ts';
import { replaceStretch } from '../../../../shared/domain/transcript/replace-stretch.ts';
import type { SpellChecker } from '../model/spell-checker.ts';
import { replacingOf, textOfParts } from '../model/block-selection.ts';
import { offsetOfWord } from '../../../../shared/domain/transcript/spoken-text.ts';
import { SpeakerDialog } from './speaker-dialog.tsx';
import { menuTargetAt, type MenuTarget } from './menu-target.ts';
import { useCopyTimed, useMarking, type MarkKind } from './use-word-commands.ts';
import { usePasteByMenu } from './use-paste-by-menu.ts';
import { respellingAt, useRespellings, type Respelling } from './use-spelling.tsx';
import { focusTextPane } from '../../../lib/text-pane.ts';

interface Asked extends MenuTarget {
  readonly respelling: Respelling | null;
}

const nameless = () => null;
const keyed = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/**
 * The actions on the selection, the caret or the segment under the pointer. A right click outside a selection has put
 * the caret there; what is meant for words then applies to the one at the caret, and says so.
 */
export function WordMenu({
  scroller,
  spelling,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly spelling: SpellChecker | null;
}) {
  const t = useText();
  const editor = useEditor();
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    if (scroller.current === null) return undefined;
    const scope = new Scope();
    let lastAsked: Event | null = null;
    scope.listen<MouseEvent>(scroller.current, 'contextmenu', (event) => {
      const found = menuTargetAt(event, editor);
      if (found === null) return;
      event.preventDefault();
      lastAsked = event;
      if (found.parts.length === 0) editor.store.select(null);
      const checker = found.parts.length > 0 ? null : spelling;
      void respellingAt(checker, found.segment, found.word).then((respelling) => {
        if (!scope.isDisposed && lastAsked === event) setAsked({ ...found, respelling });
      });
    });
    return () => {
      scope.dispose();
    };
  }, [scroller, editor, spelling]);
  const respellings = useRespellings(asked?.respelling ?? null);
  /** Who get a new speaker when it is named. */
  const [named, setNamed] = useState<readonly string[] | null>(null);
  const entries = [...respellings, ...useEntries(asked, usePasteByMenu(asked, scroller), setNamed)];
  if (named !== null)
    return (
      <SpeakerDialog
        title={t('editor.speaker.addTitle')}
        speaker={null}
        onClose={() => {
          setNamed(null);
        }}
        onName={(name, colour) => {
          editor.commands.assignNew(named, name, colour);
        }}
        onSame={(other) => {
          editor.commands.assign(named, other.id);
        }}
      />
    );
  return asked === null ? null : (
    <MenuAt
      key={`${String(asked.x)}-${String(asked.y)}`}
      label={t('editor.text.menu.label')}
      at={asked}
      entries={entries}
      onClose={() => {
        setAsked(null);
      }}
    />
  );
}

function useEntries(
  asked: Asked | null,
  paste: () => void,
  nameNew: (segmentIds: readonly string[]) => void,
): readonly MenuEntry[] {
  const t = useText();
  const copy = useCopy();
  const marking = useMarking();
  const copyTimed = useCopyTimed();
  const deleteSegments = useDeleteSegments();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const editor = useEditor();
  const { player, commands, speakers, document: text, store, timeline } = editor;
  if (asked === null) return [];
  const { segment, word, ranges, segments, parts } = asked;
  const [ids, offset] = [segments.map(({ id }) => id), offsetOfWord(segment, word)];
  const written = textOfParts(parts, nameless);
  /** Why there is nothing to listen to and to cut from. */
  const noRecording = editor.detail.mediaUrl === null ? t('editor.text.menu.noRecording') : null;
  const isFirst = timeline.segments[0]?.id === segment.id;
  const mark = (id: string, icon: typeof Scissors, kind: MarkKind): MenuEntry => {
    const { words, isMarked, lacksRecording, toggle } = marking(kind, ranges);
    /** The word that is meant, as the text shows it. */
    const meant = isRedacted(words[0]) ? redactedText : (words[0]?.text ?? null);
    return {
      id,
      icon,
      text: isMarked ? t(`editor.text.menu.un-${kind}`) : t(`editor.text.menu.${kind}`),
      detail: lacksRecording ? noRecording : parts.length === 0 ? meant : null,
      shortcut: keyFor(kind === 'cut' ? 'words.cut' : 'words.redact'),
      isDisabled: words.length === 0 || lacksRecording,
      onAction: toggle,
    };
  };
  return [
    {
      id: 'play',
      icon: CirclePlay,
      text: t('editor.text.menu.play'),
      onAction: () => {
        player.playFrom(segment.words[word]?.startMs ?? segment.startMs);
      },
    },
    {
      id: 'split',
      icon: Split,
      text: t('editor.text.menu.split'),
      shortcut: 'Enter',
      isDisabled: segments.length > 1 || word === 0,
      onAction: () => {
        commands.splitAt(segment.id, offset);
      },
    },
    {
      id: 'merge',
      icon: Merge,
      text: t('editor.text.menu.merge'),
      detail: isFirst ? t('editor.text.menu.isFirst') : null,
      shortcut: isFirst ? null : keyFor('segment.merge'),
      isDisabled: segments.length > 1 || isFirst,
      onAction: () => {
        commands.mergeWithPrevious(segment.id);
      },
    },
    {
      id: 'assign',
      icon: UserPen,
      text: t('editor.text.menu.assign'),
      chosenId: segments.every(({ speakerId }) => speakerId === segment.speakerId) ? segment.speakerId : null,
      entries: [
        ...speakers.map((one, place): MenuEntry => {
          const number = keyed[place];
          return {
            id: one.id,
            text: one.name,
            shortcut: number === undefined ? null : keyFor(`speaker.assign${number}`),
            onAction: () => {
              commands.assign(ids, one.id);
            },
          };
        }),
        {
          id: 'new',
          text: t('editor.speaker.add'),
          onAction: () => {
            nameNew(ids);
          },
        },
      ],
    },
    'separator',
    {
      id: 'listen',
      icon: Ear,
      text: t('editor.text.menu.listen'),
      shortcut: keyFor('segment.listenAgain'),
      detail: noRecording,
      isDisabled: noRecording !== null,
      onAction: () => {
        // The place under the pointer, when nothing is selected.
        const isUnselected = segments.length === 1 && store.getState().selection === null && ranges[0]?.to === word + 1;
        if (isUnselected) store.select({ anchorId: segment.id, focusId: segment.id });
        run('segment.listenAgain');
      },
    },
    {
      id: 'cut-text',
      icon: ClipboardCopy,
      text: t('editor.text.menu.cutText'),
      shortcut: 'Mod+KeyX',
      isDisabled: written === '',
      onAction: () => {
        const [first, last] = [parts[0], parts.at(-1)];
        if (first === undefined || last === undefined) return;
        void copy(written);
        const { from, to, inserted } = replacingOf(first, last, '');
        const segmentId = first.segment.id;
        const caretAfter = { segmentId, offset: from + inserted.length };
        text.endStep();
        text.edit(
          'delete',
          (now) =>
            replaceStretch(now, { segmentId, offset: from }, { segmentId: last.segment.id, offset: to }, inserted),
          { caretBefore: { segmentId, offset: first.from }, caretAfter },
        );
        store.select(null);
        // Where the words were, so that what is typed or pasted next goes there.
        text.setState({ caret: caretAfter });
      },
    },
    {
      id: 'copy',
      icon: Copy,
      text: t('editor.text.menu.copy'),
      shortcut: 'Mod+KeyC',
      isDisabled: written === '',
      onAction: () => {
        void copy(written);
      },
    },
    {
      id: 'copy-timed',
      icon: Clock,
      text: t('editor.text.menu.copyTimed'),
      shortcut: keyFor('words.copyTimed'),
      onAction: () => {
        copyTimed(asked);
      },
    },
    {
      id: 'paste',
      icon: ClipboardPaste,
      text: t('editor.text.menu.paste'),
      shortcut: 'Mod+KeyV',
      onAction: paste,
    },
    {
      id: 'select-all',
      icon: TextSelect,
      text: t('editor.text.menu.selectAll'),
      shortcut: 'Mod+KeyA',
      onAction: () => {
        const [first, last] = [timeline.segments[0], timeline.segments.at(-1)];
        if (first === undefined || last === undefined) return;
        focusTextPane();
        store.select({ anchorId: first.id, focusId: last.id });
      },
    },
    'separator',
    mark('cut', Scissors, 'cut'),
    mark('redact', EyeOff, 'redacted'),
    {
      id: 'delete',
      icon: Trash2,
      isDanger: true,
      text:
        segments.length === 1
          ? t('editor.text.menu.deleteOne')
          : t('editor.text.menu.delete', { count: segments.length }),
      shortcut: keyFor('segment.delete'),
      onAction: () => {
        deleteSegments(ids);
      },
    },
  ];
}
