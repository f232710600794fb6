import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { packedChange } from '../domain/transcript/packed.ts';
import { failure, fileToken, id, speechLanguage, transcriptDetail } from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));

const syncView = lazySchema(() =>
  z.object({
    state: z.enum(['off', 'not-there', 'not-offered', 'same', 'waiting', 'conflict']),
    sentAtMs: z.number().nullable(),
    failure: failure().nullable(),
  }),
);

/** What a page may ask of texts: to open, name, delete and export them. */
export const transcriptRequests = {
  'transcripts.open': { input: lazySchema(() => z.strictObject({ transcriptId: id() })), output: transcriptDetail },
  /** The next segments of a long text, `PackedSegment[]` as JSON. Each part can be read once. */
  'transcripts.readOn': {
    input: lazySchema(() => z.strictObject({ token: id(), part: z.number().int().min(0).max(100_000) })),
    output: lazySchema(() => z.object({ segments: z.string() })),
  },
  /** What can be deleted, newest first; no words. `credits`: decimal text; null where the service told no cost. */
  'transcripts.list': {
    input: nothing,
    output: lazySchema(() =>
      z.object({
        transcripts: z.array(
          z.object({
            id: id(),
            title: z.string(),
            sourceName: z.string(),
            createdAtMs: z.number(),
            isAtService: z.boolean(),
            wordCount: z.number(),
            credits: z.string().nullable(),
          }),
        ),
      }),
    ),
  },
  /** Gone at once for every reader, and for good some time after `undoMs` have passed, or when the app ends. */
  'transcripts.delete': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), atService: z.boolean() })),
    output: lazySchema(() => z.object({ undoMs: z.number() })),
  },
  /** False when it was too late. */
  'transcripts.restore': {
    input: lazySchema(() => z.strictObject({ transcriptId: id() })),
    output: lazySchema(() => z.object({ isRestored: z.boolean() })),
  },
  /**
   * Saves edits of the text at `baseRevision`, in their order, all or none; what the service gave stays as it came.
   * `revision` is null when the text is at another one by now: nothing was saved.
   */
  'transcripts.edit': {
    input: lazySchema(() =>
      z.strictObject({
        transcriptId: id(),
        baseRevision: z.number().int().nonnegative(),
        edits: z
          .array(z.strictObject({ label: z.string().min(1).max(64), change: packedChange() }))
          .min(1)
          .max(2_000),
      }),
    ),
    output: lazySchema(() => z.object({ revision: z.number().nullable() })),
    maxInputBytes: 64 * 1024 * 1024,
  },
  /** The states of the text that are worth going back to, newest first. */
  'transcripts.versions': {
    input: lazySchema(() => z.strictObject({ transcriptId: id() })),
    output: lazySchema(() =>
      z.object({
        versions: z.array(
          z.object({
            revision: z.number().int().nonnegative(),
            kind: z.enum(['now', 'named', 'before', 'session', 'service']),
            atMs: z.number().nullable(),
            name: z.string().nullable(),
            label: z.string().nullable(),
            editCount: z.number().int().nonnegative(),
          }),
        ),
      }),
    ),
  },
  /** How the text was at a revision: the change that makes it of the text at `ofRevision`. */
  'transcripts.version': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), revision: z.number().int().nonnegative() })),
    output: lazySchema(() => z.object({ ofRevision: z.number(), change: packedChange() })),
  },
  /** Names a revision; null takes the name away. */
  'transcripts.nameVersion': {
    input: lazySchema(() =>
      z.strictObject({
        transcriptId: id(),
        revision: z.number().int().positive(),
        name: z.string().trim().min(1).max(120).nullable(),
      }),
    ),
    output: done,
  },
  /**
   * Listens to a part of the recording again, in milliseconds of it. `pcm`: that part, 16-bit little-endian mono at 16 kHz;
   * null only asks what was heard there before. `words` is null when it was not listened to, or when the person did not
   * want to pay; times of words are of the recording.
   */
  'transcripts.listenAgain': {
    input: lazySchema(() =>
      z.strictObject({
        transcriptId: id(),
        startMs: z.number().int().nonnegative(),
        endMs: z.number().int().positive(),
        language: speechLanguage(),
        pcm: z.instanceof(Uint8Array).nullable(),
      }),
    ),
    output: lazySchema(() =>
      z.object({
        words: z
          .array(
            z.object({
              text: z.string(),
              startMs: z.number(),
              endMs: z.number(),
              isEstimated: z.literal(true).exactOptional(),
            }),
          )
          .nullable(),
      }),
    ),
    maxInputBytes: 2 * 1024 * 1024,
  },
  /** Where the text stands beside the account; `sends`: it is to be sent as soon as it rests. */
  'transcripts.sync': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), sends: z.boolean() })),
    output: syncView,
  },
  /** The text as the account has it now: the change that makes it of the text at `ofRevision`. */
  'transcripts.atService': {
    input: lazySchema(() => z.strictObject({ transcriptId: id() })),
    output: lazySchema(() => z.object({ ofRevision: z.number(), change: packedChange(), remoteRevision: z.number() })),
  },
  /** A person has compared them: the text here takes the place of that revision in the account. */
  'transcripts.replaceAtService': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), remoteRevision: z.number().int().nonnegative() })),
    output: syncView,
  },
  'transcripts.rename': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), title: z.string().min(1).max(300) })),
    output: lazySchema(() => z.object({ title: z.string() })),
  },
  /** Says what texts are written in, all or up to the first that is not there (E-040). */
  'transcripts.setLanguage': {
    input: lazySchema(() =>
      z.strictObject({
        languages: z
          .array(z.strictObject({ id: id(), language: speechLanguage() }))
          .min(1)
          .max(10_000),
      }),
    ),
    output: done,
  },
  /** Shows the recording in the system's file manager; E-010 when it is gone. */
  'transcripts.showRecording': { input: lazySchema(() => z.strictObject({ transcriptId: id() })), output: done },
  /** The sound of a video was removed here and can be taken out of it again (`mediaFailure` of code `sound_removed`). */
  'transcripts.takeSoundAgain': {
    input: lazySchema(() => z.strictObject({ transcriptId: id() })),
    output: lazySchema(() => z.object({ mediaUrl: z.string().nullable(), mediaToken: z.string().nullable() })),
  },
  /** Finds the recording again after it was moved: opens the dialog, checks the content hash. */
  'transcripts.locateMedia': {
    input: lazySchema(() => z.strictObject({ transcriptId: id() })),
    output: lazySchema(() =>
      z.object({
        mediaUrl: z.string().nullable(),
        mediaToken: z.string().nullable(),
        failure: failure().nullable(),
      }),
    ),
  },

  /**
   * Puts subtitles, texts and JSON into the library, with the recording beside each: those that were dropped, or, for
   * null, those that are chosen in the dialog it opens.
   */
  'transcripts.import': {
    input: lazySchema(() => z.strictObject({ tokens: z.array(fileToken()).max(10_000).nullable() })),
    output: lazySchema(() =>
      z.object({
        imported: z.array(
          z.object({
            transcriptId: z.string(),
            name: z.string(),
            language: speechLanguage(),
            /** Neither the file nor its words tell the language: it is the one that was transcribed last. */
            isLanguageOpen: z.boolean(),
          }),
        ),
        refused: z.array(z.object({ name: z.string(), failure: failure() })),
      }),
    ),
  },
};
