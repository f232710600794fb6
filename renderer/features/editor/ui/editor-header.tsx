import { Check, ChevronLeft, FlaskConical, Share } from 'lucide-react';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip, LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useEditor } from '../editor-context.ts';
import css from './editor-header.module.css';
import { TitleField } from './title-field.tsx';
import { useRename, type SaveState } from './use-rename.ts';

/** Back, the name of the transcript and whether it is saved, and the one primary action: export. */
export function EditorHeader({ onBack }: { readonly onBack: () => void }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { detail, store } = useEditor();
  const { title, saveState, rename } = useRename();
  const { language } = detail.transcript;
  return (
    <header className={css['bar']} data-pane="header">
      <IconButton icon={ChevronLeft} label={t('editor.back')} onPress={onBack} className={css['back']} />
      <TitleField title={title} onRename={rename} />
      <span className={css['language']}>
        <LanguageTag code={language} name={t(`common.languageNames.${language}`)} />
      </span>
      {detail.isPractice && (
        <span title={t('editor.practiceText')} className={css['practice']}>
          <Chip tone="accent" icon={FlaskConical}>
            {t('editor.practice')}
          </Chip>
        </span>
      )}
      <SavedMark state={saveState} />
      <div className={css['actions']}>
        <Button
          variant="primary"
          icon={Share}
          shortcut={keyFor('transcript.export')}
          onPress={() => {
            store.openExport(true);
          }}
        >
          {t('exports.button')}
        </Button>
      </div>
    </header>
  );
}

function SavedMark({ state }: { readonly state: SaveState }) {
  const t = useText();
  if (state.kind === 'saved') {
    return (
      <output className={css['saved']}>
        <Check aria-hidden size={14} strokeWidth={1.75} />
        <span className={css['wide']}>{t('editor.title.saved')}</span>
        <span className={css['narrow']}>{t('editor.title.savedShort')}</span>
      </output>
    );
  }
  if (state.kind === 'saving') {
    return (
      <output className={css['saved']}>
        <Spinner />
        {t('editor.title.saving')}
      </output>
    );
  }
  return (
    <span role="alert" className={css['notSaved']} title={state.words}>
      {t('editor.title.notSaved')}
      <Button size="sm" onPress={state.retry}>
        {t('common.retry')}
      </Button>
    </span>
  );
}
