import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CloudOff, Download } from 'lucide-react';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { DialogState } from './dialog-state.tsx';
import css from './dialogs.module.css';

/**
 * Transcripts that the service has for this account and this computer lacks; they can be imported one by one or all at
 * once.
 */
export function RemoteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['library-remote'],
    queryFn: async () => {
      const compared = await valueOrThrow(studio.request('library.remote', {}));
      // The answer also includes what was deleted at the service.
      void queries.invalidateQueries({ queryKey: transcriptListKey });
      return compared;
    },
    retry: false,
    gcTime: 0,
  });
  const bringing = useMutation({
    mutationFn: async (remoteIds: readonly string[]) => {
      for (const remoteId of remoteIds) {
        // oxlint-disable-next-line no-await-in-loop -- each import stands, whatever happens to the next
        await valueOrThrow(studio.request('library.bringIn', { remoteId }));
        queries.setQueryData<typeof data>(
          ['library-remote'],
          (now) => now && { ...now, items: now.items.filter((item) => item.remoteId !== remoteId) },
        );
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: transcriptListKey }),
  });
  const failure = failureOf(error) ?? failureOf(bringing.error);
  const items = data?.items ?? [];
  const ready = items.filter(({ isReady }) => isReady);
  return (
    <Dialog
      isOpen
      title={t('library.remote.title')}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.close')}</Button>
          {ready.length > 1 && (
            <Button
              variant="primary"
              icon={Download}
              isLoading={bringing.isPending}
              onPress={() => {
                bringing.mutate(ready.map(({ remoteId }) => remoteId));
              }}
            >
              {t('library.remote.bringAll', { count: ready.length })}
            </Button>
          )}
        </>
      }
    >
      {items.length > 0 && <p className={css['lead']}>{t('library.remote.text')}</p>}
      {data !== undefined && data.deletedCount > 0 && (
        <p className={css['note']}>{t('library.remote.deleted', { count: data.deletedCount })}</p>
      )}
      {data?.isWhole === false && <p className={css['note']}>{t('library.remote.notWhole')}</p>}
      <DialogState
        failure={failure}
        waiting={isPending ? t('library.remote.asking') : null}
        onRetry={error === null ? null : () => void refetch()}
      />
      {data !== undefined && items.length === 0 && (
        <EmptyState icon={CloudOff} title={t('library.remote.none')}>
          {t('library.remote.noneText')}
        </EmptyState>
      )}
      <ul className={css['rows']}>
        {items.map((item) => {
          const name = item.title === '' ? t('library.untitled.transcript') : item.title;
          const facts = [
            ...(item.createdAtMs === null ? [] : [formats.date(item.createdAtMs)]),
            ...(item.durationMs === null ? [] : [formats.clock(item.durationMs)]),
            ...(item.isReady ? [] : [t('library.remote.working')]),
          ];
          return (
            <li key={item.remoteId}>
              <span className={css['name']}>
                <b>{name}</b>
                <span>{facts.join(', ')}</span>
              </span>
              {item.language && <LanguageTag code={item.language} name={t(`common.languageNames.${item.language}`)} />}
              <Button
                size="sm"
                isDisabled={!item.isReady || bringing.isPending}
                onPress={() => {
                  bringing.mutate([item.remoteId]);
                }}
              >
                {t('library.remote.bring')}
              </Button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
