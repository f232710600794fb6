import { useState } from 'react';
import type { Caret } from '../../../../shared/domain/transcript/history.ts';
import { useCommands } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { MenuAt, type MenuPoint } from '../../../ui/menu.tsx';
import { speakerOf, useEditor, useEditorState, usePlayerState } from '../editor-context.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';
import { targetPlace, useTargetPlace } from '../use-target-place.ts';
import { caretNow } from './caret.ts';
import { SpeakerDialog } from './speaker-dialog.tsx';
import { selectedNow } from './use-block-selection.ts';
import { useSpeakerChoices } from './use-speaker-choices.tsx';

type Asked =
  | { readonly tag: 'rename'; readonly speaker: ShownSpeaker }
  | { readonly tag: 'new'; readonly segmentIds: readonly string[] }
  | { readonly tag: 'merge' | 'colour'; readonly speaker: ShownSpeaker; readonly at: MenuPoint };

/**
 * The commands for the speaker of the current segment, and what they ask. Whom they apply to is settled when they run:
 * playback may come to another speaker before the answer.
 */
export function SpeakerCommands() {
  const t = useText();
  const editor = useEditor();
  const { commands, detail, document: text, player, speakers, store, timeline } = editor;
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
      'speaker.rename':
        hasSpeaker &&
        forSpeaker((speaker) => {
          ask({ tag: 'rename', speaker });
        }),
      'speaker.merge':
        hasSpeaker &&
        speakers.length > 1 &&
        forSpeaker((speaker, place) => {
          ask({ tag: 'merge', speaker, at: pointAt(place) });
        }),
      'speaker.colour':
        hasSpeaker &&
        forSpeaker((speaker, place) => {
          ask({ tag: 'colour', speaker, at: pointAt(place) });
        }),
      'speaker.add':
        timeline.segments.length > 0 &&
        (() => {
          const selected = selectedNow(editor);
          const segments = selected.length > 0 ? selected : timeline.segments.slice(targetPlace(editor)).slice(0, 1);
          ask({ tag: 'new', segmentIds: segments.map(({ id }) => id) });
        }),
      'speaker.playOnly':
        detail.mediaUrl !== null &&
        (isOneAlone || hasSpeaker) &&
        (isOneAlone
          ? () => {
              store.playOnly(null);
            }
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
      return (
        <SpeakerDialog
          title={t('editor.speaker.renameTitle')}
          speaker={asked.speaker}
          onClose={close}
          onName={(name, colour) => {
            commands.rename(asked.speaker.id, name, colour);
          }}
          onSame={(other) => {
            choices.merge(asked.speaker, other);
          }}
        />
      );
    case 'new':
      return (
        <SpeakerDialog
          title={t('editor.speaker.addTitle')}
          speaker={null}
          onClose={close}
          onName={(name, colour) => {
            commands.assignNew(asked.segmentIds, name, colour);
          }}
          onSame={(other) => {
            commands.assign(asked.segmentIds, other.id);
          }}
        />
      );
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

/** Beside a segment as far as it is in view, in CSS pixels of the window. */
function pointAt(place: number): MenuPoint {
  const pane = document.querySelector('[data-pane="text"]');
  const view = pane?.getBoundingClientRect() ?? new DOMRect();
  const shown = pane?.querySelector(`[data-index="${String(place)}"] [data-text]`)?.getBoundingClientRect() ?? view;
  return {
    x: Math.max(view.left, shown.left),
    y: Math.max(view.top, Math.min(view.bottom, shown.top)),
  };
}
