import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, FileX2 } from 'lucide-react';
import { failureOf } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { EditorDocument, type EditorStart } from './editor-document.tsx';
import css from './editor-screen.module.css';
import { transcriptQuery } from './queries.ts';
import { isTooLong, LongTranscript } from './ui/long-transcript.tsx';

export interface EditorScreenProps extends EditorStart {
  readonly transcriptId: string;
}

/** One transcript: opened here, read and heard in `EditorDocument`. */
export function EditorScreen({ transcriptId, ...start }: EditorScreenProps) {
  const t = useText();
  const words = useFailureWords();
  const opened = useQuery(transcriptQuery(useStudio(), transcriptId));
  if (opened.data !== undefined) return <EditorDocument key={transcriptId} detail={opened.data} {...start} />;
  const failure = failureOf(opened.error);
  const said = failure === null ? null : words(failure);
  return (
    <div className={css['waiting']}>
      <header className={css['bar']}>
        <IconButton icon={ChevronLeft} label={t('editor.back')} onPress={start.onBack} />
        <h1 className={css['title']}>{t('editor.label')}</h1>
      </header>
      {opened.isPending ? (
        <output className={css['opening']}>
          <Spinner />
          {t('editor.opening')}
        </output>
      ) : failure !== null && isTooLong(failure) ? (
        <LongTranscript transcriptId={transcriptId} failure={failure} />
      ) : (
        <EmptyState
          icon={FileX2}
          title={said?.title ?? t('editor.openFailed')}
          action={
            <Button
              variant="primary"
              isLoading={opened.isFetching}
              onPress={() => {
                void opened.refetch();
              }}
            >
              {t('common.retry')}
            </Button>
          }
        >
          {said?.textAfterTitle ?? t('editor.openFailed')}
        </EmptyState>
      )}
    </div>
  );
}
