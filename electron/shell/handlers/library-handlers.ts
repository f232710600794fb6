import { access, constants } from 'node:fs/promises';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Library } from '../../services/library/library.ts';
import type { HandlerServices } from './handler-services.ts';

type LibraryHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `library.${string}`>>;

export const libraryHandlers = (services: HandlerServices): LibraryHandlers => {
  const {
    workspaces,
    keys,
    window: { mediaTokens },
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
  const refuseKey = (text: string) => (keys.isInText(text) ? err(makeFailure('E-237')) : null);

  return {
    'library.list': async () =>
      withLibrary(({ items }) => {
        const listed = items.list();
        return listed.ok
          ? ok({ items: [...listed.value.items], folders: listed.value.folders.map((folder) => ({ ...folder })) })
          : listed;
      }),
    'library.search': async (request) =>
      withLibrary(async ({ items }) => {
        const found = await items.search(request);
        return found.ok ? ok(structuredClone(found.value) as never) : found;
      }),
    'library.rename': async ({ item, title }) => refuseKey(title) ?? done(({ items }) => items.rename(item, title)),
    'library.trash': async ({ items: refs }) => done(({ items }) => items.trash(refs)),
    'library.restore': async ({ items: refs }) => done(({ items }) => items.restore(refs)),
    'library.erase': async ({ items: refs, atService }) => done(({ items }) => items.erase(refs, atService)),
    'library.move': async ({ items: refs, folderId }) => done(({ items }) => items.move(refs, folderId)),
    'library.saveFolder': async ({ id, name }) =>
      refuseKey(name) ??
      withLibrary(({ items }) => {
        const saved = items.saveFolder(id, name);
        return saved.ok ? ok({ id: saved.value }) : saved;
      }),
    'library.removeFolder': async ({ id }) => done(({ items }) => items.removeFolder(id)),
    'library.audio': async ({ item }) =>
      withLibrary<{ mediaUrl: string | null; failure: Failure | null }>(async ({ items }) => {
        const found = items.audio(item);
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
