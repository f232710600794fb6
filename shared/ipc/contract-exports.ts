import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { batchLayouts, copyCollisions } from '../domain/exports/copy-name.ts';
import { exportFormat, givenOptions } from '../domain/settings/settings.ts';
import { cueProblemKinds } from '../domain/subtitles/check-cues.ts';
import { namedProfile } from '../domain/subtitles/profile-file.ts';
import { exportRequest, shownExport } from './export-schemas.ts';
import { failure, id } from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));
/** `recent`: index in `recentExports` of the settings. */
const exportPlace = lazySchema(() =>
  z.union([z.enum(['ask', 'last']), z.strictObject({ recent: z.number().int().nonnegative() })]),
);
const profileName = lazySchema(() => z.string().min(1).max(80));
/** `name`: what the user wants the file to be called, with or without its extension; else that of the transcript. */
const saveRequest = lazySchema(() =>
  exportRequest().extend({ place: exportPlace(), name: z.string().min(1).max(240).optional() }),
);
/**
 * Null when the user cancelled. `takenToken`: where the new file got another name, the earlier export that has the
 * wanted one; null when anybody else made or changed that file.
 */
const saved = lazySchema(() =>
  z.object({
    savedAs: z.string().nullable(),
    revealToken: z.string().nullable(),
    takenToken: z.string().nullable().exactOptional(),
  }),
);

/** Requests about exports. Long work uses the streams below. */
export const exportRequests = {
  /**
   * Opens the save dialog and writes the file; `last`, `recent`: without a dialog into the folder of that export, under
   * a free name. `savedAs` is null when the user cancelled. E-175, E-214 with the name of the folder.
   */
  'exports.save': {
    input: saveRequest,
    output: saved,
  },
  /** The preview. `beginning`: some 6,000 characters; `isShortened`: there is more. */
  'exports.render': {
    input: lazySchema(() => exportRequest().extend({ part: z.enum(['beginning', 'all']) })),
    output: shownExport,
  },
  /** The problems of a file's captions by its rules, before and after the automatic fixes. */
  'exports.check': {
    input: exportRequest,
    output: lazySchema(() =>
      z.object({
        cueCount: z.number(),
        unmendedCount: z.number(),
        mendedCount: z.number(),
        problems: z
          .array(
            z.object({
              cue: z.number(),
              kind: z.enum(cueProblemKinds),
              is: z.number(),
              limit: z.number(),
              startMs: z.number(),
              endMs: z.number(),
              lines: z.array(z.string()).readonly(),
            }),
          )
          .readonly(),
      }),
    ),
  },
  /** Puts a saved file in the place of an earlier export; E-213 when that was changed by anybody else meanwhile. */
  'exports.replace': {
    input: lazySchema(() => z.strictObject({ revealToken: id(), takenToken: id() })),
    output: saved,
  },
  'exports.reveal': { input: lazySchema(() => z.strictObject({ revealToken: id() })), output: done },
  /** Opens the dialog for the folder of exports. */
  'exports.chooseFolder': { input: nothing, output: lazySchema(() => z.object({ isChosen: z.boolean() })) },
  /** Saves the findings of the subtitle check as a table, through the system's dialog. */
  'exports.saveReport': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), csv: z.string() })),
    output: saved,
    maxInputBytes: 16 * 1024 * 1024,
  },
  /** The user's own subtitle profiles; each is a file. */
  'exports.profiles': { input: nothing, output: lazySchema(() => z.object({ profiles: z.array(namedProfile()) })) },
  /** `replaces`: its previous name. E-213 when another profile has this name. */
  'exports.saveProfile': {
    input: lazySchema(() => z.strictObject({ named: namedProfile(), replaces: profileName().nullable() })),
    output: done,
  },
  'exports.removeProfile': { input: lazySchema(() => z.strictObject({ name: profileName() })), output: done },
  /** Imports a profile from a file that the user chooses; null when none was chosen, E-211 when it is no profile. */
  'exports.importProfile': { input: nothing, output: lazySchema(() => z.object({ name: z.string().nullable() })) },
  /** Saves a profile at a path that the user chooses, to pass it on. */
  'exports.shareProfile': { input: lazySchema(() => z.strictObject({ name: profileName() })), output: saved },
};

export const exportStreams = {
  /** Like `exports.save` for an audio format. Stopping means cancelling; nothing is left then. */
  'exports.saveAudio': {
    open: saveRequest,
    up: nothing,
    down: lazySchema(() =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('share'), share: z.number() }),
        saved().extend({ kind: z.literal('saved') }),
      ]),
    ),
  },
  /**
   * Many transcripts in many formats, into the chosen folder. What failed is in `failures` and can be requested again;
   * a cancelled run keeps the complete files.
   */
  'exports.many': {
    open: lazySchema(() =>
      z.strictObject({
        items: z
          .array(z.strictObject({ transcriptId: id(), formats: z.array(exportFormat()).min(1) }))
          .min(1)
          .max(20_000),
        options: z.partialRecord(exportFormat(), givenOptions()),
        template: z.string().max(200),
        collision: z.enum(copyCollisions),
        layout: z.enum(batchLayouts),
      }),
    ),
    up: nothing,
    down: lazySchema(() =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('progress'), done: z.number(), total: z.number(), title: z.string() }),
        z.object({
          kind: z.literal('ended'),
          fileCount: z.number(),
          skippedCount: z.number(),
          failures: z.array(
            z.object({
              transcriptId: id(),
              title: z.string().nullable(),
              format: exportFormat(),
              failure: failure(),
            }),
          ),
          revealToken: z.string().nullable(),
        }),
      ]),
    ),
  },
};
