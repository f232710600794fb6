import { listComments } from '../../../../shared/domain/transcript/comments.ts';
import { isCut, isRedacted, type Segment, type Word } from '../../../../shared/domain/transcript/transcript.ts';
import {
  CirclePlay,
  ClipboardCopy,
  ClipboardPaste,
  Clock,
  Copy,
  Ear,
  Ellipsis,
  EyeOff,
  Merge,
  MessageSquare,
  Scissors,
  Split,
  TextSelect,
  Trash2,
  UserPen,
  CircleAlert,
} from 'lucide-react';
import { useEffect, useState, useRef, type RefObject } from 'react';
import { redactedText, markWords, type WordRange } from '../../../../shared/domain/transcript/edit-marks.ts';
import { replaceStretch } from '../../../../shared/domain/transcript/replace-stretch.ts';
import { offsetOfWord } from '../../../../shared/domain/transcript/spoken-text.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useKeyFor, useRunCommand, useCommands } from '../../../lib/commands.tsx';
import { Scope } from '../../../lib/scope.ts';
import { focusTextPane } from '../../../lib/text-pane.ts';
import { useText } from '../../../lib/text.ts';
import { MenuAt, type MenuEntry } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { useEditor, type Editor } from '../editor-context.ts';
import { replacingOf, textOfParts, wholeOf } from '../model/block-selection.ts';
import { speakerNumbers } from '../model/speaker-list.ts';
import type { SpellChecker } from '../model/spell-checker.ts';
import { useDeleteSegments } from '../use-editor-keys.ts';
import { placeCaret, hostOfCaret } from './caret.ts';
import { SpeakerDialog } from './speaker-dialog.tsx';
import { respellingAt, useRespellings, type Respelling } from './use-spelling.tsx';
import { wordAtPoint } from './use-word-clicks.ts';
import { wordTargetIn, type WordTarget, wordTargetNow } from './word-target.ts';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useEditorNotice } from '../use-editor-notice.ts';

interface Asked extends MenuTarget {
  readonly respelling: Respelling | null;
}

const nameless = () => null;

/** A right click outside a selection has put the caret there, and words at it are meant. */
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
    return () => scope.dispose();
  }, [scroller, editor, spelling]);
  const respellings = useRespellings(asked?.respelling ?? null);
  const [named, setNamed] = useState<readonly string[] | null>(null);
  const entries = [...respellings, ...useEntries(asked, usePasteByMenu(asked, scroller), setNamed)];
  if (named !== null) return <SpeakerDialog segmentIds={named} onClose={() => setNamed(null)} />;
  return asked === null ? null : (
    <MenuAt
      key={`${String(asked.x)}-${String(asked.y)}`}
      label={t('editor.text.menu.label')}
      at={asked}
      entries={entries}
      onClose={() => setAsked(null)}
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
  const noRecording = editor.detail.mediaUrl === null ? t('editor.text.menu.noRecording') : null;
  const isFirst = timeline.segments[0]?.id === segment.id;
  const mark = (id: string, icon: typeof Scissors, kind: MarkKind): MenuEntry => {
    const { words, isMarked, lacksRecording, toggle } = marking(kind, ranges);
    const meant = isRedacted(words[0]) ? redactedText : words[0] === undefined ? null : `“${words[0].text}”`;
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
      onAction: () => player.playFrom(segment.words[word]?.startMs ?? segment.startMs),
    },
    mark('cut', Scissors, 'cut'),
    mark('redact', EyeOff, 'redacted'),
    {
      id: 'comment',
      icon: MessageSquare,
      text: t('editor.text.menu.comment'),
      shortcut: keyFor('words.comment'),
      isDisabled: segment.words.length === 0,
      onAction: () => openCommentOn(editor, asked),
    },
    {
      id: 'assign',
      icon: UserPen,
      text: t('editor.text.menu.assign'),
      chosenId: segments.every(({ speakerId }) => speakerId === segment.speakerId) ? segment.speakerId : null,
      entries: [
        ...speakers.map((one, place): MenuEntry => {
          const number = speakerNumbers[place];
          return {
            id: one.id,
            text: one.name,
            shortcut: number === undefined ? null : keyFor(`speaker.assign${number}`),
            onAction: () => commands.assign(ids, one.id),
          };
        }),
        { id: 'new', text: t('editor.speaker.add'), onAction: () => nameNew(ids) },
      ],
    },
    'separator',
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
        text.edit(
          'delete',
          (now) =>
            replaceStretch(now, { segmentId, offset: from }, { segmentId: last.segment.id, offset: to }, inserted),
          { caretBefore: { segmentId, offset: first.from }, caretAfter },
        );
        store.select(null);
        text.setState({ caret: caretAfter });
      },
    },
    {
      id: 'copy',
      icon: Copy,
      text: t('editor.text.menu.copy'),
      shortcut: 'Mod+KeyC',
      isDisabled: written === '',
      onAction: () => void copy(written),
    },
    { id: 'paste', icon: ClipboardPaste, text: t('editor.text.menu.paste'), shortcut: 'Mod+KeyV', onAction: paste },
    'separator',
    {
      id: 'more',
      icon: Ellipsis,
      text: t('common.more'),
      entries: [
        {
          id: 'split',
          icon: Split,
          text: t('editor.text.menu.split'),
          shortcut: 'Enter',
          isDisabled: segments.length > 1 || word === 0,
          onAction: () => commands.splitAt(segment.id, offset),
        },
        {
          id: 'merge',
          icon: Merge,
          text: t('editor.text.menu.merge'),
          detail: isFirst ? t('editor.text.menu.isFirst') : null,
          shortcut: isFirst ? null : keyFor('segment.merge'),
          isDisabled: segments.length > 1 || isFirst,
          onAction: () => commands.mergeWithPrevious(segment.id),
        },
        {
          id: 'listen',
          icon: Ear,
          text: t('editor.text.menu.listen'),
          shortcut: keyFor('segment.listenAgain'),
          detail: noRecording,
          isDisabled: noRecording !== null,
          onAction: () => {
            const isUnselected =
              segments.length === 1 && store.getState().selection === null && ranges[0]?.to === word + 1;
            if (isUnselected) store.select({ anchorId: segment.id, focusId: segment.id });
            run('segment.listenAgain');
          },
        },
        {
          id: 'copy-timed',
          icon: Clock,
          text: t('editor.text.menu.copyTimed'),
          shortcut: keyFor('words.copyTimed'),
          onAction: () => copyTimed(asked),
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
        {
          id: 'delete',
          icon: Trash2,
          isDanger: true,
          text:
            segments.length === 1
              ? t('editor.text.menu.deleteOne')
              : t('editor.text.menu.delete', { count: segments.length }),
          shortcut: keyFor('segment.delete'),
          onAction: () => deleteSegments(ids),
        },
      ],
    },
  ];
}

/**
 * Pastes where the menu of the text was opened, as the key does: main lets the browser paste, because a page may not
 * read the clipboard. The text has to have the focus again for that, which the menu keeps while it is open.
 */
function usePasteByMenu(asked: MenuTarget | null, scroller: RefObject<HTMLElement | null>): () => void {
  const studio = useStudio();
  const { store } = useEditor();
  const chosen = useRef<MenuTarget | null>(null);
  useEffect(() => {
    const [target, element] = [chosen.current, scroller.current];
    if (asked !== null || target === null || element === null) return;
    chosen.current = null;
    const { segment, word, caret } = target;
    const host = element.querySelector<HTMLElement>(`[data-text="${CSS.escape(segment.id)}"]`);
    if (store.getState().selection !== null) element.focus({ preventScroll: true });
    else if (host === null) return;
    else if (caret === null || !host.contains(caret.commonAncestorContainer))
      placeCaret(host, offsetOfWord(segment, word));
    else {
      host.focus({ preventScroll: true });
      document
        .getSelection()
        ?.setBaseAndExtent(caret.startContainer, caret.startOffset, caret.endContainer, caret.endOffset);
    }
    void studio.request('window.paste', {});
  }, [asked, scroller, store, studio]);
  return () => {
    chosen.current = asked;
  };
}

interface MenuTarget extends WordTarget {
  readonly x: number;
  readonly y: number;
  /** The caret or the selection of the browser in that segment, which leaves it while a menu has the focus. */
  readonly caret: Range | null;
}

function menuTargetAt(event: MouseEvent, editor: Editor): MenuTarget | null {
  if (event.target instanceof Element && event.target.closest('button') !== null) return null;
  const index = Number(
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] : Number.NaN,
  );
  const segment: Segment | undefined = editor.timeline.segments[index];
  if (segment === undefined) return null;
  const selection = document.getSelection();
  const range = selection === null || selection.rangeCount === 0 ? null : selection.getRangeAt(0);
  const caret = range !== null && hostOfCaret()?.contains(range.commonAncestorContainer) === true ? range : null;
  return {
    ...wordTargetIn(editor, segment, wordAtPoint(event, segment) ?? 0),
    x: event.clientX,
    y: event.clientY,
    caret: caret?.cloneRange() ?? null,
  };
}

/** The comment that is there, or else a new one: on the selected words, and without any on the segment. */
function openCommentOn({ store, timeline }: Editor, { segment, ranges, parts }: WordTarget): void {
  const known = wordsIn(timeline, ranges).find(({ comment }) => comment !== undefined)?.comment;
  const own = listComments(timeline).find(([place]) => place?.id === known?.id);
  const wanted = parts.length > 0 ? ranges : [{ segmentId: segment.id, from: 0, to: segment.words.length }];
  store.openComment({ id: known?.id ?? crypto.randomUUID(), ranges: own ?? wanted });
}

const wordsIn = ({ segments }: Pick<Editor['timeline'], 'segments'>, ranges: readonly WordRange[]): readonly Word[] =>
  ranges.flatMap(({ segmentId, from, to }) => segments.find(({ id }) => id === segmentId)?.words.slice(from, to) ?? []);

type MarkKind = 'cut' | 'redacted';

function useMarking() {
  const t = useText();
  const showToast = useToast();
  const { document: text, timeline, detail } = useEditor();
  const hasRecording = detail.mediaUrl !== null;
  return (kind: MarkKind, ranges: readonly WordRange[]) => {
    const words = wordsIn(timeline, ranges);
    const isMarked = words.length > 0 && words.every(kind === 'cut' ? isCut : isRedacted);
    return {
      words,
      isMarked,
      lacksRecording: kind === 'cut' && !isMarked && !hasRecording,
      toggle: () => {
        text.edit(kind, (now) => markWords(now, ranges, isMarked ? `un-${kind}` : kind));
        if (!isMarked && hasRecording && words.some(({ isEstimated }) => isEstimated === true))
          showToast({
            icon: CircleAlert,
            text: t(words.length === 1 ? 'editor.text.menu.estimatedWord' : 'editor.text.menu.estimatedWords'),
            shownForMs: 12_000,
          });
      },
    };
  };
}

function useCopyTimed(): (target: WordTarget) => void {
  const copy = useCopy();
  const { speakers } = useEditor();
  const nameOf = ({ speakerId }: Segment) => speakers.find(({ id }) => id === speakerId)?.name ?? null;
  return ({ segment, word, segments, parts }) => {
    const startMs = segment.words[word]?.startMs ?? segment.startMs;
    const [from, said] =
      parts.length === 0
        ? [segment.startMs, textOfParts([wholeOf(segment)], () => null)]
        : [startMs, textOfParts(parts, () => null)];
    const name = nameOf(segment);
    const timed = segments.map((one) => `[${clock(one.startMs)}] ${textOfParts([wholeOf(one)], nameOf)}`);
    void copy(segments.length > 1 ? timed.join('\n') : `[${clock(from)}] ${name === null ? '' : `${name}: `}${said}`);
  };
}

export function useWordCommands(): void {
  const t = useText();
  const editor = useEditor();
  const showNotice = useEditorNotice();
  const marking = useMarking();
  const copyTimed = useCopyTimed();
  const withTarget = (run: (target: WordTarget) => void) => () => {
    const target = wordTargetNow(editor);
    if (target === null) showNotice({ icon: CircleAlert, text: t('editor.text.noWord') });
    else run(target);
  };
  const mark = (kind: MarkKind) =>
    withTarget(({ ranges }) => {
      const { words, lacksRecording, toggle } = marking(kind, ranges);
      if (lacksRecording) showNotice({ icon: CircleAlert, text: t('editor.text.noCut') });
      else if (words.length > 0) toggle();
    });
  useCommands({
    'words.cut': mark('cut'),
    'words.redact': mark('redacted'),
    'words.copyTimed': withTarget(copyTimed),
    'words.comment': withTarget((target) => {
      if (target.segment.words.length > 0) openCommentOn(editor, target);
    }),
  });
}
