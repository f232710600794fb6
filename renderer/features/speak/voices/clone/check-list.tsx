import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { RecordingCheck } from '../../../../../shared/domain/voices/check-recording.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useText } from '../../../../lib/text.ts';
import css from './clone-wizard.module.css';

/** The local check of a recording: hints, and only the service decides. */
export function CheckList({ check }: { readonly check: RecordingCheck }) {
  const t = useText();
  const { length, level, clipping, noise, speakers } = check;
  const said: readonly (readonly [boolean, string])[] = [
    ...(length === 'good' ? [] : [[false, t(`voices.wizard.length.${length}`)] as const]),
    [level === 'good', t(`voices.wizard.level.${level}`)],
    ...(level === 'silent'
      ? []
      : [
          ...(clipping === 'none' ? [] : [[false, t(`voices.wizard.clipping.${clipping}`)] as const]),
          [noise === 'low', t(`voices.wizard.noise.${noise}`)] as const,
          ...(speakers === 'unknown' ? [] : [[speakers === 'one', t(`voices.wizard.speakers.${speakers}`)] as const]),
        ]),
  ];
  const advice =
    level === 'silent'
      ? null
      : speakers === 'several'
        ? t('voices.wizard.advice.several')
        : noise === 'much' || clipping === 'much'
          ? t('voices.wizard.advice.unclear')
          : null;
  return (
    <>
      <ul className={css['checks']} aria-label={t('voices.wizard.checks')}>
        {said.map(([isGood, text]) => (
          <li key={text} className={cx(isGood ? css['ok'] : css['warn'])}>
            {isGood ? (
              <CircleCheck aria-hidden size={14} strokeWidth={1.75} />
            ) : (
              <TriangleAlert aria-hidden size={14} strokeWidth={1.75} />
            )}
            {text}
          </li>
        ))}
      </ul>
      {advice !== null && <p className={css['hint']}>{advice}</p>}
    </>
  );
}
