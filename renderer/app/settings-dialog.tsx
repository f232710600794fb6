import { interfaceLanguages } from '../../shared/domain/languages.ts';
import { useApp, useConnection, useSettings } from '../bridge/live-state.tsx';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { ConnectionForm, PracticeState, useChooseMode, useConnectionForm } from '../features/welcome/index.ts';
import { useText } from '../lib/text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Segmented } from '../ui/segmented.tsx';
import css from './settings-dialog.module.css';

/** Everything chosen on the first screen can be changed here. */
export function SettingsDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const t = useText();
  return (
    <Dialog title={t('shell.settings.title')} closeLabel={t('common.close')} isOpen={isOpen} onClose={onClose}>
      <SettingsSections />
    </Dialog>
  );
}

function SettingsSections() {
  const t = useText();
  const settings = useSettings();
  const { version } = useApp();
  const { mode } = useConnection();
  const change = useSettingsChange();
  const chooseMode = useChooseMode();
  const form = useConnectionForm();
  return (
    <div className={css['sections']}>
      <Segmented
        isLabelShown
        label={t('shell.settings.language')}
        options={interfaceLanguages.map((language) => ({
          value: language,
          text: t(`common.languages.${language}`),
          lang: language,
        }))}
        value={settings.interfaceLanguage}
        onChange={(interfaceLanguage) => void change({ interfaceLanguage })}
      />
      <Segmented
        isLabelShown
        label={t('shell.settings.appearance')}
        options={(['system', 'light', 'dark'] as const).map((value) => ({
          value,
          text: t(`shell.settings.appearances.${value}`),
        }))}
        value={settings.appearance}
        onChange={(appearance) => void change({ appearance })}
      />
      <section className={css['connection']} aria-label={t('shell.settings.connection')}>
        <h3 className={css['heading']}>{t('shell.settings.connection')}</h3>
        {mode !== 'unset' && (
          <Segmented
            isLabelShown
            label={t('shell.settings.mode')}
            options={(['service', 'practice'] as const).map((value) => ({
              value,
              text: t(`shell.settings.modes.${value}`),
            }))}
            value={mode}
            onChange={(next) => void chooseMode.choose(next)}
          />
        )}
        <p className={css['hint']}>{t('shell.settings.modeHint')}</p>
        <PracticeState failure={chooseMode.failure} />
        <ConnectionForm form={form} />
      </section>
      <p className={css['hint']}>{t('shell.settings.version', { version })}</p>
    </div>
  );
}
