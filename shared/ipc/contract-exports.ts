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
/** `recent`: its place in `recentExports` of the settings. */
const exportPlace = lazySchema(() =>
  z.union([z.enum(['ask', 'last']), z.strictObject({ recent: z.number().int().nonnegative() })]),
);
const profileName = lazySchema(() => z.string().min(1).max(80));
/** Null when the person cancelled. */
const saved = lazySchema(() => z.object({ savedAs: z.string().nullable(), revealToken: z.string().nullable() }));

/** What a page may ask of exports. What takes its time goes over the streams below. */
export const exportRequests = {
  /**
   * Opens the save dialog and writes the file; `last`, `recent`: without a dialog into the folder of that export, under a
   * name that is free there. `savedAs` is null when the person cancelled.
   */
  'exports.save': {
    input: lazySchema(() => exportRequest().extend({ place: exportPlace() })),
    output: saved,
  },
  /** What a preview shows. `beginning`: some 6,000 characters; `isCut`: there is more than that. */
  'exports.render': {
    input: lazySchema(() => exportRequest().extend({ part: z.enum(['beginning', 'all']) })),
    output: shownExport,
  },
  /** What is wrong with the captions of a file by the rules it is made by, before and after mending. */
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
  'exports.reveal': { input: lazySchema(() => z.strictObject({ revealToken: id() })), output: done },
  /** Opens the dialog for the folder that exports go to. */
  'exports.chooseFolder': { input: nothing, output: lazySchema(() => z.object({ isChosen: z.boolean() })) },
  /** Saves what the checker of subtitles found, as a table, through the system's dialog. */
  'exports.saveReport': {
    input: lazySchema(() => z.strictObject({ transcriptId: id(), csv: z.string() })),
    output: saved,
    maxInputBytes: 16 * 1024 * 1024,
  },
  /** One's own profiles of subtitles; each is a file. */
  'exports.profiles': { input: nothing, output: lazySchema(() => z.object({ profiles: z.array(namedProfile()) })) },
  /** `replaces`: the name it had before. E-213 when another has its name. */
  'exports.saveProfile': {
    input: lazySchema(() => z.strictObject({ named: namedProfile(), replaces: profileName().nullable() })),
    output: done,
  },
  'exports.removeProfile': { input: lazySchema(() => z.strictObject({ name: profileName() })), output: done },
  /** Takes one in from a file that the person chooses; null when none was chosen, E-211 when it is no profile. */
  'exports.importProfile': { input: nothing, output: lazySchema(() => z.object({ name: z.string().nullable() })) },
  /** Saves one to where the person says, to be handed on. */
  'exports.shareProfile': { input: lazySchema(() => z.strictObject({ name: profileName() })), output: saved },
};

export const exportStreams = {
  /** As `exports.save` of a format of audio. To stop is to cancel; nothing is left then. */
  'exports.saveAudio': {
    open: lazySchema(() => exportRequest().extend({ place: exportPlace() })),
    up: nothing,
    down: lazySchema(() =>
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('share'), share: z.number() }),
        saved().extend({ kind: z.literal('saved') }),
      ]),
    ),
  },
  /**
   * Many transcripts in many formats, into the chosen folder. What failed is in `failures` and can be asked for again;
   * a run that is cancelled keeps the files that are whole.
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
