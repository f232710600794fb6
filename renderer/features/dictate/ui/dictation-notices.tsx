import { CircleDollarSign, CloudOff, HardDrive, MicOff } from 'lucide-react';
import { useLocation } from 'wouter';
import { isUnreached } from '../../../../shared/domain/failures/network-fault.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { KeyHelp, useLacksKey } from '../../../parts/connection/key-help.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import css from '../dictate.module.css';
import { useDictation, useDictationState } from '../dictation-context.tsx';

/** Why nothing is heard, and what can be done. */
export function MicrophoneTroubles() {
  const t = useText();
  const [, navigate] = useLocation();
  const dictation = useDictation();
  const { dictationLanguage: language, dictationMode: mode, dictationDevice } = useSettings();
  const trouble = useDictationState((state) => state.trouble);
  const isMute = useDictationState((state) => state.isMute);
  const device = useDictationState((state) => state.device);
  if (trouble !== null)
    return (
      <Banner
        role="alert"
        tone="bad"
        icon={MicOff}
        title={t(`dictation.trouble.${trouble}.title`, { device })}
        actions={
          <>
            <Button size="sm" onPress={() => void dictation.start({ language, mode, device: dictationDevice })}>
              {t('common.tryAgain')}
            </Button>
            <Button size="sm" variant="ghost" onPress={() => navigate('/settings/dictation/microphone')}>
              {t('settings.dictation.test')}
            </Button>
          </>
        }
      >
        {t(`dictation.trouble.${trouble}.text`)}
      </Banner>
    );
  if (isMute)
    return (
      <Banner role="alert" tone="warn" icon={MicOff} title={t('dictation.trouble.mute.title', { device })}>
        {t('dictation.trouble.mute.text')}
      </Banner>
    );
  return null;
}

/** Why texts wait, and what is done about it. */
export function SendingNotices() {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const failureWords = useFailureText();
  const takeId = useDictationState((state) => state.takeId);
  const sending = useDictationState((state) => state.sending);
  const failure = useDictationState((state) => state.failure);
  const hasDiskTrouble = useDictationState((state) => state.hasDiskTrouble);
  const phrases = useDictationState((state) => state.phrases);
  const waiting = phrases.filter(({ state }) => state === 'waiting');
  const keptMs = waiting.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0);
  const kept = t('dictation.kept', { count: waiting.length, time: formats.duration(keptMs) });
  // While the audio is safe, money may not be: what was sent without an answer may be charged again.
  const { isFree } = modeOf(useSettings().mode);
  const unanswered = isFree ? 0 : waiting.filter((phrase) => phrase.unanswered > 0).length;
  const lacksKey = useLacksKey();
  const tryNow = takeId !== null && (
    <Button size="sm" onPress={() => void studio.request('dictation.sendAgain', { takeId, phrase: null })}>
      {t('common.tryNow')}
    </Button>
  );
  return (
    <div className={css['notices']}>
      {failure !== null && (
        <Banner role="alert" tone="bad" icon={CloudOff} title={failureWords(failure).title}>
          {failureWords(failure).textAfterTitle}
        </Banner>
      )}
      {hasDiskTrouble && (
        <Banner role="alert" tone="bad" icon={HardDrive} title={t('dictation.disk.title')}>
          {t('dictation.disk.text')}
        </Banner>
      )}
      {sending !== null && (sending.kind === 'reconnecting' || (sending.kind === 'connecting' && sending.failure)) && (
        <Banner
          tone="warn"
          icon={CloudOff}
          title={
            sending.failure !== undefined && isUnreached(sending.failure)
              ? failureWords(sending.failure).title
              : t('dictation.reconnecting')
          }
          actions={tryNow}
        >
          {waiting.length > 0 && kept}{' '}
          {unanswered > 0 ? t('dictation.unanswered', { count: unanswered }) : t('dictation.keepTalking')}
        </Banner>
      )}
      {sending?.kind === 'stopped' && !(lacksKey && sending.failure.kind === 'key-missing') && (
        <Banner
          role="alert"
          tone="warn"
          icon={CloudOff}
          title={failureWords(sending.failure).title}
          actions={
            <>
              {sending.failure.kind === 'key-refused' && <KeyHelp />}
              {tryNow}
            </>
          }
        >
          {waiting.length > 0 && kept} {unanswered > 0 && t('dictation.unansweredStopped', { count: unanswered })}{' '}
          {sending.triesAgainMs !== null && t('dictation.triesAgain')}
        </Banner>
      )}
      {sending?.kind === 'held' && (
        <Banner
          role="alert"
          tone="warn"
          icon={CircleDollarSign}
          title={t('dictation.noCredits.title')}
          actions={tryNow}
        >
          {t('dictation.noCredits.text')}
        </Banner>
      )}
    </div>
  );
}
