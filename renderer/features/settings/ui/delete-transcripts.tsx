import { queryOptions, useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { valueOrThrow } from '../../../bridge/ask.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { DeleteQuestion } from '../../../deletion/delete-question.tsx';
import { transcriptListKey, type DeletableTranscript } from '../../../deletion/use-deletion.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import css from './delete-transcripts.module.css';
import { SettingRow } from './settings-group.tsx';

const transcriptsQuery = (studio: StudioClient) =>
  queryOptions({
    queryKey: transcriptListKey,
    queryFn: async () => (await valueOrThrow(studio.request('transcripts.list', {}))).transcripts,
    retry: false,
  });

type Step = { readonly tag: 'closed' | 'list' } | { readonly tag: 'asking'; readonly transcript: DeletableTranscript };

/** One transcript of the open library, gone for good: it is chosen, then asked about, then it can be undone for a moment. */
export function DeleteTranscripts() {
  const t = useText();
  const [step, setStep] = useState<Step>({ tag: 'closed' });
  const show = (tag: 'closed' | 'list') => () => {
    setStep({ tag });
  };
  return (
    <SettingRow label={t('deletion.title')} hint={t('deletion.hint')}>
      <Button onPress={show('list')}>{t('deletion.open')}</Button>
      {step.tag === 'list' && (
        <Chooser
          onClose={show('closed')}
          onChoose={(transcript) => {
            setStep({ tag: 'asking', transcript });
          }}
        />
      )}
      {step.tag === 'asking' && (
        <DeleteQuestion transcript={step.transcript} onClose={show('list')} onDeleted={show('list')} />
      )}
    </SettingRow>
  );
}

function Chooser({
  onClose,
  onChoose,
}: {
  readonly onClose: () => void;
  readonly onChoose: (transcript: DeletableTranscript) => void;
}) {
  const t = useText();
  const formats = useFormats();
  const { data } = useQuery(transcriptsQuery(useStudio()));
  const [query, setQuery] = useState('');
  const wanted = foldText(query.trim()).text;
  const shown = data?.filter(({ title, sourceName }) => foldText(`${title} ${sourceName}`).text.includes(wanted));
  return (
    <Dialog isOpen width="md" title={t('deletion.dialog')} closeLabel={t('common.close')} onClose={onClose}>
      <div className={css['chooser']}>
        <Field label={t('deletion.find')} type="search" value={query} onChange={setQuery} />
        <output className={css['said']}>
          {data?.length === 0 ? t('deletion.none') : shown?.length === 0 ? t('deletion.nothingFound') : ''}
        </output>
        <ul aria-label={t('deletion.list')} className={css['list']}>
          {shown?.map(({ id, title, createdAtMs }) => (
            <li key={id} className={css['line']}>
              <span className={css['title']}>{title}</span>
              <span className={css['date']}>{formats.date(createdAtMs)}</span>
              <Button
                size="sm"
                icon={Trash2}
                label={t('deletion.deleteOne', { title })}
                onPress={() => {
                  onChoose({ id, title });
                }}
              >
                {t('deletion.delete')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
