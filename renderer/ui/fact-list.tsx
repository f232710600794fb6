import css from './fact-list.module.css';

/** Labelled values that can be selected and copied: the details of a failure. */
export function FactList({ facts }: { readonly facts: readonly { readonly label: string; readonly value: string }[] }) {
  return (
    <dl className={css['facts']}>
      {facts.map(({ label, value }) => (
        <div key={label} className={css['fact']}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
