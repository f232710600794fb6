import { AudioLines, Braces, Captions, Clapperboard, FileText, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { exportGroups, type ExportGroup } from '../../../../../shared/domain/exports/exporter.ts';
import { exporters } from '../../../../../shared/domain/exports/exporters.ts';
import { exportFormats, type ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import { useText } from '../../../../lib/text.ts';
import css from './format-list.module.css';

const icons: Readonly<Record<ExportGroup, LucideIcon>> = {
  subtitles: Captions,
  documents: FileText,
  data: Braces,
  editing: Clapperboard,
  audio: AudioLines,
};
const isFormat = (value: string): value is ExportFormat => (exportFormats as readonly string[]).includes(value);

export function FormatList({
  format,
  onChange,
}: {
  readonly format: ExportFormat;
  readonly onChange: (format: ExportFormat) => void;
}) {
  const t = useText();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <RadioGroup
      ref={list}
      aria-label={t('exports.format')}
      className={css['groups'] ?? ''}
      value={format}
      onChange={(value) => {
        if (isFormat(value)) onChange(value);
      }}
    >
      {exportGroups.map((group) => {
        const Icon = icons[group];
        return (
          <div key={group} className={css['group']}>
            <Label className={css['heading'] ?? ''}>{t(`exports.${group}`)}</Label>
            {exportFormats
              .filter((id) => exporters[id].group === group)
              .map((id) => (
                <Radio
                  key={id}
                  value={id}
                  className={css['format'] ?? ''}
                  aria-describedby={`use-${id}`}
                  // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that opens takes the focus, at the choice that is made
                  autoFocus={id === format}
                >
                  <Icon aria-hidden size={16} strokeWidth={1.75} />
                  <span className={css['name']}>{t(`exports.formats.${id}.name`)}</span>
                  <span className={css['extension']}>.{exporters[id].extension.split('.').at(-1)}</span>
                  <span id={`use-${id}`} className={css['use']}>
                    {t(`exports.formats.${id}.use`)}
                  </span>
                </Radio>
              ))}
          </div>
        );
      })}
    </RadioGroup>
  );
}
