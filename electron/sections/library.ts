import { access, constants } from 'node:fs/promises';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Library } from '../services/library/library.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import { every } from '../shell/import-progress.ts';
import { choosePaths } from '../shell/choose-paths.ts';
import { dialogWords } from '../shell/words.ts';
import { procedure } from '../ipc/procedure.ts';
import { askOpened, id, type App } from './context.ts';
import { z } from 'zod';
import { libraryKinds } from '../../shared/domain/library/library-item.ts';

const ref = z.strictObject({ kind: z.enum(libraryKinds), id });
const refs = z.array(ref).min(1).max(10_000);

export const libraryProcedures = (app: App) => {
  const { workspaces, keys, settings, mediaTokens, windowOf, publishFinding } = app;
  const withLibrary = askOpened(workspaces, (workspace) => workspace);
  const done = async (work: (library: Library) => Promise<Result<unknown>> | Result<unknown>) =>
    withLibrary(async (library) => {
      const result = await work(library);
      return result.ok ? ok({}) : result;
    });
  let finding: AbortController | null = null;
  const refuseKey = (text: string) => (keys.isInText(text) ? err(makeFailure('key-in-text')) : null);

  return {
    'library.list': procedure(z.strictObject({}), async () =>
      withLibrary(async ({ items }) => {
        const listed = await items.list();
        return listed.ok
          ? ok({
              items: [...listed.value.items],
              folders: listed.value.folders.map((folder) => ({ ...folder })),
              tags: listed.value.tags.map((tag) => ({ ...tag })),
            })
          : listed;
      }),
    ),
    'library.search': procedure(
      z.strictObject({
        text: z.string().min(1).max(500),
        among: z.array(z.string().max(160)).max(50_000),
        /** This many recordings come with their moments; the others are only counted. */
        mostItems: z.int().min(1).max(1000),
        isByMoments: z.boolean().optional(),
      }),
      async (request) => withLibrary(({ items }) => items.search(request)),
      { maxInputBytes: 4 * 1024 * 1024 },
    ),
    'library.read': procedure(z.strictObject({ item: ref, fromMs: z.number().min(0) }), async ({ item, fromMs }) =>
      withLibrary(async ({ items }) => {
        const read = await items.read(item, fromMs);
        return read.ok ? ok({ moments: read.value.map((moment) => ({ ...moment })) }) : read;
      }),
    ),
    'library.rename': procedure(
      z.strictObject({ item: ref, title: z.string().max(300) }),
      async ({ item, title }) => refuseKey(title) ?? done(({ items }) => items.rename(item, title)),
    ),
    'library.trash': procedure(z.strictObject({ items: refs }), async ({ items: refs }) =>
      done(({ items }) => items.trash(refs)),
    ),
    'library.restore': procedure(z.strictObject({ items: refs }), async ({ items: refs }) =>
      done(({ items }) => items.restore(refs)),
    ),
    /** For good, and only items in the trash. */
    'library.erase': procedure(
      z.strictObject({ items: refs, atService: z.boolean() }),
      async ({ items: refs, atService }) =>
        done(async ({ items, speakerBook }) => {
          const erased = await items.erase(refs, atService);
          // Names that occurred only in erased items are removed from the hidden ones too.
          return erased.ok ? speakerBook.list() : erased;
        }),
    ),
    /** Into a folder; null: out of the one they are in. */
    'library.move': procedure(
      z.strictObject({ items: refs, folderId: id.nullable() }),
      async ({ items: refs, folderId }) => done(({ items }) => items.move(refs, folderId)),
    ),
    /** Renames a folder; creates one in `parentId` when `id` is null or of no folder. */
    'library.saveFolder': procedure(
      z.strictObject({ id: id.nullable(), name: z.string().min(1).max(100), parentId: id.nullable() }),
      async ({ id, name, parentId }) =>
        refuseKey(name) ??
        withLibrary(({ items }) => {
          const saved = items.saveFolder(id, name, parentId);
          return saved.ok ? ok({ id: saved.value }) : saved;
        }),
    ),
    'library.moveFolder': procedure(z.strictObject({ id, parentId: id.nullable() }), async ({ id, parentId }) =>
      done(({ items }) => items.moveFolder(id, parentId)),
    ),
    'library.removeFolder': procedure(z.strictObject({ id }), async ({ id }) =>
      done(({ items }) => items.removeFolder(id)),
    ),
    'library.tag': procedure(
      z.strictObject({ items: refs, tagId: id, isOn: z.boolean() }),
      async ({ items: refs, tagId, isOn }) => done(({ items }) => items.tag(refs, tagId, isOn)),
    ),
    /** Renames a tag; creates one when `id` is null or of no tag. An existing name merges two tags. */
    'library.saveTag': procedure(
      z.strictObject({ id: id.nullable(), name: z.string().min(1).max(60) }),
      async ({ id, name }) =>
        refuseKey(name) ??
        withLibrary(({ items }) => {
          const saved = items.saveTag(id, name);
          return saved.ok ? ok({ id: saved.value }) : saved;
        }),
    ),
    'library.removeTag': procedure(z.strictObject({ id }), async ({ id }) => done(({ items }) => items.removeTag(id))),
    'library.remote': procedure(z.strictObject({}), async () =>
      withLibrary(async ({ atService }) => {
        const compared = await atService.compare(new AbortController().signal);
        return compared.ok ? ok({ ...compared.value, items: [...compared.value.items] }) : compared;
      }),
    ),
    'library.bringIn': procedure(z.strictObject({ remoteId: z.string().min(1).max(300) }), async ({ remoteId }) =>
      withLibrary(({ atService }) => atService.bringIn(remoteId, new AbortController().signal)),
    ),
    'library.missing': procedure(z.strictObject({}), async () =>
      withLibrary(async ({ recordings }) => {
        const missing = await recordings.missing();
        return missing.ok
          ? ok({
              missing: missing.value.map(({ transcriptId, name, sizeBytes, path }) => ({
                id: transcriptId,
                name,
                sizeBytes,
                isMoved: !path.startsWith(noRecording),
              })),
            })
          : missing;
      }),
    ),
    'library.findRecordings': procedure(z.strictObject({}), async (_input, { windowId }) =>
      withLibrary<{ isBegun: boolean }>(async ({ recordings }) => {
        const folders = await choosePaths(windowOf(windowId), {
          title: dialogWords(settings.get().interfaceLanguage)('files.chooseFolderToSearch'),
          properties: ['openDirectory', 'multiSelections'],
        });
        if (folders.length === 0) return ok({ isBegun: false });
        finding?.abort();
        const own = new AbortController();
        finding = own;
        let last = { checkedCount: 0, totalCount: 0, foundCount: 0 };
        const publish = every(150, () => publishFinding({ ...last, isOver: false, failure: null }));
        const search = recordings.find(
          folders,
          (progress) => {
            last = progress;
            publish();
          },
          own.signal,
        );
        void search.then((ended) => {
          if (finding === own) finding = null;
          publishFinding({ ...last, isOver: true, failure: ended.ok ? null : ended.error });
        });
        return ok({ isBegun: true });
      }),
    ),
    'library.stopFinding': procedure(z.strictObject({}), async () => {
      finding?.abort();
      return ok({});
    }),
    'library.speakers': procedure(z.strictObject({}), async () =>
      withLibrary((library) => {
        const known = library.speakerBook.list();
        return known.ok ? ok({ speakers: known.value.map((one) => ({ ...one })) }) : known;
      }),
    ),
    /**
     * Changes a stored name and its colour (null: unchanged) in every recording that has it; an existing name merges two
     * people. `was` null stores a new name.
     */
    'library.saveSpeaker': procedure(
      z.strictObject({
        was: z.string().min(1).max(500).nullable(),
        name: z.string().min(1).max(200),
        colour: z.int().min(1).max(8).nullable(),
      }),
      async ({ was, name, colour }) =>
        refuseKey(name) ?? withLibrary(({ speakerBook }) => speakerBook.save(was, name, colour)),
    ),
    'library.forgetSpeaker': procedure(z.strictObject({ name: z.string().min(1).max(500) }), async ({ name }) =>
      done(({ speakerBook }) => speakerBook.forget(name)),
    ),
    'library.audio': procedure(z.strictObject({ item: ref }), async ({ item }) =>
      withLibrary<{ mediaUrl: string | null; failure: Failure | null }>(async ({ items }) => {
        const found = await items.audio(item);
        if (!found.ok) return found;
        const { path, sha256, name } = found.value;
        const isReadable = await access(path, constants.R_OK).then(
          () => true,
          () => false,
        );
        return isReadable
          ? ok({ mediaUrl: `/media/${mediaTokens.issue({ path, sha256 })}`, failure: null })
          : ok({ mediaUrl: null, failure: makeFailure('file-unreadable', { params: { name } }) });
      }),
    ),
  };
};
