import { ArrowRight, CircleAlert, KeyRound, RefreshCw } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { interfaceLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ModeId } from '../../../shared/domain/modes.ts';
import { useConnection, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useChooseMode, connectionReportQuery, useConnectionForm } from '../../parts/connection/use-connection-form.ts';
import { PracticeState, ConnectionForm } from '../../parts/connection/connection-form.tsx';
import { Dome } from './ui/dome.tsx';
import { LocalStart } from './ui/local-start.tsx';
import { ProxyChoice } from './ui/proxy-choice.tsx';
import css from './welcome-screen.module.css';

export interface WelcomeScreenProps {
  readonly windowControls: ReactNode;
}

/** First run: speech becomes text on this computer, or by a service and its key; samples are there to look around. */
export function WelcomeScreen({ windowControls }: WelcomeScreenProps) {
  const t = useText();
  const { serviceAddress, key } = useConnection();
  // Entering an address or a key, here or in the environment, answers the question.
  const [asksKey, setAsksKey] = useState(serviceAddress !== '' || key.present);
  const start = useStart();
  return (
    <div className={css['welcome']}>
      <section className={css['art']} aria-label={t('common.appName')}>
        <div className={css['brand']}>
          <Mark size={26} />
          <b>{t('common.appName')}</b>
        </div>
        <Dome className={css['dome']} />
        <div>
          <p className={css['motto']}>{t('welcome.motto')}</p>
          <p className={css['mottoMore']}>{t('welcome.mottoMore')}</p>
        </div>
      </section>
      <main className={css['main']} aria-label={t('welcome.label')}>
        <div className={css['top']}>
          <LanguageChoice />
          {windowControls}
        </div>
        <div className={css['scroll']}>
          <div className={css['inner']}>
            <div>
              <h1 className={css['title']}>{t('welcome.title')}</h1>
              <p className={css['hint']}>{t('welcome.hint')}</p>
            </div>
            <LocalStart
              isMain={!asksKey}
              isStarting={start.isStarting}
              onAway={() => {
                setAsksKey(false);
              }}
              onOpen={(andThen) => void start.open('local', { andThen })}
            />
            <section className={css['card']} data-main={asksKey || undefined} aria-label={t('welcome.service.title')}>
              <KeyRound aria-hidden size={20} strokeWidth={1.75} />
              <div className={css['words']}>
                <h2>{t('welcome.service.title')}</h2>
                <p>{t('welcome.service.text')}</p>
                {!asksKey && <p className={css['fine']}>{t('welcome.service.brief')}</p>}
              </div>
              {!asksKey && (
                <Button
                  onPress={() => {
                    setAsksKey(true);
                  }}
                >
                  {t('welcome.service.enter')}
                </Button>
              )}
              {asksKey && (
                <div className={css['form']}>
                  <ConnectionForm form={start.form} isRetriedBelow={start.isDoubted} />
                  {start.isDoubted && (
                    <p role="alert" className={css['doubt']}>
                      <CircleAlert aria-hidden size={16} strokeWidth={1.75} />
                      {t('welcome.doubt')}
                    </p>
                  )}
                  <div className={css['go']}>
                    <ProxyChoice />
                    {start.isDoubted && !start.isStarting && (
                      <Button size="lg" onPress={() => void start.open('service', { isKnowingly: true })}>
                        {t('welcome.openAnyway')}
                      </Button>
                    )}
                    <Button
                      variant="primary"
                      size="lg"
                      iconAfter={start.isDoubted ? RefreshCw : ArrowRight}
                      isLoading={start.isStarting}
                      onPress={() => void start.open('service')}
                    >
                      {t(start.isDoubted ? 'common.tryAgain' : 'welcome.openStudio')}
                    </Button>
                  </div>
                </div>
              )}
            </section>
            <PracticeState failure={start.failure} />
            <Button variant="ghost" isDisabled={start.isStarting} onPress={() => void start.open('practice')}>
              {t('welcome.lookAround')}
            </Button>
          </div>
        </div>
      </main>
    </div>
  );
}

interface StartOptions {
  /** Although the connection could not be confirmed. */
  readonly isKnowingly?: boolean;
  readonly andThen?: ((spoken: SpeechLanguage) => void) | undefined;
}

/** Opens the app once everything it needs is there; otherwise the fields say what is missing. */
function useStart() {
  const studio = useStudio();
  const queries = useQueryClient();
  const form = useConnectionForm();
  const { interfaceLanguage, speechLanguage } = useSettings();
  const change = useSettingsChange();
  const { choose, isChoosing, failure } = useChooseMode();
  const [isChecking, setIsChecking] = useState(false);
  // What the free reads found questionable, already shown; the user may continue anyway.
  const [doubt, setDoubt] = useState<{ readonly of: string } | null>(null);
  const { serviceAddress, key } = form.connection;
  const checked = JSON.stringify([form.address.trim(), serviceAddress, key.maskedSuffix, key.present]);
  const isDoubted = doubt?.of === checked;
  const openService = async (isKnowingly: boolean) => {
    const connection = await form.saveAddress();
    if (connection === null || !connection.key.present) {
      form.askFor();
      return;
    }
    if (!isKnowingly) {
      const query = connectionReportQuery(studio, connection);
      // An earlier check is outdated when the user tries again.
      const report = await queries.fetchQuery({ ...query, staleTime: isDoubted ? 0 : 5000 }).catch(() => null);
      if (report?.service !== 'reached' || report.key !== 'accepted') {
        const { serviceAddress: address, key: stored } = connection;
        setDoubt({ of: JSON.stringify([address, address, stored.maskedSuffix, stored.present]) });
        return;
      }
    }
    await choose('service');
  };
  const open = async (mode: ModeId, { isKnowingly = false, andThen }: StartOptions = {}) => {
    setIsChecking(true);
    // Most people record in the language they read, and no other choice exists yet.
    const spoken = interfaceLanguage === 'uz-Cyrl' ? 'uz' : interfaceLanguage;
    if (spoken !== speechLanguage) await change({ speechLanguage: spoken, dictationLanguage: spoken });
    await (mode === 'service' ? openService(isKnowingly) : choose(mode));
    andThen?.(spoken);
    setIsChecking(false);
  };
  return { form, open, isStarting: isChoosing || isChecking, failure, isDoubted };
}

function LanguageChoice() {
  const t = useText();
  const { interfaceLanguage } = useSettings();
  const change = useSettingsChange();
  return (
    <Segmented
      size="sm"
      label={t('shell.settings.language')}
      options={interfaceLanguages.map((language) => ({
        value: language,
        text: t(`common.languages.${language}`),
        lang: language,
      }))}
      value={interfaceLanguage}
      onChange={(next) => void change({ interfaceLanguage: next })}
    />
  );
}
