import { useMutation } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { ExportFormat } from '../../../../shared/domain/exports/formats.ts';
import css from './long-transcript.module.css';

const formats: readonly ExportFormat[] = ['txt', 'docx', 'pdf', 'srt', 'vtt', 'json'];

export const isTooLong = (failure: Failure | null): boolean => failure?.code === 'transcript_too_long';

/** A text with more words than the editor can hold: it says so and offers the files. */
export function LongTranscript({
  transcriptId,
  failure,
}: {
  readonly transcriptId: string;
  readonly failure: Failure;
}) {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const save = useMutation({
    mutationFn: (format: ExportFormat) =>
      valueOrThrow(
        studio.request('exports.save', { transcriptId, format, options: {}, source: 'studio', place: 'ask' }),
      ),
  });
  const refused = failureOf(save.error);
  const problem = words(failure);
  const savedAs = save.data?.savedAs ?? null;
  return (
    <EmptyState
      icon={FileText}
      title={problem.title}
      action={
        <div className={css['formats']}>
          {formats.map((format) => (
            <Button
              key={format}
              isLoading={save.isPending && save.variables === format}
              isDisabled={save.isPending && save.variables !== format}
              onPress={() => {
                save.mutate(format);
              }}
            >
              {t('exports.saveAs', { format })}
            </Button>
          ))}
        </div>
      }
    >
      {problem.text}
      {savedAs !== null && <output className={css['saved']}>{t('exports.saved', { name: savedAs })}</output>}
      {save.isError && (
        <span role="alert" className={css['failed']}>
          {refused === null ? t('exports.failed') : words(refused).text}
        </span>
      )}
    </EmptyState>
  );
}
