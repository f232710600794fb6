import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { SpeechVoice, VoiceMarks } from '../../../../shared/domain/speech/voices.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { failureOf } from '../../../bridge/request-error.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import type { useVoices } from '../use-voices.ts';
import css from './voice-filters.module.css';

export const ownNames: Readonly<Record<SpeechLanguage, string>> = { uz: 'Oʻzbek', ru: 'Русский', en: 'English' };

export type VoiceFilter = 'favourites' | 'recent' | 'female' | 'male';

export function voiceFilter(search: string, on: ReadonlySet<VoiceFilter>, { favourites, recent }: VoiceMarks) {
  const wanted = foldText(search.trim()).text;
  return ({ id, name, description, gender }: SpeechVoice): boolean =>
    foldText(`${name} ${description ?? ''}`).text.includes(wanted) &&
    (!on.has('female') || gender === 'female') &&
    (!on.has('male') || gender === 'male') &&
    (!on.has('favourites') || favourites.includes(id)) &&
    (!on.has('recent') || recent.includes(id));
}

export function VoiceLanguages(props: {
  readonly label: string;
  readonly language: SpeechLanguage | null;
  readonly onLanguage: (language: SpeechLanguage) => void;
  readonly children?: ReactNode;
}) {
  const { label, language, onLanguage, children } = props;
  return (
    <fieldset className="flow gap-4" aria-label={label}>
      {children}
      {speechLanguages.map((one) => (
        <Toggle key={one} lang={one} isOn={language === one} onPress={() => onLanguage(one)}>
          {ownNames[one]}
        </Toggle>
      ))}
    </fieldset>
  );
}

export function VoiceFilters(props: {
  readonly filters: readonly VoiceFilter[];
  readonly on: ReadonlySet<VoiceFilter>;
  readonly onFilters: (on: ReadonlySet<VoiceFilter>) => void;
}) {
  const { filters, on, onFilters } = props;
  const t = useText();
  return (
    <fieldset className="flow gap-4" aria-label={t('voices.filters')}>
      {filters.map((one) => (
        <Toggle
          key={one}
          isOn={on.has(one)}
          onPress={() => onFilters(new Set(on.has(one) ? [...on].filter((other) => other !== one) : [...on, one]))}
        >
          {t(`speak.voices.${one}`)}
        </Toggle>
      ))}
    </fieldset>
  );
}

export function Toggle(props: {
  readonly isOn: boolean;
  readonly lang?: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}) {
  const { isOn, lang, onPress, children } = props;
  return (
    <PressButton className={cx(css['toggle'], isOn && css['on'])} isPressed={isOn} onPress={onPress}>
      <span lang={lang}>{children}</span>
    </PressButton>
  );
}

export function VoicesNotice(props: Pick<ReturnType<typeof useVoices>, 'data' | 'error' | 'refetch'>) {
  const { data, error, refetch } = props;
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const failure = failureOf(error);
  return (
    <>
      {/* Each screen says itself that there is no key. */}
      {data !== undefined && data.failure !== null && data.failure.kind !== 'key-missing' && (
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
