import css from './statement-list.module.css';

/** Plain statements, each under what it is about. */
export function StatementList({
  statements,
}: {
  readonly statements: readonly { readonly about: string; readonly text: string }[];
}) {
  return (
    <dl className={css['list']}>
      {statements.map(({ about, text }) => (
        <div key={about} className={css['statement']}>
          <dt>{about}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
