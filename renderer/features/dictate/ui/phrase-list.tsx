import { CircleDollarSign, CloudOff, HardDrive, Mic } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useHasMicrophone } from '../../../audio/capture/use-has-microphone.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { KeyHelp, NoKeyNotice, useLacksKey } from '../../../parts/connection/key-help.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import css from '../dictate-screen.module.css';
import { useDictationState } from '../dictation-context.tsx';
import { PhraseRow } from './phrase-row.tsx';
import { useTakePlayer } from './use-take-player.ts';

/** The phrases of the current take, in order, and the reason why they wait. */
export function PhraseList() {
  const t = useText();
  const takeId = useDictationState((state) => state.takeId);
  const phrases = useDictationState((state) => state.phrases);
  const { dictationMode, storesNoTakes } = useSettings();
  const player = useTakePlayer();
  const hasMicrophone = useHasMicrophone();
  const isIdle = useDictationState((state) => state.phase === 'idle');
  const end = useRef<HTMLLIElement>(null);
  const count = phrases.length;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  return (
    <>
      <Notices />
      {takeId === null || count === 0 ? (
        <EmptyState icon={Mic} title={t('dictation.empty.title')}>
          {hasMicrophone &&
            t(
              dictationMode === 'hold'
                ? 'dictation.empty.text'
                : `dictation.empty.${dictationMode === 'toggle' ? 'press' : dictationMode}Text`,
            )}
        </EmptyState>
      ) : (
        <ul className={css['phrases']} aria-live="polite" aria-label={t('dictation.phrases')}>
          {phrases.map((phrase) => (
            <PhraseRow
              key={phrase.id}
              takeId={takeId}
              phrase={phrase}
              player={isIdle && !storesNoTakes ? player : null}
            />
          ))}
          <li ref={end} aria-hidden className={css['end']} />
        </ul>
      )}
    </>
  );
}

function Notices() {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const failureWords = useFailureWords();
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
      {sending?.kind === 'reconnecting' && (
        <Banner tone="warn" icon={CloudOff} title={t('dictation.reconnecting')} actions={tryNow}>
          {waiting.length > 0 && kept}{' '}
          {unanswered > 0 ? t('dictation.unanswered', { count: unanswered }) : t('dictation.keepTalking')}
        </Banner>
      )}
      {lacksKey && <NoKeyNotice text={t('dictation.noKey')} />}
      {sending?.kind === 'stopped' && !(lacksKey && sending.failure.row === 'E-235') && (
        <Banner
          role="alert"
          tone="warn"
          icon={CloudOff}
          title={failureWords(sending.failure).title}
          actions={
            <>
              {sending.failure.row === 'E-032' && <KeyHelp />}
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
