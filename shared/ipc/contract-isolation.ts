import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { failure, id, restorationModel, speechLanguage } from './schemas.ts';

const done = lazySchema(() => z.object({}));
const format = lazySchema(() => z.enum(['mp3', 'wav', 'flac', 'ogg', 'original']));

/** One format of a result: what is `ready` is on this computer. */
const resultFile = lazySchema(() =>
  z.object({
    format: format(),
    state: z.enum(['absent', 'preparing', 'ready', 'failed']),
    sizeBytes: z.number().nullable(),
    failure: failure().nullable(),
  }),
);

/** A recording that a page may play. `url` is null when its file is not where it was. */
const playable = lazySchema(() => z.object({ url: z.string().nullable(), sizeBytes: z.number().nullable() }));

const isolatedAudio = lazySchema(() =>
  z.object({
    audioId: id(),
    jobId: id(),
    title: z.string(),
    sourceName: z.string(),
    createdAtMs: z.number(),
    durationMs: z.number().nullable(),
    /** As the service told it, a decimal number; null: it did not. */
    credits: z.string().nullable(),
    restoresSpeech: z.boolean(),
    original: playable(),
    isolated: playable(),
    /** The same recording with the other choice about restoring speech; null when that was not tried. */
    variant: playable().nullable(),
    /** Transcripts of the recording; `usesThis`: it plays the isolated audio in its place. */
    transcripts: z.array(z.object({ transcriptId: id(), title: z.string(), usesThis: z.boolean() })),
    /** Set where only a part of the recording was sent: an excerpt, or one of several parts. */
    part: z
      .object({
        startMs: z.number(),
        endMs: z.number(),
        /** From 0; null for an excerpt. */
        index: z.number().nullable(),
        count: z.number(),
        isJoinable: z.boolean(),
        /** How long the whole recording is; null when it is not known, or not of interest. */
        wholeMs: z.number().nullable(),
      })
      .nullable(),
    results: z.array(resultFile()),
  }),
);
export type IsolatedAudio = z.output<ReturnType<typeof isolatedAudio>>;
export type ResultFile = z.output<ReturnType<typeof resultFile>>;

const word = lazySchema(() =>
  z.object({ text: z.string(), startMs: z.number(), endMs: z.number(), isEstimated: z.literal(true).exactOptional() }),
);
const pcm = lazySchema(() => z.instanceof(Uint8Array));

/** What a page may ask of audio that noise was taken out of. The work itself is a job of the queue. */
export const isolationRequests = {
  /** A result with what it was made from and how far each format of it is. */
  'isolation.open': { input: lazySchema(() => z.strictObject({ audioId: id() })), output: isolatedAudio },
  /** What each result cost, as far as the service told; newest first. */
  'isolation.list': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({ audio: z.array(z.object({ audioId: id(), jobId: id(), credits: z.string().nullable() })) }),
    ),
  },
  /** Lets the service make formats, for free. Answers at once; `isolation.open` tells how far they are. */
  'isolation.prepare': {
    input: lazySchema(() => z.strictObject({ audioId: id(), formats: z.array(format()).min(1).max(5) })),
    output: done,
  },
  /** Opens the save dialog and copies a format that is ready. `savedAs` is null when the person cancelled. */
  'isolation.save': {
    input: lazySchema(() => z.strictObject({ audioId: id(), format: format() })),
    output: lazySchema(() => z.object({ savedAs: z.string().nullable(), revealToken: z.string().nullable() })),
  },
  /** Takes an ended row out of the list here, and `undoMs` later out of the list of the service; nothing is refunded. */
  'isolation.hide': {
    input: lazySchema(() => z.strictObject({ jobId: id() })),
    output: lazySchema(() => z.object({ undoMs: z.number() })),
  },
  'isolation.unhide': {
    input: lazySchema(() => z.strictObject({ jobId: id() })),
    output: lazySchema(() => z.object({ isRestored: z.boolean() })),
  },
  /** Rows that were hidden, the newest first: `isolation.unhide` brings each back. */
  'isolation.hidden': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({ jobs: z.array(z.object({ jobId: id(), name: z.string(), durationMs: z.number().nullable() })) }),
    ),
  },
  /** Tries rows again that stopped, by a new request where only that helps; may be charged. */
  'isolation.retry': {
    input: lazySchema(() => z.strictObject({ jobIds: z.array(id()).min(1).max(500) })),
    output: lazySchema(() => z.object({ retriedCount: z.number() })),
  },
  /** Adds the isolated audio to the queue as a recording to transcribe; may be charged. */
  'isolation.transcribe': {
    input: lazySchema(() =>
      z.strictObject({ audioId: id(), language: speechLanguage(), includeSpeakers: z.boolean() }),
    ),
    output: lazySchema(() => z.object({ jobId: id().nullable() })),
  },
  /** Adds the parts of a recording that is too large to be sent whole, and hides its row; may be charged. */
  'isolation.split': {
    input: lazySchema(() => z.strictObject({ jobId: id() })),
    output: lazySchema(() => z.object({ partCount: z.number() })),
  },
  /** Adds the whole recording of an excerpt to the queue; may be charged. */
  'isolation.addWhole': {
    input: lazySchema(() => z.strictObject({ audioId: id() })),
    output: lazySchema(() => z.object({ jobId: id().nullable() })),
  },
  /** Writes the isolated audio of all parts of a recording as one file where the person says. */
  'isolation.saveJoined': {
    input: lazySchema(() => z.strictObject({ audioId: id(), format: z.enum(['wav', 'flac', 'mp3']) })),
    output: lazySchema(() => z.object({ savedAs: z.string().nullable(), revealToken: z.string().nullable() })),
  },
  /** Adds the recording once more with the other choice about restoring speech, to compare; may be charged. */
  'isolation.addVariant': {
    input: lazySchema(() => z.strictObject({ audioId: id(), restorationModel: restorationModel().optional() })),
    output: lazySchema(() => z.object({ jobId: id().nullable() })),
  },
  /**
   * What recognition hears in an excerpt before and after. `pcm`: all of both, 16-bit little-endian mono at 16 kHz; null
   * only asks what was heard before. `texts` is null when nobody listened yet, or when the person did not want to pay.
   */
  'isolation.compareTexts': {
    input: lazySchema(() =>
      z.strictObject({
        audioId: id(),
        language: speechLanguage(),
        pcm: z.strictObject({ original: pcm(), isolated: pcm() }).nullable(),
      }),
    ),
    output: lazySchema(() =>
      z.object({ texts: z.object({ original: z.array(word()), isolated: z.array(word()) }).nullable() }),
    ),
    maxInputBytes: 4 * 1024 * 1024,
  },
  /** Lets a transcript of the recording play the isolated audio in its place. The recording is not touched. */
  'isolation.useAsRecording': {
    input: lazySchema(() => z.strictObject({ audioId: id(), transcriptId: id() })),
    output: done,
  },
  'isolation.useOriginal': { input: lazySchema(() => z.strictObject({ transcriptId: id() })), output: done },
  /** Adds the bundled noisy recording to the queue. */
  'isolation.addSample': {
    input: lazySchema(() =>
      z.strictObject({ restoresSpeech: z.boolean(), restorationModel: restorationModel().optional() }),
    ),
    output: lazySchema(() => z.object({ jobId: id().nullable() })),
  },
};

/** Flows of audio that a page makes itself. */
export const isolationStreams = {
  /** Asks for a folder, then saves one format of these results there; the service makes it where it is not here yet. */
  'isolation.saveAll': {
    open: lazySchema(() => z.strictObject({ audioIds: z.array(id()).min(1).max(500), format: format() })),
    up: lazySchema(() => z.never()),
    down: lazySchema(() =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('saving'), index: z.number(), count: z.number() }),
        z.object({
          kind: z.literal('saved'),
          savedCount: z.number(),
          failures: z.array(z.object({ name: z.string(), failure: failure() })),
          revealToken: z.string(),
        }),
      ]),
    ),
  },
  /** Asks where to save what is heard, then takes a WAV file's bytes in order; it appears in its format when all came. */
  'isolation.saveMix': {
    open: lazySchema(() => z.strictObject({ audioId: id(), format: z.enum(['wav', 'flac', 'mp3']) })),
    up: lazySchema(() => z.instanceof(Uint8Array)),
    /** A second of stereo at 192 kHz has its room. */
    maxUpBytes: 1024 * 1024,
    down: lazySchema(() =>
      z.discriminatedUnion('kind', [
        /** The person chose a place; nothing comes after a cancelled dialog. */
        z.object({ kind: z.literal('chosen') }),
        z.object({ kind: z.literal('saved'), savedAs: z.string(), revealToken: z.string() }),
      ]),
    ),
  },
};
