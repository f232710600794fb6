import { Merge } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { ColourMark } from '../../../ui/speaker-mark.tsx';
import { useEditor } from '../editor-context.ts';
import { listSpeakers, type ShownSpeaker } from '../model/speaker-list.ts';
import { useStepNotice } from '../use-step-notice.ts';

const colours = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** What a speaker can be changed into: another colour, or one of the other speakers. */
export function useSpeakerChoices() {
  const t = useText();
  const { speakers, commands, document: text } = useEditor();
  const showStep = useStepNotice();
  const merge = (speaker: ShownSpeaker, into: ShownSpeaker) => {
    commands.mergeSpeakers(speaker.id, into.id);
    // Whoever has no name is called by a number, which may change, or takes the other name.
    const { name = into.name } =
      listSpeakers(text.getState().transcript, (number) => t('common.speaker', { number })).find(
        ({ id }) => id === into.id,
      ) ?? {};
    const isNameKept = name === into.name && name !== speaker.name;
    showStep({
      icon: Merge,
      text: isNameKept
        ? t('editor.speaker.merged', { name: speaker.name, into: into.name })
        : t('editor.speaker.mergedAs', { name }),
    });
  };
  return {
    merge,
    colours: (speaker: ShownSpeaker): readonly MenuEntry[] =>
      colours.map((colour) => ({
        id: String(colour),
        mark: <ColourMark colour={colour} />,
        text: t(`editor.speaker.colours.${colour}`),
        onAction: () => {
          commands.colour(speaker.id, colour);
        },
      })),
    others: (speaker: ShownSpeaker): readonly MenuEntry[] =>
      speakers
        .filter(({ id }) => id !== speaker.id)
        .map((one) => ({
          id: one.id,
          text: one.name,
          onAction: () => {
            merge(speaker, one);
          },
        })),
  };
}
