import { useQueryClient, useMutation } from '@tanstack/react-query';
import {
  Check,
  ChevronLeft,
  CircleAlert,
  Ellipsis,
  FileAudio,
  FolderOpen,
  GitCompareArrows,
  History,
  Languages,
  MessageSquareQuote,
  Redo2,
  Repeat2,
  Share,
  Trash2,
  Undo2,
  Copy,
  Pencil,
} from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { spellName } from '../../../../shared/domain/text/uzbek-letters.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useAvailability, useCommands, useCommandTitle, useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { PanelBar } from '../../../ui/panel.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useDocument, useEditor } from '../editor-context.ts';
import { useChangeDetail, useSync } from '../queries.ts';
import css from './editor-header.module.css';
import { CommandButton } from './command-button.tsx';
import { useContextMenu } from './use-context-menu.tsx';

const longest = 300;

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
          <Button size="sm" icon={GitCompareArrows} onPress={() => store.showView('versions')}>
            {t('editor.account.compare')}
          </Button>
        )}
        <UndoButtons />
        <IconButton
          icon={MessageSquareQuote}
          label={t('editor.ask')}
          onPress={() => void text.flush().then(() => navigate(`/ask/about/${encodeURIComponent(detail.id)}`))}
        />
        <IconButton
          icon={History}
          label={t('versions.open')}
          shortcut={keyFor('versions.open')}
          onPress={() => store.showView('versions')}
        />
        <MoreMenu />
        <Button
          variant="primary"
          icon={Share}
          shortcut={keyFor('transcript.export')}
          onPress={() => void text.flush().then(() => store.openExport())}
        >
          {t('exports.button')}
        </Button>
      </div>
    </PanelBar>
  );
}

const more = [
  ['transcript.exportAgain', Repeat2],
  ['transcript.convertScript', Languages],
  ['transcript.showRecording', FolderOpen],
  ['transcript.attachRecording', FileAudio],
  ['transcript.delete', Trash2],
] as const;

function MoreMenu() {
  const t = useText();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const titleOf = useCommandTitle();
  const { ids, names } = useAvailability();
  return (
    <Menu
      label={t('common.more')}
      placement="bottom end"
      entries={() =>
        more
          .filter(([id]) => ids.includes(id))
          .flatMap(([id, icon]): readonly MenuEntry[] => [
            ...(id === 'transcript.delete' ? (['separator'] as const) : []),
            {
              id,
              icon,
              text: names[id] ?? titleOf(id),
              shortcut: keyFor(id),
              isDanger: id === 'transcript.delete',
              onAction: () => void run(id),
            },
          ])
      }
      trigger={<IconButton icon={Ellipsis} label={t('common.more')} />}
    />
  );
}

export function useSetLanguage(): (chosen: SpeechLanguage) => Promise<void> {
  const words = useFailureText();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const { detail, document: text } = useEditor();
  const change = useChangeDetail(detail.id);
  return async (chosen) => {
    const set = await studio.request('transcripts.setLanguage', { languages: [{ id: detail.id, language: chosen }] });
    if (!set.ok) {
      showToast({ text: words(set.error).text, icon: CircleAlert });
      return;
    }
    text.setState(({ transcript }) => ({ transcript: { ...transcript, language: chosen } }));
    change({ transcript: { ...detail.transcript, language: chosen } });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
  };
}

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

function useSaving(title: SaveState): SaveState {
  const t = useText();
  const words = useFailureText();
  const { document: text } = useEditor();
  const saving = useDocument((state) => state.saving);
  const failure = useDocument((state) => state.failure);
  if (title !== 'saved') return title;
  if (saving === 'saved' || saving === 'saving') return saving;
  return {
    words: saving === 'stale' ? t('editor.title.changedElsewhere') : failure === null ? '' : words(failure).text,
    retry: () => void text.flush(),
  };
}

function UndoButtons() {
  const t = useText();
  const { document: text } = useEditor();
  const canUndo = useDocument((state) => state.canUndo);
  const canRedo = useDocument((state) => state.canRedo);
  useCommands({ 'edit.undo': canUndo && text.undo, 'edit.redo': canRedo && text.redo });
  return (
    <>
      <CommandButton id="edit.undo" icon={Undo2} label={t('editor.undo')} isDisabled={!canUndo} />
      <CommandButton id="edit.redo" icon={Redo2} label={t('editor.redo')} isDisabled={!canRedo} />
    </>
  );
}

function SavedMark({ state }: { readonly state: SaveState }) {
  const t = useText();
  if (state === 'saved')
    return (
      <output className={css['saved']}>
        <Check aria-hidden size={14} strokeWidth={1.75} />
        <span className={css['wide']}>{t('editor.title.saved')}</span>
        <span className={css['narrow']}>{t('editor.title.savedShort')}</span>
      </output>
    );
  if (state === 'saving')
    return (
      <output className={css['saved']}>
        <Spinner />
        {t('editor.title.saving')}
      </output>
    );
  return (
    <span role="alert" className={css['notSaved']} title={state.words}>
      {t('editor.title.notSaved')}
      <Button size="sm" onPress={state.retry}>
        {t('common.retry')}
      </Button>
    </span>
  );
}

type SaveState = 'saved' | 'saving' | { readonly words: string; readonly retry: () => void };

function useRename() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureText();
  const { detail } = useEditor();
  const change = useChangeDetail(detail.id);
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: (title: string) =>
      valueOrThrow(studio.request('transcripts.rename', { transcriptId: detail.id, title })),
    onSuccess: ({ title }) => {
      change({ title });
      void queries.invalidateQueries({ queryKey: transcriptListKey });
    },
  });
  const failure = failureOf(error);
  const saveState: SaveState = isPending
    ? 'saving'
    : error === null
      ? 'saved'
      : {
          words: failure === null ? t('editor.title.notSaved') : words(failure).text,
          retry: () => {
            if (variables !== undefined) mutate(variables);
          },
        };
  const isShownAhead = (isPending || error !== null) && variables !== undefined;
  return {
    title: isShownAhead ? variables : detail.title,
    saveState,
    rename: (typed: string) => mutate(spellName(detail.transcript.language, typed)),
  };
}

function TitleField({ title, onRename }: { readonly title: string; readonly onRename: (title: string) => void }) {
  const t = useText();
  const [draft, setDraft] = useState<string | null>(null);
  const keyFor = useKeyFor();
  const copy = useCopy();
  const edit = () => setDraft(title);
  useCommands({ 'transcript.rename': edit });
  const { onContextMenu, menu } = useContextMenu(t('editor.title.label'), () => [
    { id: 'rename', icon: Pencil, text: t('library.rename'), shortcut: keyFor('transcript.rename'), onAction: edit },
    { id: 'copy', icon: Copy, text: t('editor.title.copy'), onAction: () => void copy(title) },
  ]);
  const keep = () => {
    const wanted = draft?.trim() ?? '';
    setDraft(null);
    if (wanted !== '' && wanted !== title) onRename(wanted);
  };
  if (draft === null) {
    return (
      <>
        <h1 className={css['heading']}>
          <button
            type="button"
            className={css['title']}
            title={t('editor.title.rename', { title })}
            onClick={edit}
            onContextMenu={onContextMenu}
          >
            {title}
          </button>
        </h1>
        {menu}
      </>
    );
  }
  return (
    <h1 className={css['heading']}>
      <input
        className={css['input']}
        aria-label={t('editor.title.label')}
        maxLength={longest}
        value={draft}
        autoComplete="off"
        ref={(input) => {
          if (input !== null && document.activeElement !== input) input.select();
        }}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          if (event.key === 'Enter') keep();
          else setDraft(null);
        }}
      />
    </h1>
  );
}
