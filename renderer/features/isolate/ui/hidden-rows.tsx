import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useIsolate } from '../isolate-store.ts';
import css from './more.module.css';

/** Hiding also hides results at the service; their audio stays on this computer. */
export function HiddenRows({ listed }: { readonly listed: number }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const store = useIsolate();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const queryKey = ['isolation', 'hidden'];
  const { data } = useQuery({
    // Refetch whenever the list changes, because that hides and shows rows.
    queryKey: [...queryKey, listed],
    queryFn: () => valueOrThrow(studio.request('isolation.hidden', {})),
    retry: false,
    placeholderData: (before) => before,
  });
  const rows = data?.jobs ?? [];
  if (rows.length === 0 && !isOpen) return null;
  const show = async (jobId: string) => {
    await store.ask('isolation.unhide', { jobIds: [jobId] });
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <div className="above">
      <Button size="sm" variant="ghost" icon={Eye} onPress={() => setOpen(true)}>
        {t('isolate.hiddenRows.open', { count: rows.length })}
      </Button>
      <Dialog
        title={t('isolate.hiddenRows.title')}
        closeLabel={t('common.close')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <p className={css['hint']}>{t('isolate.hiddenRows.text')}</p>
        {rows.length === 0 && <p>{t('isolate.hiddenRows.none')}</p>}
        <ul>
          {rows.map(({ jobId, name, durationMs }) => (
            <li key={jobId} className={css['hiddenRow']}>
              <span className="cut" title={name}>
                {name}
              </span>
              <span>{durationMs === null ? '' : formats.clock(durationMs)}</span>
              <Button size="sm" label={t('isolate.hiddenRows.showName', { name })} onPress={() => void show(jobId)}>
                {t('isolate.hiddenRows.show')}
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    </div>
  );
}
