import { ChevronDown, Pencil, UserCheck, UserPlus, UserRound, UserX } from 'lucide-react';
import { useState } from 'react';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { useKnownSpeakers } from '../../../parts/transcripts/known-speakers.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { useEditor } from '../editor-context.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';
import css from './transcript-view.module.css';

/** How many speakers from other recordings are offered. */
const knownShown = 8;
const keyed = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** The speaker from here on: a click offers another name, another speaker, or a new one. */
export function SpeakerButton({ segmentId, speaker }: { readonly segmentId: string; readonly speaker: ShownSpeaker }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { speakers, commands, timeline } = useEditor();
  const [asked, setAsked] = useState<'rename' | 'new' | null>(null);
  const entries = (): readonly MenuEntry[] => [
    {
      id: 'rename',
      icon: Pencil,
      text: t('editor.speaker.rename'),
      onAction: () => {
        setAsked('rename');
      },
    },
    'separator',
    ...speakers.map((one, place): MenuEntry => {
      const number = keyed[place];
      return {
        id: one.id,
        icon: one.id === speaker.id ? UserCheck : UserRound,
        text: t('editor.speaker.says', { name: one.name }),
        shortcut: number === undefined ? null : keyFor(`speaker.assign${number}`),
        isDisabled: one.id === speaker.id,
        onAction: () => {
          commands.assign(turnOf(timeline.segments, segmentId), one.id);
        },
      };
    }),
    {
      id: 'new',
      icon: UserPlus,
      text: t('editor.speaker.add'),
      onAction: () => {
        setAsked('new');
      },
    },
    ...(speakers.length < 2
      ? []
      : [
          'separator' as const,
          {
            id: 'merge',
            icon: UserX,
            text: t('editor.speaker.merge', { name: speaker.name }),
            entries: speakers
              .filter(({ id }) => id !== speaker.id)
              .map((one) => ({
                id: one.id,
                text: one.name,
                onAction: () => {
                  commands.mergeSpeakers(speaker.id, one.id);
                },
              })),
          },
        ]),
  ];
  return (
    <>
      <Menu
        label={t('editor.speaker.menu', { name: speaker.name })}
        placement="bottom start"
        entries={entries}
        trigger={
          <PressButton className={css['speaker']}>
            <SpeakerMark number={speaker.number} name={speaker.name} colour={speaker.colour} />
            <ChevronDown aria-hidden size={12} strokeWidth={2} />
          </PressButton>
        }
      />
      {asked !== null && (
        <SpeakerDialog
          title={t(asked === 'rename' ? 'editor.speaker.renameTitle' : 'editor.speaker.addTitle')}
          name={asked === 'rename' ? speaker.name : ''}
          onClose={() => {
            setAsked(null);
          }}
          onName={(name, colour) => {
            if (asked === 'rename') commands.rename(speaker.id, name, colour);
            else commands.assignNew(turnOf(timeline.segments, segmentId), name, colour);
          }}
        />
      )}
    </>
  );
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

export function SpeakerDialog(props: {
  readonly title: string;
  readonly name: string;
  /** `colour`: for a name chosen from the speaker book. */
  readonly onName: (name: string, colour: number | null) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [name, setName] = useState(props.name);
  const { data: known = [] } = useKnownSpeakers();
  const typed = foldText(name === props.name ? '' : name).text;
  const offered = known.filter((one) => foldText(one.name).text.includes(typed)).slice(0, knownShown);
  const done = () => {
    props.onName(name, null);
    props.onClose();
  };
  return (
    <Dialog
      title={props.title}
      closeLabel={t('common.close')}
      isOpen
      onClose={props.onClose}
      width="sm"
      footer={
        <>
          <Button onPress={props.onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" onPress={done}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <Field label={t('editor.speaker.name')} value={name} onChange={setName} onEnter={done} isAutoFocused />
      {offered.length > 0 && (
        <section className={css['known']} aria-label={t('editor.speaker.known')}>
          <h3>{t('editor.speaker.known')}</h3>
          <div>
            {offered.map((one) => (
              <Button
                key={one.name}
                size="sm"
                onPress={() => {
                  props.onName(one.name, one.colour);
                  props.onClose();
                }}
              >
                {one.name}
              </Button>
            ))}
          </div>
        </section>
      )}
    </Dialog>
  );
}
