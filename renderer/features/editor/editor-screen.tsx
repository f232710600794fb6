import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { ArchiveRestore, ChevronLeft, FileX2, Trash2, FileText } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { forgetBegunPeaks } from '../../audio/load-peaks.ts';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { transcriptsQuery, useRestoreTranscript } from '../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PanelBar, PanelTitle } from '../../ui/panel.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { EditorDocument, type EditorStart } from './editor-document.tsx';
import css from './editor-screen.module.css';
import { transcriptQuery } from './queries.ts';
import { DroppedFiles } from './ui/notices.tsx';

const formats: readonly ExportFormat[] = ['txt', 'docx', 'pdf', 'srt', 'vtt', 'json'];

const lineWidths = [62, 71, 48, 66, 57, 74, 43] as const;

export function EditorScreen({ transcriptId, ...start }: EditorStart & { readonly transcriptId: string }) {
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const opened = useQuery(transcriptQuery(studio, transcriptId));
  const listed = useQueryClient().getQueryData(transcriptsQuery(studio).queryKey);
  const title = listed?.find(({ id }) => id === transcriptId)?.title;
  useEffect(() => forgetBegunPeaks, [transcriptId]);
  if (opened.data !== undefined)
    return (
      <>
        <EditorDocument key={transcriptId} detail={opened.data} {...start} />
        <DroppedFiles detail={opened.data} />
      </>
    );
  const failure = failureOf(opened.error);
  const problem = failure === null ? null : words(failure);
  return (
    <div className={css['waiting']}>
      <DroppedFiles detail={null} />
      <PanelBar>
        <IconButton icon={ChevronLeft} label={t('editor.back')} onPress={start.onBack} />
        <PanelTitle>{title ?? t('editor.label')}</PanelTitle>
      </PanelBar>
      {opened.isPending ? (
        <>
          <output className={css['opening']}>
            <Spinner />
            {t('editor.opening')}
          </output>
          <div aria-hidden className={css['skeleton']} data-skeleton>
            {lineWidths.map((width) => (
              <i key={width} style={{ inlineSize: `${String(width)}%` }} />
            ))}
          </div>
        </>
      ) : failure?.code === 'transcript_too_long' ? (
        <LongTranscript transcriptId={transcriptId} failure={failure} />
      ) : failure?.code === 'in_trash' ? (
        <InTrash transcriptId={transcriptId} failure={failure} onRestored={() => void opened.refetch()} />
      ) : (
        <EmptyState
          icon={FileX2}
          title={problem?.title ?? t('editor.openFailed')}
          action={
            <Button variant="primary" isLoading={opened.isFetching} onPress={() => void opened.refetch()}>
              {t('common.retry')}
            </Button>
          }
        >
          {problem?.textAfterTitle ?? t('editor.openFailed')}
        </EmptyState>
      )}
    </div>
  );
}

function InTrash({
  transcriptId,
  failure,
  onRestored,
}: {
  readonly transcriptId: string;
  readonly failure: Failure;
  readonly onRestored: () => void;
}) {
  const t = useText();
  const words = useFailureText();
  const restore = useRestoreTranscript();
  const [refused, setRefused] = useState<Failure | null>(null);
  const [isRestoring, setRestoring] = useState(false);
  const takeOut = async () => {
    setRestoring(true);
    const why = await restore(transcriptId);
    setRestoring(false);
    setRefused(why);
    if (why === null) onRestored();
  };
  return (
    <EmptyState
      icon={Trash2}
      title={words(failure).title}
      action={
        <Button variant="primary" icon={ArchiveRestore} isLoading={isRestoring} onPress={() => void takeOut()}>
          {t('transcripts.restoreAndOpen')}
        </Button>
      }
    >
      {refused === null ? words(failure).textAfterTitle : words(refused).text}
    </EmptyState>
  );
}

function LongTranscript({ transcriptId, failure }: { readonly transcriptId: string; readonly failure: Failure }) {
  const t = useText();
  const words = useFailureText();
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
              onPress={() => save.mutate(format)}
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
