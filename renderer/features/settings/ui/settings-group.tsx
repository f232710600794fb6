import { useId, type ReactNode } from 'react';
import css from './settings-group.module.css';
import type { SettingName } from '../model/settings-index.ts';

/** Related settings under a heading. */
export function SettingsGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={css['group']} aria-labelledby={id}>
      <h2 id={id} className={css['title']}>
        {title}
      </h2>
      {children}
    </section>
  );
}

export interface SettingRowProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The control; it has its own accessible name, because the text here is only visual. */
  readonly children?: ReactNode;
}

/** Text left, control right; the control wraps below it where there is no room. */
export function SettingRow({ label, hint, children }: SettingRowProps) {
  return (
    <div className={css['row']}>
      <div className={css['words']}>
        <div className={css['label']}>{label}</div>
        {hint && <p className={css['hint']}>{hint}</p>}
      </div>
      {children && <div className={css['control']}>{children}</div>}
    </div>
  );
}

export function Hint({ children }: { readonly children: ReactNode }) {
  return <p className={css['hint']}>{children}</p>;
}

/** Marks a setting on its page, so that the search can scroll to it. */
export function Setting({ name, children }: { readonly name: SettingName; readonly children: ReactNode }) {
  return (
    <div className={css['setting']} data-setting={name}>
      {children}
    </div>
  );
}
