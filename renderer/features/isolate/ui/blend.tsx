import { useState } from 'react';
import { mixGains, peakGain } from '../../../audio/compare/compare-measures.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Range } from '../../../ui/range.tsx';
import css from './blend.module.css';
import { decibels } from './lane-words.ts';
import { SaveMix } from './save-mix.tsx';
import type { Comparison } from './use-comparison.ts';
import { useMixLevels } from './use-mix-levels.ts';

/** Chooses how much of the isolated audio is in the blend, and saves it. Mixing happens on this computer and is free. */
export function Blend({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  const formats = useFormats();
  const { share, setListening, pair } = comparison;
  const blend = { tag: 'blend', share } as const;
  const { levels, isMeasuring, isShort, setSaved } = useMixLevels(comparison);
  const loweredDb = 20 * Math.log10(peakGain(mixGains(blend, pair.measures, false), pair.measures));
  const words = t('isolate.compare.blendShare', {
    isolated: formats.percent(share + 1e-9),
    original: formats.percent(1 - share + 1e-9),
  });
  const choose = (percent: number) => {
    setListening({ tag: 'blend', share: percent / 100 });
  };
  const levelOf = (value: number | null | undefined, kind: 'loudness' | 'peak') =>
    value === undefined
      ? t(
          isMeasuring
            ? 'isolate.compare.measuring'
            : isShort
              ? 'isolate.compare.whenHeard'
              : 'isolate.compare.whenSaved',
        )
      : value === null
        ? '–'
        : t(`isolate.compare.${kind}`, { value: decibels(formats, value) });
  return (
    <InspectorSection title={t('isolate.compare.blend')}>
      <div className={css['share']}>
        <Percent value={Math.round(share * 100)} onChange={choose} />
        <output className={css['words']}>{words}</output>
      </div>
      <Range
        label={t('isolate.compare.blend')}
        value={Math.round(share * 100)}
        min={0}
        max={100}
        step={1}
        valueText={words}
        onChange={choose}
      />
      <div aria-hidden className={css['ends']}>
        <span>{t('isolate.compare.original')}</span>
        <span>{t('isolate.compare.isolated')}</span>
      </div>
      <FactList
        areFigures
        facts={[
          { label: t('isolate.compare.loudnessLabel'), value: levelOf(levels?.integratedLufs, 'loudness') },
          { label: t('isolate.compare.peakLabel'), value: levelOf(levels?.truePeakDb, 'peak') },
        ]}
      />
      <SaveMix comparison={comparison} content={blend} loweredDb={loweredDb} onSaved={setSaved} />
      <p className={css['free']}>{t('isolate.compare.blendHint')}</p>
    </InspectorSection>
  );
}

/** What the service removed can be saved as well. */
export function NoiseOnly({ comparison }: { readonly comparison: Comparison }) {
  const t = useText();
  return (
    <InspectorSection title={t('isolate.compare.removed')}>
      <p className={css['words']}>{t('isolate.compare.noiseHint')}</p>
      <SaveMix comparison={comparison} content={{ tag: 'removed' }} />
    </InspectorSection>
  );
}

/** A share as a number that can be typed; what is no number from 0 to 100 is put back. */
function Percent({ value, onChange }: { readonly value: number; readonly onChange: (percent: number) => void }) {
  const t = useText();
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <span className={css['percent']}>
      <input
        type="number"
        min={0}
        max={100}
        step={1}
        aria-label={t('isolate.compare.percent')}
        className={css['number']}
        value={typed ?? String(value)}
        onChange={({ currentTarget: field }) => {
          setTyped(field.value);
          if (field.value !== '' && field.validity.valid) onChange(field.valueAsNumber);
        }}
        onBlur={() => {
          setTyped(null);
        }}
      />
      <span aria-hidden>%</span>
    </span>
  );
}
