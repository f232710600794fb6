import { Check, Ellipsis, RotateCw, Trash2, X } from 'lucide-react';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { shownJobs } from '../model/queue-order.ts';
import { isCancellable } from '../model/selectors.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';

const isEnded = ({ state: { tag } }: JobView): boolean => tag === 'done' || tag === 'cancelled';
const isFailed = ({ state: { tag } }: JobView): boolean => tag === 'failed';
const idsOf = (jobs: readonly JobView[]): readonly string[] => jobs.map(({ id }) => id);

/** Actions for many rows at once. */
export function QueueMenu({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const { store, removeRows, cancelRows } = useTranscribe();
  const filter = useTranscribeState((state) => state.filter);
  const order = useTranscribeState((state) => state.order);
  const failed = jobs.filter(isFailed);
  const open = jobs.filter(isCancellable);
  const ended = jobs.filter(isEnded);
  const entries: readonly MenuEntry[] = [
    {
      id: 'select-all',
      text: t('transcribe.selection.all'),
      icon: Check,
      onAction: () => {
        store.select(new Set(idsOf(shownJobs(jobs, filter, order))));
      },
    },
    {
      id: 'retry-failed',
      text: t('transcribe.batch.retryFailed'),
      icon: RotateCw,
      isDisabled: failed.length === 0,
      onAction: () => void store.actOn(idsOf(failed), 'retry'),
    },
    {
      id: 'remove-ended',
      text: t('transcribe.batch.removeEnded'),
      icon: Trash2,
      isDisabled: ended.length === 0,
      onAction: () => {
        removeRows(idsOf(ended));
      },
    },
    {
      id: 'cancel-all',
      text: t('transcribe.batch.cancelAll'),
      icon: X,
      isDanger: true,
      isDisabled: open.length === 0,
      onAction: () => {
        cancelRows(idsOf(open));
      },
    },
  ];
  return (
    <Menu
      label={t('transcribe.batch.more')}
      entries={entries}
      trigger={<IconButton size="sm" icon={Ellipsis} label={t('transcribe.batch.more')} />}
    />
  );
}
