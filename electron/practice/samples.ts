import { z } from 'zod';
import interviewUz from '../../assets/samples/interview-uz.json' with { type: 'json' };
import lectureRu from '../../assets/samples/lecture-ru.json' with { type: 'json' };
import podcastEn from '../../assets/samples/podcast-en.json' with { type: 'json' };
import { speechLanguages } from '../../shared/domain/languages.ts';

const sampleFile = z.object({
  language: z.enum(speechLanguages),
  audioSha256: z.string().regex(/^[0-9a-f]{64}$/),
  segments: z.array(
    z.object({
      startMs: z.int(),
      endMs: z.int(),
      speaker: z.string(),
      text: z.string(),
      words: z.array(z.object({ text: z.string(), startMs: z.int(), endMs: z.int() })),
    }),
  ),
});

/** Times in whole milliseconds; `audioSha256` is the hash of the shipped file. */
export type Sample = z.output<typeof sampleFile>;

const samples: readonly Sample[] = z.array(sampleFile).parse([interviewUz, lectureRu, podcastEn]);

/** The bundled recording with exactly these bytes; its words and times are known because we wrote and recorded them. */
export const findSample = (audioSha256: string): Sample | null =>
  samples.find((sample) => sample.audioSha256 === audioSha256) ?? null;
