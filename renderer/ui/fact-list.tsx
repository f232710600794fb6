import type { ReactNode } from 'react';
import css from './fact-list.module.css';

export interface FactListProps {
  readonly facts: readonly {
    readonly label: string;
    readonly value: string;
    readonly isCode?: boolean;
    readonly action?: ReactNode;
  }[];
}

export function FactList({ facts }: FactListProps) {
  return (
    <dl className="column gap-6">
      {facts.map(({ label, value, isCode, action }) => (
        <div key={label} className={css['fact']}>
          <dt className="subtle">{label}</dt>
          <dd data-code={isCode || undefined}>
            <span>{value}</span>
            {action}
          </dd>
        </div>
      ))}
    </dl>
  );
}
