import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { exportStreams } from './contract-exports.ts';
import { isolationStreams } from './contract-isolation.ts';
import { speakStreams } from './contract-speak.ts';
import { voicesStreams } from './contract-voices.ts';
import { dictationModes } from '../domain/dictation/take-view.ts';
import { id, speechLanguage } from './schemas.ts';
import { askStreams } from './contract-ask.ts';

/** Two-way flows between a page and main, each over a message port of its own. */
export const contractStreams = {
  /** Main sends back what it gets, numbered from 1, until the page is done. Shows that streams work. */
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
   * A take, from the first sound to the last: 16 kHz mono frames go up, numbered by their first sample. It ends when the
   * page has finished or is gone, and what was sent by then is kept and turned into text; `dictation.changed` tells of that.
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
          /** Where in the take it begins, samples; a gap tells what the microphone side lost. */
          at: z.int().nonnegative(),
          pcm: z.instanceof(Int16Array),
          /** How probable speech is in it, where that was measured. */
          speech: z.number().min(0).max(1).nullable(),
        }),
        z.strictObject({ kind: z.literal('language'), language: speechLanguage() }),
      ]),
    ),
    /** `fromMs`: how long it was before. */
    down: lazySchema(() => z.object({ kind: z.literal('started'), takeId: id(), fromMs: z.number() })),
  },
  /** The microphone is kept on before anybody dictates. Nothing of it leaves the page. */
  'dictation.ready': {
    usesMicrophone: true as const,
    open: lazySchema(() => z.strictObject({})),
    up: lazySchema(() => z.never()),
    down: lazySchema(() => z.never()),
  },
  ...askStreams,
};
