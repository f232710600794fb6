import { ChevronDown, Palette, Pencil, Search, SkipForward, UserX } from 'lucide-react';
import { useState } from 'react';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Menu } from '../../../ui/menu.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { useEditor } from '../editor-context.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';
import { SpeakerDialog } from './speaker-button.tsx';
import css from './transcript-view.module.css';

const colours = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** A speaker in the list, with the actions on all their segments. */
export function SpeakerMenu({ speaker }: { readonly speaker: ShownSpeaker }) {
  const t = useText();
  const { speakers, commands, timeline, player, canEdit, store } = useEditor();
  const run = useRunCommand();
  const [isRenaming, setIsRenaming] = useState(false);
  const others = speakers.filter(({ id }) => id !== speaker.id);
  const goToNext = () => {
    const here = timeline.segmentNear(player.timeMs());
    const own = timeline.segments.flatMap(({ speakerId }, index) => (speakerId === speaker.id ? [index] : []));
    // Skips the current turn: goes to the next one after another speaker.
    const isTurn = (index: number) => timeline.segments[index - 1]?.speakerId !== speaker.id;
    const next = own.find((index) => index > here && isTurn(index)) ?? own[0];
    const segment = timeline.segments[next ?? -1];
    if (segment !== undefined) player.seek(segment.startMs);
  };
  return (
    <>
      <Menu
        label={t('editor.speaker.menu', { name: speaker.name })}
        placement="bottom start"
        entries={() => [
          {
            id: 'rename',
            icon: Pencil,
            text: t('editor.speaker.rename'),
            isDisabled: !canEdit,
            onAction: () => {
              setIsRenaming(true);
            },
          },
          { id: 'next', icon: SkipForward, text: t('editor.speaker.next'), onAction: goToNext },
          {
            id: 'find',
            icon: Search,
            text: t('editor.speaker.find'),
            onAction: () => {
              store.find({ speakerId: speaker.id });
              run('text.find');
            },
          },
          {
            id: 'colour',
            icon: Palette,
            text: t('editor.speaker.colour'),
            chosenId: String(speaker.colour),
            entries: colours.map((colour) => ({
              id: String(colour),
              text: t(`editor.speaker.colours.${colour}`),
              isDisabled: !canEdit,
              onAction: () => {
                commands.colour(speaker.id, colour);
              },
            })),
          },
          ...(others.length === 0
            ? []
            : [
                'separator' as const,
                {
                  id: 'merge',
                  icon: UserX,
                  text: t('editor.speaker.merge', { name: speaker.name }),
                  entries: others.map((one) => ({
                    id: one.id,
                    text: one.name,
                    isDisabled: !canEdit,
                    onAction: () => {
                      commands.mergeSpeakers(speaker.id, one.id);
                    },
                  })),
                },
              ]),
        ]}
        trigger={
          <PressButton className={css['speaker']}>
            <SpeakerMark number={speaker.number} name={speaker.name} colour={speaker.colour} />
            <ChevronDown aria-hidden size={12} strokeWidth={2} />
          </PressButton>
        }
      />
      {isRenaming && (
        <SpeakerDialog
          title={t('editor.speaker.renameTitle')}
          name={speaker.name}
          onClose={() => {
            setIsRenaming(false);
          }}
          onName={(name, colour) => {
            commands.rename(speaker.id, name, colour);
          }}
        />
      )}
    </>
  );
}
