import { Captions, Download } from 'lucide-react';
import { useState } from 'react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { ResultMeasures } from '../../../audio/compare/compare-measures.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { IsolatedAudio, ResultFile } from '../../../bridge/types.ts';
import { cx } from '../../../lib/class-names.ts';
import { useCommands } from '../../../lib/commands.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';
import type { IsolateStore } from '../model/isolate-store.ts';
import css from './results.module.css';
import { SpokenLanguage, useTranscribeResult } from './use-transcribe-result.tsx';

/**
 * The formats of a result. The service converts them for free, and those that are ready are stored on this computer.
 */
export function Results({
  audio,
  measured,
  onChanged,
}: {
  readonly audio: IsolatedAudio;
  readonly measured: ResultMeasures | null;
  readonly onChanged: () => void;
}) {
  const t = useText();
  const store = useIsolate();
  const formats = useFormats();
  const { mode } = useSettings();
  const transcribe = useTranscribeResult();
  const voices = audio.results.filter(({ format }) => format !== 'original');
  const original = audio.results.find(({ format }) => format === 'original');
  const missing = voices.filter(({ state }) => state === 'absent' || state === 'failed');
  const prepare = async (formats: ResultFile['format'][]) => {
    await store.prepare(audio.audioId, formats);
    onChanged();
  };
  return (
    <InspectorSection title={t('isolate.results.title')}>
      <p className={css['free']}>{t('isolate.results.free')}</p>
      {measured !== null && <Delay offsetMs={measured.offsetMs} />}
      <ul className={css['formats']}>
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
          <ul className={cx(css['formats'], css['original'])}>
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

type Saved = Awaited<ReturnType<IsolateStore['save']>>;

/** Says where a result was saved, with a way to show it there. */
export function useTellSaved(): (saved: Saved) => void {
  const t = useText();
  const store = useIsolate();
  const showToast = useToast();
  return (saved) => {
    if (saved === null || saved.savedAs === null) return;
    const { revealToken } = saved;
    showToast({
      icon: Download,
      text: t('isolate.results.saved', { name: saved.savedAs }),
      ...(revealToken === null
        ? {}
        : { action: { text: t('isolate.results.show'), onPress: () => void store.reveal(revealToken) } }),
    });
  };
}

export function useSaving(write: () => Promise<Saved>) {
  const tellSaved = useTellSaved();
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    const saved = await write();
    setIsSaving(false);
    tellSaved(saved);
  };
  return { isSaving, save };
}

function Format({
  audio,
  file,
  onChanged,
}: {
  readonly audio: IsolatedAudio;
  readonly file: ResultFile;
  readonly onChanged: () => void;
}) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const store = useIsolate();
  const name = file.format === 'original' ? t('isolate.results.original') : file.format.toUpperCase();
  const { isSaving, save } = useSaving(async () => {
    const saved = await store.save(audio.audioId, file.format);
    onChanged();
    return saved;
  });
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
        <IconButton
          size="sm"
          icon={Download}
          label={t('isolate.results.save', { format: name })}
          onPress={() => void save()}
        />
      )}
    </li>
  );
}
