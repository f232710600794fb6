import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { batchProgress } from '../../../../shared/domain/jobs/batch-progress.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import css from './batch-header.module.css';

/** How many, how long, how far. The percentage is of what leaves this computer and goes away when all is sent. */
export function BatchHeader({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const formats = useFormats();
  const batch = batchProgress(jobs);
  const facts = [
    ...(batch.durationMs > 0 ? [formats.duration(batch.durationMs)] : []),
    ...(batch.doneCount > 0 ? [t('transcribe.batch.done', { count: batch.doneCount })] : []),
    ...(batch.attentionCount > 0 ? [t('transcribe.batch.attention', { count: batch.attentionCount })] : []),
  ];
  return (
    <div className={css['header']}>
      <h2 className={css['count']}>{t('common.files', { count: jobs.length })}</h2>
      <p className={css['facts']}>{facts.join(', ')}</p>
      {batch.sentFraction !== null && (
        <>
          <span className={css['percent']}>{formats.percent(batch.sentFraction)}</span>
          <ProgressBar
            className={css['bar']}
            label={t('transcribe.batch.sent')}
            progress={{ tag: 'determinate', fraction: batch.sentFraction }}
          />
        </>
      )}
    </div>
  );
}
