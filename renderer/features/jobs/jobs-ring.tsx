import { cx } from '../../lib/class-names.ts';
import css from './jobs-card.module.css';

const radius = 16;
const around = 2 * Math.PI * radius;

/** Progress where there is no room for a bar: a measured arc, or one that says only that something runs. */
export function JobsRing({ fraction, isIdle }: { readonly fraction: number | null; readonly isIdle: boolean }) {
  const shown = fraction ?? (isIdle ? 0 : 0.25);
  return (
    <svg aria-hidden viewBox="0 0 40 40" className={cx(css['arc'], fraction === null && !isIdle && css['unmeasured'])}>
      <circle cx={20} cy={20} r={radius} className={css['track']} />
      <circle
        cx={20}
        cy={20}
        r={radius}
        className={css['done']}
        strokeDasharray={`${String(shown * around)} ${String(around)}`}
      />
    </svg>
  );
}
