import { useQueryClient, useMutation } from '@tanstack/react-query';
import {
  ChevronLeft,
  CircleAlert,
  Ellipsis,
  FileAudio,
  FolderOpen,
  GitCompareArrows,
  History,
  Languages,
  Laptop,
  MessageSquareQuote,
  Redo2,
  Repeat2,
  Search,
  Share,
  Trash2,
  Undo2,
  Video,
  Copy,
  Pencil,
} from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { CommandId } from '../../../../shared/domain/commands/command-list.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { spellName } from '../../../../shared/domain/text/uzbek-letters.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useAvailability, useCommands, useCommandTitle, useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { PanelBar } from '../../../ui/panel.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useDocument, useEditor } from '../editor-context.ts';
import { useChangeDetail, useSync } from '../queries.ts';
import css from './editor-header.module.css';
import { useContextMenu } from './use-context-menu.tsx';

const longest = 300;

export function EditorHeader({ onBack }: { readonly onBack: () => void }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { store, document: text } = useEditor();
  const { title, saveState, rename } = useRename();
  const sync = useSync();
  return (
    <PanelBar>
      <IconButton icon={ChevronLeft} label={t('editor.back')} onPress={onBack} />
      <TitleField title={title} onRename={rename} />
      <LanguageChoice />
      <OriginMark />
      <SavedMark state={useSaving(saveState)} />
      <div className="flex gap-6 apart rigid">
        {sync.data?.state === 'conflict' && (
          <Button size="sm" icon={GitCompareArrows} onPress={() => store.showView('versions')}>
            {t('editor.account.compare')}
          </Button>
        )}
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
  ['edit.undo', Undo2],
  ['edit.redo', Redo2],
  ['text.find', Search],
  ['versions.open', History],
  ['transcript.exportAgain', Repeat2],
  ['transcript.convertScript', Languages],
  ['picture.toggle', Video],
  ['transcript.showRecording', FolderOpen],
  ['transcript.attachRecording', FileAudio],
  ['transcript.delete', Trash2],
] as const;
const startsPart: ReadonlySet<CommandId> = new Set(['text.find', 'transcript.exportAgain', 'transcript.delete']);

function MoreMenu() {
  const t = useText();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const titleOf = useCommandTitle();
  const { ids, names } = useAvailability();
  const { detail, document: text } = useEditor();
  const [, navigate] = useLocation();
  const canUndo = useDocument((state) => state.canUndo);
  const canRedo = useDocument((state) => state.canRedo);
  useCommands({ 'edit.undo': canUndo && text.undo, 'edit.redo': canRedo && text.redo });
  const ask = command(
    'ask',
    MessageSquareQuote,
    t('editor.ask'),
    () => void text.flush().then(() => navigate(`/ask/about/${encodeURIComponent(detail.id)}`)),
  );
  const entries = () =>
    more
      .filter(([id]) => ids.includes(id) || id.startsWith('edit.'))
      .flatMap(([id, icon]): readonly MenuEntry[] => [
        ...(startsPart.has(id) ? (['separator'] as const) : []),
        command(id, icon, names[id] ?? titleOf(id), () => void run(id), {
          shortcut: keyFor(id),
          isDanger: id === 'transcript.delete',
          isDisabled: !ids.includes(id),
        }),
        ...(id === 'versions.open' ? [ask] : []),
      ]);
  return (
    <Menu
      label={t('common.more')}
      placement="bottom end"
      entries={entries}
      trigger={<IconButton icon={Ellipsis} label={t('common.more')} />}
    />
  );
}

/** Where the text was made, if that was here: nothing of the recording was sent. */
function OriginMark() {
  const t = useText();
  const formats = useFormats();
  const { madeBy, createdAtMs } = useEditor().detail;
  if (madeBy?.origin !== 'local') return null;
  return (
    <Popover
      label={t('editor.origin.title')}
      placement="bottom start"
      trigger={
        <Button size="sm" variant="ghost" icon={Laptop} className={css['origin']}>
          <span className="wide">{t('editor.origin.here')}</span>
          <span className="narrow">{t('editor.origin.hereShort')}</span>
        </Button>
      }
    >
      <FactList
        facts={[
          ...(madeBy.model === null ? [] : [{ label: t('editor.origin.model'), value: madeBy.model }]),
          { label: t('editor.origin.made'), value: `${formats.date(createdAtMs)}, ${formats.time(createdAtMs)}` },
          { label: t('editor.origin.sent'), value: t('editor.origin.nothing') },
        ]}
      />
    </Popover>
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

/** A saved text needs no words. */
function SavedMark({ state }: { readonly state: SaveState }) {
  const t = useText();
  if (typeof state === 'string')
    return (
      <output className={css['saving']} data-saving={state}>
        {state === 'saving' && (
          <>
            <Spinner />
            {t('editor.title.saving')}
          </>
        )}
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
