import { FlaskConical, UserRound, UsersRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { isSubtitleName } from '../../../../shared/domain/imports/read-subtitles.ts';
import { namesBefore, takeNames } from '../../../../shared/domain/imports/speaker-labels.ts';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useDocument, useEditor, useEditorState, useSegments } from '../editor-context.ts';
import css from './transcript-view.module.css';

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

/** More names would fill the strip. */
const mostNames = 4;

/** Offers to make speakers of the names that imported captions have before their words. */
export function NamesStrip() {
  const t = useText();
  const { detail, document: text } = useEditor();
  const segments = useSegments();
  const [isDeclined, decline] = useState(false);
  const isOpen = useDocument(({ transcript }) => transcript.speakers.length === 0) && isSubtitleName(detail.sourceName);
  const names = useMemo(() => (isOpen && !isDeclined ? namesBefore(segments) : []), [isOpen, isDeclined, segments]);
  if (names.length === 0) return null;
  const shown = names.slice(0, mostNames).join(', ') + (names.length > mostNames ? '…' : '');
  return (
    <div className={css['strip']}>
      <UsersRound aria-hidden size={15} strokeWidth={1.75} />
      <p>{t('editor.speaker.inText', { names: shown })}</p>
      <Button
        size="sm"
        onPress={() => {
          text.endStep();
          text.edit('speakers', (now) => takeNames(now, () => `p-${crypto.randomUUID().slice(0, 13)}`));
        }}
      >
        {t('editor.speaker.take')}
      </Button>
      <Button
        size="sm"
        onPress={() => {
          decline(true);
        }}
      >
        {t('editor.speaker.leave')}
      </Button>
    </div>
  );
}
