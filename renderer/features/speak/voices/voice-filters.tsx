import type { ReactNode } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { ownNames } from '../ui/voice-panel.tsx';
import css from './voices-screen.module.css';

const filters = ['favourites', 'recent', 'female', 'male'] as const;
export type VoiceFilter = (typeof filters)[number];

/** Which voices of the catalogue are shown. */
export function VoiceFilters({
  language,
  onLanguage,
  on,
  onFilters,
}: {
  readonly language: SpeechLanguage | null;
  readonly onLanguage: (language: SpeechLanguage | null) => void;
  readonly on: ReadonlySet<VoiceFilter>;
  readonly onFilters: (on: ReadonlySet<VoiceFilter>) => void;
}) {
  const t = useText();
  return (
    <>
      <fieldset className={css['chips']} aria-label={t('voices.languages')}>
        <Toggle isOn={language === null} onPress={() => onLanguage(null)}>
          {t('voices.all')}
        </Toggle>
        {speechLanguages.map((one) => (
          <Toggle key={one} lang={one} isOn={language === one} onPress={() => onLanguage(one)}>
            {ownNames[one]}
          </Toggle>
        ))}
      </fieldset>
      <fieldset className={css['chips']} aria-label={t('voices.filters')}>
        {filters.map((one) => (
          <Toggle
            key={one}
            isOn={on.has(one)}
            onPress={() => {
              onFilters(new Set(on.has(one) ? [...on].filter((other) => other !== one) : [...on, one]));
            }}
          >
            {t(`speak.voices.${one}`)}
          </Toggle>
        ))}
      </fieldset>
    </>
  );
}

function Toggle({
  isOn,
  lang,
  onPress,
  children,
}: {
  readonly isOn: boolean;
  readonly lang?: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}) {
  return (
    <PressButton className={cx(css['toggle'], isOn && css['on'])} isPressed={isOn} onPress={onPress}>
      <span lang={lang}>{children}</span>
    </PressButton>
  );
}
