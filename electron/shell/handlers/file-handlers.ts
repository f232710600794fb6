import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import type { PickedFile } from '../../../shared/ipc/schemas.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { LocalFile } from '../../services/library/file-inspector.ts';
import { dialogWords } from '../words.ts';
import { choosePaths, recordingExtensions } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type FoundFile = Pick<LocalFile, 'path' | 'name'>;
type FileHandlers = Pick<Handlers<Contract>, 'files.pick' | 'files.inspect' | 'files.stopAdding' | 'files.samples'>;

/** More files than this have one name together. */
const mostNamed = 500;

export const fileHandlers = (services: HandlerServices): FileHandlers => {
  const {
    workspaces,
    samples,
    settings,
    window: { adding, fileBatches, fileTokens, gestures, given, windowOf },
  } = services;
  /** `isGiven`: a hand gave them just now, by a drop or in a dialog. */
  const picked = (files: readonly FoundFile[], windowId: number, isGiven: boolean): PickedFile[] =>
    files.map(({ path, name }) => {
      const token = fileTokens.issue(windowId, path);
      given.note(token, isGiven);
      return { token, name };
    });

  const find = async (paths: readonly string[], windowId: number, isGiven: boolean) => {
    const nothing = { files: [], batch: null, refused: [], refusedCount: 0, isStopped: false };
    if (paths.length === 0) return ok(nothing);
    const library = await workspaces.opened();
    if (!library.ok) return library;
    const { signal } = adding.begin(windowId);
    const { files, refused } = await library.value.files.walk(paths);
    if (signal.aborted) return ok({ ...nothing, isStopped: true });
    const about = { refused: refused.slice(0, mostNamed), refusedCount: refused.length, isStopped: false };
    if (files.length <= mostNamed) return ok({ ...about, files: picked(files, windowId, isGiven), batch: null });
    const tokens: string[] = [];
    for (let from = 0; from < files.length; from += mostNamed) {
      tokens.push(...picked(files.slice(from, from + mostNamed), windowId, isGiven).map(({ token }) => token));
      // So many names are made that others have their turn in between.
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    return ok({ ...about, files: [], batch: { token: fileBatches.keep(windowId, tokens), fileCount: tokens.length } });
  };

  return {
    'files.pick': async ({ kind }, { windowId }) => {
      const say = dialogWords(settings.get().interfaceLanguage);
      const paths = await choosePaths(
        windowOf(windowId),
        kind === 'folder'
          ? { title: say('files.addFolder'), properties: ['openDirectory', 'multiSelections'] }
          : {
              title: say('files.addFiles'),
              properties: ['openFile', 'multiSelections'],
              filters: [
                { name: say('files.recordings'), extensions: recordingExtensions },
                { name: say('files.allFiles'), extensions: ['*'] },
              ],
            },
      );
      return find(paths, windowId, true);
    },
    'files.inspect': async ({ tokens }, { windowId, gesture }) => {
      const isGiven = gestures.take(windowId, gesture);
      const paths = tokens.map((token) => fileTokens.resolve(windowId, token));
      const known = paths.filter((path) => path !== null);
      return known.length < paths.length
        ? err(makeFailure('E-010', { code: 'unknown_file' }))
        : find(known, windowId, isGiven);
    },
    'files.stopAdding': async (_input, { windowId }) => {
      adding.stop(windowId);
      return ok({});
    },
    'files.samples': async (_input, { windowId, gesture }) => {
      const isGiven = gestures.take(windowId, gesture);
      const files = (await samples()).flatMap(({ language, speakers, ...file }) =>
        picked([file], windowId, isGiven).map((shown) => ({
          ...shown,
          language,
          speakers,
        })),
      );
      return ok({ files });
    },
  };
};
