import { ChevronDown, Settings2, SlidersHorizontal } from 'lucide-react';
import { useId } from 'react';
import { useLocation } from 'wouter';
import { isModelStyle, writingStyles } from '../../../../shared/domain/dictation/clean-up.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { NeedsKey } from '../../../parts/connection/key-help.tsx';
import { EachPhraseChoice } from '../../../parts/dictation-choices.tsx';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import css from '../dictate.module.css';
import { Replacements } from './replacements.tsx';

/** How what is said is written; the rest of it is in the settings. */
export function StylePopover() {
  const t = useText();
  const { dictationStyle, dictationLanguage, replacements } = useSettings();
  const [, navigate] = useLocation();
  const count = replacements.filter(({ language }) => language === null || language === dictationLanguage).length;
  const style = t(`dictation.cleanUp.styles.${dictationStyle}`);
  return (
    <Popover
      label={t('dictation.options')}
      placement="top start"
      className={css['panel']}
      trigger={
        <Button variant="ghost" icon={SlidersHorizontal} iconAfter={ChevronDown}>
          <b>{style}</b>
          {count > 0 && <span> · {t('dictation.replacements.count', { count })}</span>}
        </Button>
      }
    >
      <StyleList />
      <Replacements />
      <div className={css['rule']}>
        <Button size="sm" variant="ghost" icon={Settings2} onPress={() => navigate('/settings/dictation')}>
          {t('dictation.moreSettings')}
        </Button>
      </div>
    </Popover>
  );
}

function StyleList() {
  const t = useText();
  const { dictationStyle, mode } = useSettings();
  const change = useSettingsChange();
  const name = useId();
  const isLocal = modeOf(mode).origin === 'local';
  return (
    <>
      <h2 className="small medium muted" id={`${name}-title`}>
        {t('dictation.cleanUp.style')}
      </h2>
      <div role="radiogroup" aria-labelledby={`${name}-title`}>
        {writingStyles
          .filter((value) => !isLocal || !isModelStyle(value))
          .map((value) => (
            <label key={value} className={css['choice']}>
              <input
                type="radio"
                name={name}
                checked={value === dictationStyle}
                onChange={() => void change({ dictationStyle: value })}
              />
              <span>{t(`dictation.cleanUp.styles.${value}`)}</span>
              {!isModelStyle(value) && (
                <span className={css['hint']}>{value === 'tidy' && t('dictation.cleanUp.tidyHint')}</span>
              )}
            </label>
          ))}
      </div>
      {isLocal && <NeedsKey>{t('dictation.cleanUp.needsKey')}</NeedsKey>}
      {isModelStyle(dictationStyle) && <EachPhraseChoice />}
    </>
  );
}
