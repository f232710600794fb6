import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import type { SpeechTake } from '../domain/speech/speech-document.ts';
import { failure, fileToken, id, speechLanguage } from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));

const speed = lazySchema(() => z.number().min(0.5).max(2));
const pause = lazySchema(() => z.number().int().min(0).max(5000));
const voiceId = lazySchema(() => z.string().max(200));
const request = lazySchema(() =>
  z.strictObject({ text: z.string().max(20_000), language: speechLanguage(), voiceId: voiceId(), speed: speed() }),
);
export const pronunciation = lazySchema(() =>
  z.strictObject({ written: z.string().max(200), spoken: z.string().max(500), matchCase: z.boolean() }),
);
const pronunciations = lazySchema(() => z.partialRecord(speechLanguage(), z.array(pronunciation()).max(5000)));
const defaults = lazySchema(() =>
  z.strictObject({
    language: speechLanguage(),
    voiceId: voiceId(),
    otherVoices: z.strictObject({
      uz: voiceId().optional(),
      ru: voiceId().optional(),
      en: voiceId().optional(),
    }),
    speed: speed(),
  }),
);
export const speechDocument = lazySchema(() =>
  z.strictObject({
    id: id(),
    title: z.string().max(300),
    text: z.string().max(1_000_000),
    blocks: z
      .array(
        z.strictObject({
          id: id(),
          text: z.string().max(20_000),
          endsParagraph: z.boolean(),
          language: speechLanguage().nullable(),
          voiceId: voiceId().nullable(),
          speed: speed().nullable(),
          pauseMs: pause().nullable(),
          breakMs: pause().nullish(),
          isLocked: z.boolean(),
          readAs: z.string().max(20_000).nullable(),
          takeId: id().nullable(),
          takeIds: z.array(id()).max(10),
          slot: z.strictObject({ startMs: z.number().min(0), endMs: z.number().min(0) }).nullish(),
          comment: z.string().max(2000).nullish(),
        }),
      )
      .max(20_000),
    defaults: defaults(),
    sentencePauseMs: pause(),
    paragraphPauseMs: pause(),
    pronunciations: z.array(pronunciation()).max(5000),
  }),
);
/** Created only in main. Its audio is at `mediaUrl`; null until it is made. */
export const speechTake = lazySchema(() =>
  z.custom<SpeechTake & { readonly mediaUrl: string | null }>(
    (value) => typeof value === 'object' && value !== null && 'identity' in value && 'mediaUrl' in value,
  ),
);
/** A take as a part of what is played or saved. */
const spokenPart = lazySchema(() =>
  z.strictObject({
    takeId: id(),
    pauseMs: pause(),
    text: z.string().max(20_000),
    /** Its start, where it has a time of its own. */
    startMs: z.number().min(0).optional(),
    /** How much faster than it was spoken it is heard. */
    tempo: z.number().min(0.5).max(2).optional(),
    /** The name of its chapter; parts of one chapter follow one another. */
    chapter: z.string().max(20_000).optional(),
  }),
);
const voiceMarks = lazySchema(() =>
  z.strictObject({ favourites: z.array(voiceId()).max(1000), recent: z.array(voiceId()).max(20) }),
);
const documentLine = lazySchema(() => z.object({ id: id(), title: z.string(), updatedAtMs: z.number() }));
const opened = lazySchema(() =>
  z.object({
    document: speechDocument(),
    documents: z.array(documentLine()),
    takes: z.array(speechTake()),
    pronunciations: pronunciations(),
    voiceMarks: voiceMarks(),
  }),
);
const largeDocument = 16 * 1024 * 1024;

/** Requests about texts to speak. What costs uses the stream `speak.generate`. */
export const speakRequests = {
  /**
   * The given text, by default the last changed one, with the takes of its blocks. Unanswered generations are requested
   * again.
   */
  'speak.open': { input: lazySchema(() => z.strictObject({ documentId: id().nullable() })), output: opened },
  'speak.create': { input: lazySchema(() => z.strictObject({ defaults: defaults() })), output: opened },
  'speak.save': {
    input: lazySchema(() => z.strictObject({ document: speechDocument() })),
    output: done,
    maxInputBytes: largeDocument,
  },
  'speak.remove': { input: lazySchema(() => z.strictObject({ documentId: id() })), output: done },
  /** Existing takes of these contents, finished or not. */
  'speak.findTakes': {
    input: lazySchema(() => z.strictObject({ requests: z.array(request()).max(20_000) })),
    output: lazySchema(() => z.object({ takes: z.array(speechTake()) })),
    maxInputBytes: largeDocument,
  },
  'speak.voices': {
    input: nothing,
    output: lazySchema(() =>
      z.object({
        voices: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            languages: z.array(z.string()),
            gender: z.string().nullable(),
            isOwn: z.boolean(),
            description: z.string().nullable(),
            palette: z.string().nullable(),
          }),
        ),
        languages: z.array(z.string()),
        canSpeak: z.boolean(),
        readAtMs: z.number(),
        failure: failure().nullable(),
      }),
    ),
  },
  'speak.saveVoiceMarks': { input: voiceMarks, output: done },
  'speak.savePronunciations': {
    input: lazySchema(() => z.strictObject({ pronunciations: pronunciations() })),
    output: done,
    maxInputBytes: largeDocument,
  },
  /** A list of words from a file chosen in the system's dialog; null: cancelled. */
  'speak.readList': {
    input: nothing,
    output: lazySchema(() => z.object({ file: z.object({ name: z.string(), csv: z.string() }).nullable() })),
  },
  /** Writes a list of words to a file chosen in the system's dialog; `savedAs` is null when that was cancelled. */
  'speak.writeList': {
    input: lazySchema(() => z.strictObject({ csv: z.string().max(8_000_000) })),
    output: lazySchema(() => z.object({ savedAs: z.string().nullable(), revealToken: fileToken().nullable() })),
    maxInputBytes: largeDocument,
  },
  /** Newest first; `remote` has what exists only at the service. */
  'speak.history': {
    input: lazySchema(() =>
      z.strictObject({
        search: z.string().max(300),
        beforeMs: z.number().nullable(),
        limit: z.number().int().min(1).max(200),
        withRemote: z.boolean(),
      }),
    ),
    output: lazySchema(() =>
      z.object({
        takes: z.array(speechTake()),
        remote: z.array(
          z.object({
            id: z.string(),
            text: z.string(),
            voiceId: z.string().nullable(),
            language: z.string().nullable(),
            createdAtMs: z.number().nullable(),
            durationMs: z.number().nullable(),
          }),
        ),
        hasMore: z.boolean(),
        failure: failure().nullable(),
        /** The texts that these takes belong to, with the audio of their current takes. */
        texts: z.array(
          z.object({
            id: id(),
            title: z.string(),
            takeIds: z.array(id()),
            parts: z.array(spokenPart()),
          }),
        ),
      }),
    ),
  },
  /** Downloads the audio of a generation from the service; free. */
  'speak.download': {
    input: lazySchema(() => z.strictObject({ remoteId: z.string().max(200) })),
    output: lazySchema(() => z.object({ take: speechTake() })),
  },
  /** Removes it from the list, or restores it; the audio stays where it is used. */
  'speak.hide': {
    input: lazySchema(() => z.strictObject({ takeIds: z.array(id()).min(1).max(1000), isHidden: z.boolean() })),
    output: done,
  },
  'speak.hideRemote': { input: lazySchema(() => z.strictObject({ remoteId: z.string().max(200) })), output: done },
  /**
   * Joins takes in this order into a file chosen in the system's dialog; `savedAs` is null when that was cancelled.
   * `quietestLufs`: of the files that stayed below the target, because their peaks are too high for it.
   */
  'speak.saveAudio': {
    input: lazySchema(() =>
      z.strictObject({
        title: z.string().max(300),
        parts: z.array(spokenPart()).min(1).max(20_000),
        format: z.enum(['wav', 'mp3', 'ogg', 'flac', 'm4a']),
        as: z.enum(['one', 'files', 'zip', 'chapters']),
        withSubtitles: z.boolean(),
        targetLufs: z.number().min(-40).max(-5).nullable(),
      }),
    ),
    output: lazySchema(() =>
      z.object({
        savedAs: z.string().nullable(),
        subtitlesAs: z.string().nullable(),
        revealToken: fileToken().nullable(),
        quietestLufs: z.number().nullable(),
      }),
    ),
    maxInputBytes: largeDocument,
  },
  /** Reads a text from a dropped file, or from one chosen in the system's dialog. Null: cancelled. */
  'speak.importText': {
    input: lazySchema(() => z.strictObject({ token: fileToken().nullable() })),
    output: lazySchema(() =>
      z.object({
        imported: z
          .object({
            name: z.string(),
            text: z.string(),
            /** Subtitles with their times; null for every other kind of file. */
            cues: z.array(z.object({ startMs: z.number(), endMs: z.number(), text: z.string() })).nullable(),
          })
          .nullable(),
      }),
    ),
  },
};

/** Generates blocks one after another; existing content costs nothing. */
export const speakStreams = {
  'speak.generate': {
    open: lazySchema(() =>
      z.strictObject({
        orders: z
          .array(z.strictObject({ blockId: id(), request: request() }))
          .min(1)
          .max(20_000),
        isNewTake: z.boolean(),
        sendsAgain: z.boolean(),
      }),
    ),
    /**
     * The page sends no values: finishing means stopping. Requests sent before that still deliver, and nothing more is
     * sent.
     */
    up: lazySchema(() => z.strictObject({})),
    down: lazySchema(() =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('begun'), blockId: id() }),
        z.object({ kind: z.literal('sound'), blockId: id(), pcm: z.instanceof(Int16Array) }),
        z.object({ kind: z.literal('made'), blockId: id(), take: speechTake() }),
        z.object({ kind: z.literal('failed'), blockId: id(), failure: failure() }),
      ]),
    ),
  },
};

export const speakEvents = {
  /** A generation that a crash left unanswered has ended. */
  'speak.takeChanged': { payload: lazySchema(() => z.object({ take: speechTake() })) },
};
