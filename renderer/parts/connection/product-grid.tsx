import { CircleCheck, CircleHelp, CircleMinus } from 'lucide-react';
import type { ConnectionReport } from '../../bridge/types.ts';
import { useText } from '../../lib/text.ts';
import css from './connection-form.module.css';

const icons = { allowed: CircleCheck, denied: CircleMinus, unknown: CircleHelp };

/** What the key may do, as far as free reads can tell. */
export function ProductGrid({ products }: Pick<ConnectionReport, 'products'>) {
  const t = useText();
  return (
    <ul className={css['products']} aria-label={t('welcome.products.title')}>
      {products.map(({ product, access }) => {
        const Icon = icons[access];
        const name = t(`welcome.products.${product}`);
        return (
          <li key={product} className={css['product']} data-access={access}>
            <Icon aria-hidden size={16} strokeWidth={1.75} />
            <span>{access === 'allowed' ? name : t(`welcome.products.${access}`, { product: name })}</span>
          </li>
        );
      })}
    </ul>
  );
}
