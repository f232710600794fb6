import type { ProductUse, UsageDay } from '../../../shared/domain/ledger/usage-by-day.ts';
import { cx } from '../../lib/class-names.ts';
import { useFormats, useText } from '../../lib/text.ts';
import css from './account-screen.module.css';

export interface UsageChartProps {
  readonly days: readonly UsageDay[];
  /** Those that have a colour of their own, in the order of their sums. */
  readonly products: readonly ProductUse[];
}

/** Credits per day as bars, a colour for each product. The tables below it say the same to those who do not see it. */
export function UsageChart({ days, products }: UsageChartProps) {
  const t = useText();
  const formats = useFormats();
  const most = Math.max(...days.map(({ credits }) => Number(credits)));
  const colours = new Map(products.map(({ product }, at) => [product, css[`c${String(at % 6)}`]]));
  return (
    <figure className={css['chart']}>
      <figcaption>
        <b>{t('account.creditsPerDay')}</b>
        <ul className={css['legend']}>
          {products.map(({ product }) => (
            <li key={product}>
              <i aria-hidden className={colours.get(product)} />
              {t(`account.products.${product}` as 'account.products.ask')}
            </li>
          ))}
        </ul>
      </figcaption>
      <div aria-hidden className={css['bars']}>
        {days.map((day) => (
          <div
            key={day.fromMs}
            className={css['bar']}
            title={`${formats.date(day.fromMs)}: ${formats.number(Number(day.credits))}`}
          >
            {day.products.toReversed().map(({ product, credits }) => (
              <i
                key={product}
                className={cx(colours.get(product))}
                style={{ blockSize: `${String(most === 0 ? 0 : (Number(credits) / most) * 100)}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <div aria-hidden className={css['axis']}>
        <span>{formats.date(days[0]?.fromMs ?? 0)}</span>
        <span>{formats.date(days.at(-1)?.fromMs ?? 0)}</span>
      </div>
    </figure>
  );
}
