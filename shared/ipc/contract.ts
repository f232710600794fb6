import { z } from 'zod';
import { rowActions } from '../domain/jobs/queue-view.ts';
import { contractEvents } from './contract-events.ts';
import { storageRequests } from './contract-storage.ts';
import { defineContract } from './define.ts';
import {
  capabilities,
  connectionReport,
  connectionState,
  corrections,
  automationLine,
  exportFormat,
  transcriptScript,
  failure,
  fileToken,
  foundFiles,
  id,
  jobView,
  pickedFile,
  queueView,
  recoveryState,
  refusedFile,
  settings,
  speechLanguage,
  transcriptDetail,
} from './schemas.ts';

const nothing = z.strictObject({});
const done = z.object({});

/**
 * The only place where a request or an event exists. Dispatcher, preload and page client derive from it.
 * Names are `domain.verb`. Requests are short: what lasts longer is a job, and its progress is an event.
 */
export const contract = defineContract({
  requests: {
    'app.describe': {
      input: nothing,
      output: z.object({
        version: z.string(),
        capabilities,
        settings,
        connection: connectionState,
        corrections,
        isMaximized: z.boolean(),
      }),
    },
    /** Opens the save dialog and writes a report for support. `savedAs` is null when the person cancelled. */
    'diagnostics.save': { input: nothing, output: z.object({ savedAs: z.string().nullable() }) },
    'window.control': {
      input: z.strictObject({ action: z.enum(['minimize', 'toggle-maximize', 'close']) }),
      output: done,
    },
    /** The actions that can be done now, by their ids, for the menus of the system. */
    'commands.report': { input: z.strictObject({ available: z.array(z.string().max(64)).max(500) }), output: done },
    'settings.update': {
      input: settings
        .omit({ mode: true, serviceAddress: true, proxy: true, copyFolderName: true, watchFolderName: true })
        .partial()
        .strict(),
      output: settings,
    },

    /** Whether the library and the settings came through; after the library was opened or refused. */
    'recovery.describe': { input: nothing, output: recoveryState },
    /** It was read; it is not told of again. */
    'recovery.acknowledge': { input: nothing, output: recoveryState },
    /** Opens the library once more. */
    'recovery.retry': { input: nothing, output: recoveryState },
    /** Shows the damaged file, or the app's folder, in the system's file manager. */
    'recovery.reveal': { input: z.strictObject({ what: z.enum(['damaged-file', 'folder']) }), output: done },

    /** Checks the address with free reads; an empty address uses the stored one. Nothing is stored. */
    'connection.check': { input: z.strictObject({ serviceAddress: z.string().max(2048) }), output: connectionReport },
    'connection.setAddress': {
      input: z.strictObject({ serviceAddress: z.string().max(2048) }),
      output: connectionState,
    },
    /** Opens the small key window (S-06) and returns; `connection.changed` tells when a key was entered. */
    'connection.enterKey': { input: nothing, output: done },
    /** Main takes the key from the clipboard; the page never sees it. */
    'connection.pasteKey': { input: nothing, output: connectionState },
    'connection.forgetKey': { input: nothing, output: connectionState },
    /** Asks the keychain once more (after an unlock). */
    'connection.recheckKey': { input: nothing, output: connectionState },
    /** The same for the key of the older generation, which has an entry of its own in the keychain. */
    'olderKey.enter': { input: nothing, output: done },
    'olderKey.paste': { input: nothing, output: connectionState },
    'olderKey.forget': { input: nothing, output: connectionState },
    /** The current key was recognised as one of the older generation: main puts it where it belongs. */
    'olderKey.adopt': { input: nothing, output: connectionState },
    /** Main reads what was written; what can't be a proxy changes nothing. */
    'connection.setProxy': {
      input: z.strictObject({
        mode: settings.shape.proxy.shape.mode,
        server: z.string().max(300),
        port: z.number().int().min(1).max(65_535),
      }),
      output: settings,
    },
    /** Ends the first screen, or changes between the service and practice. Each mode has its own library. */
    'connection.choose': { input: z.strictObject({ mode: z.enum(['service', 'practice']) }), output: connectionState },

    ...storageRequests,

    /** Opens the system's dialog. Cancelled: an empty list. */
    'files.pick': {
      input: z.strictObject({ kind: z.enum(['files', 'folder']) }),
      output: foundFiles,
    },
    /** Finds the files in what was dropped, without looking into them; what is no file is told with its reason. */
    'files.inspect': {
      input: z.strictObject({ tokens: z.array(fileToken).min(1).max(20_000) }),
      output: foundFiles,
      maxInputBytes: 2 * 1024 * 1024,
    },
    /** Looks into no more files and adds no more of them; what was added stays. */
    'files.stopAdding': { input: nothing, output: done },
    /** The bundled sample recordings, for practice mode. */
    'files.samples': {
      input: nothing,
      output: z.object({ files: z.array(pickedFile.extend({ language: speechLanguage, speakers: z.number() })) }),
    },

    /** Looks into files and adds those that can be taken. `batch` stands for all files that one look found, when they were too many to be named. */
    'jobs.add': {
      input: z.strictObject({
        files: z
          .array(z.strictObject({ token: fileToken, language: speechLanguage, includeSpeakers: z.boolean() }))
          .max(20_000),
        batch: z.strictObject({ token: fileToken, language: speechLanguage, includeSpeakers: z.boolean() }).optional(),
      }),
      /** `jobIds` holds the first 500; `leftCount` is what was not added because a person stopped it. */
      output: z.object({
        jobIds: z.array(id),
        addedCount: z.number(),
        leftCount: z.number(),
        refused: z.array(refusedFile),
        refusedCount: z.number(),
      }),
      maxInputBytes: 4 * 1024 * 1024,
    },
    /**
     * The list in parts of one moment; `{}` asks for the first. `number` is that of the last `jobs.changed` before that
     * moment. An answer under another number than the one asked for is the first part of a newer list.
     */
    'jobs.list': {
      input: z.strictObject({
        part: z.strictObject({ number: z.number().int(), index: z.number().int().min(0).max(100_000) }).optional(),
      }),
      output: z.object({ number: z.number(), partCount: z.number(), jobs: z.array(jobView), queue: queueView }),
    },
    /**
     * Tries again by free steps. Only with `acceptsNewCharge`, the person's answer to "send again" or "use the new
     * version", may it become a new request that can be charged.
     */
    'jobs.retry': { input: z.strictObject({ jobId: id, acceptsNewCharge: z.boolean() }), output: done },
    'jobs.cancel': { input: z.strictObject({ jobId: id }), output: z.object({ isAcceptedByService: z.boolean() }) },
    /** Takes an ended row out of the list; its transcript stays in the library. */
    'jobs.remove': { input: z.strictObject({ jobId: id }), output: done },
    /** One wish for many rows; never accepts a new charge. Rows it does not fit stay as they are. */
    'jobs.act': {
      input: z.strictObject({ jobIds: z.array(id).min(1).max(20_000), action: z.enum(rowActions) }),
      output: z.object({ changedCount: z.number(), acceptedCount: z.number() }),
      maxInputBytes: 4 * 1024 * 1024,
    },
    /** Puts rows back that were taken out of the list. Those whose transcript was deleted since then stay away. */
    'jobs.bringBack': {
      input: z.strictObject({ jobIds: z.array(id).min(1).max(20_000) }),
      output: z.object({ restoredCount: z.number() }),
      maxInputBytes: 4 * 1024 * 1024,
    },
    /** Puts rows right before another one; behind all of them when `beforeId` is null. */
    'jobs.move': {
      input: z.strictObject({ jobIds: z.array(id).min(1).max(20_000), beforeId: id.nullable() }),
      output: done,
      maxInputBytes: 4 * 1024 * 1024,
    },
    /** To the head of the line; a paused row goes on. */
    'jobs.runNext': { input: z.strictObject({ jobId: id }), output: done },
    /** Gives a row that asks about its earlier twin (E-212) a copy of that text; nothing is sent. */
    'jobs.copyResult': { input: z.strictObject({ jobId: id }), output: done },
    /** The recording of a row was moved: opens the dialog and goes on with the file that is chosen (E-010). */
    'jobs.locate': { input: z.strictObject({ jobId: id }), output: z.object({ isChosen: z.boolean() }) },
    /** Pauses everything that is not at the service yet, or lets it go on; kept over restarts. */
    'jobs.hold': { input: z.strictObject({ isHeld: z.boolean() }), output: done },
    /** Opens the system's dialog for the folder that copies go to, or whose new recordings are taken. */
    'automation.chooseFolder': {
      input: z.strictObject({ purpose: z.enum(['copies', 'watch']) }),
      output: z.object({ isChosen: z.boolean() }),
    },
    /** Watches no folder any more; what was taken stays. */
    'automation.stopWatching': { input: nothing, output: done },
    /** What was done without a hand, the newest first. */
    'automation.log': { input: nothing, output: z.object({ entries: z.array(automationLine) }) },
    /** Lifts a stop of the whole queue: "I have added credits", "try now". */
    'jobs.resumeQueue': { input: nothing, output: done },
    /** Saves the answer that could not be read, through the system's dialog. */
    'jobs.saveRawAnswer': {
      input: z.strictObject({ jobId: id }),
      output: z.object({ savedAs: z.string().nullable() }),
    },

    /** Credits that this app used since midnight, as far as the service told; there is no balance to read. */
    'usage.today': {
      input: nothing,
      output: z.object({ credits: z.string(), actionCount: z.number(), untoldCount: z.number() }),
    },

    /** What recordings cost lately, to judge the next ones by; credits as decimal text, null where none was told. */
    'usage.rate': {
      input: nothing,
      output: z.object({
        sampleCount: z.number(),
        creditsPerHour: z.string().nullable(),
        creditsPerGigabyte: z.string().nullable(),
      }),
    },

    'transcripts.open': { input: z.strictObject({ transcriptId: id }), output: transcriptDetail },
    /** The next segments of a long text, `LeanSegment[]` as JSON. Each part can be read once. */
    'transcripts.readOn': {
      input: z.strictObject({ token: id, part: z.number().int().min(0).max(100_000) }),
      output: z.object({ segments: z.string() }),
    },
    /** What can be deleted, newest first; no words. */
    'transcripts.list': {
      input: nothing,
      output: z.object({
        transcripts: z.array(
          z.object({
            id,
            title: z.string(),
            sourceName: z.string(),
            createdAtMs: z.number(),
            isAtService: z.boolean(),
          }),
        ),
      }),
    },
    /** Gone at once for every reader, and for good some time after `undoMs` have passed, or when the app ends. */
    'transcripts.delete': {
      input: z.strictObject({ transcriptId: id, atService: z.boolean() }),
      output: z.object({ undoMs: z.number() }),
    },
    /** False when it was too late. */
    'transcripts.restore': {
      input: z.strictObject({ transcriptId: id }),
      output: z.object({ isRestored: z.boolean() }),
    },
    'transcripts.rename': {
      input: z.strictObject({ transcriptId: id, title: z.string().min(1).max(300) }),
      output: z.object({ title: z.string() }),
    },
    /** The sound of a video was removed here and can be taken out of it again (`mediaFailure` of code `sound_removed`). */
    'transcripts.takeSoundAgain': {
      input: z.strictObject({ transcriptId: id }),
      output: z.object({ mediaUrl: z.string().nullable(), mediaToken: z.string().nullable() }),
    },
    /** Finds the recording again after it was moved: opens the dialog, checks the content hash. */
    'transcripts.locateMedia': {
      input: z.strictObject({ transcriptId: id }),
      output: z.object({
        mediaUrl: z.string().nullable(),
        mediaToken: z.string().nullable(),
        failure: failure.nullable(),
      }),
    },

    /** Opens the save dialog and writes the file. `savedAs` is null when the person cancelled. */
    'exports.save': {
      input: z.strictObject({ transcriptId: id, format: exportFormat, script: transcriptScript }),
      output: z.object({ savedAs: z.string().nullable(), revealToken: z.string().nullable() }),
    },
    /** The same bytes as text, for the clipboard. */
    /** `beginning`: 6,000 characters, which is what a preview shows; `isCut`: there is more than that. */
    'exports.render': {
      input: z.strictObject({
        transcriptId: id,
        format: exportFormat,
        script: transcriptScript,
        part: z.enum(['beginning', 'all']),
      }),
      output: z.object({ text: z.string(), isCut: z.boolean() }),
    },
    'exports.reveal': { input: z.strictObject({ revealToken: id }), output: done },

    /** Peaks of a recording as `renderer/audio` packs them; read back from `/media/<token>/peaks`. */
    'peaks.store': {
      input: z.strictObject({ mediaToken: id, peaks: z.instanceof(Uint8Array) }),
      output: done,
      maxInputBytes: 32 * 1024 * 1024,
    },
  },
  events: contractEvents,
});

export type Contract = typeof contract;
