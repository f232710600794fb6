import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { useText } from '../../../lib/text.ts';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { useTranscribe } from '../transcribe-context.ts';
import { useJobActions } from './job-actions.ts';
import { JobRow } from './job-row.tsx';
import css from './queue-list.module.css';

const rowHeight = 57;
/** Rows that notices above the list never squeeze out; then the whole pane scrolls. */
const keptInView = 3;

const nameOf = (job: JobView) => job.name;
const drawRow = (job: JobView) => <JobRow job={job} />;

/** Arrow keys walk the rows, Enter opens, Delete calls off or removes, Shift+F10 or a right click opens the menu. */
export function QueueList({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const actionsOf = useJobActions();
  const { store } = useTranscribe();
  return (
    <RowGrid
      label={t('transcribe.queue')}
      className={css['list']}
      style={{ minBlockSize: Math.min(jobs.length, keptInView) * rowHeight }}
      items={jobs}
      labelOf={nameOf}
      estimatedRowHeight={rowHeight}
      onOpen={(job) => {
        const { open } = actionsOf(job);
        if (open) open();
        else store.show({ tag: 'details', jobId: job.id });
      }}
      onMenu={(job) => {
        store.show({ tag: 'menu', jobId: job.id });
      }}
      onKey={({ key }, job) => {
        if (key !== 'Delete') return false;
        const { remove, cancel } = actionsOf(job);
        (remove ?? cancel)?.();
        return true;
      }}
    >
      {drawRow}
    </RowGrid>
  );
}
