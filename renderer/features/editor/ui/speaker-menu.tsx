import {
  ChevronDown,
  CirclePlay,
  Eraser,
  Merge,
  Palette,
  Pencil,
  Search,
  SkipForward,
  UserCheck,
  UserPlus,
  UserRound,
  Users,
} from 'lucide-react';
import { useState, type CSSProperties } from 'react';
import { lengthClock } from '../../../../shared/domain/time/time-code.ts';
import { useKeyFor, useRunCommand, useCommands } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Menu, type MenuEntry, MenuAt, type MenuPoint } from '../../../ui/menu.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import {
  useEditor,
  type Editor,
  speakerOf,
  useEditorState,
  usePlayerState,
  targetPlace,
  useTargetPlace,
} from '../editor-context.ts';
import { speakerNumbers, type ShownSpeaker } from '../model/speaker-list.ts';
import { SpeakerDialog, useSpeakerChoices } from './speaker-dialog.tsx';
import css from './transcript-view.module.css';
import type { Caret } from '../model/text-document.ts';
import { caretNow } from './caret.ts';
import { chosenIds } from './use-block-selection.ts';

/** `segmentId`: in the text, with other speakers from here on; nobody (null) has only those. */
export function SpeakerMenu({
  speaker,
  segmentId = null,
  isPassedByTab = false,
}: {
  readonly speaker: ShownSpeaker | null;
  readonly segmentId?: string | null;
  readonly isPassedByTab?: boolean;
}) {
  const t = useText();
  const keyFor = useKeyFor();
  const editor = useEditor();
  const { speakers, commands, timeline, player, store, detail, document: text } = editor;
  const run = useRunCommand();
  const choices = useSpeakerChoices();
  const [asked, setAsked] = useState<'rename' | 'new' | null>(null);
  const name = speaker?.name ?? t('editor.speaker.nobody');
  const entriesOf = (speaker: ShownSpeaker): readonly MenuEntry[] => {
    const isOnly = store.getState().onlySpeakerId === speaker.id;
    const own = timeline.segments.filter(({ speakerId }) => speakerId === speaker.id);
    const length = lengthClock(own.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0));
    const isNamed = text.getState().transcript.speakers.some(({ id, name }) => id === speaker.id && name !== null);
    return [
      { id: 'rename', icon: Pencil, text: t('editor.speaker.rename'), onAction: () => setAsked('rename') },
      {
        id: 'only',
        icon: isOnly ? Users : CirclePlay,
        text: t(isOnly ? 'editor.speaker.everyone' : 'editor.speaker.only'),
        detail: isOnly ? null : length,
        isDisabled: detail.mediaUrl === null || own.length === 0,
        onAction: () => {
          store.playOnly(isOnly ? null : speaker.id);
          if (!isOnly) player.play();
        },
      },
      { id: 'next', icon: SkipForward, text: t('editor.speaker.next'), onAction: () => goToNext(editor, speaker.id) },
      {
        id: 'find',
        icon: Search,
        text: t('editor.speaker.find'),
        onAction: () => {
          store.find({ text: '', speakerId: speaker.id });
          run('text.find');
        },
      },
      {
        id: 'colour',
        icon: Palette,
        text: t('editor.speaker.colour'),
        chosenId: String(speaker.colour),
        entries: choices.colours(speaker),
      },
      ...(segmentId === null ? [] : ['separator' as const, ...assigning(segmentId)]),
      ...(speakers.length < 2 && !isNamed ? [] : ['separator' as const]),
      ...(speakers.length < 2
        ? []
        : [
            {
              id: 'merge',
              icon: Merge,
              text: t('editor.speaker.merge', { name: speaker.name }),
              entries: choices.others(speaker),
            },
          ]),
      ...(isNamed
        ? [
            {
              id: 'nameless',
              icon: Eraser,
              text: t('editor.speaker.removeName'),
              onAction: () => commands.rename(speaker.id, '', null),
            },
          ]
        : []),
    ];
  };
  const assigning = (from: string): readonly MenuEntry[] => {
    const count = turnOf(timeline.segments, from).length;
    return [
      ...speakers.map((one, place): MenuEntry => {
        const number = speakerNumbers[place];
        return {
          id: one.id,
          icon: one.id === speaker?.id ? UserCheck : UserRound,
          text:
            count > 1
              ? t('editor.speaker.saysAll', { name: one.name, count })
              : t('editor.speaker.says', { name: one.name }),
          shortcut: number === undefined || count > 1 ? null : keyFor(`speaker.assign${number}`),
          isDisabled: one.id === speaker?.id,
          onAction: () => commands.assign(turnOf(timeline.segments, from), one.id),
        };
      }),
      { id: 'new', icon: UserPlus, text: t('editor.speaker.addAll', { count }), onAction: () => setAsked('new') },
    ];
  };
  return (
    <>
      <span
        role="presentation"
        className={css['speakerPlace']}
        onContextMenu={(event) => {
          event.preventDefault();
          event.currentTarget.querySelector('button')?.click();
        }}
      >
        <Menu
          label={t('editor.speaker.menu', { name })}
          placement="bottom start"
          entries={() => (speaker !== null ? entriesOf(speaker) : segmentId === null ? [] : assigning(segmentId))}
          trigger={
            <PressButton className={css['speaker']} isPassedByTab={isPassedByTab}>
              {speaker === null ? (
                <span className="subtle">{name}</span>
              ) : (
                <SpeakerMark number={speaker.number} name={name} colour={speaker.colour} />
              )}
              <ChevronDown aria-hidden size={12} strokeWidth={2} />
            </PressButton>
          }
        />
      </span>
      {asked !== null && (
        <SpeakerDialog
          speaker={asked === 'rename' ? speaker : null}
          segmentIds={segmentId === null ? [] : turnOf(timeline.segments, segmentId)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** The colour of a speaker for bars; text uses a darker one. */
export const tint = (speaker: ShownSpeaker | undefined) =>
  ({ '--c': speaker === undefined ? 'var(--sand-9)' : `var(--spk-${String(speaker.colour)})` }) as CSSProperties;

function goToNext({ timeline, player }: Editor, speakerId: string): void {
  const here = timeline.segmentNear(player.timeMs());
  const own = timeline.segments.flatMap((segment, index) => (segment.speakerId === speakerId ? [index] : []));
  const isTurn = (index: number) => timeline.segments[index - 1]?.speakerId !== speakerId;
  const next = own.find((index) => index > here && isTurn(index)) ?? own[0];
  const segment = timeline.segments[next ?? -1];
  if (segment !== undefined) player.seek(segment.startMs);
}

function turnOf(
  segments: readonly { readonly id: string; readonly speakerId: string | null }[],
  segmentId: string,
): readonly string[] {
  const from = segments.findIndex(({ id }) => id === segmentId);
  const rest = segments.slice(from);
  const end = rest.findIndex(({ speakerId }) => speakerId !== rest[0]?.speakerId);
  return (end < 0 ? rest : rest.slice(0, end)).map(({ id }) => id);
}

type Asked =
  | { readonly tag: 'rename'; readonly speaker: ShownSpeaker }
  | { readonly tag: 'new'; readonly segmentIds: readonly string[] }
  | { readonly tag: 'merge' | 'colour'; readonly speaker: ShownSpeaker; readonly at: MenuPoint };

/** Whom they apply to is settled when they run: playback may come to another speaker meanwhile. */
export function SpeakerCommands() {
  const t = useText();
  const editor = useEditor();
  const { detail, document: text, player, speakers, store, timeline } = editor;
  const choices = useSpeakerChoices();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [caretBefore, setCaretBefore] = useState<Caret | null>(null);
  const ask = (question: Asked) => {
    setCaretBefore(caretNow());
    setAsked(question);
  };
  const current = speakerOf(editor, useTargetPlace());
  const hasSpeaker = current !== undefined;
  const { isPlaying } = usePlayerState();
  const isOneAlone = useEditorState(({ onlySpeakerId }) => onlySpeakerId !== null);
  const forSpeaker = (act: (speaker: ShownSpeaker, place: number) => void) => () => {
    const place = targetPlace(editor);
    const speaker = speakerOf(editor, place);
    if (speaker !== undefined) act(speaker, place);
  };
  useCommands(
    {
      'speaker.rename': hasSpeaker && forSpeaker((speaker) => ask({ tag: 'rename', speaker })),
      'speaker.merge':
        hasSpeaker &&
        speakers.length > 1 &&
        forSpeaker((speaker, place) => ask({ tag: 'merge', speaker, at: pointAt(place) })),
      'speaker.colour':
        hasSpeaker && forSpeaker((speaker, place) => ask({ tag: 'colour', speaker, at: pointAt(place) })),
      'speaker.add': timeline.segments.length > 0 && (() => ask({ tag: 'new', segmentIds: chosenIds(editor) })),
      'speaker.playOnly':
        detail.mediaUrl !== null &&
        (isOneAlone || hasSpeaker) &&
        (isOneAlone
          ? () => store.playOnly(null)
          : forSpeaker((speaker) => {
              store.playOnly(speaker.id);
              player.play();
            })),
    },
    {
      'speaker.playOnly': t(isOneAlone ? 'editor.speaker.everyone' : 'editor.speaker.only'),
      // During playback it would be another one with every turn, and the menu of the system would be built again.
      ...(hasSpeaker &&
        !isPlaying && {
          'speaker.rename': t('editor.speaker.renameNamed', { name: current.name }),
          'speaker.merge': t('editor.speaker.mergeNamed', { name: current.name }),
          'speaker.colour': t('editor.speaker.colourNamed', { name: current.name }),
          ...(!isOneAlone && { 'speaker.playOnly': t('editor.speaker.onlyNamed', { name: current.name }) }),
        }),
    },
  );
  if (asked === null) return null;
  const close = () => {
    setAsked(null);
    if (caretBefore !== null) text.setState({ caret: { ...caretBefore } });
  };
  switch (asked.tag) {
    case 'rename':
      return <SpeakerDialog speaker={asked.speaker} onClose={close} />;
    case 'new':
      return <SpeakerDialog segmentIds={asked.segmentIds} onClose={close} />;
    case 'merge':
      return (
        <MenuAt
          label={t('editor.speaker.merge', { name: asked.speaker.name })}
          isLabelShown
          at={asked.at}
          entries={choices.others(asked.speaker)}
          onClose={close}
        />
      );
    case 'colour':
      return (
        <MenuAt
          label={t('editor.speaker.colourOf', { name: asked.speaker.name })}
          isLabelShown
          at={asked.at}
          entries={choices.colours(asked.speaker)}
          chosenId={String(asked.speaker.colour)}
          onClose={close}
        />
      );
  }
}

function pointAt(place: number): MenuPoint {
  const pane = document.querySelector('[data-pane="text"]');
  const view = pane?.getBoundingClientRect() ?? new DOMRect();
  const shown = pane?.querySelector(`[data-index="${String(place)}"] [data-text]`)?.getBoundingClientRect() ?? view;
  return { x: Math.max(view.left, shown.left), y: Math.max(view.top, Math.min(view.bottom, shown.top)) };
}
