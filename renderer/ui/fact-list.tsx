import type { ReactNode } from 'react';
import css from './fact-list.module.css';

export interface FactListProps {
  readonly facts: readonly {
    readonly label: string;
    readonly value: string;
    /** An id, an address or a code, in which each letter counts. */
    readonly isCode?: boolean;
    /** What can be done with the value. */
    readonly action?: ReactNode;
  }[];
  /** Figures are aligned at the end of the line; by default values are set apart, to be selected and copied. */
  readonly areFigures?: boolean;
}

/** Labelled values: the details of a failure, or sums. */
export function FactList({ facts, areFigures = false }: FactListProps) {
  return (
    <dl className={css[areFigures ? 'figures' : 'facts']}>
      {facts.map(({ label, value, isCode, action }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-code={isCode || undefined}>
            <span>{value}</span>
            {action}
          </dd>
        </div>
      ))}
    </dl>
  );
}
