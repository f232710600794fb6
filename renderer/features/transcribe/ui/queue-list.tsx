import { useEffect, useRef } from 'react';
import { GridList, ListLayout, Virtualizer } from 'react-aria-components';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { useTranscribe } from '../transcribe-context.ts';
import { useJobActions } from './job-actions.ts';
import { JobRow } from './job-row.tsx';
import css from './queue-list.module.css';

const drawnAtOnce = 100;
/** Rows that notices above the list never squeeze out; then the whole pane scrolls. */
const keptInView = 3;
const rowSizes = { estimatedRowSize: 62 };

/** Arrow keys walk the rows, Enter opens, Delete calls off or removes, Shift+F10 or a right click opens the menu. */
export function QueueList({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const actionsOf = useJobActions();
  const { store } = useTranscribe();
  const list = useRowKeys(jobs, {
    onDelete: (job) => {
      const { remove, cancel } = actionsOf(job);
      (remove ?? cancel)?.();
    },
    onMenu: (job) => {
      store.show({ tag: 'menu', jobId: job.id });
    },
  });
  const rows = (
    <GridList
      ref={list}
      aria-label={t('transcribe.queue')}
      className={css['list'] ?? ''}
      style={{ minBlockSize: Math.min(jobs.length, keptInView) * 58 }}
      items={jobs}
      onAction={(key) => {
        const job = jobs.find(({ id }) => id === key);
        if (job === undefined) return;
        const { open } = actionsOf(job);
        if (open) open();
        else store.show({ tag: 'details', jobId: job.id });
      }}
    >
      {(job) => <JobRow job={job} />}
    </GridList>
  );
  return jobs.length > drawnAtOnce ? (
    <Virtualizer layout={ListLayout} layoutOptions={rowSizes} shouldObserveItemSize>
      {rows}
    </Virtualizer>
  ) : (
    rows
  );
}

interface RowKeys {
  readonly onDelete: (job: JobView) => void;
  readonly onMenu: (job: JobView) => void;
}

/** Keys that the list primitive leaves free; the row is found by the key it carries in the page. */
function useRowKeys(jobs: readonly JobView[], keys: RowKeys) {
  const list = useRef<HTMLDivElement>(null);
  const latest = useRef({ jobs, keys });
  useEffect(() => {
    latest.current = { jobs, keys };
  });
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const jobAt = (target: EventTarget | null) => {
      const row = target instanceof Element ? target.closest('[role="row"]') : null;
      const key = row instanceof HTMLElement ? row.dataset['key'] : undefined;
      return latest.current.jobs.find(({ id }) => id === key);
    };
    scope.listen<KeyboardEvent>(element, 'keydown', (event) => {
      const job = event.key === 'Delete' ? jobAt(event.target) : undefined;
      if (job === undefined) return;
      event.preventDefault();
      latest.current.keys.onDelete(job);
    });
    scope.listen<MouseEvent>(element, 'contextmenu', (event) => {
      const job = jobAt(event.target);
      if (job === undefined) return;
      event.preventDefault();
      latest.current.keys.onMenu(job);
    });
    return () => {
      scope.dispose();
    };
  }, []);
  return list;
}
