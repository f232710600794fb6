import { access, constants } from 'node:fs/promises';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Library } from '../../services/library/library.ts';
import { noRecording } from '../../services/media/audio-extractor.ts';
import { every } from '../every.ts';
import { dialogWords } from '../words.ts';
import { choosePaths } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type LibraryHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `library.${string}`>>;

export const libraryHandlers = (services: HandlerServices): LibraryHandlers => {
  const {
    workspaces,
    keys,
    settings,
    window: { mediaTokens, windowOf, publishFinding },
  } = services;
  const withLibrary = async <T>(ask: (library: Library) => Promise<Result<T>> | Result<T>): Promise<Result<T>> => {
    const library = await workspaces.opened();
    return library.ok ? ask(library.value) : library;
  };
  const done = async (work: (library: Library) => Promise<Result<unknown>> | Result<unknown>) =>
    withLibrary(async (library) => {
      const result = await work(library);
      return result.ok ? ok({}) : result;
    });
  let finding: AbortController | null = null;
  const refuseKey = (text: string) => (keys.isInText(text) ? err(makeFailure('E-237')) : null);

  return {
    'library.list': async () =>
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
    'library.search': async (request) =>
      withLibrary(async ({ items }) => {
        const found = await items.search(request);
        return found.ok ? ok(structuredClone(found.value) as never) : found;
      }),
    'library.read': async ({ item, fromMs }) =>
      withLibrary(async ({ items }) => {
        const read = await items.read(item, fromMs);
        return read.ok ? ok({ moments: read.value.map((moment) => ({ ...moment })) }) : read;
      }),
    'library.rename': async ({ item, title }) => refuseKey(title) ?? done(({ items }) => items.rename(item, title)),
    'library.trash': async ({ items: refs }) => done(({ items }) => items.trash(refs)),
    'library.restore': async ({ items: refs }) => done(({ items }) => items.restore(refs)),
    'library.erase': async ({ items: refs, atService }) =>
      done(async ({ items, speakerBook }) => {
        const erased = await items.erase(refs, atService);
        // Names that occurred only in erased items are removed from the hidden ones too.
        return erased.ok ? speakerBook.list() : erased;
      }),
    'library.move': async ({ items: refs, folderId }) => done(({ items }) => items.move(refs, folderId)),
    'library.saveFolder': async ({ id, name, parentId }) =>
      refuseKey(name) ??
      withLibrary(({ items }) => {
        const saved = items.saveFolder(id, name, parentId);
        return saved.ok ? ok({ id: saved.value }) : saved;
      }),
    'library.moveFolder': async ({ id, parentId }) => done(({ items }) => items.moveFolder(id, parentId)),
    'library.removeFolder': async ({ id }) => done(({ items }) => items.removeFolder(id)),
    'library.tag': async ({ items: refs, tagId, isOn }) => done(({ items }) => items.tag(refs, tagId, isOn)),
    'library.saveTag': async ({ id, name }) =>
      refuseKey(name) ??
      withLibrary(({ items }) => {
        const saved = items.saveTag(id, name);
        return saved.ok ? ok({ id: saved.value }) : saved;
      }),
    'library.removeTag': async ({ id }) => done(({ items }) => items.removeTag(id)),
    'library.remote': async () =>
      withLibrary(async ({ atService }) => {
        const compared = await atService.compare(new AbortController().signal);
        return compared.ok ? ok({ ...compared.value, items: [...compared.value.items] }) : compared;
      }),
    'library.bringIn': async ({ remoteId }) =>
      withLibrary(({ atService }) => atService.bringIn(remoteId, new AbortController().signal)),
    'library.missing': async () =>
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
    'library.findRecordings': async (_input, { windowId }) =>
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
    'library.stopFinding': async () => {
      finding?.abort();
      return ok({});
    },
    'library.speakers': async () =>
      withLibrary((library) => {
        const known = library.speakerBook.list();
        return known.ok ? ok({ speakers: known.value.map((one) => ({ ...one })) }) : known;
      }),
    'library.saveSpeaker': async ({ was, name, colour }) =>
      refuseKey(name) ?? withLibrary(({ speakerBook }) => speakerBook.save(was, name, colour)),
    'library.forgetSpeaker': async ({ name }) => done(({ speakerBook }) => speakerBook.forget(name)),
    'library.audio': async ({ item }) =>
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
          : ok({ mediaUrl: null, failure: makeFailure('E-010', { params: { name } }) });
      }),
  };
};
