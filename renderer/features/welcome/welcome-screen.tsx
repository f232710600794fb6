import { ArrowRight, FlaskConical, KeyRound } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { interfaceLanguages } from '../../../shared/domain/languages.ts';
import { useSettings } from '../../bridge/live-state.tsx';
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

/** First run: a service and its key, or practice mode. */
export function WelcomeScreen({ windowControls }: { readonly windowControls: ReactNode }) {
  const t = useText();
  const [choice, setChoice] = useState<Choice>('service');
  const start = useStart(choice);
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
                isChosen={choice === 'service'}
                onChoose={() => {
                  setChoice('service');
                }}
              >
                <ConnectionForm form={start.form} />
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
            <PracticeState failure={start.failure} />
            <div className={css['go']}>
              <ProxyChoice />
              <Button
                variant="primary"
                size="lg"
                iconAfter={ArrowRight}
                isLoading={start.isStarting}
                onPress={() => void start.open()}
              >
                {t('welcome.openStudio')}
              </Button>
            </div>
          </div>
        </div>
      </main>
    </div>
  );
}

/** Opens the studio once everything it needs is there; otherwise the fields say what is missing. */
function useStart(choice: Choice) {
  const studio = useStudio();
  const queries = useQueryClient();
  const form = useConnectionForm();
  const { choose, isChoosing, failure } = useChooseMode();
  const [isChecking, setIsChecking] = useState(false);
  const openService = async () => {
    const connection = await form.saveAddress();
    if (connection === null || !connection.key.present) {
      form.askFor();
      return;
    }
    const report = await queries.fetchQuery(connectionReportQuery(studio, connection)).catch(() => null);
    if (report?.key === 'refused' || report?.service === 'not-this-service') return;
    await choose('service');
  };
  const open = async () => {
    setIsChecking(true);
    await (choice === 'practice' ? choose('practice') : openService());
    setIsChecking(false);
  };
  return { form, open, isStarting: isChoosing || isChecking, failure };
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
