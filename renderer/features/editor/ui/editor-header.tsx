import { useQueryClient } from '@tanstack/react-query';
import {
  Check,
  ChevronLeft,
  CircleAlert,
  GitCompareArrows,
  History,
  MessageSquareQuote,
  Redo2,
  Share,
  Undo2,
} from 'lucide-react';
import { useLocation } from 'wouter';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { PanelBar } from '../../../ui/panel.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useDocument, useEditor } from '../editor-context.ts';
import { transcriptQuery } from '../queries.ts';
import { useSync } from '../use-sync.ts';
import css from './editor-header.module.css';
import { TitleField } from './title-field.tsx';
import { useRename, type SaveState } from './use-rename.ts';

/** Back, the name of the transcript and whether it is saved, and the one primary action: export. */
export function EditorHeader({ onBack }: { readonly onBack: () => void }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { detail, store, document: text } = useEditor();
  const { title, saveState, rename } = useRename();
  const sync = useSync();
  const [, navigate] = useLocation();
  return (
    <PanelBar>
      <IconButton icon={ChevronLeft} label={t('editor.back')} onPress={onBack} />
      <TitleField title={title} onRename={rename} />
      <LanguageChoice />
      <SavedMark state={useSaving(saveState)} />
      <div className={css['actions']}>
        {sync.data?.state === 'conflict' && (
          <Button
            size="sm"
            icon={GitCompareArrows}
            onPress={() => {
              store.showView('versions');
            }}
          >
            {t('editor.account.compare')}
          </Button>
        )}
        <UndoButtons />
        <IconButton
          icon={MessageSquareQuote}
          label={t('editor.ask')}
          onPress={() => {
            void text.flush().then(() => {
              navigate(`/ask/about/${encodeURIComponent(detail.id)}`);
            });
          }}
        />
        <IconButton
          icon={History}
          label={t('versions.open')}
          shortcut={keyFor('versions.open')}
          onPress={() => {
            store.showView('versions');
          }}
        />
        <Button
          variant="primary"
          icon={Share}
          shortcut={keyFor('transcript.export')}
          onPress={() => {
            void text.flush().then(() => {
              store.openExport();
            });
          }}
        >
          {t('exports.button')}
        </Button>
      </div>
    </PanelBar>
  );
}

/** Sets the language of the text, which decides spelling and exports. */
export function useSetLanguage(): (chosen: SpeechLanguage) => Promise<void> {
  const words = useFailureWords();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const { detail, document: text } = useEditor();
  return async (chosen) => {
    const set = await studio.request('transcripts.setLanguage', { languages: [{ id: detail.id, language: chosen }] });
    if (!set.ok) {
      showToast({ text: words(set.error).text, icon: CircleAlert });
      return;
    }
    text.setState(({ transcript }) => ({ transcript: { ...transcript, language: chosen } }));
    queries.setQueryData(
      transcriptQuery(studio, detail.id).queryKey,
      (known) => known && { ...known, transcript: { ...known.transcript, language: chosen } },
    );
    await queries.invalidateQueries({ queryKey: transcriptListKey });
  };
}

/** The language of the text, as set at the import or transcription, which may have been wrong. */
function LanguageChoice() {
  const t = useText();
  const { detail } = useEditor();
  const { language } = detail.transcript;
  const choose = useSetLanguage();
  const label = `${language.toUpperCase()}: ${t('library.language')}, ${t(`common.languageNames.${language}`)}`;
  return (
    <Menu
      label={t('library.language')}
      chosenId={language}
      placement="bottom start"
      entries={() =>
        speechLanguages.map((one) => ({
          id: one,
          text: t(`common.languageNames.${one}`),
          onAction: () => void choose(one),
        }))
      }
      trigger={
        <PressButton className={css['language']} label={label} tip={{ text: label, shortcut: null }}>
          <LanguageTag code={language} name={t(`common.languageNames.${language}`)} />
        </PressButton>
      }
    />
  );
}

/** The combined save state of title and text. */
function useSaving(title: SaveState): SaveState {
  const t = useText();
  const words = useFailureWords();
  const { document: text } = useEditor();
  const saving = useDocument((state) => state.saving);
  const failure = useDocument((state) => state.failure);
  if (title.kind !== 'saved' || saving === 'saved') return title;
  if (saving === 'saving') return { kind: 'saving' };
  return {
    kind: 'not-saved',
    words: saving === 'stale' ? t('editor.title.changedElsewhere') : failure === null ? '' : words(failure).text,
    retry: () => void text.flush(),
  };
}

function UndoButtons() {
  const t = useText();
  const keyFor = useKeyFor();
  const { document: text } = useEditor();
  const canUndo = useDocument((state) => state.canUndo);
  const canRedo = useDocument((state) => state.canRedo);
  useCommands({ 'edit.undo': canUndo && text.undo, 'edit.redo': canRedo && text.redo });
  return (
    <>
      <IconButton
        icon={Undo2}
        label={t('editor.undo')}
        shortcut={keyFor('edit.undo')}
        isDisabled={!canUndo}
        onPress={text.undo}
      />
      <IconButton
        icon={Redo2}
        label={t('editor.redo')}
        shortcut={keyFor('edit.redo')}
        isDisabled={!canRedo}
        onPress={text.redo}
      />
    </>
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
