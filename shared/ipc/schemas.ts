import { z } from 'zod';
import { origins } from '../domain/modes.ts';
import { speechLanguages } from '../domain/languages.ts';
import { products } from '../domain/permissions/permission-map.ts';
import type { JobView } from '../domain/jobs/job-view.ts';
import { exportFormat, givenOptions, mainOnlySettings, storedSettings } from '../domain/settings/settings.ts';
import type { QueueView } from '../domain/jobs/queue-view.ts';
import type { Transcript } from '../domain/transcript/transcript.ts';
import type { Failure } from '../result/failure.ts';
import { lazySchema } from '../domain/lazy-schema.ts';

export const speechLanguage = lazySchema(() => z.enum(speechLanguages));
export const id = lazySchema(() => z.string().min(1).max(128));
/** Issued by main for one file and one window; reveals nothing about the file's location. */
export const fileToken = lazySchema(() => z.string().regex(/^[A-Za-z0-9_-]{16,64}$/));

/** Failures are created only in main, so their content is not validated again on the way out. */
export const failure = lazySchema(() =>
  z.custom<Failure>((value) => typeof value === 'object' && value !== null && 'row' in value),
);
export const jobView = lazySchema(() =>
  z.custom<JobView>((value) => typeof value === 'object' && value !== null && 'state' in value),
);
/** Made in main only, as `jobView`. */
export const queueView = lazySchema(() =>
  z.custom<QueueView>((value) => typeof value === 'object' && value !== null && 'pace' in value),
);
export const transcript = lazySchema(() =>
  z.custom<Transcript>((value) => typeof value === 'object' && value !== null && 'segments' in value),
);

/** What pages know of the settings. */
export const settings = lazySchema(() =>
  storedSettings()
    .omit(mainOnlySettings)
    .extend({
      /**
       * Name of the folder of automatic exports, without its path; null until one is chosen with
       * `automation.chooseFolder`.
       */
      copyFolderName: z.string().nullable(),
      /** Name of the folder whose new recordings are added; null: none is watched. */
      watchFolderName: z.string().nullable(),
      /** Name of the folder of the last export. */
      exportFolderName: z.string().nullable(),
      /** Recent exports, newest first. */
      recentExports: z.array(z.object({ format: exportFormat(), options: givenOptions(), folderName: z.string() })),
    }),
);
export type Settings = z.output<ReturnType<typeof settings>>;

/** What the page may know about the key (reliability A1). `store` says where it is kept, or why it is not. */
export const keyStatus = lazySchema(() =>
  z.object({
    present: z.boolean(),
    maskedSuffix: z.string().max(4),
    store: z.enum(['keychain', 'session', 'environment', 'none']),
    /** Why the keychain could not answer: `absent` is the normal state of a first run. */
    keychain: z.enum(['present', 'absent', 'locked', 'no-service', 'denied', 'slow', 'unsaved']),
  }),
);

/** Products, with the names of the first screen and the permission map. */
export const product = lazySchema(() => z.enum(products));
export const productAccess = lazySchema(() =>
  z.object({
    product: product(),
    access: z.enum(['allowed', 'denied', 'unknown']),
    /** The missing grant, for example `llm: read`. */
    permission: z.string().nullable(),
  }),
);

/** What the key in use may be used for: from free reads, and from refused work. */
export const keyAccess = lazySchema(() =>
  z.object({
    products: z.array(productAccess()),
    /** Unix ms of the last answered check of this key; null: never. */
    checkedAtMs: z.number().nullable(),
  }),
);

export const connectionState = lazySchema(() =>
  z.object({
    mode: settings().shape.mode,
    serviceAddress: z.string(),
    key: keyStatus(),
    access: keyAccess(),
    /** The key of the legacy API, if the user has one too. */
    legacyKey: keyStatus(),
    /** The token of the account, for its keys, usage and logs; practice mode has its own. */
    accountToken: keyStatus(),
    practice: z.enum(['off', 'starting', 'running', 'failed']),
    isOnline: z.boolean(),
    isPausedOnBattery: z.boolean(),
  }),
);
export type ConnectionState = z.output<ReturnType<typeof connectionState>>;

export const connectionReport = lazySchema(() =>
  z.object({
    /** Whether anything that speaks the contract answered at the address. */
    service: z.enum(['reached', 'not-reached', 'not-this-service']),
    /** `legacy-generation`: the current routes refuse it and those of the legacy API accept it. */
    key: z.enum(['accepted', 'refused', 'missing', 'not-checked', 'legacy-generation']),
    products: z.array(productAccess()),
    /** Whether the legacy routes accept the key that was entered for them; absent without one. */
    legacyKey: z.enum(['accepted', 'refused', 'not-checked']).optional(),
    /** Present when something went wrong. */
    failure: failure().nullable(),
  }),
);
export type ConnectionReport = z.output<ReturnType<typeof connectionReport>>;

/** What happened to the app's files on disk, until the user has read it; never their location. */
export const recoveryState = lazySchema(() =>
  z.object({
    /** E-186: the settings were damaged and have their safe defaults. */
    areSettingsReset: z.boolean(),
    /** E-182: a damaged library was set aside. Times are Unix milliseconds. */
    library: z
      .object({
        atMs: z.number(),
        /** When the backup in use was made; null: the library started empty. */
        restoredFromMs: z.number().nullable(),
        jobCount: z.number(),
        transcriptCount: z.number(),
        /** How many the damaged file claims to hold; null when it can't be counted. */
        damagedTranscriptCount: z.number().nullable(),
        isDamagedFileKept: z.boolean(),
        /** What was read from the damaged file itself; null when nobody tried. */
        salvaged: z
          .object({
            /** Rows and texts that were readable in it. */
            readCount: z.number(),
            jobCount: z.number(),
            transcriptCount: z.number(),
            /** May have been sent since the backup was made. */
            unsureCount: z.number(),
            /** Lost here, read from the service again. */
            refetchCount: z.number(),
            lostJobCount: z.number(),
          })
          .nullable(),
      })
      .nullable(),
    /** Why no library is open (E-181, E-183 to E-185); null when one is, or none is needed yet. */
    failure: failure().nullable(),
  }),
);
export type RecoveryState = z.output<ReturnType<typeof recoveryState>>;

/** What the app stores on this computer, by purpose; sizes in bytes. */
export const storageUse = lazySchema(() =>
  z.object({
    parts: z.array(
      z.object({
        part: z.enum(['library', 'prepared', 'backups', 'practice', 'peaks', 'log', 'app']),
        bytes: z.number(),
        /** What cleaning only this part would free. */
        removableBytes: z.number(),
      }),
    ),
    /** Of the disk; null when the system does not report it. */
    freeBytes: z.number().nullable(),
    /** Name of the folder the library was moved into, without its path; null: the app's own folder. */
    movedTo: z.string().nullable(),
  }),
);
export type StorageUse = z.output<ReturnType<typeof storageUse>>;

/** What the surrounding shell can do; the page hides the rest. */
export const capabilities = lazySchema(() =>
  z.object({
    shell: z.enum(['electron', 'host']),
    platform: z.enum(['linux', 'darwin', 'win32']),
    windowControls: z.boolean(),
    tray: z.boolean(),
    globalKeys: z.boolean(),
    menuBar: z.boolean(),
  }),
);
export type Capabilities = z.output<ReturnType<typeof capabilities>>;

/** A rejected file, and the reason; `E-211` and related rows. */
export const refusedFile = lazySchema(() => z.object({ name: z.string(), failure: failure() }));

export const restorationModel = lazySchema(() => z.string().trim().min(1).max(100));

/** What to do with recordings; same shape as `JobOptions`. */
export const jobOptions = lazySchema(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('transcribe'),
      language: speechLanguage(),
      includeSpeakers: z.boolean(),
      isLegacy: z.boolean().optional(),
    }),
    z.strictObject({
      kind: z.literal('isolate'),
      restoresSpeech: z.boolean(),
      restorationModel: restorationModel().optional(),
      part: z.object({ startMs: z.number().min(0), endMs: z.number().min(0) }).optional(),
      isExcerpt: z.boolean().optional(),
    }),
  ]),
);

/** The result of adding files: at most 500 of each kind by name, the counts of all. */
export const addedFiles = lazySchema(() =>
  z.object({
    jobIds: z.array(id()),
    addedCount: z.number(),
    /** Not added because the user stopped or declined the cost. */
    leftCount: z.number(),
    refused: z.array(refusedFile()),
    refusedCount: z.number(),
    /** In the queue already; `token` adds them anyway. */
    repeated: z.array(z.object({ token: fileToken(), name: z.string(), jobId: id() })),
    repeatedCount: z.number(),
  }),
);
export type AddedFiles = z.output<ReturnType<typeof addedFiles>>;

/** One entry of automatic work; names only, never the path of a file. */
export const automationLine = lazySchema(() =>
  z.object({
    kind: z.enum(['copy', 'watch']),
    atMs: z.number(),
    name: z.string(),
    outcome: z.enum(['done', 'skipped', 'failed']),
    /** Why it failed. */
    failure: failure().nullable(),
  }),
);

export const transcriptDetail = lazySchema(() =>
  z.object({
    id: id(),
    title: z.string(),
    sourceName: z.string(),
    createdAtMs: z.number(),
    isPractice: z.boolean(),
    /** False for a text that was imported from a file, or dictated. */
    isAtService: z.boolean(),
    /** Who recognised it, and with what; null for a text that was imported, dictated or made in practice mode. */
    madeBy: z.object({ origin: z.enum(origins), model: z.string().nullable() }).nullable(),
    transcript: transcript(),
    /** The number of its edits; the next save names it as its base. */
    revision: z.number(),
    /** The segments of a long text, which are read in parts (`transcripts.readOn`); null: `transcript` is complete. */
    rest: z.object({ token: id(), partCount: z.number() }).nullable(),
    /** A same-origin address of the recording (`/media/<token>`), or null when the file can't be found any more. */
    mediaUrl: z.string().nullable(),
    /** Identifies the cached peaks of this recording. */
    mediaToken: z.string().nullable(),
    /** The file name of the recording, of a video too; null where there is none, or only its audio is known. */
    recordingName: z.string().nullable(),
    mediaFailure: failure().nullable(),
    /** It plays isolated audio in place of its recording. */
    playsIsolated: z.boolean(),
  }),
);
export type TranscriptDetail = z.output<ReturnType<typeof transcriptDetail>>;
