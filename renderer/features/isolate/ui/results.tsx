import { Captions, Download, AudioLines, Replace, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useQueryClient } from '@tanstack/react-query';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import type { ResultMeasures } from '../../../audio/compare/compare-measures.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio, ResultFile } from '../../../bridge/types.ts';
import { useCommands } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useSavedToast, useTranscribeIsolated, type SavedFile } from '../../../parts/jobs/job-actions.ts';
import { useNextIsolations } from '../../../parts/jobs/jobs-context.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { Select } from '../../../ui/select.tsx';
import { useUndoKey } from '../../../lib/use-undo-key.ts';
import { useUndoNotice } from '../../../ui/notices.ts';
import { useIsolate } from '../isolate-store.ts';
import css from './results.module.css';
import { useCostWords } from './use-cost-words.ts';

/** The service converts for free, and what is ready is stored on this computer. */
export function Results(props: {
  readonly audio: IsolatedAudio;
  readonly measured: ResultMeasures | null;
  readonly onChanged: () => void;
}) {
  const { audio, measured, onChanged } = props;
  const t = useText();
  const store = useIsolate();
  const formats = useFormats();
  const { mode } = useSettings();
  const transcribe = useTranscribeIsolated();
  const voices = audio.results.filter(({ format }) => format !== 'original');
  const original = audio.results.find(({ format }) => format === 'original');
  const missing = voices.filter(({ state }) => state === 'absent' || state === 'failed');
  const prepare = async (formats: ResultFile['format'][]) => {
    await store.ask('isolation.prepare', { audioId: audio.audioId, formats });
    onChanged();
  };
  return (
    <InspectorSection title={t('isolate.results.title')}>
      <p className={css['free']}>{t('isolate.results.free')}</p>
      {measured !== null && <Delay offsetMs={measured.offsetMs} />}
      <ul>
        {voices.map((file) => (
          <Format key={file.format} audio={audio} file={file} onChanged={onChanged} />
        ))}
      </ul>
      <div className={css['more']}>
        {/* It stays when there is nothing left to prepare, so that a button that costs never moves under the pointer. */}
        <Button isDisabled={missing.length === 0} onPress={() => void prepare(missing.map(({ format }) => format))}>
          {t('isolate.results.prepareAll')}
        </Button>
        {original && (
          <ul className={css['original']}>
            <Format audio={audio} file={original} onChanged={onChanged} />
          </ul>
        )}
        <SpokenLanguage />
        <Button icon={Captions} onPress={() => void transcribe(audio.audioId, audio.title)}>
          {t('isolate.transcribe')}
        </Button>
        <p className={css['hint']}>
          {modeOf(mode).isFree
            ? t('isolate.next.free')
            : t('isolate.transcribeCost', { time: formats.duration(audio.durationMs ?? 0) })}
        </p>
      </div>
    </InspectorSection>
  );
}

/** The files are those of the service; only what is mixed here is aligned with the original. */
function Delay({ offsetMs }: Pick<ResultMeasures, 'offsetMs'>) {
  const t = useText();
  const formats = useFormats();
  if (Math.abs(offsetMs) < 0.05) return null;
  const ms = formats.number(Math.round(Math.abs(offsetMs) * 10) / 10);
  return (
    <p className={css['hint']}>
      {t(offsetMs > 0 ? 'isolate.results.late' : 'isolate.results.early', { ms, percent: formats.percent(1) })}
    </p>
  );
}

export function useSaving(write: () => Promise<SavedFile>) {
  const showSavedToast = useSavedToast();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    const saved = await write();
    setIsSaving(false);
    showSavedToast(saved);
  };
  return { isSaving, save };
}

function Format(props: { readonly audio: IsolatedAudio; readonly file: ResultFile; readonly onChanged: () => void }) {
  const { audio, file, onChanged } = props;
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const store = useIsolate();
  const name = file.format === 'original' ? t('isolate.results.original') : file.format.toUpperCase();
  const { isSaving, save } = useSaving(async () => {
    const saved = await store.ask('isolation.save', { audioId: audio.audioId, format: file.format });
    onChanged();
    return saved;
  });
  const saveLabel = t('isolate.results.save', { format: name });
  useCommands(file.format === 'mp3' ? { 'isolate.saveMp3': () => void save() } : {});
  const state = {
    ready: t('isolate.results.ready', { size: formats.bytes(file.sizeBytes ?? 0) }),
    preparing: t('isolate.results.preparing'),
    absent: t(file.format === 'original' ? 'isolate.results.asRecorded' : 'isolate.results.absent'),
    failed: t('isolate.results.failed', { reason: file.failure === null ? '' : words(file.failure).title }),
  }[file.state];
  return (
    <li className={css['format']}>
      <span className={css['name']}>{name}</span>
      <output className={css['state']}>{state}</output>
      {isSaving || file.state === 'preparing' ? (
        <Spinner />
      ) : (
        <IconButton size="sm" icon={Download} label={saveLabel} onPress={() => void save()} />
      )}
    </li>
  );
}

function SpokenLanguage() {
  const t = useText();
  const { speechLanguage } = useSettings();
  const change = useSettingsChange();
  return (
    <Select
      label={t('isolate.spokenLanguage')}
      value={speechLanguage}
      options={speechLanguages.map((value) => ({ value, text: t(`common.languageNames.${value}`) }))}
      onChange={(value) => void change({ speechLanguage: value })}
    />
  );
}

/** Its transcripts, and isolating it with the other choice about restoring speech. */
export function Recording(props: { readonly audio: IsolatedAudio; readonly onChanged: () => void }) {
  const { audio, onChanged } = props;
  const t = useText();
  const { transcripts } = audio;
  return (
    <>
      <InspectorSection title={t('isolate.inTranscript.title')}>
        <p className={css['hint']}>
          {t(transcripts.length > 0 ? 'isolate.inTranscript.text' : 'isolate.inTranscript.none')}
        </p>
        {transcripts.length > 0 && (
          <ul>
            {transcripts.map((transcript) => (
              <InTranscript
                key={transcript.transcriptId}
                audioId={audio.audioId}
                transcript={transcript}
                onChanged={onChanged}
              />
            ))}
          </ul>
        )}
      </InspectorSection>
      {audio.variant === null && <AddVariant audio={audio} />}
    </>
  );
}

function InTranscript(props: {
  readonly audioId: string;
  readonly transcript: IsolatedAudio['transcripts'][number];
  readonly onChanged: () => void;
}) {
  const { audioId, onChanged } = props;
  const { transcriptId, title, usesThis } = props.transcript;
  const t = useText();
  const store = useIsolate();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isChanging, setIsChanging] = useState(false);
  /** What Ctrl+Z undoes: the last change here, with the notice that says so. */
  const [last, setLast] = useState<{ readonly formerId: string | null; readonly hideNotice: () => void } | null>(null);
  /** Null puts the recording back. What was played before may be other isolated audio. */
  const change = async (wantedId: string | null, isUndo = false) => {
    setLast(null);
    setIsChanging(true);
    const done =
      wantedId === null
        ? await store.ask('isolation.useOriginal', { transcriptId })
        : await store.ask('isolation.useAsRecording', { audioId: wantedId, transcriptId });
    setIsChanging(false);
    if (done === null) return;
    await queries.invalidateQueries({ queryKey: ['transcript', transcriptId] });
    onChanged();
    const notice = {
      icon: AudioLines,
      text: t(wantedId === null ? 'isolate.inTranscript.undone' : 'isolate.inTranscript.used', { title }),
    };
    if (isUndo) {
      const onPress = () => navigate(`/transcripts/${encodeURIComponent(transcriptId)}`);
      showToast({ ...notice, action: { text: t('isolate.inTranscript.open'), onPress } });
      return;
    }
    const formerId = 'formerAudioId' in done ? done.formerAudioId : audioId;
    setLast({ formerId, hideNotice: showUndo({ ...notice, undo: () => void change(formerId, true) }) });
  };
  const undo = () => {
    last?.hideNotice();
    if (last !== null) void change(last.formerId, true);
  };
  useUndoKey(last && undo);
  return (
    <li className={css['transcript']}>
      <span className={css['name']} title={title}>
        {title}
      </span>
      <Button
        size="sm"
        variant={usesThis ? 'ghost' : 'default'}
        icon={usesThis ? Undo2 : Replace}
        isLoading={isChanging}
        label={t(`isolate.inTranscript.${usesThis ? 'backFor' : 'useFor'}`, { title })}
        onPress={() => void change(usesThis ? null : audioId)}
      >
        {t(`isolate.inTranscript.${usesThis ? 'back' : 'use'}`)}
      </Button>
    </li>
  );
}

function AddVariant({ audio }: { readonly audio: IsolatedAudio }) {
  const t = useText();
  const store = useIsolate();
  const next = useNextIsolations();
  const formats = useFormats();
  const costWords = useCostWords();
  const showToast = useToast();
  /** What was sent already: a second press must not pay for it again. */
  const [sentFor, setSentFor] = useState<string | null>(null);
  const add = async () => {
    setSentFor(audio.audioId);
    const { restorationModel } = next();
    const model = restorationModel === undefined ? {} : { restorationModel };
    const added = store.goToListed(await store.ask('isolation.addVariant', { audioId: audio.audioId, ...model }));
    if (added?.jobId != null) showToast({ text: t('isolate.variant.added') });
    else setSentFor(null);
  };
  return (
    <InspectorSection title={t('isolate.variant.title')}>
      <p className={css['hint']}>
        {t(audio.restoresSpeech ? 'isolate.variant.without' : 'isolate.variant.with')}{' '}
        {audio.durationMs !== null &&
          `${formats.clock(audio.durationMs)} · ${costWords([{ durationMs: audio.durationMs, sizeBytes: 0 }])}`}
      </p>
      <div className={css['more']}>
        <Button isLoading={sentFor === audio.audioId} onPress={() => void add()}>
          {t(audio.restoresSpeech ? 'isolate.variant.addWithout' : 'isolate.variant.addWith')}
        </Button>
      </div>
    </InspectorSection>
  );
}
