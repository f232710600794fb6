import { MicOff, Timer } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useHasMicrophone } from '../../../../audio/capture/use-has-microphone.ts';
import { challengeLeftMs } from '../../../../../shared/domain/voices/clone-draft.ts';
import { cloneRules, findRecordingTrouble } from '../../../../../shared/domain/voices/clone-rules.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { useNow } from '../../../../lib/use-now.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Chip } from '../../../../ui/chip.tsx';
import { CheckList } from './check-list.tsx';
import { Sending, CloneFailure, useWait } from './clone-failure.tsx';
import css from './clone-wizard.module.css';
import type { StepProps } from './use-clone.ts';
import { DiscardDraft } from './discard-draft.tsx';
import { RecorderCard, RecorderTrouble } from './recorder-card.tsx';
import { useRecorder } from './use-recorder.ts';
import { useCheck, useVoiceAudio } from './use-voice-audio.ts';

const range = cloneRules.reading;

/** The text must be read aloud within ten minutes; each submitted try uses up its text. */
export function ReadStep({ clone, frame, onLook, onClose }: StepProps) {
  const t = useText();
  const formats = useFormats();
  const { draft } = clone;
  const challenge = draft?.challenge ?? null;
  const now = useNow(challenge !== null);
  const leftMs = challengeLeftMs(challenge, now);
  const isExpired = leftMs === 0;
  const isOver = draft?.isOver === true;
  const waitMs = useWait(clone);
  const recorder = useRecorder({
    what: 'reading',
    language: draft?.language ?? 'uz',
    removesNoise: draft?.removesNoise ?? true,
    mostMs: range.mostMs,
    onKept: clone.reload,
  });
  const url = draft?.readingUrl ?? null;
  const audio = useVoiceAudio(url);
  const read = audio === null || typeof audio === 'string' ? null : audio;
  const check = useCheck(read, { fromMs: 0, toMs: read?.durationMs ?? 0 }, range);
  const hasMicrophone = useHasMicrophone();
  const isOn = recorder.phase === 'recording';
  const canRead = challenge !== null && !isExpired && !isOver && clone.sending === null;
  const stopAndCheck = async () => {
    if (!(await recorder.stop())) return;
    await clone.send('verify');
  };
  // Main has measured its length; what is heard in it may take a while to be known.
  const hasReading = draft?.reading != null && findRecordingTrouble('reading', draft.reading) === null;
  const pressSpace = useEffectEvent((event: KeyboardEvent) => {
    if (event.code !== 'Space' || !canRead || event.repeat) return;
    // On a control it presses that.
    if (event.target instanceof HTMLElement && event.target.closest('button, input, textarea, select, a') !== null)
      return;
    event.preventDefault();
    if (isOn) void stopAndCheck();
    else if (recorder.phase === 'idle' && !hasReading) recorder.start();
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      pressSpace(event);
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  }, []);
  const kept =
    url === null || draft?.reading == null
      ? null
      : { url, durationMs: draft.reading.durationMs, bars: read?.bars ?? null };
  const attempt = Math.min(cloneRules.attempts, (draft?.attempts ?? 0) + 1);
  return frame({
    body: (
      <>
        <div className={css['readHead']}>
          <div>
            <h3>{t('voices.wizard.readTitle')}</h3>
            <p className={css['lead']}>{t('voices.wizard.readText')}</p>
          </div>
          <span className={css['readChips']}>
            {leftMs !== null && !isOver && (
              <Chip tone={leftMs < 120_000 ? 'warn' : 'neutral'} icon={Timer}>
                {t('voices.wizard.left', { time: formats.clock(leftMs) })}
              </Chip>
            )}
            <Chip>{t('voices.wizard.attempt', { number: attempt })}</Chip>
          </span>
        </div>
        {challenge !== null && !isOver && (
          <p lang={draft?.language} className={css['reading']} data-expired={isExpired || undefined}>
            {challenge.text}
          </p>
        )}
        <CloneFailure clone={clone} />
        {isExpired && draft?.failure?.row !== 'E-093' && (
          <Banner role="alert" tone="warn" icon={Timer} title={t('voices.wizard.expired')}>
            {t('voices.wizard.expiredText')}
          </Banner>
        )}
        {challenge === null && !isOver && draft?.failure == null && (
          <Banner icon={Timer} title={t('voices.wizard.noText')}>
            {t('voices.wizard.noTextText')}
          </Banner>
        )}
        {canRead && (
          <>
            <RecorderCard
              recorder={recorder}
              kept={kept}
              leastMs={range.leastMs}
              mostMs={range.mostMs}
              startLabel={t('voices.wizard.startReading')}
            />
            {!hasMicrophone && recorder.trouble === null && (
              <Banner tone="warn" icon={MicOff} title={t('voices.wizard.mic.absent')}>
                {t('voices.wizard.mic.absentReading')}
              </Banner>
            )}
            <RecorderTrouble recorder={recorder} what="reading" />
            {check !== null && !isOn && <CheckList check={{ ...check, speakers: 'unknown' }} />}
            <p className={css['hint']}>{t('voices.wizard.rehearse')}</p>
          </>
        )}
      </>
    ),
    footer: (
      <>
        <Button variant="ghost" isDisabled={clone.sending !== null || isOn} onPress={() => onLook('details')}>
          {t('voices.wizard.back')}
        </Button>
        {!isOn && clone.sending === null && <DiscardDraft clone={clone} onDiscarded={onClose} />}
        <span className={css['footNote']}>
          <Sending clone={clone} />
        </span>
        {isOver ? (
          <Button variant="primary" onPress={() => onLook('record')}>
            {t('voices.wizard.beginAnew')}
          </Button>
        ) : canRead ? (
          <>
            <Button isDisabled={isOn || waitMs > 0} onPress={() => void clone.send('challenge')}>
              {t('voices.wizard.newText')}
            </Button>
            {isOn ? (
              <Button variant="primary" shortcut="Space" onPress={() => void stopAndCheck()}>
                {t('voices.wizard.stopAndCheck')}
              </Button>
            ) : hasReading ? (
              <Button variant="primary" isDisabled={waitMs > 0} onPress={() => void clone.send('verify')}>
                {t('voices.wizard.check')}
              </Button>
            ) : (
              <Button
                variant="primary"
                shortcut="Space"
                isLoading={recorder.phase !== 'idle'}
                onPress={() => {
                  recorder.start();
                }}
              >
                {t('voices.wizard.startReading')}
              </Button>
            )}
          </>
        ) : (
          <Button
            variant="primary"
            isLoading={clone.sending !== null}
            isDisabled={waitMs > 0}
            onPress={() => void clone.send('challenge')}
          >
            {t(clone.sending === 'verify' ? 'voices.wizard.check' : 'voices.wizard.newText')}
          </Button>
        )}
      </>
    ),
  });
}
