import { FlaskConical, UserRound, UsersRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ToggleButtonGroup } from 'react-aria-components';
import { isTextName } from '../../../../shared/domain/imports/read-subtitles.ts';
import { namesBefore, takeNames } from '../../../../shared/domain/imports/speaker-labels.ts';
import { mostLeftAsText } from '../../../../shared/domain/settings/left-places.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { cx } from '../../../lib/class-names.ts';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { ToggleChip } from '../../../ui/toggle-chip.tsx';
import { useEditor, useEditorState, useStoredDocument } from '../editor-context.ts';
import css from './text-strips.module.css';
import { focusTextPane } from '../../../lib/text-pane.ts';

/** Explains the notes of practice mode once, above all of them. */
export function PracticeStrip() {
  const t = useText();
  const run = useRunCommand();
  return (
    <div className={css['strip']}>
      <FlaskConical aria-hidden size={15} strokeWidth={1.75} />
      <p>{t('editor.text.practice')}</p>
      <Button
        size="sm"
        onPress={() => {
          run('settings.open');
        }}
      >
        {t('editor.text.practiceAddKey')}
      </Button>
    </div>
  );
}

/** Says that the others are skipped during playback. */
export function OnlySpeakerStrip() {
  const t = useText();
  const { store, speakers } = useEditor();
  const onlyId = useEditorState((state) => state.onlySpeakerId);
  const only = speakers.find(({ id }) => id === onlyId);
  if (only === undefined) return null;
  return (
    <div className={css['strip']}>
      <UserRound aria-hidden size={15} strokeWidth={1.75} />
      <output>{t('editor.transport.only', { name: only.name })}</output>
      <Button
        size="sm"
        onPress={() => {
          store.playOnly(null);
        }}
      >
        {t('editor.speaker.everyone')}
      </Button>
    </div>
  );
}

/** Offers to make speakers of the names that imported captions and paragraphs have before their words. */
export function NamesStrip() {
  const t = useText();
  // Names are stored in the letters of the text, whatever it is shown in.
  const { detail, storedDocument: text, view } = useEditor();
  const segments = useStoredDocument(({ transcript }) => transcript.segments);
  const { namesLeftAsText } = useSettings();
  const change = useSettingsChange();
  const isDeclined = namesLeftAsText.includes(detail.id);
  /** Null until the user chooses. */
  const [chosen, choose] = useState<ReadonlySet<unknown> | null>(null);
  const isOpen =
    useStoredDocument(({ transcript }) => transcript.speakers.length === 0) && isTextName(detail.sourceName);
  const names = useMemo(() => (isOpen && !isDeclined ? namesBefore(segments) : []), [isOpen, isDeclined, segments]);
  if (names.length === 0) return null;
  const taken = names
    .filter(({ name, isLikely }) => (chosen === null ? isLikely : chosen.has(name)))
    .map(({ name }) => name);
  return (
    <div className={cx(css['strip'], css['asking'])} data-asks-names>
      <UsersRound aria-hidden size={15} strokeWidth={1.75} />
      <div className={css['names']}>
        <p>{t('editor.speaker.inText')}</p>
        <ToggleButtonGroup
          className={css['nameChips'] ?? ''}
          aria-label={t('editor.speaker.namesInText')}
          data-scrolls-across
          selectionMode="multiple"
          selectedKeys={taken}
          onSelectionChange={choose}
        >
          {names.map(({ name }) => (
            <ToggleChip key={name} id={name}>
              {view.showWord(name)}
            </ToggleChip>
          ))}
        </ToggleButtonGroup>
      </div>
      <div className={css['answers']}>
        <Button
          size="sm"
          isDisabled={taken.length === 0}
          onPress={() => {
            text.endStep();
            text.edit('speakers', (now) => takeNames(now, taken, () => `p-${crypto.randomUUID().slice(0, 13)}`));
            // The buttons go with the answer.
            focusTextPane();
          }}
        >
          {t('editor.speaker.take')}
        </Button>
        <Button
          size="sm"
          onPress={() => {
            void change({ namesLeftAsText: [detail.id, ...namesLeftAsText].slice(0, mostLeftAsText) });
            // The buttons go with the answer.
            focusTextPane();
          }}
        >
          {t('editor.speaker.leave')}
        </Button>
      </div>
    </div>
  );
}
