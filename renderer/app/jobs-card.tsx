import { Button as AriaButton } from 'react-aria-components';
import { useLocation } from 'wouter';
import { useJobs } from '../bridge/live-state.tsx';
import { batchProgress, type BatchProgress } from '../lib/job-progress.ts';
import { useFormats, useText } from '../lib/text.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import css from './jobs-card.module.css';

/** Work that is going on, from every screen; appears only while there is any. Leads to the queue. */
export function JobsCard() {
  const { jobs } = useJobs();
  const [, navigate] = useLocation();
  const formats = useFormats();
  const title = useTitle();
  const t = useText();
  const batch = batchProgress(jobs);
  if (batch.runningCount + batch.waitingCount === 0) return null;
  const { sentFraction } = batch;
  const percent = sentFraction === null ? null : formats.percent(sentFraction);
  const progress =
    sentFraction === null
      ? ({ tag: 'indeterminate' } as const)
      : ({ tag: 'determinate', fraction: sentFraction } as const);
  return (
    <Tooltip text={title(batch)} placement="end">
      <AriaButton
        className={css['card'] ?? ''}
        onPress={() => {
          navigate('/');
        }}
      >
        <span className={css['line']}>
          <span className={css['title']}>{title(batch)}</span>
          {percent && <span className={css['percent']}>{percent}</span>}
        </span>
        <span aria-hidden className={css['count']}>
          {batch.runningCount + batch.waitingCount}
        </span>
        <ProgressBar label={t('shell.jobs.progress')} progress={progress} className={css['progress']} />
      </AriaButton>
    </Tooltip>
  );
}

function useTitle() {
  const t = useText();
  return (batch: BatchProgress): string => {
    if (batch.runningCount === 0) return t('shell.jobs.waiting', { count: batch.waitingCount });
    return batch.atServiceCount === batch.runningCount
      ? t('shell.jobs.atService', { count: batch.runningCount })
      : t('shell.jobs.running', { count: batch.runningCount });
  };
}
