import { useState } from 'react';
import { copyName, copyNameParts, templateFault } from '../../../../shared/domain/exports/copy-name.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { Field } from '../../../ui/field.tsx';

const exampleMs = new Date(2026, 10, 20, 14, 5).getTime();

export interface CopyTemplateProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The name of automatic exports, with a live example; a faulty template is reported and not stored. */
export function CopyTemplate({ value, onChange }: CopyTemplateProps) {
  const t = useText();
  const { speechLanguage } = useSettings();
  const [typed, setTyped] = useState(value);
  const fault = templateFault(typed);
  const keep = () => {
    if (fault === null && typed !== value) onChange(typed);
  };
  const facts = { sourceName: 'Suhbat.mp3', finishedAtMs: exampleMs, language: speechLanguage, speakerCount: 2 };
  return (
    <Field
      label={t('settings.automation.template')}
      value={typed}
      hint={t('settings.automation.templateHint', {
        parts: copyNameParts.map((part) => `{${part}}`).join(' '),
        example: copyName(typed, facts, '.txt'),
      })}
      error={
        fault === null
          ? null
          : fault.kind === 'empty'
            ? t('settings.automation.templateEmpty')
            : fault.kind === 'too-long'
              ? t('settings.automation.templateTooLong')
              : t('settings.automation.templateUnknown', { part: `{${fault.part}}` })
      }
      onChange={setTyped}
      onBlur={keep}
      onEnter={keep}
    />
  );
}
