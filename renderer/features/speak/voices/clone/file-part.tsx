import { CircleAlert, FileAudio } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { SpeechLanguage } from '../../../../../shared/domain/languages.ts';
import { cloneRules } from '../../../../../shared/domain/voices/clone-rules.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { Scope } from '../../../../lib/scope.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Range } from '../../../../ui/range.tsx';
import { CheckList } from './check-list.tsx';
import css from './clone-wizard.module.css';
import recorderCss from './recorder.module.css';
import { KeptBars, PlayKept, type KeptRecording } from './recorder-card.tsx';
import { SoundBars } from './sound-bars.tsx';
import type { Clone } from './use-clone.ts';
import { useCheck, useVoiceSound } from './use-voice-sound.ts';

const range = cloneRules.reference;

/** A recording out of a file: the file is chosen, a stretch of it that fits is cut out, and that is kept. */
export function FilePart({
  clone,
  kept,
  language,
  removesNoise,
}: {
  readonly clone: Clone;
  readonly kept: KeptRecording | null;
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
}) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const [file, setFile] = useState<{ readonly name: string; readonly mediaUrl: string } | null>(null);
  const [fromMs, setFromMs] = useState(0);
  const [wantedMs, setWantedMs] = useState<number>(range.mostMs);
  const [isKeeping, setIsKeeping] = useState(false);
  const sound = useVoiceSound(file?.mediaUrl ?? null);
  const read = sound === null || typeof sound === 'string' ? null : sound;
  const totalMs = read?.durationMs ?? 0;
  const lengthMs = Math.min(wantedMs, totalMs - fromMs);
  const stretch = { fromMs, toMs: fromMs + lengthMs };
  const check = useCheck(read, stretch, range);
  const choose = async (dropped: File | null) => {
    const token = dropped === null ? null : await studio.fileTokenFor(dropped);
    if (token?.ok === false) {
      clone.fail(token.error);
      return;
    }
    const answer = await studio.request('clone.chooseFile', { token: token === null ? null : token.value });
    if (!answer.ok) clone.fail(answer.error);
    else if (answer.value.file !== null) {
      setFile(answer.value.file);
      setFromMs(0);
      setWantedMs(range.mostMs);
    }
  };
  const area = useRef<HTMLElement>(null);
  const drop = useEffectEvent((dropped: File) => void choose(dropped));
  useEffect(() => {
    if (area.current === null) return undefined;
    const scope = new Scope();
    scope.listen<DragEvent>(area.current, 'dragover', (event) => {
      event.preventDefault();
    });
    scope.listen<DragEvent>(area.current, 'drop', (event) => {
      event.preventDefault();
      const [dropped] = event.dataTransfer?.files ?? [];
      if (dropped !== undefined) drop(dropped);
    });
    return () => {
      scope.dispose();
    };
  }, []);
  const keep = async () => {
    if (read === null || file === null) return;
    setIsKeeping(true);
    const { pcm, sampleRate } = await read.cut(stretch);
    const answer = await studio.request('clone.keepRecording', {
      pcm,
      sampleRate,
      language,
      removesNoise,
      name: file.name.slice(0, 300),
    });
    setIsKeeping(false);
    if (!answer.ok) {
      clone.fail(answer.error);
      return;
    }
    clone.show(answer.value.draft);
    setFile(null);
  };
  return (
    <section ref={area} className={recorderCss['recorder']} aria-label={t('voices.wizard.file')}>
      <div className={recorderCss['recorderRow']}>
        <Button icon={FileAudio} onPress={() => void choose(null)}>
          {t(file === null && kept === null ? 'voices.wizard.chooseFile' : 'voices.wizard.otherFile')}
        </Button>
        <span className={recorderCss['fileName']}>
          {file?.name ?? (kept === null ? t('voices.wizard.dropFile') : (clone.draft?.reference?.name ?? ''))}
        </span>
        {sound === 'reading' && <output className={css['hint']}>{t('voices.wizard.reading')}</output>}
      </div>
      {sound === 'failed' && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={t('voices.wizard.fileFailed')}>
          {t('voices.wizard.fileFailedText')}
        </Banner>
      )}
      {file === null && kept !== null && (
        <div className={recorderCss['recorderRow']}>
          <PlayKept kept={kept} />
          <div className={recorderCss['wave']}>
            <KeptBars kept={kept} />
          </div>
          <span className={recorderCss['clock']}>
            {(kept.durationMs / 1000).toFixed(1)} <small>{t('voices.wizard.seconds')}</small>
          </span>
        </div>
      )}
      {read !== null && (
        <>
          <div className={recorderCss['wave']}>
            <SoundBars bars={read.bars.slice(Math.floor(fromMs / 50), Math.ceil((fromMs + lengthMs) / 50))} />
          </div>
          <div className={css['pair']}>
            <label className={recorderCss['slider']}>
              <span>
                {t('voices.wizard.from')} <b>{formats.clock(fromMs)}</b>
              </span>
              <Range
                label={t('voices.wizard.from')}
                min={0}
                max={Math.max(0, totalMs - Math.min(range.leastMs, totalMs))}
                step={500}
                value={fromMs}
                valueText={formats.duration(fromMs)}
                onChange={setFromMs}
              />
            </label>
            <label className={recorderCss['slider']}>
              <span>
                {t('voices.wizard.partLength')} <b>{formats.duration(lengthMs)}</b>
              </span>
              <Range
                label={t('voices.wizard.partLength')}
                min={Math.min(range.leastMs, totalMs)}
                max={Math.min(range.mostMs, totalMs)}
                step={500}
                value={lengthMs}
                valueText={formats.duration(lengthMs)}
                onChange={setWantedMs}
              />
            </label>
          </div>
          {check !== null && <CheckList check={check} />}
          <Button
            isLoading={isKeeping}
            isDisabled={check === null || check.length !== 'good' || check.level === 'silent'}
            onPress={() => void keep()}
          >
            {t('voices.wizard.takePart')}
          </Button>
        </>
      )}
    </section>
  );
}
