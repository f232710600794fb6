import { Ellipsis, GripVertical, Pause, Users, X } from 'lucide-react';
import { useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { StatusIcon } from '../../../ui/status-icon.tsx';
import { isTicking } from '../model/selectors.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import { useJobActions } from './job-actions.ts';
import { useJobLook } from './job-words.ts';
import css from './job-row.module.css';

/** What a row of the list holds; the row itself, its keys and its focus are the list's. */
export function JobRow({ job }: { readonly job: JobView }) {
  const t = useText();
  const nowMs = useNow(isTicking(job));
  const waitMs = useWholeWait(job, nowMs);
  const look = useJobLook()(job, nowMs, waitMs);
  const actions = useJobActions()(job);
  const { store } = useTranscribe();
  const isMenuOpen = useTranscribeState(({ overlay }) => overlay.tag === 'menu' && overlay.jobId === job.id);
  const hasQuickCancel = actions.cancel !== null && (actions.main === null || job.state.tag === 'paused');
  const isDraggable = job.state.tag === 'waiting';
  return (
    <div className={css['cells']}>
      <StatusIcon icon={look.icon} tone={look.tone} />
      <div className={css['words']}>
        <div className={css['name']}>
          <span className={css['file']}>{job.name}</span>
          <LanguageTag code={job.language} name={t(`common.languageNames.${job.language}`)} />
          {job.includeSpeakers && (
            <span className={css['speakers']}>
              <Users aria-hidden size={14} strokeWidth={1.75} />
              <VisuallyHidden>{t('transcribe.state.speakersOn')}</VisuallyHidden>
            </span>
          )}
        </div>
        <div className={css['meta']}>
          <span className={cx(css['status'], css[look.tone])}>{look.status}</span>
          {look.facts.map((fact) => (
            <span key={fact} className={css['fact']}>
              {fact}
            </span>
          ))}
        </div>
        {look.explanation && <p className={css['explanation']}>{look.explanation}</p>}
        {look.progress && (
          <ProgressBar className={css['bar']} label={`${job.name}: ${look.status}`} progress={look.progress} />
        )}
      </div>
      <div className={css['actions']}>
        {actions.main && (
          <Button size="sm" {...(actions.main.icon ? { icon: actions.main.icon } : {})} onPress={actions.main.onAction}>
            {actions.main.text}
          </Button>
        )}
        {isDraggable && (
          // The pointer's way only; the keys have Alt with an arrow on the row, and the menu.
          <span
            aria-hidden
            data-drag
            className={css['grip']}
            title={t('transcribe.actions.moveFor', { name: job.name })}
          >
            <GripVertical size={16} strokeWidth={1.75} />
          </span>
        )}
        {actions.pause && job.state.tag === 'uploading' && (
          <IconButton
            size="sm"
            icon={Pause}
            label={t('transcribe.actions.pauseFor', { name: job.name })}
            onPress={actions.pause}
          />
        )}
        {hasQuickCancel && actions.cancel && (
          <IconButton
            size="sm"
            icon={X}
            label={t('transcribe.actions.cancelFor', { name: job.name })}
            onPress={actions.cancel}
          />
        )}
        <Menu
          label={t('transcribe.actions.moreFor', { name: job.name })}
          entries={actions.entries}
          isOpen={isMenuOpen}
          onOpenChange={(isOpen) => {
            if (isOpen) store.show({ tag: 'menu', jobId: job.id });
            else if (store.getState().overlay.tag === 'menu') store.hide();
          }}
          trigger={<IconButton size="sm" icon={Ellipsis} label={t('transcribe.actions.moreFor', { name: job.name })} />}
        />
      </div>
    </div>
  );
}

/** The length of the pause that a row is in, taken when it first showed it. */
function useWholeWait({ state }: JobView, nowMs: number): number {
  const untilMs = state.tag === 'retrying' ? state.untilMs : null;
  const [wait, setWait] = useState({ untilMs, waitMs: untilMs === null ? 0 : untilMs - nowMs });
  if (wait.untilMs !== untilMs) setWait({ untilMs, waitMs: untilMs === null ? 0 : untilMs - nowMs });
  return wait.waitMs;
}
