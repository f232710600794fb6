import { useState } from 'react';
import { captionLimits, namePrefix, readNaming } from '../../../../shared/domain/exports/subtitles.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { useText } from '../../../lib/text.ts';
import { useKnownSpeakers } from '../../../parts/transcripts/known-speakers.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { useEditor } from '../editor-context.ts';
import type { ShownSpeaker } from '../model/speaker-list.ts';
import { useCaptionFile } from './use-caption-problems.ts';
import css from './transcript-view.module.css';

/** How many speakers from other recordings are offered. */
const knownShown = 8;

const foldedName = (name: string): string => foldText(name).text.trim().replaceAll(/\s+/gu, ' ');

/**
 * Asks for the name of a speaker; those who were named in other recordings are offered. A name that somebody here has
 * already adds nobody: it is theirs.
 */
export function SpeakerDialog(props: {
  readonly title: string;
  /** Who is renamed; null asks for the name of a new one. */
  readonly speaker: ShownSpeaker | null;
  /** `colour`: for a name chosen from the speaker book. */
  readonly onName: (name: string, colour: number | null) => void;
  /** It is somebody who is here already. */
  readonly onSame: (other: ShownSpeaker) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const before = props.speaker?.name ?? '';
  const [name, setName] = useState(before);
  const { data: known = [] } = useKnownSpeakers();
  const typed = foldText(name === before ? '' : name).text;
  const { speakers } = useEditor();
  // In other letters, or with another apostrophe, it would be the same person twice.
  const here = new Set(speakers.map((one) => foldedName(one.name)));
  const offered = known
    .filter((one) => foldText(one.name).text.includes(typed) && !here.has(foldedName(one.name)))
    .slice(0, knownShown);
  const others = speakers.filter(({ id }) => id !== props.speaker?.id);
  const inCaptions = useNameInCaptions(
    name,
    others.map((one) => one.name),
  );
  const isNew = props.speaker === null;
  const same = others.find((one) => foldedName(one.name) === foldedName(name));
  const hint =
    same === undefined
      ? inCaptions !== null && t('editor.speaker.inCaptions', { name: inCaptions })
      : t(isNew ? 'editor.speaker.takenByNew' : 'editor.speaker.taken');
  const answerSame = (other: ShownSpeaker) => {
    props.onSame(other);
    props.onClose();
  };
  const save = () => {
    props.onName(name, null);
    props.onClose();
  };
  // A name that both had before is no wish to merge them.
  const meansSame = same !== undefined && foldedName(name) !== foldedName(before);
  const done = () => {
    if (meansSame) answerSame(same);
    else save();
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
          {isNew || same === undefined ? (
            <Button variant="primary" onPress={done}>
              {t('common.save')}
            </Button>
          ) : (
            <>
              <Button onPress={save}>{t('common.save')}</Button>
              <Button
                variant={meansSame ? 'primary' : 'default'}
                onPress={() => {
                  answerSame(same);
                }}
              >
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

/** How captions shorten a name that is written before their words; null where it stays whole or none is written. */
function useNameInCaptions(name: string, others: readonly string[]): string | null {
  const editor = useEditor();
  const { given, facts, options } = useCaptionFile(editor);
  if (editor.speakers.length < 2 || readNaming(options['speakers']) === null) return null;
  const whole = name.trim();
  const written = namePrefix(whole, others, captionLimits(given, facts));
  return written === `${whole}:` ? null : written;
}
