import { CircleDollarSign, CloudOff, Copy, HardDrive, Languages, Mic, RotateCw, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import type { WrittenPhrase } from '../../../../shared/domain/dictation/written-phrases.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import css from '../dictate-screen.module.css';
import { useDictationState } from '../dictation-context.tsx';

/** The phrases of the take that is spoken, in order, and what keeps them waiting. */
export function PhraseList() {
  const t = useText();
  const takeId = useDictationState((state) => state.takeId);
  const startedAtMs = useDictationState((state) => state.startedAtMs);
  const phrases = useDictationState((state) => state.phrases);
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
          {t('dictation.empty.text')}
        </EmptyState>
      ) : (
        <ul className={css['phrases']} aria-live="polite" aria-label={t('dictation.phrases')}>
          {phrases.map((phrase) => (
            <PhraseRow key={phrase.id} takeId={takeId} startedAtMs={startedAtMs} phrase={phrase} />
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
          {waiting.length > 0 && kept} {t('dictation.keepTalking')}
        </Banner>
      )}
      {sending?.kind === 'stopped' && (
        <Banner role="alert" tone="warn" icon={CloudOff} title={failureWords(sending.failure).title} actions={tryNow}>
          {waiting.length > 0 && kept} {sending.triesAgainMs !== null && t('dictation.triesAgain')}
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

interface PhraseRowProps {
  readonly takeId: string;
  readonly startedAtMs: number;
  readonly phrase: WrittenPhrase;
}

export function PhraseRow({ takeId, startedAtMs, phrase }: PhraseRowProps) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const again = (language: WrittenPhrase['language']) =>
    void studio.request('dictation.sendAgain', { takeId, phrase: { id: phrase.id, language } });
  const discard = () => void studio.request('dictation.discard', { takeId, phraseId: phrase.id });
  const seconds = formats.number(Math.round(((phrase.endMs ?? phrase.startMs) - phrase.startMs) / 100) / 10);
  const canRetry = phrase.state === 'failed' || phrase.state === 'silent' || phrase.state === 'text';
  return (
    <li className={cx(css['phrase'], phrase.isTakenBack && css['takenBack'])} data-state={phrase.state}>
      <time className={css['at']}>{formats.time(startedAtMs + phrase.startMs)}</time>
      <div className={css['said']}>
        <PhraseText phrase={phrase} seconds={seconds} />
      </div>
      <div className={css['actions']}>
        {phrase.state === 'waiting' && (
          <span className={css['hint']}>
            <span className={css['spinner']}>
              <Spinner />
            </span>
            {t('dictation.sent', { seconds })}
          </span>
        )}
        {phrase.state === 'speaking' && <span className={css['live']}>{t('dictation.recording')}</span>}
        {phrase.state === 'failed' && (
          <Button size="sm" icon={RotateCw} onPress={() => again(phrase.language)}>
            {t('common.retry')}
          </Button>
        )}
        {phrase.text !== '' && (
          <IconButton
            size="sm"
            icon={Copy}
            label={t('common.copy')}
            onPress={() => void navigator.clipboard.writeText(phrase.text)}
          />
        )}
        {canRetry && (
          <Menu
            label={t('dictation.again')}
            placement="bottom end"
            entries={[
              ...speechLanguages.map((language) => ({
                id: language,
                text: t('dictation.againIn', { language: t(`common.languages.${language}`) }),
                onAction: () => again(language),
              })),
              'separator' as const,
              { id: 'discard', text: t('dictation.discard'), icon: Trash2, isDanger: true, onAction: discard },
            ]}
            trigger={<IconButton size="sm" icon={Languages} label={t('dictation.again')} />}
          />
        )}
      </div>
    </li>
  );
}

function PhraseText({ phrase, seconds }: { readonly phrase: WrittenPhrase; readonly seconds: string }) {
  const t = useText();
  switch (phrase.state) {
    case 'speaking':
      return <span className={css['pending']} aria-hidden />;
    case 'waiting':
      return (
        <>
          {phrase.text !== '' && (
            <p className={css['words']} lang={phrase.language}>
              {phrase.text}
            </p>
          )}
          {phrase.text === '' && <span className={css['pending']} aria-hidden />}
        </>
      );
    case 'silent':
      return (
        <>
          <p className={css['none']}>{t('dictation.noSpeech')}</p>
          <p className={css['hint']}>{t('dictation.noSpeechText')}</p>
        </>
      );
    case 'failed':
      return (
        <>
          <p className={css['none']}>{t('dictation.notRead')}</p>
          <p className={css['hint']}>{t('dictation.notReadText', { seconds })}</p>
        </>
      );
    case 'discarded':
      return <p className={css['hint']}>{t('dictation.discarded', { seconds })}</p>;
    case 'text':
      return (
        <>
          <p className={css['words']} lang={phrase.language}>
            {phrase.text}
          </p>
          {phrase.used.length > 0 && (
            <p className={css['hint']}>
              {t('dictation.replaced', { count: phrase.used.length })}{' '}
              <span lang={phrase.language}>{phrase.used.join(', ')}</span>
            </p>
          )}
          {phrase.firstTry !== null && (
            <p className={css['hint']}>
              <LanguageTag code={phrase.language} name={t(`common.languageNames.${phrase.language}`)} />{' '}
              {t('dictation.secondTry', { language: t(`common.languages.${phrase.language}`) })}
            </p>
          )}
          {phrase.isTakenBack && <p className={css['hint']}>{t('dictation.takenBack')}</p>}
        </>
      );
  }
}
