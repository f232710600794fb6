import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { exportStreams } from './contract-exports.ts';
import { isolationStreams } from './contract-isolation.ts';
import { speakStreams } from './contract-speak.ts';
import { voicesStreams } from './contract-voices.ts';
import { dictationModes } from '../domain/dictation/take-view.ts';
import { id, speechLanguage } from './schemas.ts';
import { askStreams } from './contract-ask.ts';

/** Two-way streams between a page and main, each over its own message port. */
export const contractStreams = {
  /** Main returns what it receives, numbered from 1, until the page finishes. Shows that streams work. */
  'diagnostics.echo': {
    open: lazySchema(() => z.strictObject({})),
    up: lazySchema(() => z.instanceof(Int16Array)),
    down: lazySchema(() => z.object({ number: z.number(), samples: z.instanceof(Int16Array) })),
  },
  ...isolationStreams,
  ...exportStreams,
  ...speakStreams,
  ...voicesStreams,
  /**
   * A take, from the first sample to the last: frames of 16 kHz mono, numbered by their first sample. It ends when the
   * page finishes or is gone; everything sent by then is kept and turned into text, and `dictation.changed` reports the
   * results.
   */
  'dictation.session': {
    usesMicrophone: true as const,
    open: lazySchema(() =>
      z.strictObject({
        language: speechLanguage(),
        mode: z.enum(dictationModes),
        device: z.string().max(300),
        /** The take of this session; `started` names another one when that is gone. */
        continues: id().nullable(),
      }),
    ),
    up: lazySchema(() =>
      z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('frame'),
          /** Its position in the take, in samples; a gap is audio that the microphone side lost. */
          at: z.int().nonnegative(),
          pcm: z.instanceof(Int16Array),
          /** The measured probability of speech in it, if any. */
          speech: z.number().min(0).max(1).nullable(),
        }),
        z.strictObject({ kind: z.literal('language'), language: speechLanguage() }),
        /** The microphone is gone; the take ends. */
        z.strictObject({ kind: z.literal('gone'), device: z.string().max(300) }),
      ]),
    ),
    /** `fromMs`: how long it was before. */
    down: lazySchema(() => z.object({ kind: z.literal('started'), takeId: id(), fromMs: z.number() })),
  },
  /** The microphone is kept on before dictation starts. None of its audio leaves the page. */
  'dictation.ready': {
    usesMicrophone: true as const,
    open: lazySchema(() => z.strictObject({})),
    up: lazySchema(() => z.never()),
    down: lazySchema(() => z.never()),
  },
  ...askStreams,
};
