import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { acceptListed, compareHeard, type HeardChange } from '../../../../../shared/domain/transcript/heard-again.ts';
import type { TimeSpan, Word } from '../../../../../shared/domain/transcript/transcript.ts';
import type { Failure } from '../../../../../shared/result/failure.ts';
import { readSpan } from '../../../../audio/decoding/read-span.ts';
import { failureOf, valueOrThrow } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useStoredDocument, useEditor } from '../../editor-context.ts';

/** `asking` for an earlier result, `ready` to be sent, under way, or `heard`. */
export type ListenPhase = 'asking' | 'ready' | 'reading' | 'listening' | 'heard';

export interface Listening {
  readonly phase: ListenPhase;
  /** It was heard before and costs nothing. */
  readonly isKept: boolean;
  /** What is not accepted or declined yet. */
  readonly changes: readonly HeardChange[];
  readonly acceptedCount: number;
  readonly failure: Failure | null;
  /** Shown once: the user did not want to pay, or the audio can't be read here. */
  readonly notice: 'declined' | 'unreadable' | null;
  readonly start: () => void;
  readonly accept: (changes: readonly HeardChange[]) => void;
  readonly decline: (change: HeardChange) => void;
}

/** Recognises a span of the opened recording again, and keeps the result next to the text. */
export function useListenAgain(span: TimeSpan): Listening {
  const studio = useStudio();
  const queries = useQueryClient();
  const { detail, storedDocument: text } = useEditor();
  const transcript = useStoredDocument((state) => state.transcript);
  const [declined, setDeclined] = useState<ReadonlySet<string>>(new Set());
  const [acceptedCount, setAcceptedCount] = useState(0);
  const [step, setStep] = useState<'reading' | 'listening'>('reading');
  const asked = {
    transcriptId: detail.id,
    startMs: span.startMs,
    endMs: span.endMs,
    language: detail.transcript.language,
  };
  const key = ['heard-again', detail.id, span.startMs, span.endMs];
  const kept = useQuery({
    queryKey: key,
    queryFn: async () => (await valueOrThrow(studio.request('transcripts.listenAgain', { ...asked, pcm: null }))).words,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const listen = useMutation({
    mutationFn: async (): Promise<readonly Word[] | 'declined' | 'unreadable'> => {
      setStep('reading');
      const { mediaUrl } = detail;
      const pcm = mediaUrl === null ? null : await readSpan(mediaUrl, span.startMs, span.endMs).catch(() => null);
      if (pcm === null) return 'unreadable';
      setStep('listening');
      return (await valueOrThrow(studio.request('transcripts.listenAgain', { ...asked, pcm }))).words ?? 'declined';
    },
    onSuccess: (heard) => {
      if (typeof heard !== 'string') queries.setQueryData(key, heard);
    },
  });
  const words = kept.data ?? null;
  const changes = useMemo(
    () => (words === null ? [] : compareHeard(transcript, span, words).filter((one) => !declined.has(one.key))),
    [words, transcript, span, declined],
  );
  const phase = listen.isPending ? step : words !== null ? 'heard' : kept.isPending ? 'asking' : 'ready';
  return {
    phase,
    isKept: words !== null && typeof listen.data !== 'object',
    changes,
    acceptedCount,
    failure: failureOf(listen.error) ?? failureOf(kept.error),
    notice: typeof listen.data === 'string' ? listen.data : null,
    start: () => {
      listen.mutate();
    },
    accept(chosen) {
      text.endStep();
      const comparison = { span, heard: words ?? [] };
      if (text.edit('listen-again', (now) => acceptListed(now, comparison, chosen, changes)) !== null) return;
      setAcceptedCount((count) => count + chosen.length);
      // What is still different could not be written otherwise, and is no question of its own.
      const open = new Set(changes.filter((one) => !chosen.includes(one)).map(({ key: of }) => of));
      const left = compareHeard(text.getState().transcript, span, comparison.heard);
      setDeclined((known) => new Set([...known, ...left.map(({ key: of }) => of).filter((of) => !open.has(of))]));
    },
    decline(change) {
      setDeclined((known) => new Set([...known, change.key]));
    },
  };
}
