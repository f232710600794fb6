import { z } from 'zod';
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
/** Issued by main for one file and one window; says nothing about where the file is. */
export const fileToken = lazySchema(() => z.string().regex(/^[A-Za-z0-9_-]{16,64}$/));

/** Failures are made in main only, so their inside is not checked again on the way out. */
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
      /** Name of the folder copies go to, without where it is; null until one is chosen. Chosen by `automation.chooseFolder`. */
      copyFolderName: z.string().nullable(),
      /** Name of the folder whose new recordings are taken; null: none is watched. */
      watchFolderName: z.string().nullable(),
      /** Name of the folder that the last export went to. */
      exportFolderName: z.string().nullable(),
      /** What was exported where, the latest first. */
      recentExports: z.array(z.object({ format: exportFormat(), options: givenOptions(), folderName: z.string() })),
    }),
);
export type Settings = z.output<ReturnType<typeof settings>>;

/** What the page may know of the key (reliability A1). `store` says where it is kept, or why it is not. */
export const keyStatus = lazySchema(() =>
  z.object({
    present: z.boolean(),
    maskedSuffix: z.string().max(4),
    store: z.enum(['keychain', 'session', 'environment', 'none']),
    /** Why the keychain could not serve: `absent` is the normal state of a first run. */
    keychain: z.enum(['present', 'absent', 'locked', 'no-service', 'denied', 'slow', 'unsaved']),
  }),
);

/** Products as the first screen and the permission map name them. */
export const product = lazySchema(() => z.enum(products));
export const productAccess = lazySchema(() =>
  z.object({
    product: product(),
    access: z.enum(['allowed', 'denied', 'unknown']),
    /** The grant that is missing, for example `llm: read`. */
    permission: z.string().nullable(),
  }),
);

/** What the key in use may be used for: from free reads, and from work that was refused. */
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
    /** The key of the legacy API, if the person has one too. */
    legacyKey: keyStatus(),
    /** The token of the account, for its keys, usage and logs; practice mode has one of its own. */
    accountToken: keyStatus(),
    practice: z.enum(['off', 'starting', 'running', 'failed']),
    isOnline: z.boolean(),
  }),
);
export type ConnectionState = z.output<ReturnType<typeof connectionState>>;

export const connectionReport = lazySchema(() =>
  z.object({
    /** Whether anything that speaks the contract answered at the address. */
    service: z.enum(['reached', 'not-reached', 'not-this-service']),
    /** `legacy-generation`: the current routes refuse it and those of the legacy API take it. */
    key: z.enum(['accepted', 'refused', 'missing', 'not-checked', 'legacy-generation']),
    products: z.array(productAccess()),
    /** Whether the legacy routes take the key that was entered for them; absent without one. */
    legacyKey: z.enum(['accepted', 'refused', 'not-checked']).optional(),
    /** Present when something went wrong. */
    failure: failure().nullable(),
  }),
);
export type ConnectionReport = z.output<ReturnType<typeof connectionReport>>;

/** What happened to what the app keeps on disk, for as long as nobody has read it; never where it is. */
export const recoveryState = lazySchema(() =>
  z.object({
    /** E-186: the settings were damaged and have their safe defaults. */
    areSettingsReset: z.boolean(),
    /** E-182: a damaged library was put aside. Times are Unix milliseconds. */
    library: z
      .object({
        atMs: z.number(),
        /** When the copy was made that serves now; null: an empty library serves. */
        restoredFromMs: z.number().nullable(),
        jobCount: z.number(),
        transcriptCount: z.number(),
        /** What the damaged file says it holds; null when it can't be counted. */
        damagedTranscriptCount: z.number().nullable(),
        isDamagedFileKept: z.boolean(),
        /** What was read out of the damaged file itself; null when nobody tried. */
        salvaged: z
          .object({
            /** Rows and texts that could be read in it at all. */
            readCount: z.number(),
            jobCount: z.number(),
            transcriptCount: z.number(),
            /** May have been sent since the copy was made. */
            unsureCount: z.number(),
            /** Lost here, read from the service again. */
            refetchCount: z.number(),
            lostJobCount: z.number(),
          })
          .nullable(),
      })
      .nullable(),
    /** Why no library is open (E-181, E-183 to E-185); null when one is, or none is wanted yet. */
    failure: failure().nullable(),
  }),
);
export type RecoveryState = z.output<ReturnType<typeof recoveryState>>;

/** What the app keeps on this computer, by what it is for; sizes in bytes. */
export const storageUse = lazySchema(() =>
  z.object({
    parts: z.array(
      z.object({
        part: z.enum(['library', 'prepared', 'backups', 'practice', 'peaks', 'log', 'app']),
        bytes: z.number(),
        /** What cleaning this part alone would free. */
        removableBytes: z.number(),
      }),
    ),
    /** Of the disk; null when the system would not say. */
    freeBytes: z.number().nullable(),
    /** Name of the folder the library was moved into, without where it is; null: the app's own folder. */
    movedTo: z.string().nullable(),
  }),
);
export type StorageUse = z.output<ReturnType<typeof storageUse>>;

/** What the shell around the page can do; the page hides what it can't. */
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

/** A file that can't be taken, and why; `E-211` and its relatives. */
export const refusedFile = lazySchema(() => z.object({ name: z.string(), failure: failure() }));

export const restorationModel = lazySchema(() => z.string().trim().min(1).max(100));

/** What is to be done with recordings; the same shape as `JobOptions`. */
export const jobOptions = lazySchema(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('transcribe'), language: speechLanguage(), includeSpeakers: z.boolean() }),
    z.strictObject({
      kind: z.literal('isolate'),
      restoresSpeech: z.boolean(),
      restorationModel: restorationModel().optional(),
      part: z.object({ startMs: z.number().min(0), endMs: z.number().min(0) }).optional(),
      isExcerpt: z.boolean().optional(),
    }),
  ]),
);

/** What came of adding files: at most 500 of each kind by name, the counts of all. */
export const addedFiles = lazySchema(() =>
  z.object({
    jobIds: z.array(id()),
    addedCount: z.number(),
    /** Not added because the person stopped it or declined the cost. */
    leftCount: z.number(),
    refused: z.array(refusedFile()),
    refusedCount: z.number(),
    /** In the queue already; `token` adds them all the same. */
    repeated: z.array(z.object({ token: fileToken(), name: z.string(), jobId: id() })),
    repeatedCount: z.number(),
  }),
);
export type AddedFiles = z.output<ReturnType<typeof addedFiles>>;

/** One line of what was done without a hand; names only, never where a file is. */
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
    transcript: transcript(),
    /** How many edits the text holds; saving the next ones names it. */
    revision: z.number(),
    /** The segments of a long text, which are read in parts (`transcripts.readOn`); null: `transcript` is whole. */
    rest: z.object({ token: id(), partCount: z.number() }).nullable(),
    /** A same-origin address of the recording (`/media/<token>`), or null when the file can't be found any more. */
    mediaUrl: z.string().nullable(),
    /** Names the cached peaks of this recording. */
    mediaToken: z.string().nullable(),
    mediaFailure: failure().nullable(),
    /** It plays isolated audio in place of its recording. */
    playsIsolated: z.boolean(),
  }),
);
export type TranscriptDetail = z.output<ReturnType<typeof transcriptDetail>>;
