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
import { useState } from 'react';
import { lengthClock } from '../../../../shared/domain/time/time-code.ts';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { useEditor, type Editor } from '../editor-context.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';
import { SpeakerDialog } from './speaker-dialog.tsx';
import { useSpeakerChoices } from './use-speaker-choices.tsx';
import css from './transcript-view.module.css';

const keyed = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/**
 * A speaker with the actions on all their segments; in the text (`segmentId`) also another speaker from here on, which is
 * all that there is for segments of nobody (`speaker` is null).
 */
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
      {
        id: 'rename',
        icon: Pencil,
        text: t('editor.speaker.rename'),
        onAction: () => {
          setAsked('rename');
        },
      },
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
      {
        id: 'next',
        icon: SkipForward,
        text: t('editor.speaker.next'),
        onAction: () => {
          goToNext(editor, speaker.id);
        },
      },
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
              onAction: () => {
                commands.rename(speaker.id, '', null);
              },
            },
          ]
        : []),
    ];
  };
  const assigning = (from: string): readonly MenuEntry[] => {
    const count = turnOf(timeline.segments, from).length;
    return [
      ...speakers.map((one, place): MenuEntry => {
        const number = keyed[place];
        return {
          id: one.id,
          icon: one.id === speaker?.id ? UserCheck : UserRound,
          text:
            count > 1
              ? t('editor.speaker.saysAll', { name: one.name, count })
              : t('editor.speaker.says', { name: one.name }),
          // The key changes one segment only.
          shortcut: number === undefined || count > 1 ? null : keyFor(`speaker.assign${number}`),
          isDisabled: one.id === speaker?.id,
          onAction: () => {
            commands.assign(turnOf(timeline.segments, from), one.id);
          },
        };
      }),
      {
        id: 'new',
        icon: UserPlus,
        text: t('editor.speaker.addAll', { count }),
        onAction: () => {
          setAsked('new');
        },
      },
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
                <span className={css['nobody']}>{name}</span>
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
          title={t(asked === 'rename' ? 'editor.speaker.renameTitle' : 'editor.speaker.addTitle')}
          speaker={asked === 'rename' ? speaker : null}
          onClose={() => {
            setAsked(null);
          }}
          onName={(given, colour) => {
            if (asked === 'rename' && speaker !== null) commands.rename(speaker.id, given, colour);
            else if (segmentId !== null) commands.assignNew(turnOf(timeline.segments, segmentId), given, colour);
          }}
          onSame={(other) => {
            if (asked === 'rename' && speaker !== null) choices.merge(speaker, other);
            else if (segmentId !== null) commands.assign(turnOf(timeline.segments, segmentId), other.id);
          }}
        />
      )}
    </>
  );
}

/** Skips the current turn: goes to the next one of this speaker after another speaker, or to the first. */
function goToNext({ timeline, player }: Editor, speakerId: string): void {
  const here = timeline.segmentNear(player.timeMs());
  const own = timeline.segments.flatMap((segment, index) => (segment.speakerId === speakerId ? [index] : []));
  const isTurn = (index: number) => timeline.segments[index - 1]?.speakerId !== speakerId;
  const next = own.find((index) => index > here && isTurn(index)) ?? own[0];
  const segment = timeline.segments[next ?? -1];
  if (segment !== undefined) player.seek(segment.startMs);
}

/** The consecutive segments of the same speaker from this one on. */
function turnOf(
  segments: readonly { readonly id: string; readonly speakerId: string | null }[],
  segmentId: string,
): readonly string[] {
  const from = segments.findIndex(({ id }) => id === segmentId);
  const rest = segments.slice(from);
  const end = rest.findIndex(({ speakerId }) => speakerId !== rest[0]?.speakerId);
  return (end < 0 ? rest : rest.slice(0, end)).map(({ id }) => id);
}
