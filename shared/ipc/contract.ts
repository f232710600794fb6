import { speechLanguages } from '../domain/languages.ts';
import { modeIds } from '../domain/modes.ts';
import { z } from 'zod';
import { rowActions } from '../domain/jobs/queue-view.ts';
import { dictationEvents, dictationRequests } from './contract-dictation.ts';
import { accountEvents, accountRequests } from './contract-account.ts';
import { askRequests } from './contract-ask.ts';
import { contractEvents } from './contract-events.ts';
import { exportRequests } from './contract-exports.ts';
import { contractStreams } from './contract-streams.ts';
import { libraryRequests } from './contract-library.ts';
import { speakRequests } from './contract-speak.ts';
import { voicesRequests } from './contract-voices.ts';
import { windowRequests } from './contract-window.ts';
import { modelRequests } from './contract-models.ts';
import { storageRequests } from './contract-storage.ts';
import { isolationRequests } from './contract-isolation.ts';
import { transcriptRequests } from './contract-transcripts.ts';
import { lazySchema } from '../domain/lazy-schema.ts';
import { corrections } from './schemas-corrections.ts';
import { defineContract } from './define.ts';
import {
  addedFiles,
  jobOptions,
  capabilities,
  connectionReport,
  connectionState,
  automationLine,
  fileToken,
  id,
  jobView,
  queueView,
  recoveryState,
  settings,
} from './schemas.ts';

const nothing = lazySchema(() => z.strictObject({}));
/** Credits as decimal text, null where none was reported. */
const creditRate = lazySchema(() =>
  z.object({
    sampleCount: z.number(),
    creditsPerHour: z.string().nullable(),
    creditsPerGigabyte: z.string().nullable(),
    stepMs: z.number().optional(),
  }),
);
const done = lazySchema(() => z.object({}));

/**
 * The only place that defines requests, events and streams. Dispatcher, preload and page client derive from it. Names
 * are `domain.verb`. Requests are short: longer work is a job, and its progress is an event.
 */
export const contract = defineContract({
  requests: {
    'app.describe': {
      input: nothing,
      output: lazySchema(() =>
        z.object({
          version: z.string(),
          capabilities: capabilities(),
          settings: settings(),
          connection: connectionState(),
          corrections: corrections(),
          isMaximized: z.boolean(),
        }),
      ),
    },
    /** Opens the save dialog and writes a support report. `savedAs` is null when the user cancelled. */
    'diagnostics.save': { input: nothing, output: lazySchema(() => z.object({ savedAs: z.string().nullable() })) },
    ...windowRequests,
    /** The ids of the commands that can run now, and the names of those not called by their titles, for the system's menus. */
    'commands.report': {
      input: lazySchema(() =>
        z.strictObject({
          available: z.array(z.string().max(64)).max(500),
          names: z.record(z.string().max(64), z.string().max(500)),
        }),
      ),
      output: done,
    },
    'settings.update': {
      input: lazySchema(() =>
        settings()
          .omit({
            mode: true,
            serviceAddress: true,
            streamAddress: true,
            callHost: true,
            proxy: true,
            copyFolderName: true,
            watchFolderName: true,
            exportFolderName: true,
            recentExports: true,
          })
          .partial()
          .strict(),
      ),
      output: settings,
    },

    /** Whether the library and the settings were recovered; available after the library was opened or refused. */
    'recovery.describe': { input: nothing, output: recoveryState },
    /** The user has read it, so it is not shown again. */
    'recovery.acknowledge': { input: nothing, output: recoveryState },
    /** Opens the library once more. */
    'recovery.retry': { input: nothing, output: recoveryState },
    /** Shows the damaged file, or the app's folder, in the system's file manager. */
    'recovery.reveal': {
      input: lazySchema(() => z.strictObject({ what: z.enum(['damaged-file', 'folder']) })),
      output: done,
    },

    /** Checks the address with free reads; an empty address uses the stored one. Nothing is stored. */
    'connection.check': {
      input: lazySchema(() => z.strictObject({ serviceAddress: z.string().max(2048) })),
      output: connectionReport,
    },
    'connection.setAddress': {
      input: lazySchema(() => z.strictObject({ serviceAddress: z.string().max(2048) })),
      output: connectionState,
    },
    /** Opens the small key window (S-06) and returns; `connection.changed` reports when a key was entered. */
    'connection.enterKey': { input: nothing, output: done },
    /** Main reads the key from the clipboard; the page never sees it. */
    'connection.pasteKey': { input: nothing, output: connectionState },
    'connection.forgetKey': { input: nothing, output: connectionState },
    /** Reads the keychain again (after an unlock). */
    'connection.recheckKey': { input: nothing, output: connectionState },
    /** The same for the key of the legacy API, which has its own entry in the keychain. */
    'legacyKey.enter': { input: nothing, output: done },
    'legacyKey.paste': { input: nothing, output: connectionState },
    'legacyKey.forget': { input: nothing, output: connectionState },
    /** The current key was recognised as one of the legacy API: main stores it in the right entry. */
    'legacyKey.adopt': { input: nothing, output: connectionState },
    /** The same for the token of the account, which only its keys, usage and logs need. */
    'accountToken.enter': { input: nothing, output: done },
    'accountToken.paste': { input: nothing, output: connectionState },
    'accountToken.forget': { input: nothing, output: connectionState },
    /** Main validates the input; an invalid proxy changes nothing. */
    'connection.setProxy': {
      input: lazySchema(() =>
        z.strictObject({
          mode: settings().shape.proxy.shape.mode,
          server: z.string().max(300),
          port: z.number().int().min(1).max(65_535),
        }),
      ),
      output: settings,
    },
    /** Main validates the input; an invalid address changes nothing (E-234). Empty: the service's own. */
    'connection.setPlaces': {
      input: lazySchema(() => z.strictObject({ streamAddress: z.string().max(2048), callHost: z.string().max(300) })),
      output: settings,
    },
    /** Completes the first screen, or switches between the service and practice. Each mode has its own library. */
    'connection.choose': {
      input: lazySchema(() => z.strictObject({ mode: z.enum(modeIds) })),
      output: connectionState,
    },

    ...storageRequests,
    ...modelRequests,

    /** Stops inspecting and adding files; what was added stays. */
    'files.stopAdding': { input: nothing, output: done },

    /**
     * Adds dropped files: folders are walked, files inspected, the cost confirmed where necessary. `addsRepeats`: also
     * files that are in the queue already.
     */
    'jobs.addDropped': {
      input: lazySchema(() =>
        z.strictObject({
          tokens: z.array(fileToken()).min(1).max(20_000),
          options: jobOptions(),
          addsRepeats: z.boolean(),
          /** A file whose name reveals its language is sent in that one. */
          followsNames: z.boolean().optional(),
        }),
      ),
      output: addedFiles,
      maxInputBytes: 2 * 1024 * 1024,
    },
    /** Opens the system's dialog and adds the chosen files; when cancelled, nothing is added. */
    'jobs.addPicked': {
      input: lazySchema(() => z.strictObject({ from: z.enum(['files', 'folder']), options: jobOptions() })),
      output: addedFiles,
    },
    /** Adds the recording of a transcript once more, as a new order; the transcript stays. */
    'jobs.addRecordingOf': {
      input: lazySchema(() => z.strictObject({ transcriptId: id(), options: jobOptions() })),
      output: addedFiles,
    },
    /** Adds the bundled sample recordings, each in its own language. */
    'jobs.addSamples': { input: nothing, output: addedFiles },
    /**
     * The list as one snapshot in parts; `{}` requests the first. `number` is that of the last `jobs.changed` before
     * the snapshot. An answer with another number than requested is the first part of a newer list.
     */
    'jobs.list': {
      input: lazySchema(() =>
        z.strictObject({
          part: z.strictObject({ number: z.number().int(), index: z.number().int().min(0).max(100_000) }).optional(),
        }),
      ),
      output: lazySchema(() =>
        z.object({ number: z.number(), partCount: z.number(), jobs: z.array(jobView()), queue: queueView() }),
      ),
    },
    /**
     * Tries again by free steps. Only `acceptsNewCharge`, the user's answer to "send again" or "use the new version",
     * allows a new request that can be charged.
     */
    'jobs.retry': {
      input: lazySchema(() => z.strictObject({ jobId: id(), acceptsNewCharge: z.boolean() })),
      output: done,
    },
    'jobs.cancel': {
      input: lazySchema(() => z.strictObject({ jobId: id() })),
      output: lazySchema(() => z.object({ isAcceptedByService: z.boolean() })),
    },
    /** Removes an ended row from the list; its transcript stays in the library. */
    'jobs.remove': { input: lazySchema(() => z.strictObject({ jobId: id() })), output: done },
    /** One request for many rows; never accepts a new charge. Rows to which it does not apply stay as they are. */
    'jobs.act': {
      input: lazySchema(() => z.strictObject({ jobIds: z.array(id()).min(1).max(20_000), action: z.enum(rowActions) })),
      output: lazySchema(() => z.object({ changedCount: z.number(), acceptedCount: z.number() })),
      maxInputBytes: 4 * 1024 * 1024,
    },
    /** Restores removed rows, except those whose transcript was deleted since then. */
    'jobs.bringBack': {
      input: lazySchema(() => z.strictObject({ jobIds: z.array(id()).min(1).max(20_000) })),
      output: lazySchema(() => z.object({ restoredCount: z.number() })),
      maxInputBytes: 4 * 1024 * 1024,
    },
    /** Moves rows in front of another one; to the end when `beforeId` is null. */
    'jobs.move': {
      input: lazySchema(() => z.strictObject({ jobIds: z.array(id()).min(1).max(20_000), beforeId: id().nullable() })),
      output: done,
      maxInputBytes: 4 * 1024 * 1024,
    },
    /** Moves a row to the front of the queue; a paused row continues. */
    /** Of a row of which nothing was sent yet. */
    'jobs.changeLanguage': {
      input: lazySchema(() => z.strictObject({ jobId: id(), language: z.enum(speechLanguages) })),
      output: done,
    },
    'jobs.runNext': { input: lazySchema(() => z.strictObject({ jobId: id() })), output: done },
    /** Gives a row that asks about its earlier duplicate (E-212) a copy of that text; nothing is sent. */
    'jobs.copyResult': { input: lazySchema(() => z.strictObject({ jobId: id() })), output: done },
    /** The recording of a row was moved: opens the dialog and continues with the chosen file (E-010). */
    'jobs.locate': {
      input: lazySchema(() => z.strictObject({ jobId: id() })),
      output: lazySchema(() => z.object({ isChosen: z.boolean() })),
    },
    /** Shows the recording of a row in the system's file manager; E-010 when it is gone. No path reaches the page. */
    'jobs.showRecording': { input: lazySchema(() => z.strictObject({ jobId: id() })), output: done },
    /** Pauses or resumes everything that is not at the service yet; kept across restarts. */
    'jobs.hold': { input: lazySchema(() => z.strictObject({ isHeld: z.boolean() })), output: done },
    /** Opens the system's dialog for the folder of automatic exports, or the one to watch. */
    'automation.chooseFolder': {
      input: lazySchema(() => z.strictObject({ purpose: z.enum(['copies', 'watch']) })),
      output: lazySchema(() => z.object({ isChosen: z.boolean() })),
    },
    /** Stops watching the folder; what was added stays. */
    'automation.stopWatching': { input: nothing, output: done },
    /** The record of automatic work, newest first. */
    'automation.log': { input: nothing, output: lazySchema(() => z.object({ entries: z.array(automationLine()) })) },
    /** Repeats the exports that failed; answers when each has its outcome in the log. */
    'automation.retryCopies': { input: nothing, output: done },
    /** Unblocks the whole queue: "I have added credits", "try now". */
    'jobs.resumeQueue': { input: nothing, output: done },
    /** What the answer of the legacy API tells beside the text. */
    'jobs.legacyFacts': {
      input: lazySchema(() => z.strictObject({ jobId: id() })),
      output: lazySchema(() => z.object({ gender: z.string().nullable(), summary: z.string().nullable() })),
    },
    /** Saves the unreadable answer, through the system's dialog. */
    'jobs.saveRawAnswer': {
      input: lazySchema(() => z.strictObject({ jobId: id() })),
      output: lazySchema(() => z.object({ savedAs: z.string().nullable() })),
    },

    /** Credits that this app used since midnight, as far as the service reported them; there is no balance to read. */
    'usage.today': {
      input: nothing,
      output: lazySchema(() => z.object({ credits: z.string(), actionCount: z.number(), unreportedCount: z.number() })),
    },

    /** What transcriptions cost lately, to estimate the next ones. */
    'usage.rate': { input: nothing, output: creditRate },
    /** The same for isolations. */
    /** What dictated phrases cost lately; of recordings, while that is not known. */
    'usage.dictationRate': { input: nothing, output: creditRate },
    'usage.isolationRate': { input: nothing, output: creditRate },

    ...dictationRequests,
    ...exportRequests,
    ...transcriptRequests,
    ...libraryRequests,
    ...speakRequests,
    ...voicesRequests,
    ...isolationRequests,
    ...askRequests,
    ...accountRequests,

    /** Packed peaks of a recording that only the page could decode; read back from `/media/<token>/peaks`. */
    'peaks.store': {
      input: lazySchema(() => z.strictObject({ mediaToken: id(), peaks: z.instanceof(Uint8Array) })),
      output: done,
      maxInputBytes: 32 * 1024 * 1024,
    },
  },
  events: { ...contractEvents, ...dictationEvents, ...accountEvents },
  streams: contractStreams,
});

export type Contract = typeof contract;
