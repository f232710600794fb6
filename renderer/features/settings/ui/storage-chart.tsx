import type { StorageUse } from '../../../bridge/types.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import css from './storage-chart.module.css';

/** One bar of all parts, and the size of each as text; only the text is for screen readers. */
export function StorageChart({ use }: { readonly use: StorageUse }) {
  const t = useText();
  const formats = useFormats();
  const shown = use.parts.filter(({ bytes }) => bytes > 0);
  return (
    <>
      <div aria-hidden className={css['bar']}>
        {shown.map(({ part, bytes }) => (
          <span key={part} className={css['share']} data-part={part} style={{ flexGrow: bytes }} />
        ))}
      </div>
      <ul className={css['legend']} aria-label={t('settings.storage.chart')}>
        {shown.map(({ part, bytes }) => (
          <li key={part} className={css['entry']}>
            <span aria-hidden className={css['mark']} data-part={part} />
            <span>
              {t(`settings.storage.parts.${part}`)} <span className={css['size']}>{formats.bytes(bytes)}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
