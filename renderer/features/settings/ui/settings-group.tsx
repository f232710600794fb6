import { CircleAlert } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { Settings } from '../../../bridge/types.ts';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { settingsIndex, type SettingName } from '../model/settings-index.ts';
import css from './settings-group.module.css';

interface SettingsGroupProps {
  readonly title: string;
  readonly name?: SettingName;
  readonly children: ReactNode;
}

export function SettingsGroup({ title, name, children }: SettingsGroupProps) {
  const id = useId();
  return (
    <section className={css['group']} aria-labelledby={id}>
      <h2 id={id} className={css['title']}>
        {title}
      </h2>
      {name === undefined ? children : <Setting name={name}>{children}</Setting>}
    </section>
  );
}

/** What few need; the search opens it. */
export function SettingsFold({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className={css['fold']}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

interface SettingRowProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The control; it has its own accessible name, because the text here is only visual. */
  readonly children?: ReactNode;
}

export function SettingRow({ label, hint, children }: SettingRowProps) {
  return (
    <div className={css['row']}>
      <div className={css['words']}>
        <div className="medium">{label}</div>
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

export function SettingFailure({ failure }: { readonly failure: Failure | null }) {
  const words = useFailureText();
  return (
    failure && (
      <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
        {words(failure).textAfterTitle}
      </Banner>
    )
  );
}

/** A setting's title and hint: in the index, the first key and the one that ends in "hint". */
function useSettingText(name: SettingName): { readonly label: string; readonly hint: string } {
  const t = useText();
  const words = settingsIndex.find((setting) => setting.name === name)?.words ?? [];
  const hint = words.find((key) => /hint$/iu.test(key));
  return { label: words[0] === undefined ? '' : t(words[0]), hint: hint === undefined ? '' : t(hint) };
}

type SwitchKey = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

export function SwitchSetting({ name, of }: { readonly name: SettingName; readonly of: SwitchKey }) {
  const settings = useSettings();
  const change = useSettingsChange();
  return (
    <Setting name={name}>
      <Switch {...useSettingText(name)} isOn={settings[of]} onChange={(isOn) => void change({ [of]: isOn })} />
    </Setting>
  );
}

type ChoiceKey = { [K in keyof Settings]: Settings[K] extends string | number | null ? K : never }[keyof Settings];

interface ChoiceSettingProps<K extends ChoiceKey> {
  readonly name: SettingName;
  readonly of: K;
  readonly choices: readonly Settings[K][];
  readonly textOf: (choice: Settings[K]) => string;
  readonly pictureOf?: (choice: Settings[K]) => ReactNode;
  readonly hint?: string;
  readonly areLanguages?: boolean;
  readonly reportsRefusal?: boolean;
}

export function ChoiceSetting<K extends ChoiceKey>({ name, of, choices, ...props }: ChoiceSettingProps<K>) {
  const { textOf, pictureOf, areLanguages = false, reportsRefusal = false } = props;
  const settings = useSettings();
  const change = useSettingsChange({ reportsRefusal });
  const [failure, setFailure] = useState<Failure | null>(null);
  const { label, hint } = useSettingText(name);
  return (
    <Setting name={name}>
      <SettingRow label={label} hint={props.hint ?? hint}>
        <Segmented
          label={label}
          options={choices.map((choice) => ({
            value: String(choice),
            text: textOf(choice),
            picture: pictureOf?.(choice),
            ...(areLanguages && { lang: String(choice) }),
          }))}
          value={String(settings[of])}
          onChange={(value) => {
            const chosen = choices.find((choice) => String(choice) === value);
            if (chosen !== undefined) void change({ [of]: chosen }).then(setFailure);
          }}
        />
      </SettingRow>
      {reportsRefusal && <SettingFailure failure={failure} />}
    </Setting>
  );
}
