import type { ReactNode } from 'react';
import type { SettingName } from '../model/settings-index.ts';
import css from './setting.module.css';

/** Marks what is on a page, so that the search can lead to it. */
export function Setting({ name, children }: { readonly name: SettingName; readonly children: ReactNode }) {
  return (
    <div className={css['setting']} data-setting={name}>
      {children}
    </div>
  );
}
