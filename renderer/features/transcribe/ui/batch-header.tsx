import { Pause, Play } from 'lucide-react';
import { batchProgress } from '../../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { batchLeftMs } from '../../../../shared/domain/jobs/time-left.ts';
import { useQueue } from '../../../bridge/live-state.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { coarse } from '../model/coarse.ts';
import { useTranscribe } from '../transcribe-context.ts';
import css from './batch-header.module.css';
import { QueueMenu } from './queue-menu.tsx';

/** How many, how long, how far. The percentage is of what leaves this computer and goes away when all is sent. */
export function BatchHeader({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const formats = useFormats();
  const { store } = useTranscribe();
  const { isHeld, pace, uploadsAtOnce } = useQueue();
  const batch = batchProgress(jobs);
  const isMoving = batch.runningCount > 0;
  const nowMs = useNow(isMoving);
  const leftMs = isHeld ? null : batchLeftMs(jobs, pace, uploadsAtOnce, nowMs);
  const facts = [
    ...(batch.durationMs > 0 ? [formats.duration(batch.durationMs)] : []),
    ...(batch.doneCount > 0 ? [t('transcribe.batch.done', { count: batch.doneCount })] : []),
    ...(batch.attentionCount > 0 ? [t('transcribe.batch.attention', { count: batch.attentionCount })] : []),
    ...(isHeld ? [t('transcribe.batch.held')] : []),
    ...(leftMs === null ? [] : [t('transcribe.batch.left', { time: formats.duration(coarse(leftMs)) })]),
  ];
  const canHold = isHeld || batch.runningCount + batch.waitingCount > batch.atServiceCount;
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
            progress={{ tag: isHeld ? 'paused' : 'determinate', fraction: batch.sentFraction }}
          />
        </>
      )}
      {canHold && (
        <Button size="sm" variant="ghost" icon={isHeld ? Play : Pause} onPress={() => void store.hold(!isHeld)}>
          {t(isHeld ? 'transcribe.batch.goOn' : 'transcribe.batch.pauseAll')}
        </Button>
      )}
      <QueueMenu jobs={jobs} />
    </div>
  );
}
