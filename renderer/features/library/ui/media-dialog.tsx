import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDownWideNarrow, FolderSearch } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { libraryKinds } from '../../../../shared/domain/library/library-item.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useLibraryContext } from '../library-context.ts';
import type { ListedItem } from '../model/library-view.ts';
import { useMissing } from '../queries.ts';
import css from './dialogs.module.css';

interface Finding {
  readonly checkedCount: number;
  readonly totalCount: number;
  readonly foundCount: number;
  readonly isOver: boolean;
  readonly failure: Failure | null;
}

const bytesOf = (items: readonly ListedItem[]): number =>
  items.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);

export function MediaDialog({ onClose, onLargest }: { readonly onClose: () => void; readonly onLargest: () => void }) {
  const t = useText();
  const { items } = useLibraryContext();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureText();
  const use = useQuery({
    queryKey: ['storage', 'use'],
    queryFn: () => valueOrThrow(studio.request('storage.describe', {})),
    retry: false,
  });
  const kept = items.filter(({ trashedAtMs }) => trashedAtMs === null);
  const trashed = items.filter(({ trashedAtMs }) => trashedAtMs !== null);
  const prepared = use.data?.parts.find(({ part }) => part === 'prepared');
  const cleaning = useMutation({
    mutationFn: () => valueOrThrow(studio.request('storage.clean', { part: 'prepared' })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['storage'] }),
  });
  const { data: silent = [] } = useMissing();
  const missing = silent.filter(({ isMoved }) => isMoved);
  const without = silent.filter(({ isMoved }) => !isMoved);
  const { finding, find, failure: notBegun } = useFinding();
  const locating = useMutation({
    mutationFn: async (transcriptId: string) => {
      const located = await valueOrThrow(studio.request('transcripts.locateMedia', { transcriptId, token: null }));
      return located.failure;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: transcriptListKey }),
  });
  const titles = new Map(items.flatMap((item) => (item.kind === 'transcript' ? [[item.id, item.title] as const] : [])));
  const failure = notBegun ?? finding?.failure ?? locating.data ?? failureOf(locating.error ?? cleaning.error);
  const isFinding = finding !== null && !finding.isOver;
  const silentRow = (action: 'library.media.choose' | 'library.attach') =>
    function SilentRow({ id, name, sizeBytes, isMoved }: (typeof silent)[number]) {
      return (
        <DialogRow
          key={id}
          title={titles.get(id) ?? name}
          note={[name, ...(isMoved && sizeBytes > 0 ? [formats.bytes(sizeBytes)] : [])].join(', ')}
        >
          <Button size="sm" isDisabled={locating.isPending} onPress={() => locating.mutate(id)}>
            {t(action)}
          </Button>
        </DialogRow>
      );
    };
  return (
    <Dialog
      isOpen
      title={t('library.media.title')}
      onClose={onClose}
      footer={
        <>
          {kept.length > 1 && (
            <Button variant="ghost" icon={ArrowDownWideNarrow} onPress={onLargest}>
              {t('library.media.largest')}
            </Button>
          )}
          <Button onPress={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <h3 className={css['section']}>{t('library.media.room')}</h3>
      <ul className={css['rows']}>
        {libraryKinds
          .map((kind) => ({ kind, ofKind: kept.filter((item) => item.kind === kind && (item.sizeBytes ?? 0) > 0) }))
          .filter(({ ofKind }) => ofKind.length > 0)
          .map(({ kind, ofKind }) => (
            <DialogRow
              key={kind}
              title={kind === 'transcript' ? t('library.media.recordings') : t(`library.kind.${kind}`)}
              note={`${t('library.items', { count: ofKind.length })}${kind === 'transcript' ? `, ${t('library.media.yourFiles')}` : ''}`}
            >
              <span className="digits muted">{formats.bytes(bytesOf(ofKind))}</span>
            </DialogRow>
          ))}
        {trashed.length > 0 && (
          <DialogRow title={t('library.trash')} note={t('library.items', { count: trashed.length })}>
            <span className="digits muted">{formats.bytes(bytesOf(trashed))}</span>
          </DialogRow>
        )}
        {prepared !== undefined && prepared.bytes > 0 && (
          <DialogRow
            title={t('library.media.extracted')}
            note={t('library.media.removable', { size: formats.bytes(prepared.removableBytes) })}
          >
            <span className="digits muted">{formats.bytes(prepared.bytes)}</span>
            <Button
              size="sm"
              isDisabled={prepared.removableBytes === 0}
              isLoading={cleaning.isPending}
              onPress={() => cleaning.mutate()}
            >
              {t('library.media.clean')}
            </Button>
          </DialogRow>
        )}
      </ul>
      {missing.length > 0 && (
        <h3 className={css['section']}>{t('library.media.missing', { count: missing.length })}</h3>
      )}
      {failure && (
        <p role="alert" className={css['failure']}>
          {words(failure).text}
        </p>
      )}
      <p className={css['lead']}>{t(missing.length === 0 ? 'library.media.allThere' : 'library.media.findText')}</p>
      <div aria-live="polite" className={css['progress']}>
        {finding !== null && (
          <>
            <span>
              {t(finding.isOver ? 'library.media.found' : 'library.media.looking', {
                count: finding.foundCount,
                checked: formats.number(finding.checkedCount),
                total: formats.number(finding.totalCount),
              })}
            </span>
            {isFinding && (
              <ProgressBar
                label={t('library.media.search')}
                progress={{ tag: 'determinate', fraction: finding.checkedCount / Math.max(1, finding.totalCount) }}
              />
            )}
          </>
        )}
      </div>
      {isFinding ? (
        <Button onPress={() => void studio.request('library.stopFinding', {})}>{t('library.media.stop')}</Button>
      ) : (
        missing.length > 0 && (
          <Button icon={FolderSearch} onPress={() => void find()}>
            {t('library.media.search')}
          </Button>
        )
      )}
      <ul className={css['rows']}>{missing.map(silentRow('library.media.choose'))}</ul>
      {without.length > 0 && (
        <>
          <h3 className={css['section']}>{t('library.media.without', { count: without.length })}</h3>
          <ul className={css['rows']}>{without.map(silentRow('library.attach'))}</ul>
        </>
      )}
    </Dialog>
  );
}

function useFinding() {
  const studio = useStudio();
  const queries = useQueryClient();
  const [finding, setFinding] = useState<Finding | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(
    () =>
      studio.subscribe('library.finding', (progress) => {
        setFinding(progress);
        if (progress.isOver) void queries.invalidateQueries({ queryKey: transcriptListKey });
      }),
    [studio, queries],
  );
  const find = async () => {
    setFailure(null);
    const answer = await studio.request('library.findRecordings', {});
    if (!answer.ok) setFailure(answer.error);
  };
  return { finding, find, failure };
}

interface DialogRowProps {
  readonly title: ReactNode;
  readonly note: string;
  readonly children: ReactNode;
}

export function DialogRow({ title, note, children }: DialogRowProps) {
  return (
    <li>
      <span className="grid fill">
        <b className="cut medium">{title}</b>
        <span className="small muted">{note}</span>
      </span>
      {children}
    </li>
  );
}
