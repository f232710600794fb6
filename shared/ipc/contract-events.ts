import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { speakEvents } from './contract-speak.ts';
import { connectionState, failure, id, jobView, queueView, settings } from './schemas.ts';

/** Events from main to the page, each with the shape of its payload. */
export const contractEvents = {
  /**
   * A part of the changes in the queue: at most 100 rows. Numbers follow each other without a gap; a page that misses
   * one, or gets `isWhole`, reads the list again. A row with a lower `seq` than the one shown is ignored.
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
  /** Progress of inspecting files, or of adding them. */
  'files.adding': {
    payload: lazySchema(() => z.object({ doneCount: z.number(), totalCount: z.number() })),
  },
  /** A damaged library is being restored; `share` is the progress, and `recovery.describe` answers when it is done. */
  'library.restoring': { payload: lazySchema(() => z.object({ share: z.number().min(0).max(1) })) },
  /** The ledger of the open workspace has other content, or another workspace is open. */
  'usage.changed': { payload: lazySchema(() => z.object({})) },
  /** A model came, went, or is on its way. */
  'models.changed': { payload: lazySchema(() => z.object({})) },
  'connection.changed': { payload: connectionState },
  'settings.changed': { payload: settings },
  /** `ended` comes once, with the failure if it failed. */
  /** Progress of a search for recordings; `isOver` comes once, at the end. */
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
        /** With `ended`: old files that could not be deleted. */
        leftBytes: z.number(),
      }),
    ),
  },
  /** A notification was clicked: this text should be shown. */
  'transcript.wanted': { payload: lazySchema(() => z.object({ transcriptId: id() })) },
  'window.changed': { payload: lazySchema(() => z.object({ isMaximized: z.boolean(), isFocused: z.boolean() })) },
  /** The window closes as soon as the page has answered with `window.saved`: it saves what was typed last. */
  'window.leaving': { payload: lazySchema(() => z.object({})) },
  /** A menu item or a global key asked the page to run one of its commands. */
  'command.invoked': { payload: lazySchema(() => z.object({ command: z.string() })) },
  ...speakEvents,
};
