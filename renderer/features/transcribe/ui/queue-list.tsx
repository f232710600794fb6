import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { jobsQuery } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useText } from '../../../lib/text.ts';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { isMovable, lineOf, type QueueItem } from '../model/queue-order.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import { useJobActions } from './job-actions.ts';
import { JobRow } from './job-row.tsx';
import css from './queue-list.module.css';
import { DraggedRow, useRowDrag } from './use-row-drag.ts';
import { useRowMove } from './use-row-move.ts';

const rowHeight = 41;
/** The number of rows that notices above the list leave visible; with less room the whole pane scrolls. */
const keptInView = 4;

const titleOf = ({ title }: QueueItem) => title;
const drawRow = (item: QueueItem) => <JobRow item={item} />;

/**
 * The list of jobs. Arrow keys move between rows, Enter opens, Space selects, Delete cancels or removes the selection
 * or else the focused row, Alt with an arrow key moves a waiting row, Shift+F10 or a right click opens the menu.
 * Waiting rows can be dragged by their handle.
 */
export function QueueList({ items }: { readonly items: readonly QueueItem[] }) {
  const t = useText();
  const actionsOf = useJobActions();
  const { store, deleteRows } = useTranscribe();
  const studio = useStudio();
  const queries = useQueryClient();
  const move = useRowMove();
  const selectedIds = useTranscribeState((state) => state.selectedIds);
  const isInLine = useTranscribeState(({ order }) => order === 'queue');
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRowDrag(frame, {
    line: useCallback(
      () => lineOf(queries.getQueryData(jobsQuery(studio).queryKey)?.jobs ?? []).map(({ id }) => id),
      [queries, studio],
    ),
    onMove: useCallback(
      (jobId: string, beforeId: string | null) => {
        store.sortBy('queue');
        void store.move([jobId], beforeId);
      },
      [store],
    ),
  });
  const selection = useMemo(() => ({ ids: selectedIds, onChange: store.select }), [selectedIds, store]);
  return (
    <div ref={frame} className={css['frame']} data-dragging={drag === null ? undefined : ''}>
      <DraggedRow value={drag?.jobId ?? null}>
        <RowGrid
          label={t('transcribe.queue')}
          className={css['list']}
          style={{ minBlockSize: Math.min(items.length, keptInView) * rowHeight }}
          items={items}
          labelOf={titleOf}
          estimatedRowHeight={rowHeight}
          selection={selection}
          onOpen={({ job }) => {
            const { open, main } = actionsOf(job);
            if (open) open();
            else if (main?.id === 'open-earlier') main.onAction();
            else store.show({ tag: 'details', jobId: job.id });
          }}
          onMenu={({ job }) => {
            store.show({ tag: 'menu', jobId: job.id });
          }}
          onKey={({ key, altKey }, { job }) => {
            if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
              if (!isMovable(job)) return true;
              if (!isInLine) store.sortBy('queue');
              void move(job, key === 'ArrowUp' ? -1 : 1);
              return true;
            }
            if (key !== 'Delete') return false;
            const ticked = items.filter(({ id }) => selectedIds.has(id));
            const { remove, cancel } = actionsOf(job);
            if (ticked.length > 0) deleteRows(ticked.map(({ id }) => id));
            else (remove ?? cancel)?.();
            return true;
          }}
        >
          {drawRow}
        </RowGrid>
      </DraggedRow>
      {drag && <div aria-hidden className={css['mark']} style={{ insetBlockStart: drag.markAt }} />}
      {drag && (
        <div aria-hidden className={css['taken']} style={{ insetBlockStart: drag.pointerAt }}>
          {items.find(({ job }) => job.id === drag.jobId)?.title}
        </div>
      )}
    </div>
  );
}
