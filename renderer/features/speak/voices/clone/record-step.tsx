import { ArrowRight, MicOff } from 'lucide-react';
import { useState } from 'react';
import { useHasMicrophone } from '../../../../audio/capture/use-has-microphone.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../../shared/domain/languages.ts';
import { isUsable } from '../../../../../shared/domain/voices/check-recording.ts';
import { cloneRules } from '../../../../../shared/domain/voices/clone-rules.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useText } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Question } from '../../../../ui/dialog.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Switch } from '../../../../ui/switch.tsx';
import { ownNames } from '../voice-filters.tsx';
import { CheckList } from './check-list.tsx';
import { Sending, CloneFailure, useWait } from './clone-failure.tsx';
import css from './clone-wizard.module.css';
import type { StepProps } from './use-clone.ts';
import { DiscardDraft } from './discard-draft.tsx';
import { FilePart, type ChosenPart } from './file-part.tsx';
import { RecorderCard, RecorderTrouble } from './recorder-card.tsx';
import { useRecorder } from './use-recorder.ts';
import { useCheck, useVoiceAudio } from './use-voice-audio.ts';

const range = cloneRules.reference;

/** 10 to 30 seconds of one person, from the microphone or a file; nothing is sent before the user continues. */
export function RecordStep({ clone, frame, onLook, onClose }: StepProps) {
  const t = useText();
  const { dictationLanguage } = useSettings();
  const { draft } = clone;
  const [source, setSource] = useState<'microphone' | 'file'>(draft?.reference?.name == null ? 'microphone' : 'file');
  const [first, setFirst] = useState<{ readonly language: SpeechLanguage; readonly removesNoise: boolean }>({
    language: dictationLanguage,
    removesNoise: true,
  });
  const { language, removesNoise } = draft ?? first;
  const recorder = useRecorder({
    what: 'reference',
    language,
    removesNoise,
    mostMs: range.mostMs,
    onKept: clone.reload,
  });
  const url = draft?.referenceUrl ?? null;
  const audio = useVoiceAudio(url);
  const read = audio === null || typeof audio === 'string' ? null : audio;
  const check = useCheck(read, { fromMs: 0, toMs: read?.durationMs ?? 0 }, range);
  const [part, setPart] = useState<ChosenPart | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const hasMicrophone = useHasMicrophone();
  const [isKeeping, setIsKeeping] = useState(false);
  const used = source === 'file' && part !== null ? part.check : check;
  const waitMs = useWait(clone);
  const isBegun = draft?.enrollmentId != null && !draft.isOver;
  const change = (patch: Partial<typeof first>) => {
    if (draft === null) setFirst({ ...first, ...patch });
    else clone.change(patch);
  };
  const kept =
    url === null || draft?.reference == null
      ? null
      : { url, durationMs: draft.reference.durationMs, bars: read?.bars ?? null };
  const use = async () => {
    if (source === 'file' && part !== null) {
      setIsKeeping(true);
      const isKept = await part.keep();
      setIsKeeping(false);
      if (!isKept) return;
    } else if (isBegun) {
      onLook(null);
      return;
    }
    const sent = await clone.send('upload');
    if (sent !== null && sent.step !== 'record') onLook(null);
  };
  /** Why it can't be used yet. */
  const missing =
    used === null
      ? kept !== null || part !== null
        ? null
        : t(source === 'file' ? 'voices.wizard.needsFile' : 'voices.wizard.needsRecording')
      : used.length !== 'good'
        ? t(`voices.wizard.length.${used.length}`)
        : used.level === 'silent'
          ? t('voices.wizard.level.silent')
          : null;
  return frame({
    body: (
      <>
        <div>
          <h3>{t('voices.wizard.recordTitle')}</h3>
          <p className={css['lead']}>{t('voices.wizard.recordText')}</p>
        </div>
        <div className={css['pair']}>
          <Segmented
            isBlock
            isLabelShown
            label={t('voices.wizard.language')}
            value={language}
            options={speechLanguages.map((value) => ({ value, text: ownNames[value], lang: value }))}
            onChange={(value) => {
              change({ language: value });
            }}
          />
          <Segmented
            isBlock
            isLabelShown
            label={t('voices.wizard.source')}
            value={source}
            options={[
              { value: 'microphone', text: t('voices.wizard.microphone') },
              { value: 'file', text: t('voices.wizard.file') },
            ]}
            onChange={setSource}
          />
        </div>
        {source === 'microphone' ? (
          <RecorderCard
            recorder={recorder}
            kept={kept}
            leastMs={range.leastMs}
            mostMs={range.mostMs}
            startLabel={t('voices.wizard.start')}
            hint={t('voices.wizard.idle')}
          />
        ) : (
          <FilePart clone={clone} kept={kept} language={language} removesNoise={removesNoise} onPart={setPart} />
        )}
        <RecorderTrouble recorder={recorder} />
        {check !== null && part === null && recorder.phase === 'idle' && <CheckList check={check} />}
        <Switch
          label={t('voices.wizard.noiseSwitch')}
          hint={t('voices.wizard.noiseHint')}
          isOn={removesNoise}
          isDisabled={isBegun}
          onChange={(isOn) => {
            change({ removesNoise: isOn });
          }}
        />
        {source === 'file' && !hasMicrophone && (
          <Banner tone="warn" icon={MicOff} title={t('voices.wizard.mic.absent')}>
            {t('voices.wizard.mic.absentLater')}
          </Banner>
        )}
        <CloneFailure clone={clone} />
        <Question
          isOpen={isAsked}
          title={t('voices.wizard.severalTitle')}
          confirm={t('voices.wizard.severalConfirm')}
          cancel={t('voices.wizard.back')}
          onConfirm={() => void use()}
          onClose={() => setIsAsked(false)}
        >
          {t('voices.wizard.severalText')}
        </Question>
        {isBegun && <p className={css['hint']}>{t('voices.wizard.newStart')}</p>}
      </>
    ),
    footer: (
      <>
        <DiscardDraft clone={clone} onDiscarded={onClose} />
        <span className={css['footNote']}>
          {clone.sending !== null ? <Sending clone={clone} /> : (missing ?? t('voices.wizard.stays'))}
        </span>
        <Button
          variant="primary"
          iconAfter={ArrowRight}
          isLoading={clone.sending !== null || isKeeping}
          isDisabled={recorder.phase !== 'idle' || used === null || !isUsable(used) || waitMs > 0}
          onPress={() => {
            // What was sent already needs no second question.
            if (used?.speakers === 'several' && !(isBegun && part === null)) setIsAsked(true);
            else void use();
          }}
        >
          {draft?.isOver === true ? t('voices.wizard.beginAnew') : t('voices.wizard.use')}
        </Button>
      </>
    ),
  });
}
