import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { failure, id, restorationModel, speechLanguage } from './schemas.ts';

const done = lazySchema(() => z.object({}));
const format = lazySchema(() => z.enum(['mp3', 'wav', 'flac', 'ogg', 'original']));

/** One format of a result: a `ready` one is on this computer. */
const resultFile = lazySchema(() =>
  z.object({
    format: format(),
    state: z.enum(['absent', 'preparing', 'ready', 'failed']),
    sizeBytes: z.number().nullable(),
    failure: failure().nullable(),
  }),
);

/** `isListed`: a job that did not fail has this recording with these options, so that none was added. */
const addedOnce = lazySchema(() => z.object({ jobId: id().nullable(), isListed: z.boolean() }));

/** A recording that a page may play. `url` is null when its file is missing. */
const playable = lazySchema(() => z.object({ url: z.string().nullable(), sizeBytes: z.number().nullable() }));

const isolatedAudio = lazySchema(() =>
  z.object({
    audioId: id(),
    jobId: id(),
    title: z.string(),
    sourceName: z.string(),
    createdAtMs: z.number(),
    durationMs: z.number().nullable(),
    /** Length of what was sent; null when it is not known. */
    recordingMs: z.number().nullable(),
    /** The cost reported by the service, a decimal number; null: not reported. */
    credits: z.string().nullable(),
    restoresSpeech: z.boolean(),
    original: playable(),
    isolated: playable(),
    /** The same recording with the other choice about restoring speech; null when there is none. */
    variant: playable().nullable(),
    /** Transcripts of the recording; `usesThis`: it plays the isolated audio in its place. */
    transcripts: z.array(z.object({ transcriptId: id(), title: z.string(), usesThis: z.boolean() })),
    /** Set when only a part of the recording was sent: an excerpt, or one of several parts. */
    part: z
      .object({
        startMs: z.number(),
        endMs: z.number(),
        /** From 0; null for an excerpt. */
        index: z.number().nullable(),
        count: z.number(),
        isJoinable: z.boolean(),
        /** Length of the whole recording; null when it is not known, or not relevant. */
        wholeMs: z.number().nullable(),
        /** All of it, to choose another excerpt from. */
        wholeUrl: z.string().nullable(),
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

/** Requests about isolated audio. The work itself is a job of the queue. */
export const isolationRequests = {
  /** A result with its source and the state of each of its formats. */
  'isolation.open': { input: lazySchema(() => z.strictObject({ audioId: id() })), output: isolatedAudio },
  /** The cost of each result, as far as the service reported it; newest first. */
  'isolation.list': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({ audio: z.array(z.object({ audioId: id(), jobId: id(), credits: z.string().nullable() })) }),
    ),
  },
  /** Lets the service make formats, for free. Answers at once; `isolation.open` shows the progress. */
  'isolation.prepare': {
    input: lazySchema(() => z.strictObject({ audioId: id(), formats: z.array(format()).min(1).max(5) })),
    output: done,
  },
  /** Opens the save dialog and copies a format that is ready. `savedAs` is null when the user cancelled. */
  'isolation.save': {
    input: lazySchema(() => z.strictObject({ audioId: id(), format: format() })),
    output: lazySchema(() => z.object({ savedAs: z.string().nullable(), revealToken: z.string().nullable() })),
  },
  /** Removes an ended row from the list here, and `undoMs` later from the list of the service; nothing is refunded. */
  'isolation.hide': {
    input: lazySchema(() => z.strictObject({ jobId: id() })),
    output: lazySchema(() => z.object({ undoMs: z.number() })),
  },
  'isolation.unhide': {
    input: lazySchema(() => z.strictObject({ jobId: id() })),
    output: lazySchema(() => z.object({ isRestored: z.boolean() })),
  },
  /** Hidden rows, newest first: `isolation.unhide` restores each of them. */
  'isolation.hidden': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({ jobs: z.array(z.object({ jobId: id(), name: z.string(), durationMs: z.number().nullable() })) }),
    ),
  },
  /** Tries stopped rows again, with a new request where only that helps; may be charged. */
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
  /** Adds the parts of a recording that is too large to send whole, and hides its row; may be charged. */
  'isolation.split': {
    input: lazySchema(() => z.strictObject({ jobId: id() })),
    output: lazySchema(() => z.object({ partCount: z.number() })),
  },
  /** Adds the whole recording of an excerpt to the queue, unless it is there; may be charged. */
  'isolation.addWhole': {
    input: lazySchema(() => z.strictObject({ audioId: id() })),
    output: addedOnce,
  },
  /** Adds another excerpt of the same recording to the queue; may be charged. */
  'isolation.addExcerpt': {
    input: lazySchema(() => z.strictObject({ audioId: id(), startMs: z.number().min(0) })),
    output: addedOnce,
  },
  /** Writes the isolated audio of all parts of a recording as one file at a path that the user chooses. */
  'isolation.saveJoined': {
    input: lazySchema(() => z.strictObject({ audioId: id(), format: z.enum(['wav', 'flac', 'mp3']) })),
    output: lazySchema(() => z.object({ savedAs: z.string().nullable(), revealToken: z.string().nullable() })),
  },
  /** Adds the recording again with the other choice about restoring speech, for comparison; may be charged. */
  'isolation.addVariant': {
    input: lazySchema(() => z.strictObject({ audioId: id(), restorationModel: restorationModel().optional() })),
    output: addedOnce,
  },
  /**
   * Recognises an excerpt before and after isolation. `pcm`: all of both, 16-bit little-endian mono at 16 kHz; null
   * only asks for an earlier result. `texts` is null without an earlier result, or when the user did not want to pay.
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
  /** Makes a transcript of the recording play the isolated audio in its place. The recording is not touched. */
  'isolation.useAsRecording': {
    input: lazySchema(() => z.strictObject({ audioId: id(), transcriptId: id() })),
    /** The isolated audio that it played before; null: its recording. */
    output: lazySchema(() => z.object({ formerAudioId: id().nullable() })),
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

/** Streams of audio that a page produces itself. */
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
  /**
   * Asks where to save, then receives the bytes of a WAV file in order; the file appears in its format when it is
   * complete.
   */
  'isolation.saveMix': {
    open: lazySchema(() =>
      z.strictObject({
        audioId: id(),
        format: z.enum(['wav', 'flac', 'mp3']),
        /** The share of the isolated audio, which the suggested name says; null: what was removed. */
        blendPercent: z.number().int().min(0).max(100).nullable(),
      }),
    ),
    up: lazySchema(() => z.instanceof(Uint8Array)),
    /** Enough for a second of stereo at 192 kHz. */
    maxUpBytes: 1024 * 1024,
    down: lazySchema(() =>
      z.discriminatedUnion('kind', [
        /** The user chose a path; after a cancelled dialog nothing follows. */
        z.object({ kind: z.literal('chosen') }),
        z.object({ kind: z.literal('saved'), savedAs: z.string(), revealToken: z.string() }),
      ]),
    ),
  },
};
