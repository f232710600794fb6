import { ArrowRight, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { literalWords, spokenCommands } from '../../../../shared/domain/dictation/spoken-commands.ts';
import { dictationModes } from '../../../../shared/domain/dictation/take-view.ts';
import { useApp, useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Inspector, InspectorSection } from '../../../ui/panel.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import css from '../dictate-screen.module.css';

const shownCommands = 5;

/** How recording starts and ends, what is written for what is said, and what is kept. */
export function DictationOptions() {
  const t = useText();
  const settings = useSettings();
  const change = useSettingsChange();
  const { capabilities } = useApp();
  // Other programs are reached by xdotool, which is there for X11 alone.
  const canReachPrograms = capabilities.globalKeys && capabilities.platform === 'linux';
  return (
    <Inspector label={t('dictation.options')}>
      <Replacements />
      <InspectorSection title={t('dictation.modes.title')}>
        <Segmented
          isBlock
          size="sm"
          label={t('dictation.modes.title')}
          value={settings.dictationMode}
          options={dictationModes.map((value) => ({ value, text: t(`dictation.modes.${value}`) }))}
          onChange={(dictationMode) => void change({ dictationMode })}
        />
        <p className={css['hint']}>{t(`dictation.modes.${settings.dictationMode}Text`)}</p>
        <Switch
          label={t('dictation.sounds')}
          isOn={settings.dictationSounds}
          onChange={(dictationSounds) => void change({ dictationSounds })}
        />
      </InspectorSection>
      <InspectorSection title={t('dictation.target.title')}>
        <Segmented
          isBlock
          size="sm"
          label={t('dictation.target.title')}
          value={settings.dictationTarget}
          options={(['list', 'app'] as const).map((value) => ({ value, text: t(`dictation.target.${value}`) }))}
          onChange={(dictationTarget) => void change({ dictationTarget })}
        />
        <p className={css['hint']}>
          {t(canReachPrograms ? `dictation.target.${settings.dictationTarget}Text` : 'dictation.target.cannot')}
        </p>
        {canReachPrograms && settings.dictationTarget === 'app' && (
          <Segmented
            isBlock
            size="sm"
            label={t('dictation.target.changed')}
            isLabelShown
            value={settings.dictationWindowRule}
            options={(['keep', 'return', 'here'] as const).map((value) => ({
              value,
              text: t(`dictation.target.${value}`),
            }))}
            onChange={(dictationWindowRule) => void change({ dictationWindowRule })}
          />
        )}
      </InspectorSection>
      <InspectorSection title={t('dictation.keeping.title')}>
        <Switch
          label={t('dictation.keeping.nothing')}
          hint={t('dictation.keeping.nothingText')}
          isOn={settings.storesNoTakes}
          onChange={(storesNoTakes) => void change({ storesNoTakes })}
        />
        <p className={css['hint']}>{t('dictation.keeping.sound', { count: settings.takeSoundDays })}</p>
      </InspectorSection>
      <InspectorSection title={t('dictation.commands.title')}>
        <Switch
          label={t('dictation.commands.obey')}
          hint={t('dictation.commands.literal')}
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
      <p className={css['footnote']}>{t('dictation.onePhrase')}</p>
    </Inspector>
  );
}

function Replacements() {
  const t = useText();
  const { replacements, dictationLanguage } = useSettings();
  const change = useSettingsChange();
  const [isAdding, setIsAdding] = useState(false);
  const [say, setSay] = useState('');
  const [write, setWrite] = useState('');
  const shown = replacements.filter(({ language }) => language === null || language === dictationLanguage);
  const add = () => {
    if (say.trim() === '') return;
    const one = { language: dictationLanguage, say: say.trim(), write, kind: 'word', isCaseSensitive: false } as const;
    void change({ replacements: [...replacements.filter((other) => other.say !== one.say), one] });
    setSay('');
    setWrite('');
    setIsAdding(false);
  };
  return (
    <InspectorSection title={t('dictation.replacements.title')}>
      {shown.length === 0 && !isAdding && <p className={css['hint']}>{t('dictation.replacements.none')}</p>}
      <ul className={css['replacements']}>
        {shown.map((one) => (
          <li key={one.say}>
            <span lang={dictationLanguage}>{one.say}</span>
            <ArrowRight aria-hidden size={14} />
            <b lang={dictationLanguage}>{one.write}</b>
            <IconButton
              size="sm"
              icon={Trash2}
              label={t('dictation.replacements.remove')}
              onPress={() => void change({ replacements: replacements.filter((other) => other !== one) })}
            />
          </li>
        ))}
      </ul>
      {isAdding ? (
        <div className={css['adding']}>
          <Field isAutoFocused label={t('dictation.replacements.say')} value={say} onChange={setSay} onEnter={add} />
          <Field label={t('dictation.replacements.write')} value={write} onChange={setWrite} onEnter={add} />
          <Button size="sm" variant="primary" isDisabled={say.trim() === ''} onPress={add}>
            {t('dictation.replacements.add')}
          </Button>
        </div>
      ) : (
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          onPress={() => {
            setIsAdding(true);
          }}
        >
          {t('dictation.replacements.add')}
        </Button>
      )}
    </InspectorSection>
  );
}
