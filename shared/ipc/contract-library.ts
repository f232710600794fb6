import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { libraryKinds, type Filed, type LibraryItem, type RemoteTranscript } from '../domain/library/library-item.ts';
import { failure, id } from './schemas.ts';

const done = lazySchema(() => z.object({}));
const ref = lazySchema(() => z.strictObject({ kind: z.enum(libraryKinds), id: id() }));
const refs = lazySchema(() => z.array(ref()).min(1).max(10_000));
const ranges = lazySchema(() => z.array(z.tuple([z.number(), z.number()])));
/** Made in main only, so that thousands of them are not looked into again. */
const item = lazySchema(() =>
  z.custom<LibraryItem & Filed>((value) => typeof value === 'object' && value !== null && 'createdAtMs' in value),
);

const remote = lazySchema(() =>
  z.custom<RemoteTranscript>((value) => typeof value === 'object' && value !== null && 'remoteId' in value),
);

/** What a page may ask of everything that was ever made. */
export const libraryRequests = {
  /** Newest first, with what is in the trash. */
  'library.list': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({
        items: z.array(item()),
        folders: z.array(z.object({ id: id(), name: z.string(), parentId: id().nullable() })),
        tags: z.array(z.object({ id: id(), name: z.string() })),
      }),
    ),
  },
  /** `among`: what is looked through, each as `kind:id`; what is found comes in this order. */
  'library.search': {
    input: lazySchema(() =>
      z.strictObject({
        text: z.string().min(1).max(500),
        among: z.array(z.string().max(160)).max(50_000),
        /** So many recordings are told with their moments; the others are only counted. */
        mostItems: z.int().min(1).max(1000),
        /** What has the most moments comes first. */
        isByMoments: z.boolean().optional(),
      }),
    ),
    maxInputBytes: 4 * 1024 * 1024,
    output: lazySchema(() =>
      z.object({
        items: z.array(
          z.object({
            kind: z.enum(libraryKinds),
            id: id(),
            titleRanges: ranges(),
            moments: z.array(z.object({ startMs: z.number(), text: z.string(), ranges: ranges() })),
            momentCount: z.number(),
          }),
        ),
        momentCount: z.number(),
        itemCount: z.number(),
        isPartial: z.boolean(),
        nearest: z.object({ text: z.string(), momentCount: z.number() }).nullable(),
      }),
    ),
  },
  'library.rename': {
    input: lazySchema(() => z.strictObject({ item: ref(), title: z.string().min(1).max(300) })),
    output: done,
  },
  'library.trash': { input: lazySchema(() => z.strictObject({ items: refs() })), output: done },
  'library.restore': { input: lazySchema(() => z.strictObject({ items: refs() })), output: done },
  /** For good, and only of what is in the trash. */
  'library.erase': {
    input: lazySchema(() => z.strictObject({ items: refs(), atService: z.boolean() })),
    output: done,
  },
  /** Into a folder; null: out of the one they are in. */
  'library.move': {
    input: lazySchema(() => z.strictObject({ items: refs(), folderId: id().nullable() })),
    output: done,
  },
  /** Renames a folder; makes one in `parentId` when `id` is null. */
  'library.saveFolder': {
    input: lazySchema(() =>
      z.strictObject({ id: id().nullable(), name: z.string().min(1).max(100), parentId: id().nullable() }),
    ),
    output: lazySchema(() => z.object({ id: id() })),
  },
  /** Null: into no other folder. */
  'library.moveFolder': {
    input: lazySchema(() => z.strictObject({ id: id(), parentId: id().nullable() })),
    output: done,
  },
  /** What was in it stays, in the folder around it or in none. */
  'library.removeFolder': { input: lazySchema(() => z.strictObject({ id: id() })), output: done },
  /** Puts a tag on things, or takes it off them. */
  'library.tag': {
    input: lazySchema(() => z.strictObject({ items: refs(), tagId: id(), isOn: z.boolean() })),
    output: done,
  },
  /** Renames a tag; makes one when `id` is null. A name that is there already makes two tags one. */
  'library.saveTag': {
    input: lazySchema(() => z.strictObject({ id: id().nullable(), name: z.string().min(1).max(60) })),
    output: lazySchema(() => z.object({ id: id() })),
  },
  /** Takes a tag off everything. */
  'library.removeTag': { input: lazySchema(() => z.strictObject({ id: id() })), output: done },
  /** What the service has and this computer has not; notes which of ours were deleted there. Free. */
  'library.remote': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() => z.object({ items: z.array(remote()), deletedCount: z.number(), isWhole: z.boolean() })),
  },
  /** Brings one of them into the library, without its recording. Free. */
  'library.bringIn': {
    input: lazySchema(() => z.strictObject({ remoteId: z.string().min(1).max(300) })),
    output: lazySchema(() => z.object({ transcriptId: id() })),
  },
  /** Transcripts whose recording is not where it was (`isMoved`), or that came without one. */
  'library.missing': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({
        missing: z.array(z.object({ id: id(), name: z.string(), sizeBytes: z.number(), isMoved: z.boolean() })),
      }),
    ),
  },
  /** Opens the dialog for a folder and begins to look through it; `library.finding` tells how far that is. */
  'library.findRecordings': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() => z.object({ isBegun: z.boolean() })),
  },
  'library.stopFinding': { input: lazySchema(() => z.strictObject({})), output: done },
  /** The names that people gave to speakers, the most used first. */
  'library.speakers': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({
        speakers: z.array(z.object({ name: z.string(), colour: z.number().nullable(), count: z.number() })),
      }),
    ),
  },
  /**
   * Gives a kept name another one, and a colour (null: as it is), in every recording that has it; a name that is there
   * already makes two people one. `was` null keeps a new name.
   */
  'library.saveSpeaker': {
    input: lazySchema(() =>
      z.strictObject({
        was: z.string().min(1).max(500).nullable(),
        name: z.string().min(1).max(200),
        colour: z.int().min(1).max(8).nullable(),
      }),
    ),
    output: lazySchema(() => z.object({ changedCount: z.number() })),
  },
  /** Offers a name no more; recordings keep it. */
  'library.forgetSpeaker': {
    input: lazySchema(() => z.strictObject({ name: z.string().min(1).max(500) })),
    output: done,
  },
  /** The audio of a thing, to be heard without opening it. */
  'library.audio': {
    input: lazySchema(() => z.strictObject({ item: ref() })),
    output: lazySchema(() => z.object({ mediaUrl: z.string().nullable(), failure: failure().nullable() })),
  },
};

export type LibrarySearchAnswer = z.output<ReturnType<(typeof libraryRequests)['library.search']['output']>>;
