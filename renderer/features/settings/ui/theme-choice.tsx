import { Radio, RadioGroup } from 'react-aria-components';
import { useText } from '../../../lib/text.ts';
import css from './theme-choice.module.css';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Light, dark, or the system's: a small drawing of each. */
export function ThemeChoice({ value, onChange }: { readonly value: Theme; readonly onChange: (next: Theme) => void }) {
  const t = useText();
  return (
    <RadioGroup
      className={css['themes'] ?? ''}
      aria-label={t('settings.general.appearance')}
      orientation="horizontal"
      value={value}
      onChange={(chosen) => {
        const theme = themes.find((one) => one === chosen);
        if (theme) onChange(theme);
      }}
    >
      {themes.map((theme) => (
        <Radio key={theme} value={theme} className={css['theme'] ?? ''}>
          <span aria-hidden className={css['drawing']} data-look={theme === 'system' ? 'light' : theme}>
            <Drawing />
            {theme === 'system' && (
              <span className={css['half']} data-look="dark">
                <Drawing />
              </span>
            )}
          </span>
          <span className={css['name']}>
            <span aria-hidden className={css['dot']} />
            {t(`settings.general.appearances.${theme}`)}
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

function Drawing() {
  return (
    <>
      <span className={css['rail']} />
      <span className={css['panel']} />
      <span className={css['block']} />
      <span className={css['line']} />
    </>
  );
}
