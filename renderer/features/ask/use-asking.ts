import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { AskTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import type { Citation } from '../../../shared/domain/assistant/ask-messages.ts';
import type { ExchangeView } from '../../bridge/types.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { transcriptListKey } from '../../parts/transcripts/transcripts-query.ts';

export interface QuestionToAsk {
  readonly conversationId: string | null;
  readonly transcriptIds: readonly string[];
  readonly task: AskTask;
  readonly question: string;
  /** Tokens of attached files. */
  readonly files: readonly string[];
  readonly model: string;
  readonly title: string;
  readonly again: string | null;
}

/** The answer that is arriving now. */
export interface Arriving {
  readonly exchange: ExchangeView;
  readonly text: string;
  readonly citations: readonly Citation[];
}

/** Asks one question at a time and holds its answer while it arrives; main stores it whatever happens here. */
export function useAsking(onConversation: (id: string) => void) {
  const studio = useStudio();
  const queries = useQueryClient();
  const [arriving, setArriving] = useState<Arriving | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const isBusy = useRef(false);

  const ask = useCallback(
    /** Whether the question was accepted; its text may then be cleared. */
    async ({ transcriptIds, files, ...wanted }: QuestionToAsk, onTaken: () => void): Promise<void> => {
      if (isBusy.current) return;
      isBusy.current = true;
      setIsAsking(true);
      setRefusal(null);
      const opened = await studio.open('ask.answer', {
        ...wanted,
        transcriptIds: [...transcriptIds],
        files: [...files],
      });
      let failure = opened.ok ? null : opened.error;
      if (opened.ok) {
        for await (const message of opened.value.incoming) {
          if (message.kind === 'began') {
            onTaken();
            // What came of a task over all lines before is kept, and the rest follows it.
            const { answer, citations } = message.exchange;
            setArriving({ exchange: message.exchange, text: answer, citations });
            if (wanted.conversationId === null) onConversation(message.exchange.conversationId);
            void queries.invalidateQueries({ queryKey: transcriptListKey });
          } else if (message.kind === 'text')
            setArriving(
              (now) =>
                now && {
                  ...now,
                  text: now.text + message.piece,
                  citations: message.citations ?? now.citations,
                },
            );
        }
        const ended = await opened.value.ended;
        failure = ended.ok ? null : ended.error;
      }
      await queries.invalidateQueries({ queryKey: transcriptListKey });
      // Declining the spend limit question needs no error message.
      setRefusal(failure !== null && failure.code === 'cancelled' ? null : failure);
      setArriving(null);
      setIsAsking(false);
      isBusy.current = false;
    },
    [studio, queries, onConversation],
  );

  const stop = useCallback((exchangeId: string) => void studio.request('ask.stop', { exchangeId }), [studio]);
  return { ask, stop, arriving, isAsking, refusal };
}
