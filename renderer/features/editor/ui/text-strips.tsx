import { FlaskConical, UserRound } from 'lucide-react';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useEditor, useEditorState } from '../editor-context.ts';
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
