import { z } from 'zod';
import { importCounts, importProblemKinds } from '../domain/imports/import-problems.ts';
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

const span = lazySchema(() => z.object({ startMs: z.number(), endMs: z.number() }));
const importReport = lazySchema(() =>
  z.object({
    changedCount: z.number(),
    countedIn: z.enum(importCounts),
    kinds: z
      .array(
        z.object({
          kind: z.enum(importProblemKinds),
          count: z.number(),
          places: z.array(z.number()).readonly(),
          captions: z.array(z.number()).readonly(),
          changes: z.array(z.object({ before: span(), after: span() })).readonly(),
        }),
      )
      .readonly(),
  }),
);

/** Requests about texts: to open, name, delete and export them. */
export const transcriptRequests = {
  'transcripts.open': { input: lazySchema(() => z.strictObject({ transcriptId: id() })), output: transcriptDetail },
  /** The next segments of a long text, for `readSegments`. Each part can be read once. */
  'transcripts.readOn': {
    input: lazySchema(() => z.strictObject({ token: id(), part: z.number().int().min(0).max(100_000) })),
    output: lazySchema(() => z.object({ segments: z.string() })),
  },
  /**
   * The deletable transcripts, newest first, without their words. `credits`: decimal text; null where the service
   * reported no cost.
   */
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
            /** When it was last opened here; null: not yet. */
            openedAtMs: z.number().nullable(),
            isAtService: z.boolean(),
            language: speechLanguage(),
            wordCount: z.number(),
            durationMs: z.number(),
            hasRecording: z.boolean(),
            credits: z.string().nullable(),
          }),
        ),
      }),
    ),
  },
  /**
   * Hidden from every reader at once, and deleted for good some time after `undoMs` have passed, or when the app quits.
   */
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
   * Saves edits of the text at `baseRevision`, in order, all or none; the original from the service never changes.
   * `revision` is null when the text has another one by now: nothing was saved.
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
  /** The states of the text that are worth restoring, newest first. */
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
  /** The text at a revision, as the change that turns the text at `ofRevision` into it. */
  'transcripts.version': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), revision: z.number().int().nonnegative() })),
    output: lazySchema(() => z.object({ ofRevision: z.number(), change: packedChange() })),
  },
  /** Names a revision; null removes the name. */
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
   * Recognises a part of the recording again, in milliseconds of it. `pcm`: that part, 16-bit little-endian mono at 16
   * kHz; null only asks for an earlier result. `words` is null without an earlier result, or when the user did not want
   * to pay; times of words are of the recording.
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
  /** The state of the text compared with the account; `sends`: it is sent once editing has paused. */
  'transcripts.sync': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), sends: z.boolean() })),
    output: syncView,
  },
  /**
   * The account's current text, as the change that turns the text at `ofRevision` into it. `base` turns it into the
   * last text that both had; null: that is not known.
   */
  'transcripts.atService': {
    input: lazySchema(() => z.strictObject({ transcriptId: id() })),
    output: lazySchema(() =>
      z.object({
        ofRevision: z.number(),
        change: packedChange(),
        remoteRevision: z.number(),
        base: packedChange().nullable(),
      }),
    ),
  },
  /** The user has compared them: the local text replaces that revision in the account. */
  'transcripts.replaceAtService': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), remoteRevision: z.number().int().nonnegative() })),
    output: syncView,
  },
  'transcripts.rename': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), title: z.string().min(1).max(300) })),
    output: lazySchema(() => z.object({ title: z.string() })),
  },
  /** Sets the language of texts, all or up to the first unknown one (E-040). */
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
  /**
   * The audio extracted from a video was removed and can be extracted again (`mediaFailure` of code `sound_removed`).
   */
  'transcripts.takeSoundAgain': {
    input: lazySchema(() => z.strictObject({ transcriptId: id() })),
    output: lazySchema(() => z.object({ mediaUrl: z.string().nullable(), mediaToken: z.string().nullable() })),
  },
  /**
   * Finds a moved recording again, or attaches one to an imported text: the dropped one, or, for null, the one chosen in
   * the dialog that it opens. Checks the content hash.
   */
  'transcripts.locateMedia': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), token: fileToken().nullable() })),
    output: lazySchema(() =>
      z.object({
        mediaUrl: z.string().nullable(),
        mediaToken: z.string().nullable(),
        recordingName: z.string().nullable(),
        failure: failure().nullable(),
      }),
    ),
  },
  /**
   * The length of an imported text's recording in milliseconds, as main measures it, or else as the player says; the
   * text is at least as long from now on. Null when neither is known.
   */
  'transcripts.measureRecording': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), heardMs: z.number().positive().nullable() })),
    output: lazySchema(() => z.object({ recordingMs: z.number().nullable() })),
  },

  /**
   * Imports subtitles, texts and JSON into the library, with the recording next to each: the dropped ones, or, for
   * null, those chosen in the dialog that it opens.
   */
  'transcripts.import': {
    input: lazySchema(() =>
      z.strictObject({
        tokens: z.array(fileToken()).max(10_000).nullable(),
        /** Files that were imported before are imported once more. */
        addsRepeats: z.boolean().optional(),
      }),
    ),
    output: lazySchema(() =>
      z.object({
        imported: z.array(
          z.object({
            transcriptId: z.string(),
            name: z.string(),
            /** Of the recording that lay beside it and was attached; absent without one. */
            recordingName: z.string().exactOptional(),
            language: speechLanguage(),
            /** Neither the file nor its words reveal the language: it is the one last used for transcribing. */
            isLanguageOpen: z.boolean(),
            /** Captions that could not be taken as they were, with the first lines of each kind; absent without any. */
            report: importReport().exactOptional(),
          }),
        ),
        refused: z.array(z.object({ name: z.string(), failure: failure() })),
        /** Left out, because the same file was imported before. */
        repeated: z.array(z.object({ name: z.string(), token: fileToken() })),
      }),
    ),
  },
};
