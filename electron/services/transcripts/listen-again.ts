import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { toTranscript } from '../../../shared/domain/transcript/from-received.ts';
import { longestListenMs } from '../../../shared/domain/transcript/heard-again.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { TimeSpan, Word } from '../../../shared/domain/transcript/transcript.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { recognise } from '../dictation/phrase-sender.ts';
import type { LiveDictation } from '../../service/dictation-socket.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';
import { findFacts } from './transcript-service.ts';

export interface ListenSpan extends TimeSpan {
  readonly transcriptId: string;
  readonly language: SpeechLanguage;
}

interface Ports {
  readonly store: LibraryStore;
  readonly live: LiveDictation;
  readonly now: () => number;
}

const time = lazySchema(() => z.number().int().nonnegative());
const answer = lazySchema(() =>
  z.object({
    startMs: time(),
    endMs: time(),
    language: z.string(),
    words: z.array(
      z.object({ text: z.string(), startMs: time(), endMs: time(), isEstimated: z.literal(true).exactOptional() }),
    ),
    received: z
      .object({ paidIds: z.array(z.string()).exactOptional() })
      .nullable()
      .catch(null),
  }),
);

interface HeardAgain {
  readonly words: readonly Word[];
  /** Of the ledger, by which its cost is known. */
  readonly paidIds: readonly string[];
}

/** After words got new times, the edges of the same selection move by less than this. */
const edgeMs = 200;

export function createListenAgain({ store, live, now }: Ports) {
  const underWay = new Map<string, Promise<Result<HeardAgain>>>();

  const kept = (asked: ListenSpan): Result<HeardAgain | null> => {
    const facts = findFacts(store, asked.transcriptId);
    const answers = facts.ok ? store.heardAgain(facts.value.jobId) : facts;
    if (!answers.ok) return answers;
    for (const { body } of answers.value) {
      const known = readAnswer(body);
      const isCovered =
        known?.language === asked.language &&
        known.startMs <= asked.startMs + edgeMs &&
        known.endMs >= asked.endMs - edgeMs;
      if (isCovered)
        return ok({
          words: known.words.filter(
            (word) => word.startMs >= asked.startMs - edgeMs && word.endMs <= asked.endMs + edgeMs,
          ),
          paidIds: known.received?.paidIds ?? [],
        });
    }
    return ok(null);
  };

  const send = async (asked: ListenSpan, pcm: Uint8Array): Promise<Result<HeardAgain>> => {
    const known = kept(asked);
    if (!known.ok) return known;
    if (known.value !== null) return ok(known.value);
    const facts = findFacts(store, asked.transcriptId);
    if (!facts.ok) return facts;
    const heard = await recognise(live, asked.language, pcm);
    if (!heard.ok) return heard;
    const words = heard.value === null ? [] : wordsOf(heard.value, asked);
    // Paid results are stored before they are shown; a disk error does not withhold them.
    store.saveRawAnswer({
      jobId: facts.value.jobId,
      atMs: now(),
      source: 'listen-again',
      requestId: null,
      body: JSON.stringify({ ...spanOf(asked), words, received: heard.value }),
    });
    return ok({ words, paidIds: heard.value?.paidIds ?? [] });
  };

  return {
    kept,
    /** `pcm`: 16-bit little-endian mono at 16 kHz. Sent once: concurrent callers share the answer. */
    listen(asked: ListenSpan, pcm: Uint8Array): Promise<Result<HeardAgain>> {
      if (asked.endMs <= asked.startMs || asked.endMs - asked.startMs > longestListenMs)
        return Promise.resolve(err(makeFailure('not-asked-for', { code: 'span_too_long' })));
      const key = JSON.stringify([asked.transcriptId, spanOf(asked)]);
      const running = underWay.get(key) ?? send(asked, pcm).finally(() => underWay.delete(key));
      underWay.set(key, running);
      return running;
    },
  };
}

const spanOf = ({ startMs, endMs, language }: ListenSpan) => ({ startMs, endMs, language });

function readAnswer(body: string) {
  try {
    const parsed = answer().safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function wordsOf(
  received: ReceivedTranscript,
  { startMs, endMs, language }: Omit<ListenSpan, 'transcriptId'>,
): readonly Word[] {
  const { segments } = toTranscript(received, { language, durationMs: endMs - startMs });
  return segments
    .flatMap(({ words }) => words)
    .map((word) => ({ ...word, startMs: word.startMs + startMs, endMs: word.endMs + startMs }));
}
