import { VisuallyHidden } from 'react-aria-components';
import { X, type LucideIcon } from 'lucide-react';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { batchProgress, type BatchProgress } from '../../../shared/domain/jobs/batch-progress.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { cx } from '../../lib/class-names.ts';
import { shellLayer } from '../../lib/commands.tsx';
import type { Shortcut } from '../../lib/hotkeys.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { Popover } from '../../ui/popover.tsx';
import { PressButton } from '../../ui/press-button.tsx';
import { ProgressBar, type Progress } from '../../ui/progress-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { StatusIcon, type StatusTone } from '../../ui/status-icon.tsx';
import css from './jobs-card.module.css';
import { hasWork, sendingLeftMs } from './jobs-summary.ts';

export function JobsCard(props: {
  readonly jobs: readonly JobView[];
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly shortcut: Shortcut | null;
  readonly lines: readonly JobLine[];
  readonly hiddenCount: number;
  readonly onOpenQueue: () => void;
  /** Why an action was refused, shown inside because the queue may not be visible. */
  readonly notice?: React.ReactNode;
  /** A ring wherever the window is narrow; `ring` is always one. */
  readonly look?: 'card' | 'ring';
}) {
  const { jobs, shortcut, look = 'card' } = props;
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
            {percent && <span className={css['percent']}>{percent}</span>}
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
            <span className={css['left']}>{t('jobs.sendingLeft', { time: formats.duration(leftMs) })}</span>
          )}
          {!isIdle && batch.attentionCount > 0 && (
            <span className={css['left']}>{t('jobs.attention', { count: batch.attentionCount })}</span>
          )}
        </PressButton>
      }
    >
      <div {...shellLayer}>
        <h2 className={css['title']}>{t('jobs.title')}</h2>
        {props.notice}
        <ul className={css['list']} aria-label={t('jobs.title')}>
          {props.lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
        <footer className={css['footer']}>
          <span className={css['more']}>{props.hiddenCount > 0 && t('jobs.more', { count: props.hiddenCount })}</span>
          <Button size="sm" variant="ghost" onPress={props.onOpenQueue}>
            {t('jobs.openQueue')}
          </Button>
        </footer>
      </div>
    </Popover>
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

export interface JobLine {
  readonly id: string;
  readonly name: string;
  readonly icon: LucideIcon | 'spinner';
  readonly tone: StatusTone;
  readonly status: string;
  readonly fact: string | null;
  readonly progress: Progress | null;
  readonly action: { readonly text: string; readonly icon?: LucideIcon; readonly run: () => void } | null;
  readonly cancel: (() => void) | null;
}

export const linesAtOnce = 30;

function Line({ line }: { readonly line: JobLine }) {
  const t = useText();
  const { action, cancel } = line;
  return (
    <li className={css['row']}>
      <StatusIcon icon={line.icon} tone={line.tone} />
      <div className={css['words']}>
        <span className={css['name']}>{line.name}</span>
        <span className={css['meta']}>
          <span className={css['status']} data-tone={line.tone}>
            {line.status}
          </span>
          {line.fact !== null && (
            <>
              <span aria-hidden> · </span>
              <span>{line.fact}</span>
            </>
          )}
        </span>
        {line.progress && <ProgressBar label={`${line.name}: ${line.status}`} progress={line.progress} />}
      </div>
      {action && (
        <Button
          size="sm"
          {...(action.icon ? { icon: action.icon } : {})}
          label={`${action.text}: ${line.name}`}
          onPress={action.run}
        >
          {action.text}
        </Button>
      )}
      {cancel && <IconButton size="sm" icon={X} label={t('jobs.cancel', { name: line.name })} onPress={cancel} />}
    </li>
  );
}
