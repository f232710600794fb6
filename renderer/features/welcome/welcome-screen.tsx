import { ArrowRight, AudioLines, CircleAlert, FlaskConical, KeyRound, RefreshCw } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { interfaceLanguages } from '../../../shared/domain/languages.ts';
import { useConnection, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceCard } from '../../ui/choice-card.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useChooseMode, connectionReportQuery, useConnectionForm } from '../../parts/connection/use-connection-form.ts';
import { PracticeState, ConnectionForm } from '../../parts/connection/connection-form.tsx';
import { Dome } from './ui/dome.tsx';
import { ProxyChoice } from './ui/proxy-choice.tsx';
import css from './welcome-screen.module.css';

type Choice = 'service' | 'practice';

export interface WelcomeScreenProps {
  readonly windowControls: ReactNode;
  /** Practice mode should start with an open sample. */
  readonly onSample: () => void;
}

/**
 * First run: one question with two answers, a service and its key or practice mode, followed by what the answer
 * requires.
 */
export function WelcomeScreen({ windowControls, onSample }: WelcomeScreenProps) {
  const t = useText();
  const { serviceAddress, key } = useConnection();
  // Entering an address or a key, here or in the environment, answers the question.
  const [choice, setChoice] = useState<Choice | null>(serviceAddress === '' && !key.present ? null : 'service');
  const start = useStart(choice);
  const [isSampleAsked, setSampleAsked] = useState(false);
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
            <fieldset className={css['choices']}>
              <legend className={css['legend']}>{t('welcome.choices')}</legend>
              <ChoiceCard
                name="start"
                icon={KeyRound}
                title={t('welcome.service.title')}
                text={t('welcome.service.text')}
                isChosen={choice === 'service'}
                onChoose={() => {
                  setChoice('service');
                }}
              >
                <ConnectionForm form={start.form} isRetriedBelow={start.isDoubted} />
              </ChoiceCard>
              <ChoiceCard
                name="start"
                icon={FlaskConical}
                title={t('welcome.practice.title')}
                text={t('welcome.practice.text')}
                isChosen={choice === 'practice'}
                onChoose={() => {
                  setChoice('practice');
                }}
              />
            </fieldset>
            {start.isDoubted && (
              <p role="alert" className={css['doubt']}>
                <CircleAlert aria-hidden size={16} strokeWidth={1.75} />
                {t('welcome.doubt')}
              </p>
            )}
            <PracticeState failure={start.failure} />
            {choice !== null && (
              <div className={css['go']}>
                {choice === 'service' && <ProxyChoice />}
                {start.isDoubted && !start.isStarting && (
                  <Button size="lg" onPress={() => void start.open(true)}>
                    {t('welcome.openAnyway')}
                  </Button>
                )}
                <Button
                  variant={choice === 'service' ? 'primary' : 'default'}
                  size="lg"
                  iconAfter={start.isDoubted ? RefreshCw : ArrowRight}
                  isLoading={start.isStarting && !isSampleAsked}
                  isDisabled={start.isStarting && isSampleAsked}
                  onPress={() => {
                    setSampleAsked(false);
                    void start.open();
                  }}
                >
                  {t(start.isDoubted ? 'common.tryAgain' : 'welcome.openStudio')}
                </Button>
                {choice === 'practice' && (
                  <Button
                    variant="primary"
                    size="lg"
                    icon={AudioLines}
                    isLoading={start.isStarting && isSampleAsked}
                    isDisabled={start.isStarting && !isSampleAsked}
                    onPress={() => {
                      setSampleAsked(true);
                      onSample();
                      void start.open();
                    }}
                  >
                    {t('welcome.openSample')}
                  </Button>
                )}
              </div>
            )}
          </div>
        </div>
      </main>
    </div>
  );
}

/** Opens the app once everything it needs is there; otherwise the fields say what is missing. */
function useStart(choice: Choice | null) {
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
  const isDoubted = choice === 'service' && doubt?.of === checked;
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
  const open = async (isKnowingly = false) => {
    setIsChecking(true);
    // Most people record in the language they read, and no other choice exists yet.
    const spoken = interfaceLanguage === 'uz-Cyrl' ? 'uz' : interfaceLanguage;
    if (spoken !== speechLanguage) await change({ speechLanguage: spoken, dictationLanguage: spoken });
    await (choice === 'practice' ? choose('practice') : openService(isKnowingly));
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
