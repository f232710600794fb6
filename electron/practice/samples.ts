import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';

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

export interface Sample {
  readonly language: SpeechLanguage;
  readonly audioSha256: string;
  readonly segments: readonly {
    readonly startMs: number;
    readonly endMs: number;
    readonly speaker: string;
    readonly text: string;
    readonly words: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[];
  }[];
}

const samples: readonly Sample[] = z.array(sampleFile).parse([]);

/** The bundled recording with exactly these bytes, whose words and times are known because we wrote and spoke them. */
export const findSample = (audioSha256: string): Sample | null =>
  samples.find((sample) => sample.audioSha256 === audioSha256) ?? null;
