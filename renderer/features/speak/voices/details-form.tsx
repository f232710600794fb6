import {
  findDetailTroubles,
  voiceAges,
  voiceGenders,
  voicePalettes,
  type DetailTrouble,
  type VoiceDetails,
} from '../../../../shared/domain/voices/clone-rules.ts';
import { useText } from '../../../lib/text.ts';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { Orb } from '../ui/voice-orb.tsx';
import css from './details-form.module.css';

/** The description of a voice. `showsTroubles`: problems are marked even before a field was edited. */
export function DetailsForm(props: {
  readonly details: VoiceDetails;
  readonly showsTroubles: boolean;
  readonly onChange: (details: VoiceDetails) => void;
}) {
  const { details, showsTroubles, onChange } = props;
  const t = useText();
  const troubles = showsTroubles ? findDetailTroubles(details) : [];
  const errorOf = (...of: readonly DetailTrouble[]): string | null => {
    const found = of.find((one) => troubles.includes(one));
    return found === undefined ? null : t(`voices.details.${found}`);
  };
  const change = (patch: Partial<VoiceDetails>) => onChange({ ...details, ...patch });
  return (
    <div className="column gap-16">
      <div className={css['top']}>
        <Orb size="xl" look={details.palette} />
        <div className={css['words']}>
          <Field
            label={t('voices.details.name')}
            value={details.name}
            error={errorOf('name-missing', 'name-long')}
            onChange={(name) => change({ name })}
          />
          <Field
            label={t('voices.details.description')}
            value={details.description}
            error={errorOf('description-long')}
            onChange={(description) => change({ description })}
          />
        </div>
      </div>
      <div className={css['labels']}>
        <Select
          label={t('voices.details.gender')}
          value={details.gender}
          options={[
            { value: '', text: t('voices.details.notSaid') },
            ...voiceGenders.map((value) => ({ value, text: t(`voices.details.genders.${value}`) })),
          ]}
          onChange={(gender) => change({ gender })}
        />
        <Select
          label={t('voices.details.age')}
          value={details.age}
          options={[
            { value: '', text: t('voices.details.notSaid') },
            ...voiceAges.map((value) => ({ value, text: t(`voices.details.ages.${value}`) })),
          ]}
          onChange={(age) => change({ age })}
        />
      </div>
      <details className={css['more']} open={errorOf('accent-long') !== null || undefined}>
        <summary className="text-sm muted">{t('voices.details.more')}</summary>
        <fieldset className={css['looks']}>
          <legend>{t('voices.details.look', { name: t(`voices.details.looks.${details.palette}`) })}</legend>
          {voicePalettes.map((palette) => (
            <label key={palette} className={css['look']} title={t(`voices.details.looks.${palette}`)}>
              <input
                type="radio"
                name="voice-look"
                aria-label={t(`voices.details.looks.${palette}`)}
                checked={palette === details.palette}
                onChange={() => change({ palette })}
              />
              <Orb look={palette} />
            </label>
          ))}
        </fieldset>
        <Field
          label={t('voices.details.accent')}
          value={details.accent}
          error={errorOf('accent-long')}
          onChange={(accent) => change({ accent })}
        />
      </details>
    </div>
  );
}
