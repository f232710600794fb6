import { useState } from 'react';
import { copyName, copyNameParts, templateFault } from '../../../../shared/domain/exports/copy-name.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { NameTemplate } from '../../../parts/exports/name-template.tsx';

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
  const keep = (wanted: string) => {
    if (templateFault(wanted) === null && wanted !== value) onChange(wanted);
  };
  const facts = { sourceName: 'Suhbat.mp3', finishedAtMs: exampleMs, language: speechLanguage, speakerCount: 2 };
  return (
    <NameTemplate
      label={t('settings.automation.template')}
      value={typed}
      hint={t('settings.automation.templateHint', {
        parts: copyNameParts.map((part) => `{${part}}`).join(' '),
        example: copyName(typed, facts, '.txt'),
      })}
      onChange={setTyped}
      onDone={() => {
        keep(typed);
      }}
    />
  );
}
