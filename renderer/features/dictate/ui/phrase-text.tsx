import { ArrowLeftRight } from 'lucide-react';
import { toHundredths } from '../../../../shared/domain/dictation/clean-up.ts';
import type { WrittenPhrase } from '../../../../shared/domain/dictation/written-phrases.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { useDictationState } from '../dictation-context.tsx';
import css from '../dictate-screen.module.css';

/** The text of a phrase, or why there is none. */
export function PhraseText({
  takeId,
  phrase,
  seconds,
  onEdit,
}: {
  readonly takeId: string;
  readonly phrase: WrittenPhrase;
  readonly seconds: string;
  readonly onEdit: () => void;
}) {
  const t = useText();
  const { isFree } = modeOf(useConnection().mode);
  switch (phrase.state) {
    case 'speaking':
      return <LiveWave />;
    case 'waiting':
      return phrase.text === '' ? (
        <span className={css['pending']} aria-hidden />
      ) : (
        <p className={css['words']} lang={phrase.language}>
          {phrase.text}
        </p>
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
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the menu has it for the keyboard */}
          <p className={css['words']} lang={phrase.language} onDoubleClick={onEdit}>
            {phrase.text}
          </p>
          {phrase.used.length > 0 && (
            <p className={css['hint']}>
              {t('dictation.replaced', { count: phrase.used.length })}{' '}
              <span lang={phrase.language}>{phrase.used.join(', ')}</span>
            </p>
          )}
          <CleanUpNote takeId={takeId} phrase={phrase} />
          {phrase.isEdited && <p className={css['hint']}>{t('dictation.edited')}</p>}
          {phrase.firstTry !== null && (
            <p className={css['hint']}>
              <LanguageTag code={phrase.language} name={t(`common.languageNames.${phrase.language}`)} />{' '}
              {t('dictation.secondTry', { language: t(`common.languages.${phrase.language}`) })}
            </p>
          )}
          {!isFree && phrase.unanswered > 0 && <p className={css['hint']}>{t('dictation.perhapsTwice')}</p>}
          {phrase.isTakenBack && <p className={css['hint']}>{t('dictation.takenBack')}</p>}
        </>
      );
  }
}

/** What the microphone hears now, so that people see that they are heard before there is a text. */
function LiveWave() {
  const levels = useDictationState((state) => state.levels);
  return (
    <span className={css['wave']} aria-hidden>
      {levels.map((level, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- bars stand where they stand
        <i key={at} style={{ blockSize: `${String(3 + level * 24)}px` }} />
      ))}
    </span>
  );
}

/** How the text was cleaned up, what that cost, or why it was not; one press shows the user's own words. */
function CleanUpNote({ takeId, phrase }: { readonly takeId: string; readonly phrase: WrittenPhrase }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const { cleanUp } = phrase;
  const { mode } = useConnection();
  if (cleanUp === null || phrase.isEdited) return null;
  const style = t(`dictation.cleanUp.styles.${cleanUp.style}`);
  const cost =
    cleanUp.credits === null || modeOf(mode).isFree
      ? ''
      : t('dictation.cleanUp.cost', {
          count: toHundredths(cleanUp.credits),
          amount: formats.factor(toHundredths(cleanUp.credits)),
        });
  const note = cleanUp.isArriving
    ? t('dictation.cleanUp.arriving', { style })
    : cleanUp.fault === null
      ? cleanUp.isChanged
        ? style
        : t('dictation.cleanUp.unchanged', { style })
      : t(`dictation.cleanUp.faults.${cleanUp.fault}`);
  return (
    <div className={css['cleanUp']}>
      {cleanUp.isArriving && (
        <span className={css['spinner']}>
          <Spinner />
        </span>
      )}
      <span className={css['hint']}>{[note, cost].filter((part) => part !== '').join(', ')}</span>
      {cleanUp.isChanged && (
        <Button
          size="sm"
          variant="ghost"
          icon={ArrowLeftRight}
          onPress={() =>
            void studio.request('dictation.showRaw', { takeId, phraseId: phrase.id, isRaw: cleanUp.isShown })
          }
        >
          {t(cleanUp.isShown ? 'dictation.cleanUp.showRaw' : 'dictation.cleanUp.showCleaned')}
        </Button>
      )}
    </div>
  );
}
