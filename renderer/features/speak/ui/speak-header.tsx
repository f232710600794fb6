import {
  AudioLines,
  BookA,
  Check,
  FileUp,
  Redo2,
  Square,
  Undo2,
  ChevronDown,
  FileText,
  Pencil,
  Plus,
  Trash2,
  Download,
} from 'lucide-react';
import { useState } from 'react';
import { findChapters, titleOf, pauseAfter } from '../../../../shared/domain/speech/speech-document.ts';
import { withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { PanelActions, PanelTitle } from '../../../ui/panel.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { isReady } from '../model/block-status.ts';
import css from '../speak-screen.module.css';
import { useCost, useBlocks } from '../use-cost.ts';

const formats = ['wav', 'mp3', 'ogg', 'flac', 'm4a'] as const;

/** The loudness targets of players, podcasts, audiobooks and broadcasters. */
const loudnesses = ['', '-14', '-16', '-19', '-23'] as const;

const mostListed = 20;

export function SpeakHeader({ isBusy, onImport }: { readonly isBusy: boolean; readonly onImport: () => void }) {
  const t = useText();
  const { store } = useSpeaking();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const canUndo = useSpeakState(({ steps }) => steps.length > 0);
  const canRedo = useSpeakState(({ undone }) => undone.length > 0);
  const isEmpty = useSpeakState((state) => (state.document?.blocks.length ?? 0) === 0);
  const { sendCount, readyCount, changedCount } = useCost();
  const actionText = () => {
    if (sendCount === 0 && readyCount > 0) return t('speak.play');
    if (changedCount > 0) return t('speak.speakChanged', { count: sendCount });
    return readyCount > 0 ? t('speak.speakNew', { count: sendCount }) : t('speak.speak');
  };
  return (
    <>
      <PanelTitle>{t('speak.title')}</PanelTitle>
      <DocumentMenu />
      <Saving />
      <PanelActions>
        {(['undo', 'redo'] as const).map((command) => (
          <IconButton
            key={command}
            icon={command === 'undo' ? Undo2 : Redo2}
            label={t(`speak.${command}`)}
            shortcut={keyFor(`speak.${command}`)}
            isDisabled={command === 'undo' ? !canUndo : !canRedo}
            onPress={() => store[command]()}
          />
        ))}
        <IconButton icon={BookA} label={t('speak.pronunciation.open')} onPress={() => run('speak.pronunciation')} />
        <IconButton icon={FileUp} label={t('speak.import')} onPress={onImport} />
        <SaveAudio />
        {isBusy ? (
          <Button className={css['action']} icon={Square} shortcut={keyFor('speak.stop')} onPress={() => store.stop()}>
            {t('speak.stop')}
          </Button>
        ) : (
          <Button
            variant="primary"
            className={css['action']}
            icon={AudioLines}
            isDisabled={isEmpty}
            onPress={() => store.speak(0)}
          >
            {actionText()}
          </Button>
        )}
      </PanelActions>
    </>
  );
}

function Saving() {
  const t = useText();
  const saving = useSpeakState((state) => state.saving);
  const isEmpty = useSpeakState((state) => state.document === null || state.document.text === '');
  const words = useFailureText();
  if (isEmpty) return null;
  if (saving === 'saved')
    return (
      <span className={css['saving']}>
        <Check aria-hidden size={14} strokeWidth={1.75} /> {t('speak.saved')}
      </span>
    );
  if (saving === 'saving') return <span className={css['saving']}>{t('speak.saving')}</span>;
  return (
    <span role="alert" className={css['notSaved']}>
      {t('speak.notSaved')}: {words(saving).title}
    </span>
  );
}

function DocumentMenu() {
  const t = useText();
  const { store } = useSpeaking();
  const document = useSpeakState((state) => state.document);
  const documents = useSpeakState((state) => state.documents);
  const [asks, setAsks] = useState<'rename' | 'delete' | null>(null);
  const [name, setName] = useState('');
  if (document === null) return null;
  const shown = titleOf(document) || t('speak.untitled');
  const close = () => setAsks(null);
  const rename = () => {
    store.patchDocument({ title: name.trim().slice(0, 300) });
    close();
  };
  return (
    <span className={css['documents']}>
      <Menu
        label={t('speak.documents')}
        placement="bottom start"
        trigger={
          <Button variant="ghost" size="sm" iconAfter={ChevronDown} className={css['documentName']}>
            {shown}
          </Button>
        }
        entries={[
          { id: 'new', text: t('speak.newText'), icon: Plus, onAction: () => void store.create() },
          {
            id: 'rename',
            text: t('speak.rename'),
            icon: Pencil,
            onAction: () => {
              setName(shown);
              setAsks('rename');
            },
          },
          { id: 'delete', text: t('speak.delete'), icon: Trash2, isDanger: true, onAction: () => setAsks('delete') },
          ...(documents.length > 1 ? (['separator'] as const) : []),
          ...documents
            .filter(({ id }) => id !== document.id)
            .slice(0, mostListed)
            .map(({ id, title }) => ({
              id,
              text: title || t('speak.untitled'),
              icon: FileText,
              onAction: () => void store.open(id),
            })),
        ]}
      />
      <Dialog
        title={t('speak.renameTitle')}
        closeLabel={t('speak.close')}
        width="sm"
        isOpen={asks === 'rename'}
        onClose={close}
        footer={
          <>
            <Button onPress={close}>{t('speak.cancel')}</Button>
            <Button variant="primary" onPress={rename}>
              {t('speak.save')}
            </Button>
          </>
        }
      >
        <Field isAutoFocused label={t('speak.name')} value={name} onChange={setName} onEnter={rename} />
      </Dialog>
      <Question
        isDanger
        title={t('speak.deleteTitle')}
        confirm={t('speak.deleteConfirm')}
        isOpen={asks === 'delete'}
        onClose={close}
        onConfirm={() => void store.remove()}
      >
        {t('speak.deleteText')}
      </Question>
    </span>
  );
}

function SaveAudio() {
  const t = useText();
  const numbers = useFormats();
  const words = useFailureText();
  const studio = useStudio();
  const showToast = useToast();
  const document = useSpeakState((state) => state.document);
  const blocks = useBlocks();
  const { store } = useSpeaking();
  const { sendCount, billed } = useCost();
  const [isOpen, setIsOpen] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [format, setFormat] = useState<(typeof formats)[number]>('mp3');
  const [as, setAs] = useState<'one' | 'files' | 'zip' | 'chapters'>('one');
  const [withSubtitles, setWithSubtitles] = useState(false);
  const [loudness, setLoudness] = useState<(typeof loudnesses)[number]>('');
  if (document === null) return null;
  const { chapterOf, titles } = findChapters(document.blocks);
  const shownAs = as === 'chapters' && titles.length < 2 ? 'one' : as;
  const parts = document.blocks.flatMap((block, index) => {
    const { take = null, tempo = 1 } = blocks[index]?.status ?? {};
    if (take === null) return [];
    const pauseMs = pauseAfter(block, document);
    const chapter = titles[chapterOf[index] ?? 0] ?? '';
    const slot = block.slot == null ? {} : { startMs: block.slot.startMs };
    return [{ takeId: take.id, tempo, pauseMs, text: withoutMarks(block.text), chapter, ...slot }];
  });
  const missingCount = document.blocks.length - parts.length;
  const staleCount = blocks.filter(({ status: { state, take } }) => !isReady(state) && take !== null).length;

  const save = async () => {
    setIsSaving(true);
    const answer = await studio.request('speak.saveAudio', {
      title: titleOf(document),
      parts,
      format,
      as: shownAs,
      withSubtitles,
      targetLufs: loudness === '' ? null : Number(loudness),
    });
    setIsSaving(false);
    if (!answer.ok) return showToast({ text: `${t('speak.export.failed')}. ${words(answer.error).text}` });
    const { savedAs, subtitlesAs, revealToken, quietestLufs } = answer.value;
    if (savedAs === null || revealToken === null) return undefined;
    setIsOpen(false);
    const saved =
      subtitlesAs === null
        ? t('speak.export.saved', { name: savedAs })
        : t('speak.export.savedWith', { name: savedAs, subtitles: subtitlesAs });
    const quieter =
      quietestLufs !== null && t('speak.export.quieter', { value: numbers.number(Math.round(quietestLufs * 10) / 10) });
    return showToast({
      text: quieter === false ? saved : `${saved}. ${quieter}`,
      action: { text: t('speak.export.show'), onPress: () => void studio.request('exports.reveal', { revealToken }) },
    });
  };
  return (
    <Popover
      label={t('speak.export.title')}
      className={css['save']}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button icon={Download} iconAfter={ChevronDown} isDisabled={parts.length === 0}>
          {t('speak.export.open')}
        </Button>
      }
    >
      <Select
        label={t('speak.export.as')}
        value={shownAs}
        options={[
          { value: 'one', text: t('speak.export.one') },
          { value: 'files', text: t('speak.export.files') },
          { value: 'zip', text: t('speak.export.zip') },
          ...(titles.length > 1
            ? [{ value: 'chapters' as const, text: t('speak.export.chapters', { count: titles.length }) }]
            : []),
        ]}
        onChange={setAs}
      />
      <Segmented
        isLabelShown
        isBlock
        size="sm"
        label={t('speak.export.format')}
        value={format}
        options={formats.map((value) => ({ value, text: value.toUpperCase() }))}
        onChange={setFormat}
      />
      <p className={css['hint']}>{t('speak.export.formatHint')}</p>
      {shownAs === 'one' && (
        <label className={css['check']}>
          <input type="checkbox" checked={withSubtitles} onChange={({ target }) => setWithSubtitles(target.checked)} />
          {t('speak.export.subtitles')}
        </label>
      )}
      <Select
        label={t('speak.export.loudness')}
        value={loudness}
        options={loudnesses.map((value) => ({
          value,
          text:
            value === '' ? t('speak.export.asCame') : t('speak.export.lufs', { value: numbers.number(Number(value)) }),
        }))}
        onChange={setLoudness}
      />
      {missingCount > 0 && <p className={css['hint']}>{t('speak.export.missing', { count: missingCount })}</p>}
      {staleCount > 0 && <p className={css['hint']}>{t('speak.export.stale', { count: staleCount })}</p>}
      {sendCount > 0 && (
        <Button
          icon={AudioLines}
          className={css['wrapping']}
          onPress={() => {
            setIsOpen(false);
            store.speak(0);
          }}
        >
          {t('speak.export.speakFirst', { count: sendCount, characters: t('speak.characters', { count: billed }) })}
        </Button>
      )}
      <Button variant="primary" icon={Download} isLoading={isSaving} onPress={() => void save()}>
        {t('speak.export.save')}
      </Button>
    </Popover>
  );
}
