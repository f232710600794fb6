import { VisuallyHidden } from 'react-aria-components';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { batchProgress, type BatchProgress } from '../../../shared/domain/jobs/batch-progress.ts';
import { useConnection, useJobs } from '../../bridge/live-state.tsx';
import { cx } from '../../lib/class-names.ts';
import { shellLayer } from '../../lib/commands.tsx';
import type { Shortcut } from '../../lib/hotkeys.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { Held, RefusedAction, Stopped } from '../../parts/jobs/job-notices.tsx';
import { sortJobs, withTwins } from '../../parts/jobs/job-order.ts';
import { JobsContext, useJobList } from '../../parts/jobs/jobs-context.ts';
import { JobLine } from '../../parts/jobs/job-row.tsx';
import { Popover } from '../../ui/popover.tsx';
import { PressButton } from '../../ui/press-button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Button } from '../../ui/button.tsx';
import css from './jobs-card.module.css';
import { hasWork, sendingLeftMs } from './jobs-summary.ts';

export function JobsCard(props: {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly shortcut: Shortcut | null;
  readonly onOpenQueue: () => void;
  /** A ring wherever the window is narrow; `ring` is always one. */
  readonly look?: 'card' | 'ring';
}) {
  const { shortcut, look = 'card' } = props;
  const { jobs } = useJobs();
  const list = useJobList();
  const t = useText();
  const formats = useFormats();
  const titleOf = useTitle();
  const isLocal = modeOf(useConnection().mode).origin === 'local';
  const batch = batchProgress(jobs);
  const isSending = jobs.some(({ state }) => state.tag === 'uploading');
  const nowMs = useNow(isSending);
  if (!hasWork(batch)) return null;
  // What is sent from this computer to itself says nothing.
  const fraction = isLocal ? batch.heardFraction : batch.sentFraction;
  // With all of it sent, the bar would be full while the service has yet to begin.
  const isMeasured = fraction !== null && fraction < 1 && batch.runningCount + batch.waitingCount > 0;
  const title = titleOf(batch);
  const percent = isMeasured ? formats.percent(fraction) : null;
  const leftMs = isLocal ? null : sendingLeftMs(jobs, nowMs);
  const isIdle = batch.runningCount === 0;
  const leaving = (run: () => void) => () => {
    props.onOpenChange(false);
    run();
  };
  return (
    <Popover
      label={t('jobs.title')}
      placement={look === 'ring' ? 'bottom end' : 'right bottom'}
      className={css['surface']}
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
      trigger={
        <PressButton
          className={cx(css['card'], look === 'ring' && css['small'])}
          shortcut={shortcut}
          tip={{ text: title, shortcut, placement: look === 'ring' ? 'bottom' : 'end' }}
        >
          {/* Announced in the small variants too, where the line and the bar are not drawn. */}
          <VisuallyHidden className={css['said'] ?? ''}>
            {percent === null ? title : t(isLocal ? 'jobs.cardHeard' : 'jobs.cardLabel', { title, percent })}
          </VisuallyHidden>
          <span aria-hidden className={css['ring']}>
            <JobsRing fraction={isMeasured ? fraction : null} isIdle={isIdle} />
            <span>{batch.runningCount + batch.waitingCount || batch.attentionCount}</span>
          </span>
          <span aria-hidden className={css['line']}>
            <span>{title}</span>
            {percent && <span className="digits muted">{percent}</span>}
          </span>
          {(!isIdle || isMeasured) && (
            <span aria-hidden className={css['bar']}>
              <ProgressBar
                label={t(isLocal ? 'shell.jobs.heard' : 'shell.jobs.progress')}
                progress={isMeasured ? { tag: 'determinate', fraction } : { tag: 'indeterminate' }}
                className={css['progress']}
              />
            </span>
          )}
          {leftMs !== null && (
            <span className={css['left']}>{t('jobs.sendingLeft', { time: formats.roughDuration(leftMs) })}</span>
          )}
          {!isIdle && batch.attentionCount > 0 && (
            <span className={css['left']}>{t('jobs.attention', { count: batch.attentionCount })}</span>
          )}
        </PressButton>
      }
    >
      <div {...shellLayer}>
        <h2 className={css['title']}>{t('jobs.title')}</h2>
        {/* The queue, which says it too, may not be visible. */}
        <JobsContext value={{ ...list, openSettings: leaving(list.openSettings) }}>
          <div className={css['notices']}>
            <Held jobs={jobs} onResume={() => void list.store.ask('jobs.hold', { isHeld: false })} />
            <Stopped jobs={jobs} />
            <RefusedAction />
          </div>
          <Lines onOpenQueue={props.onOpenQueue} leaving={leaving} />
        </JobsContext>
      </div>
    </Popover>
  );
}

const doneShown = 3;
const linesAtOnce = 30;

function Lines(props: { readonly onOpenQueue: () => void; readonly leaving: (run: () => void) => () => void }) {
  const t = useText();
  const { jobs } = useJobs();
  const sorted = sortJobs(withTwins(jobs, null)).filter(({ state }) => state.tag !== 'cancelled');
  const isDone = ({ state }: JobView) => state.tag === 'done';
  const listed = [...sorted.filter((job) => !isDone(job)), ...sorted.filter(isDone).slice(0, doneShown)];
  // Texts are made only for what is shown: thousands of rows would block the page.
  const shown = listed.slice(0, linesAtOnce);
  const hiddenCount = listed.length - shown.length;
  return (
    <>
      <ul className={css['list']} aria-label={t('jobs.title')}>
        {shown.map((job) => (
          <JobLine key={job.id} job={job} leaving={props.leaving} />
        ))}
      </ul>
      <footer className={css['footer']}>
        <span className="small subtle">{hiddenCount > 0 && t('jobs.more', { count: hiddenCount })}</span>
        <Button size="sm" variant="ghost" onPress={props.onOpenQueue}>
          {t('jobs.openQueue')}
        </Button>
      </footer>
    </>
  );
}

function useTitle() {
  const t = useText();
  const { origin } = modeOf(useConnection().mode);
  return (batch: BatchProgress): string => {
    if (batch.runningCount + batch.waitingCount === 0) return t('jobs.attention', { count: batch.attentionCount });
    if (origin === 'local') return t('shell.jobs.recordings', { count: batch.runningCount + batch.waitingCount });
    if (batch.runningCount === 0) return t('shell.jobs.waiting', { count: batch.waitingCount });
    return batch.atServiceCount === batch.runningCount
      ? t('shell.jobs.atService', { count: batch.runningCount })
      : t('shell.jobs.running', { count: batch.runningCount });
  };
}

const radius = 16;
const around = 2 * Math.PI * radius;

function JobsRing({ fraction, isIdle }: { readonly fraction: number | null; readonly isIdle: boolean }) {
  const shown = fraction ?? (isIdle ? 0 : 0.25);
  return (
    <svg aria-hidden viewBox="0 0 40 40" className={cx(css['arc'], fraction === null && !isIdle && css['unmeasured'])}>
      <circle cx={20} cy={20} r={radius} className={css['track']} />
      <circle
        cx={20}
        cy={20}
        r={radius}
        className={css['done']}
        strokeDasharray={`${String(shown * around)} ${String(around)}`}
      />
    </svg>
  );
}
