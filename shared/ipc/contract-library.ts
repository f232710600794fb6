import { z } from 'zod';
import { lazySchema } from '../domain/lazy-schema.ts';
import { libraryKinds, type Filed, type LibraryItem, type RemoteTranscript } from '../domain/library/library-item.ts';
import { failure, id } from './schemas.ts';

const done = lazySchema(() => z.object({}));
const ref = lazySchema(() => z.strictObject({ kind: z.enum(libraryKinds), id: id() }));
const refs = lazySchema(() => z.array(ref()).min(1).max(10_000));
const ranges = lazySchema(() => z.array(z.tuple([z.number(), z.number()])));
/** Created only in main, so that thousands of them are not validated again. */
const item = lazySchema(() =>
  z.custom<LibraryItem & Filed>((value) => typeof value === 'object' && value !== null && 'createdAtMs' in value),
);

const remote = lazySchema(() =>
  z.custom<RemoteTranscript>((value) => typeof value === 'object' && value !== null && 'remoteId' in value),
);

/** Requests about all items of the library. */
export const libraryRequests = {
  /** Newest first, including the trash. */
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
  /** `among`: the items to search, each as `kind:id`; results are in this order. */
  'library.search': {
    input: lazySchema(() =>
      z.strictObject({
        text: z.string().min(1).max(500),
        among: z.array(z.string().max(160)).max(50_000),
        /** This many recordings come with their moments; the others are only counted. */
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
  /** The first words of a thing, or those from a time on; no moments where it has no words. */
  'library.read': {
    input: lazySchema(() => z.strictObject({ item: ref(), fromMs: z.number().min(0) })),
    output: lazySchema(() => z.object({ moments: z.array(z.object({ startMs: z.number(), text: z.string() })) })),
  },
  /** An empty title is that of an item without a name, which undo restores. */
  'library.rename': {
    input: lazySchema(() => z.strictObject({ item: ref(), title: z.string().max(300) })),
    output: done,
  },
  'library.trash': { input: lazySchema(() => z.strictObject({ items: refs() })), output: done },
  'library.restore': { input: lazySchema(() => z.strictObject({ items: refs() })), output: done },
  /** For good, and only items in the trash. */
  'library.erase': {
    input: lazySchema(() => z.strictObject({ items: refs(), atService: z.boolean() })),
    output: done,
  },
  /** Into a folder; null: out of the one they are in. */
  'library.move': {
    input: lazySchema(() => z.strictObject({ items: refs(), folderId: id().nullable() })),
    output: done,
  },
  /** Renames a folder; creates one in `parentId` when `id` is null or of no folder. */
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
  /** Its content moves to the surrounding folder, or out of any. */
  'library.removeFolder': { input: lazySchema(() => z.strictObject({ id: id() })), output: done },
  /** Adds a tag to items, or removes it. */
  'library.tag': {
    input: lazySchema(() => z.strictObject({ items: refs(), tagId: id(), isOn: z.boolean() })),
    output: done,
  },
  /** Renames a tag; creates one when `id` is null or of no tag. An existing name merges two tags. */
  'library.saveTag': {
    input: lazySchema(() => z.strictObject({ id: id().nullable(), name: z.string().min(1).max(60) })),
    output: lazySchema(() => z.object({ id: id() })),
  },
  /** Takes a tag off everything. */
  'library.removeTag': { input: lazySchema(() => z.strictObject({ id: id() })), output: done },
  /** What exists at the service and not on this computer; records which of ours were deleted there. Free. */
  'library.remote': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() => z.object({ items: z.array(remote()), deletedCount: z.number(), isWhole: z.boolean() })),
  },
  /** Imports one of them into the library, without its recording. Free. */
  'library.bringIn': {
    input: lazySchema(() => z.strictObject({ remoteId: z.string().min(1).max(300) })),
    output: lazySchema(() => z.object({ transcriptId: id() })),
  },
  /** Transcripts whose recording was moved (`isMoved`), or that came without one. */
  'library.missing': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({
        missing: z.array(z.object({ id: id(), name: z.string(), sizeBytes: z.number(), isMoved: z.boolean() })),
      }),
    ),
  },
  /** Opens the dialog for a folder and starts searching it; `library.finding` reports the progress. */
  'library.findRecordings': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() => z.object({ isBegun: z.boolean() })),
  },
  'library.stopFinding': { input: lazySchema(() => z.strictObject({})), output: done },
  /** The names that users gave to speakers, most used first. */
  'library.speakers': {
    input: lazySchema(() => z.strictObject({})),
    output: lazySchema(() =>
      z.object({
        speakers: z.array(z.object({ name: z.string(), colour: z.number().nullable(), count: z.number() })),
      }),
    ),
  },
  /**
   * Changes a stored name and its colour (null: unchanged) in every recording that has it; an existing name merges two
   * people. `was` null stores a new name.
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
  /** No longer offers a name; recordings keep it. */
  'library.forgetSpeaker': {
    input: lazySchema(() => z.strictObject({ name: z.string().min(1).max(500) })),
    output: done,
  },
  /** The audio of an item, to play it without opening it. */
  'library.audio': {
    input: lazySchema(() => z.strictObject({ item: ref() })),
    output: lazySchema(() => z.object({ mediaUrl: z.string().nullable(), failure: failure().nullable() })),
  },
};

export type LibrarySearchAnswer = z.output<ReturnType<(typeof libraryRequests)['library.search']['output']>>;
