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
        {files.map(({ name, report: { changedCount, countedIn, kinds } }, at) => (
          <section key={at} className={css['report']}>
            <p>{t(`transcripts.report.${countedIn}.count`, { count: changedCount, name })}</p>
            <ul>
              {kinds.map(({ kind, count, places }) => (
                <li key={kind}>
                  <b>
                    {t(`transcripts.report.${countedIn}.places`, { count, places: places.join(', ') })}
                    {count > places.length && ` ${t('transcripts.report.more', { count: count - places.length })}`}
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
