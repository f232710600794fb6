import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { rowAges } from '../domain/jobs/old-rows.ts';
import { storageUse } from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
const done = lazySchema(() => z.object({}));

/** Requests about the files that the app stores on this computer. */
export const storageRequests = {
  /**
   * How much the app stores on this computer. The location is shown only by `storage.openFolder`: no path reaches a
   * page.
   */
  'storage.describe': { input: nothing, output: storageUse },
  'storage.openFolder': { input: nothing, output: done },
  'storage.clean': {
    input: lazySchema(() => z.strictObject({ part: z.enum(['prepared', 'backups', 'practice', 'peaks', 'log']) })),
    output: lazySchema(() => storageUse().extend({ freedBytes: z.number() })),
  },
  /** Rows that are done or cancelled and older than this, and their texts. */
  'storage.oldRows': {
    input: lazySchema(() => z.strictObject({ days: z.literal(rowAges) })),
    output: lazySchema(() => z.object({ rowCount: z.number(), textCount: z.number() })),
  },
  /** Removes them from the queue; `withTexts` deletes their texts for good too. Undone by `storage.restoreOldRows`. */
  'storage.removeOldRows': {
    input: lazySchema(() =>
      z.strictObject({ days: z.literal(rowAges), withTexts: z.boolean(), atService: z.boolean() }),
    ),
    output: lazySchema(() => z.object({ rowCount: z.number(), textCount: z.number() })),
  },
  /** Restores what the last request removed; texts only as long as a deletion can be undone. */
  'storage.restoreOldRows': { input: nothing, output: lazySchema(() => z.object({ restoredCount: z.number() })) },
  /** Opens the dialog for a folder and begins; `storage.moving` reports the progress and the result. */
  'storage.move': { input: nothing, output: lazySchema(() => z.object({ isBegun: z.boolean() })) },
  'storage.cancelMove': { input: nothing, output: done },
  /** Erases everything, including key and settings; main compares `typed` with the word that the user was asked for. */
  'storage.eraseEverything': { input: lazySchema(() => z.strictObject({ typed: z.string().max(64) })), output: done },
};
