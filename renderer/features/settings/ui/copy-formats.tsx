import { ToggleButtonGroup } from 'react-aria-components';
import { textFormats, type ExportFormat } from '../../../../shared/domain/exports/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ToggleChip } from '../../../ui/toggle-chip.tsx';
import css from './settings-group.module.css';
import { SettingRow } from './settings-group.tsx';

const formats: readonly ExportFormat[] = textFormats;
type Format = ExportFormat;

export interface CopyFormatsProps {
  readonly value: readonly Format[];
  readonly onChange: (value: Format[]) => void;
}

/** One or more; the last one stays. */
export function CopyFormats({ value, onChange }: CopyFormatsProps) {
  const t = useText();
  return (
    <SettingRow label={t('settings.automation.formats')}>
      <ToggleButtonGroup
        className={css['control'] ?? ''}
        aria-label={t('settings.automation.formats')}
        selectionMode="multiple"
        disallowEmptySelection
        selectedKeys={value}
        onSelectionChange={(keys) => {
          onChange(formats.filter((format) => keys.has(format)));
        }}
      >
        {formats.map((format) => (
          <ToggleChip key={format} id={format}>
            {format.toUpperCase()}
          </ToggleChip>
        ))}
      </ToggleButtonGroup>
    </SettingRow>
  );
}
