import { z } from 'zod';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { longestListenMs } from '../../../shared/domain/transcript/heard-again.ts';
import type { Word } from '../../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { LiveDictation } from '../../service/dictation-socket.ts';
import type { StoredAudio } from '../library/store.ts';
import { recognise } from '../dictation/phrase-sender.ts';
import { wordsOf } from '../transcripts/listen-again.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

export interface ExcerptTexts {
  readonly original: readonly Word[];
  readonly isolated: readonly Word[];
}

/** Both as 16-bit little-endian mono at 16 kHz. */
export interface ExcerptPcm {
  readonly original: Uint8Array;
  readonly isolated: Uint8Array;
}

interface Ports {
  readonly store: Pick<LibraryStore, 'heardAgain' | 'saveRawAnswer'>;
  readonly live: LiveDictation;
  readonly now: () => number;
}

const bytesPerMs = 32;
const word = lazySchema(() =>
  z.object({ text: z.string(), startMs: z.number(), endMs: z.number(), isEstimated: z.literal(true).exactOptional() }),
);
const kept = lazySchema(() =>
  z.object({
    language: z.string(),
    audioId: z.string(),
    original: z.array(word()),
    /** Missing while only the original was recognised. */
    isolated: z.array(word()).exactOptional(),
  }),
);

function readKept(body: string) {
  try {
    return kept().safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

export function createExcerptTexts({ store, live, now }: Ports) {
  const underWay = new Map<string, Promise<Result<ExcerptTexts>>>();

  const hear = async (language: SpeechLanguage, pcm: Uint8Array): Promise<Result<readonly Word[]>> => {
    const heard = await recognise(live, language, pcm);
    if (!heard.ok) return heard;
    const span = { language, startMs: 0, endMs: Math.floor(pcm.length / bytesPerMs) };
    return ok(heard.value === null ? [] : wordsOf(heard.value, span));
  };

  const earlier = (
    { id, jobId }: StoredAudio,
    language: SpeechLanguage,
  ): Result<readonly z.infer<ReturnType<typeof kept>>[]> => {
    const answers = store.heardAgain(jobId);
    if (!answers.ok) return answers;
    return ok(
      answers.value.flatMap(({ body }) => {
        const known = readKept(body);
        return known?.audioId === id && known.language === language ? [known] : [];
      }),
    );
  };

  const send = async (audio: StoredAudio, language: SpeechLanguage, pcm: ExcerptPcm): Promise<Result<ExcerptTexts>> => {
    // Paid results are stored before they are shown; a disk error does not withhold them.
    const save = (texts: Partial<ExcerptTexts>) =>
      store.saveRawAnswer({
        jobId: audio.jobId,
        atMs: now(),
        source: 'listen-again',
        requestId: null,
        body: JSON.stringify({ audioId: audio.id, language, ...texts }),
      });
    const before = earlier(audio, language);
    if (!before.ok) return before;
    const [known] = before.value;
    const original = known === undefined ? await hear(language, pcm.original) : ok(known.original);
    if (!original.ok) return original;
    if (known === undefined) save({ original: original.value });
    const isolated = await hear(language, pcm.isolated);
    if (!isolated.ok) return isolated;
    const texts = { original: original.value, isolated: isolated.value };
    save(texts);
    return ok(texts);
  };

  return {
    kept(audio: StoredAudio, language: SpeechLanguage): Result<ExcerptTexts | null> {
      const before = earlier(audio, language);
      if (!before.ok) return before;
      for (const { original, isolated } of before.value) if (isolated !== undefined) return ok({ original, isolated });
      return ok(null);
    },

    /** One after the other, each sent once; concurrent callers share the answer. not-asked-for. */
    async listen(audio: StoredAudio, language: SpeechLanguage, pcm: ExcerptPcm): Promise<Result<ExcerptTexts>> {
      if (Math.max(pcm.original.length, pcm.isolated.length) > longestListenMs * bytesPerMs)
        return err(makeFailure('not-asked-for', { code: 'span_too_long' }));
      const known = this.kept(audio, language);
      if (!known.ok) return known;
      if (known.value !== null) return ok(known.value);
      const key = `${audio.id} ${language}`;
      const running = underWay.get(key) ?? send(audio, language, pcm).finally(() => underWay.delete(key));
      underWay.set(key, running);
      return running;
    },
  };
}
