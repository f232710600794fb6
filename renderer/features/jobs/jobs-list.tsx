import { X, type LucideIcon } from 'lucide-react';
import { Fragment } from 'react';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ProgressBar, type Progress } from '../../ui/progress-bar.tsx';
import { StatusIcon, type StatusTone } from '../../ui/status-icon.tsx';
import css from './jobs-list.module.css';

/** One job in the list; its texts and actions are those of the queue. */
export interface JobLine {
  readonly id: string;
  readonly name: string;
  readonly icon: LucideIcon | 'spinner';
  readonly tone: StatusTone;
  readonly status: string;
  readonly fact: string | null;
  readonly progress: Progress | null;
  /** Opens a finished job, or offers the first way out of a failure. */
  readonly action: { readonly text: string; readonly icon?: LucideIcon; readonly run: () => void } | null;
  readonly cancel: (() => void) | null;
}

/** A short list next to other work; the queue has all of them. */
export const linesAtOnce = 30;

export interface JobsListProps {
  readonly lines: readonly JobLine[];
  /** Rows that have no line here. */
  readonly hiddenCount: number;
  readonly onOpenQueue: () => void;
}

/** Jobs under way, jobs that need the user, and recently finished ones. */
export function JobsList({ lines, hiddenCount, onOpenQueue }: JobsListProps) {
  const t = useText();
  return (
    <>
      <ul className={css['list']} aria-label={t('jobs.title')}>
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      <footer className={css['footer']}>
        <span className={css['more']}>{hiddenCount > 0 && t('jobs.more', { count: hiddenCount })}</span>
        <Button size="sm" variant="ghost" onPress={onOpenQueue}>
          {t('jobs.openQueue')}
        </Button>
      </footer>
    </>
  );
}

function Line({ line }: { readonly line: JobLine }) {
  const t = useText();
  const { action, cancel } = line;
  return (
    <li className={css['line']}>
      <StatusIcon icon={line.icon} tone={line.tone} />
      <div className={css['words']}>
        <span className={css['name']}>{line.name}</span>
        <span className={css['meta']}>
          {[line.status, ...(line.fact === null ? [] : [line.fact])].map((text, index) => (
            <Fragment key={text}>
              {index > 0 && <span aria-hidden> · </span>}
              <span {...(index === 0 && { className: css['status'], 'data-tone': line.tone })}>{text}</span>
            </Fragment>
          ))}
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
