import { Settings2 } from 'lucide-react';
import { useLocation } from 'wouter';
import { literalWords, spokenCommands } from '../../../../shared/domain/dictation/spoken-commands.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import {
  CueChoice,
  GlobalKey,
  ReadyChoice,
  StartChoice,
  StyleChoice,
  TargetChoice,
} from '../../../parts/dictation-choices.tsx';
import { Button } from '../../../ui/button.tsx';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../dictate-screen.module.css';
import { Replacements } from './replacements.tsx';

const shownCommands = 5;

/** What people change while they dictate; the rest is in the settings. */
export function DictationOptions() {
  const t = useText();
  const settings = useSettings();
  const change = useSettingsChange();
  const [, navigate] = useLocation();
  return (
    <Inspector label={t('dictation.options')}>
      <Replacements />
      <InspectorSection title={t('dictation.cleanUp.title')}>
        <StyleChoice />
      </InspectorSection>
      <InspectorSection title={t('dictation.modes.title')}>
        <StartChoice />
        <ReadyChoice />
        <CueChoice />
      </InspectorSection>
      <InspectorSection title={t('dictation.target.title')}>
        <TargetChoice />
        <GlobalKey />
      </InspectorSection>
      <InspectorSection
        title={t('dictation.commands.titleIn', { language: t(`common.languages.${settings.dictationLanguage}`) })}
      >
        <Switch
          label={t('dictation.commands.obey')}
          hint={t('dictation.commands.literal', { word: literalWords[settings.dictationLanguage][0] })}
          isOn={settings.obeysSpokenSigns}
          onChange={(obeysSpokenSigns) => void change({ obeysSpokenSigns })}
        />
        {settings.obeysSpokenSigns && (
          <dl className={css['commands']}>
            <div>
              <dt lang={settings.dictationLanguage}>{literalWords[settings.dictationLanguage][0]} …</dt>
              <dd>{t('dictation.commands.asWord')}</dd>
            </div>
            {spokenCommands[settings.dictationLanguage]
              .filter(({ means }, at) => at < shownCommands || means === 'scratch' || means.stands === 'line')
              .map(({ say, means }) => (
                <div key={say[0]}>
                  <dt lang={settings.dictationLanguage}>{say[0]}</dt>
                  <dd>
                    {means === 'scratch'
                      ? t('dictation.commands.lastPhrase')
                      : means.stands === 'line'
                        ? means.text.replaceAll('\n', '↵')
                        : means.text}
                  </dd>
                </div>
              ))}
          </dl>
        )}
      </InspectorSection>
      <div className={css['footnote']}>
        <p>{t('dictation.onePhrase')}</p>
        <Button size="sm" variant="ghost" icon={Settings2} onPress={() => navigate('/settings/dictation')}>
          {t('dictation.allOptions')}
        </Button>
      </div>
    </Inspector>
  );
}
