import { Plus } from 'lucide-react';
import { Group } from 'react-aria-components';
import { copyNameParts, templateFault } from '../../../shared/domain/exports/copy-name.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import css from './many-exports.module.css';

export interface NameTemplateProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string | null;
  readonly onChange: (value: string) => void;
  /** Called when the typed name should be saved. */
  readonly onDone?: () => void;
}

/** The template for file names, typed or built from the parts below the field. Reports what is wrong with it. */
export function NameTemplate({ label, value, hint, onChange, onDone }: NameTemplateProps) {
  const t = useText();
  const fault = templateFault(value);
  return (
    <div className={css['template']}>
      <Field
        label={label}
        value={value}
        onChange={onChange}
        error={
          fault === null
            ? null
            : fault.kind === 'empty'
              ? t('settings.automation.templateEmpty')
              : fault.kind === 'too-long'
                ? t('settings.automation.templateTooLong')
                : t('settings.automation.templateUnknown', { part: `{${fault.part}}` })
        }
        {...(hint !== null && { hint })}
        {...(onDone !== undefined && { onBlur: onDone, onEnter: onDone })}
      />
      <Group aria-label={t('exports.many.parts.label')} className={css['row'] ?? ''}>
        {copyNameParts
          .filter((part) => !value.includes(`{${part}}`))
          .map((part) => (
            <Button
              key={part}
              size="sm"
              icon={Plus}
              onPress={() => {
                onChange(`${value.trimEnd()} {${part}}`.trimStart());
              }}
            >
              {t(`exports.many.parts.${part}`)}
            </Button>
          ))}
      </Group>
    </div>
  );
}
