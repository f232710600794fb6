import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { failureOf } from '../../../bridge/request-error.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import type { useVoices } from '../use-voices.ts';
import css from './voice-filters.module.css';

export const ownNames: Readonly<Record<SpeechLanguage, string>> = { uz: 'Oʻzbek', ru: 'Русский', en: 'English' };

export type VoiceFilter = 'favourites' | 'recent' | 'own' | 'female' | 'male';

/** The filter for languages of voices; `children` come before it. */
export function VoiceLanguages({
  label,
  language,
  onLanguage,
  children,
}: {
  readonly label: string;
  readonly language: SpeechLanguage | null;
  readonly onLanguage: (language: SpeechLanguage) => void;
  readonly children?: ReactNode;
}) {
  return (
    <fieldset className={css['chips']} aria-label={label}>
      {children}
      {speechLanguages.map((one) => (
        <Toggle key={one} lang={one} isOn={language === one} onPress={() => onLanguage(one)}>
          {ownNames[one]}
        </Toggle>
      ))}
    </fieldset>
  );
}

/** What else is asked of a voice. */
export function VoiceFilters({
  filters,
  on,
  onFilters,
}: {
  readonly filters: readonly VoiceFilter[];
  readonly on: ReadonlySet<VoiceFilter>;
  readonly onFilters: (on: ReadonlySet<VoiceFilter>) => void;
}) {
  const t = useText();
  return (
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
  );
}

export function Toggle({
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

/** Why the voices of the service are missing, or outdated. */
export function VoicesNotice({
  data,
  error,
  refetch,
}: Pick<ReturnType<typeof useVoices>, 'data' | 'error' | 'refetch'>) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const failure = failureOf(error);
  return (
    <>
      {/* Each screen says itself that there is no key. */}
      {data !== undefined && data.failure !== null && data.failure.row !== 'E-235' && (
        <Banner icon={CloudOff} title={words(data.failure).title}>
          {t('speak.voices.cached', { date: formats.date(data.readAtMs) })}
        </Banner>
      )}
      {failure !== null && (
        <FailureNotice failure={failure} title={t('speak.voices.failed')} onRetry={() => void refetch()} />
      )}
    </>
  );
}
