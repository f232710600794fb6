import {
  AlignLeft,
  AudioLines,
  BookA,
  Download,
  Ellipsis,
  FileText,
  FileUp,
  FolderOpen,
  History,
  ListOrdered,
  Pencil,
  Play,
  Plus,
  Redo2,
  Search,
  Square,
  TimerReset,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useState } from 'react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { findChapters, titleOf, pauseAfter } from '../../../../shared/domain/speech/speech-document.ts';
import { withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSpeechCredits } from '../../../bridge/use-credits.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, Question } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu } from '../../../ui/menu.tsx';
import { PanelActions, PanelTitle } from '../../../ui/panel.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSpeaking, useSpeakState } from '../speak-context.tsx';
import { isReady } from '../model/block-status.ts';
import css from '../speak-screen.module.css';
import { useCost, useBlocks } from '../use-cost.ts';
import { VoicePill } from './voice-pill.tsx';

const formats = ['wav', 'mp3', 'ogg', 'flac', 'm4a'] as const;

/** The loudness targets of players, podcasts, audiobooks and broadcasters. */
const loudnesses = ['', '-14', '-16', '-19', '-23'] as const;

const mostListed = 20;
const pauses = [0.5, 1, 2] as const;

interface SpeakHeaderProps {
  readonly view: 'text' | 'blocks';
  readonly onPause: (seconds: number) => void;
}

export function SpeakHeader(props: SpeakHeaderProps) {
  const t = useText();
  const title = useSpeakState(({ document }) => (document === null ? '' : titleOf(document)));
  return (
    <>
      <div className={css['named']}>
        <PanelTitle>{title || t('speak.title')}</PanelTitle>
        <VoicePill />
        <NotSaved />
      </div>
      <PanelActions>
        <More {...props} />
        <SaveAudio />
        <Main />
      </PanelActions>
    </>
  );
}

/** The only button that spends. */
function Main() {
  const t = useText();
  const keyFor = useKeyFor();
  const { store } = useSpeaking();
  const { mode } = useSettings();
  const isEmpty = useSpeakState((state) => (state.document?.blocks.length ?? 0) === 0);
  const isGenerating = useSpeakState((state) => state.isGenerating);
  const { sendCount, rewordedCount, billed } = useCost();
  const formats = useFormats();
  const credits = useSpeechCredits()(billed);
  if (isGenerating)
    return (
      <Button
        icon={Square}
        tip={{ text: t('speak.stop'), shortcut: keyFor('speak.stop') }}
        onPress={() => store.stop()}
      >
        {t('speak.stop')}
      </Button>
    );
  if (sendCount === 0 && !isEmpty) return null;
  const what = rewordedCount === sendCount ? 'speak.speakChanged' : 'speak.speakCount';
  const words = isEmpty ? t('speak.speak') : t(what, { count: sendCount });
  return (
    <Button
      variant="primary"
      icon={AudioLines}
      isDisabled={isEmpty}
      tip={{ text: words, shortcut: keyFor('speak.generate') }}
      onPress={() => store.speak(0)}
    >
      {words}
      {!isEmpty && !modeOf(mode).isFree && (
        <span className={css['price']}>
          {' · '}
          {credits === null
            ? t('speak.characters', { count: billed })
            : t('speak.aboutCredits', { count: Math.ceil(credits * 10) / 10, amount: formats.creditsAtMost(credits) })}
        </span>
      )}
    </Button>
  );
}

function NotSaved() {
  const t = useText();
  const saving = useSpeakState((state) => state.saving);
  const words = useFailureText();
  if (typeof saving === 'string') return null;
  return (
    <span role="alert" className={css['notSaved']}>
      {t('speak.notSaved')}: {words(saving).title}
    </span>
  );
}

function More({ view, onPause }: SpeakHeaderProps) {
  const t = useText();
  const numbers = useFormats();
  const { store } = useSpeaking();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const document = useSpeakState((state) => state.document);
  const documents = useSpeakState((state) => state.documents);
  const canUndo = useSpeakState(({ steps }) => steps.length > 0);
  const canRedo = useSpeakState(({ undone }) => undone.length > 0);
  const [asks, setAsks] = useState<'rename' | 'delete' | null>(null);
  const [name, setName] = useState('');
  if (document === null) return null;
  const isDisabled = document.blocks.length === 0;
  const close = () => setAsks(null);
  const rename = () => {
    store.patchDocument({ title: name.trim().slice(0, 300) });
    close();
  };
  const others = documents.filter(({ id }) => id !== document.id).slice(0, mostListed);
  const isWhole = view === 'text';
  const shortcut = keyFor('speak.find');
  return (
    <>
      <Menu
        label={t('speak.more')}
        trigger={<IconButton icon={Ellipsis} label={t('speak.more')} />}
        entries={[
          command('from', Play, t('speak.blocks.playFrom'), () => run('speak.fromCursor'), {
            shortcut: keyFor('speak.fromCursor'),
            isDisabled,
          }),
          command('find', Search, t('palette.commands.findText'), () => run('speak.find'), { shortcut, isDisabled }),
          command('words', BookA, t('speak.pronunciation.open'), () => run('speak.pronunciation')),
          {
            id: 'pause',
            icon: TimerReset,
            text: t('speak.insertPause'),
            entries: pauses.map((seconds) => ({
              id: String(seconds),
              text: t('speak.secondsOf', { value: numbers.factor(seconds) }),
              isDisabled,
              onAction: () => onPause(seconds),
            })),
          },
          command(
            'view',
            isWhole ? ListOrdered : AlignLeft,
            t(isWhole ? 'speak.bySentences' : 'speak.asOneText'),
            () => run('speak.view'),
            { isDisabled },
          ),
          'separator',
          command('undo', Undo2, t('speak.undo'), () => store.undo(), {
            shortcut: keyFor('speak.undo'),
            isDisabled: !canUndo,
          }),
          command('redo', Redo2, t('speak.redo'), () => store.redo(), {
            shortcut: keyFor('speak.redo'),
            isDisabled: !canRedo,
          }),
          'separator',
          command('history', History, t('speak.history'), () => run('speak.history')),
          command('import', FileUp, t('speak.import'), () => run('speak.import')),
          command('new', Plus, t('speak.newText'), () => void store.create()),
          ...(others.length === 0
            ? []
            : [
                {
                  id: 'texts',
                  icon: FolderOpen,
                  text: t('speak.documents'),
                  entries: others.map(({ id, title }) =>
                    command(id, FileText, title || t('speak.untitled'), () => void store.open(id)),
                  ),
                },
              ]),
          command('rename', Pencil, t('speak.rename'), () => {
            setName(titleOf(document));
            setAsks('rename');
          }),
          command('delete', Trash2, t('speak.delete'), () => setAsks('delete'), { isDanger: true }),
        ]}
      />
      <Dialog
        title={t('speak.renameTitle')}
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
    </>
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
  const { sendCount, readyCount, underWayCount, doubtfulCount, billed } = useCost();
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
        <Button
          icon={Download}
          variant={sendCount === 0 && readyCount > 0 ? 'primary' : 'ghost'}
          label={t('speak.export.open')}
          className={css['saves']}
          isDisabled={parts.length === 0}
        >
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
      <p className="caption muted">{t('speak.export.formatHint')}</p>
      {shownAs === 'one' && (
        <label className="row gap-8 text-sm">
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
      {missingCount > 0 && <p className="caption muted">{t('speak.export.missing', { count: missingCount })}</p>}
      {underWayCount > 0 && <p className="caption muted">{t('speak.underWay', { count: underWayCount })}.</p>}
      {doubtfulCount > 0 && <p className="caption muted">{t('speak.doubtful', { count: doubtfulCount })}</p>}
      {staleCount > 0 && <p className="caption muted">{t('speak.export.stale', { count: staleCount })}</p>}
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
