import { Check, CircleAlert } from 'lucide-react';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import type { useStorage } from '../model/use-storage.ts';
import css from './settings-pages.module.css';

/** The result of the last removal: freed, or refused with the reason. */
export function StorageNews({ storage }: { readonly storage: ReturnType<typeof useStorage> }) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const { failure, freedBytes } = storage;
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
