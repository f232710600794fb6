import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { StorageUse } from '../../../bridge/types.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { SettingRow } from './settings-group.tsx';
import css from './settings-pages.module.css';

export type CleanablePart = 'prepared' | 'backups' | 'practice' | 'peaks' | 'log';

export function useStorage() {
  const studio = useStudio();
  const queries = useQueryClient();
  const query = queryOptions({
    queryKey: ['storage'],
    queryFn: async (): Promise<StorageUse> => valueOrThrow(studio.request('storage.describe', {})),
    retry: false,
  });
  const { data, error } = useQuery(query);
  const [cleaning, setCleaning] = useState<CleanablePart | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [freedBytes, setFreedBytes] = useState<number | null>(null);
  const clean = async (part: CleanablePart) => {
    setCleaning(part);
    setFailure(null);
    setFreedBytes(null);
    const answer = await studio.request('storage.clean', { part });
    if (answer.ok) {
      const { freedBytes: freed, ...use } = answer.value;
      queries.setQueryData(query.queryKey, use);
      setFreedBytes(freed);
    } else setFailure(answer.error);
    setCleaning(null);
  };
  const openFolder = async () => {
    const answer = await studio.request('storage.openFolder', {});
    setFailure(answer.ok ? null : answer.error);
  };
  return { use: data ?? null, failure: failure ?? failureOf(error), freedBytes, cleaning, clean, openFolder };
}

type Storage = ReturnType<typeof useStorage>;

export const removableOf = (use: StorageUse | null, part: CleanablePart): number =>
  use?.parts.find((one) => one.part === part)?.removableBytes ?? 0;

export function CleanRow({ part, storage }: { readonly part: CleanablePart; readonly storage: Storage }) {
  const t = useText();
  const formats = useFormats();
  const [isAsking, setIsAsking] = useState(false);
  const bytes = removableOf(storage.use, part);
  const title = t(`settings.storage.${part}.title`);
  const nothing = t('settings.storage.nothing');
  const remove = t('settings.storage.removeQuestion');
  return (
    <SettingRow label={title} hint={t(`settings.storage.${part}.hint`, { size: formats.bytes(bytes) })}>
      <Button
        label={bytes === 0 ? `${nothing}: ${title}` : `${remove} ${title}`}
        isDisabled={bytes === 0}
        isLoading={storage.cleaning === part}
        onPress={() => setIsAsking(true)}
      >
        {bytes === 0 ? nothing : remove}
      </Button>
      <Question
        isDanger
        title={t(`settings.storage.${part}.question`)}
        confirm={t(part === 'practice' ? 'settings.storage.practice.confirm' : 'settings.storage.remove')}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void storage.clean(part)}
      >
        {t(`settings.storage.${part}.text`)}
      </Question>
    </SettingRow>
  );
}

export function StorageNews({ storage: { failure, freedBytes } }: { readonly storage: Storage }) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  return (
    <div className={css['storageNews']}>
      {failure && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).text}
        </Banner>
      )}
      <output className={css['freed']}>
        {freedBytes !== null && (
          <>
            <Check aria-hidden size={16} strokeWidth={1.75} />
            {t('settings.storage.freed', { size: formats.bytes(freedBytes) })}
          </>
        )}
      </output>
    </div>
  );
}
