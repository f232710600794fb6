import type { ReactNode } from 'react';
import css from './panel.module.css';

export function Panel({ header, children }: { readonly header: ReactNode; readonly children: ReactNode }) {
  return (
    <>
      <PanelBar>{header}</PanelBar>
      <div className={css['split']}>{children}</div>
    </>
  );
}

export function PanelBar({ children }: { readonly children: ReactNode }) {
  return (
    <header className={css['bar']} data-pane="header">
      {children}
    </header>
  );
}

export function PanelTitle({ children }: { readonly children: ReactNode }) {
  return <h1 className={css['title']}>{children}</h1>;
}

export function PanelActions({ children }: { readonly children: ReactNode }) {
  return <div className={css['actions']}>{children}</div>;
}

export function PanelContent({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  return (
    <section className={css['content']} aria-label={label} data-pane="content">
      {children}
    </section>
  );
}

export function Inspector({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  return (
    <aside className={css['inspector']} aria-label={label} data-pane="inspector">
      {children}
    </aside>
  );
}

export function InspectorSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css['section']}>
      <h2 className={css['sectionTitle']}>{title}</h2>
      {children}
    </section>
  );
}
