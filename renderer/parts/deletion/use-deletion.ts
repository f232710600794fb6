import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../shared/result/failure.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useText } from '../../lib/text.ts';
import { transcriptListKey } from '../transcripts/transcripts-query.ts';
import { useToast } from '../../ui/toast.tsx';
import { useUndoNotice } from '../../ui/notices.ts';

/** The part of a transcript that deleting needs. */
export interface DeletableTranscript {
  readonly id: string;
  readonly title: string;
}

/** Deletes for good, and offers undo for a moment. */
export function useDeletion() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const [failure, setFailure] = useState<Failure | null>(null);

  const restore = async ({ id, title }: DeletableTranscript) => {
    const answer = await studio.request('transcripts.restore', { transcriptId: id });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    showToast({ text: t(answer.ok && answer.value.isRestored ? 'deletion.undone' : 'deletion.late', { title }) });
  };
  /** Whether it is gone. */
  const remove = async (transcript: DeletableTranscript, atService: boolean): Promise<boolean> => {
    setFailure(null);
    const answer = await studio.request('transcripts.delete', { transcriptId: transcript.id, atService });
    if (!answer.ok) {
      setFailure(answer.error);
      return false;
    }
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    showUndo({
      text: t('deletion.done', { title: transcript.title }),
      shownForMs: answer.value.undoMs,
      undo: () => void restore(transcript),
    });
    return true;
  };
  return { remove, failure };
}
