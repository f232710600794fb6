import css from './switch.module.css';

export interface SwitchProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Switch({ label, hint, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <label className={css['switch']}>
      <input
        type="checkbox"
        role="switch"
        className={css['input']}
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="column fill">
        <span className="medium">{label}</span>
        {hint && <span className="fine subtle">{hint}</span>}
      </span>
      <span aria-hidden className={css['track']} />
    </label>
  );
}
