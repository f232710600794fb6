import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { speakEvents } from './contract-speak.ts';
import { connectionState, failure, id, jobView, queueView, settings } from './schemas.ts';

/** What main tells the page without being asked, each with the shape of what comes. */
export const contractEvents = {
  /**
   * A part of what changed in the queue: at most 100 rows. Numbers follow each other without a gap; who misses one, or
   * is told `isWhole`, reads the list anew. A row with a lower `seq` than the one shown is not applied.
   */
  'jobs.changed': {
    payload: lazySchema(() =>
      z.object({
        number: z.number(),
        isWhole: z.boolean(),
        jobs: z.array(jobView()),
        removedIds: z.array(id()),
        queue: queueView(),
      }),
    ),
  },
  /** How far the looking into given files, or the adding of them, is. */
  'files.adding': {
    payload: lazySchema(() => z.object({ doneCount: z.number(), totalCount: z.number() })),
  },
  /** A damaged library is being restored, so far as `share` tells; `recovery.describe` answers when it is. */
  'library.restoring': { payload: lazySchema(() => z.object({ share: z.number().min(0).max(1) })) },
  'connection.changed': { payload: connectionState },
  'settings.changed': { payload: settings },
  /** `ended` comes once, with the failure if it failed. */
  /** How far a search for recordings is; `isOver` comes once, at the end. */
  'library.finding': {
    payload: lazySchema(() =>
      z.object({
        checkedCount: z.number(),
        totalCount: z.number(),
        foundCount: z.number(),
        isOver: z.boolean(),
        failure: failure().nullable(),
      }),
    ),
  },
  'storage.moving': {
    payload: lazySchema(() =>
      z.object({
        step: z.enum(['copying', 'checking', 'ended']),
        copiedBytes: z.number(),
        totalBytes: z.number(),
        failure: failure().nullable(),
        /** With `ended`: old files that would not go. */
        leftBytes: z.number(),
      }),
    ),
  },
  /** A notice of the system was pressed: this text is to be shown. */
  'transcript.wanted': { payload: lazySchema(() => z.object({ transcriptId: id() })) },
  'window.changed': { payload: lazySchema(() => z.object({ isMaximized: z.boolean(), isFocused: z.boolean() })) },
  /** A menu item or a system key asked the page for one of its commands. */
  'command.invoked': { payload: lazySchema(() => z.object({ command: z.string() })) },
  ...speakEvents,
};
