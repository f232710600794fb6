import type { ReactNode } from 'react';
import css from './fact-list.module.css';

export interface FactListProps {
  readonly facts: readonly {
    readonly label: string;
    readonly value: string;
    readonly isCode?: boolean;
    readonly action?: ReactNode;
  }[];
  /** Aligned at the end of the line; otherwise set apart, to be selected and copied. */
  readonly areFigures?: boolean;
}

export function FactList({ facts, areFigures = false }: FactListProps) {
  return (
    <dl className="column gap-6">
      {facts.map(({ label, value, isCode, action }) => (
        <div key={label} className={css[areFigures ? 'figure' : 'fact']}>
          <dt className={areFigures ? 'muted' : 'subtle'}>{label}</dt>
          <dd data-code={isCode || undefined}>
            <span>{value}</span>
            {action}
          </dd>
        </div>
      ))}
    </dl>
  );
}
