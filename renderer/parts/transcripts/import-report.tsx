import type { ImportReport as Report } from '../../../shared/domain/imports/import-problems.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import css from './transcript-chooser.module.css';

/** Says which captions of imported files were changed or left out, and stays until it is closed. */
export function ImportReport({
  files,
  onClose,
}: {
  readonly files: readonly { readonly name: string; readonly report: Report }[];
  readonly onClose: () => void;
}) {
  const t = useText();
  return (
    <Dialog
      isOpen
      width="sm"
      scrollsByKeys
      title={t('transcripts.report.title')}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={
        <Button variant="primary" isAutoFocused onPress={onClose}>
          {t('common.done')}
        </Button>
      }
    >
      <div className={css['languages']}>
        {files.map(({ name, report: { captionCount, unit, kinds } }, at) => (
          <section key={at} className={css['report']}>
            <p>
              {t(unit === 'line' ? 'transcripts.report.count' : 'transcripts.report.segmentCount', {
                count: captionCount,
                name,
              })}
            </p>
            <ul>
              {kinds.map(({ kind, count, lines }) => (
                <li key={kind}>
                  <b>
                    {t(unit === 'line' ? 'transcripts.report.lines' : 'transcripts.report.segments', {
                      count,
                      lines: lines.join(', '),
                    })}
                    {count > lines.length && ` ${t('transcripts.report.more', { count: count - lines.length })}`}
                  </b>{' '}
                  {t(`transcripts.report.kinds.${kind}`)}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
