import { Merge } from 'lucide-react';
import { useState } from 'react';
import { captionLimits, namePrefix, readNaming } from '../../../../shared/domain/exports/subtitles.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { useText } from '../../../lib/text.ts';
import { useKnownSpeakers } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { ColourMark } from '../../../ui/speaker-mark.tsx';
import { useEditor } from '../editor-context.ts';
import { listSpeakers, speakerNumbers, type ShownSpeaker } from '../model/speaker-list.ts';
import { useStepNotice } from '../use-editor-notice.ts';
import { useCaptionFile } from './use-caption-problems.ts';
import css from './transcript-view.module.css';

const mostKnown = 8;

const foldedName = (name: string): string => foldText(name).text.trim().replaceAll(/\s+/gu, ' ');

/**
 * Asks for the other name of a speaker, or for the name of a new one of segments. A name that somebody here has already
 * adds nobody: it is theirs.
 */
export function SpeakerDialog({
  speaker = null,
  segmentIds = [],
  onClose,
}: {
  readonly speaker?: ShownSpeaker | null;
  readonly segmentIds?: readonly string[];
  readonly onClose: () => void;
}) {
  const t = useText();
  const { speakers, commands } = useEditor();
  const choices = useSpeakerChoices();
  const before = speaker?.name ?? '';
  const [name, setName] = useState(before);
  const { data: known = [] } = useKnownSpeakers();
  const typed = foldText(name === before ? '' : name).text;
  // In other letters, or with another apostrophe, it would be the same person twice.
  const here = new Set(speakers.map((one) => foldedName(one.name)));
  const offered = known
    .filter((one) => foldText(one.name).text.includes(typed) && !here.has(foldedName(one.name)))
    .slice(0, mostKnown);
  const others = speakers.filter(({ id }) => id !== speaker?.id);
  const inCaptions = useNameInCaptions(
    name,
    others.map((one) => one.name),
  );
  const same = others.find((one) => foldedName(one.name) === foldedName(name));
  const hint =
    same === undefined
      ? inCaptions !== null && t('editor.speaker.inCaptions', { name: inCaptions })
      : t(speaker === null ? 'editor.speaker.takenByNew' : 'editor.speaker.taken');
  const take = (other: ShownSpeaker) => {
    if (speaker === null) commands.assign(segmentIds, other.id);
    else choices.merge(speaker, other);
    onClose();
  };
  const save = (chosen: string, colour: number | null) => {
    if (speaker === null) commands.assignNew(segmentIds, chosen, colour);
    else commands.rename(speaker.id, chosen, colour);
    onClose();
  };
  // A name that both had before is no wish to merge them.
  const meansSame = same !== undefined && foldedName(name) !== foldedName(before);
  const done = () => (meansSame ? take(same) : save(name, null));
  return (
    <Dialog
      title={
        speaker !== null
          ? t('editor.speaker.renameTitle')
          : segmentIds.length === 0
            ? t('editor.speaker.addTitle')
            : t('editor.speaker.addAll', { count: segmentIds.length }).replace('…', '')
      }
      isOpen
      onClose={onClose}
      width="sm"
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          {speaker === null || same === undefined ? (
            <Button variant="primary" onPress={done}>
              {t('common.save')}
            </Button>
          ) : (
            <>
              <Button onPress={() => save(name, null)}>{t('common.save')}</Button>
              <Button variant={meansSame ? 'primary' : 'default'} onPress={() => take(same)}>
                {t('editor.speaker.mergeWith', { name: same.name })}
              </Button>
            </>
          )}
        </>
      }
    >
      <Field
        label={t('editor.speaker.name')}
        {...(hint !== false && { hint })}
        value={name}
        onChange={setName}
        onEnter={done}
        isAutoFocused
      />
      {offered.length > 0 && (
        <section className={css['known']} aria-label={t('editor.speaker.known')}>
          <h3 className="small strong muted">{t('editor.speaker.known')}</h3>
          <div className="flow gap-6">
            {offered.map((one) => (
              <Button key={one.name} size="sm" onPress={() => save(one.name, one.colour)}>
                {one.name}
              </Button>
            ))}
          </div>
        </section>
      )}
    </Dialog>
  );
}

function useNameInCaptions(name: string, others: readonly string[]): string | null {
  const editor = useEditor();
  const { given, facts, options } = useCaptionFile(editor);
  if (editor.speakers.length < 2 || readNaming(options['speakers']) === null) return null;
  const whole = name.trim();
  const written = namePrefix(whole, others, captionLimits(given, facts));
  return written === `${whole}:` ? null : written;
}

export function useSpeakerChoices() {
  const t = useText();
  const { speakers, commands, document: text } = useEditor();
  const showStep = useStepNotice();
  const merge = (speaker: ShownSpeaker, into: ShownSpeaker) => {
    commands.mergeSpeakers(speaker.id, into.id);
    // Whoever has no name is called by a number, which may change, or takes the other name.
    const left = listSpeakers(text.getState().transcript, (number) => t('common.speaker', { number }));
    const { name } = left.find(({ id }) => id === into.id) ?? into;
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
      speakerNumbers.map((colour) => ({
        id: String(colour),
        mark: <ColourMark colour={colour} />,
        text: t(`editor.speaker.colours.${colour}`),
        onAction: () => commands.colour(speaker.id, colour),
      })),
    others: (speaker: ShownSpeaker): readonly MenuEntry[] =>
      speakers
        .filter(({ id }) => id !== speaker.id)
        .map((one) => ({ id: one.id, text: one.name, onAction: () => merge(speaker, one) })),
  };
}
