import { basename, join } from 'node:path';
import { shell } from 'electron';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { writeProfile } from '../../../shared/domain/subtitles/profile-file.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { openProfileFolder } from '../../platform/node/profile-folder.ts';
import { isServiceFormat, type ExportService, type ShownExport } from '../../services/exports/export-service.ts';
import { rememberExport } from '../../services/exports/remember-export.ts';
import { dialogWords } from '../words.ts';
import { choosePaths, chooseSavePath } from './choose-paths.ts';
import { placeFailure, placeForExport, replaceExport, savedPlace } from './export-place.ts';
import type { HandlerServices } from './handler-services.ts';

type ExportHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `exports.${string}`>>;
type Saved = Result<{ savedAs: string | null; revealToken: string | null }>;

/** More than this in a preview only costs time; the file contains everything. */
const previewCharacters = 6_000;

const unsaved = ok({ savedAs: null, revealToken: null });

export const exportHandlers = ({
  workspaces,
  keys,
  settings,
  dataRoot,
  saveText,
  window: { fileTokens, windowOf },
}: HandlerServices): ExportHandlers => {
  const profiles = openProfileFolder(join(dataRoot, 'subtitle-profiles'));
  const say = () => dialogWords(settings.get().interfaceLanguage);
  const withExports = async <T>(ask: (exports: ExportService) => Promise<Result<T>>): Promise<Result<T>> => {
    const library = await workspaces.opened();
    return library.ok ? ask(library.value.exports) : library;
  };
  /** Saves through the system's dialog, which starts at the place of the last export. */
  const saveBeside = async (windowId: number, title: string, name: string, text: string): Promise<Saved> => {
    const folder = settings.get().exportFolder;
    const extension = name.split('.').at(-1) ?? '';
    const path = await chooseSavePath(windowOf(windowId), {
      title,
      defaultPath: folder === null ? name : join(folder, name),
      filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
    });
    if (path === null) return unsaved;
    const saved = await saveText(path, text);
    return saved.ok ? ok({ savedAs: basename(path), revealToken: fileTokens.issue(windowId, path) }) : saved;
  };

  return {
    'exports.render': async ({ part, source, ...request }) =>
      withExports<ShownExport>(async (exports) => {
        if (source === 'studio') return exports.show(request, part === 'beginning' ? previewCharacters : null);
        if (!isServiceFormat(request.format)) return err(makeFailure('E-028', { code: 'result_missing' }));
        const original = await exports.original(request.transcriptId, request.format);
        if (!original.ok) return original;
        const text = part === 'all' ? original.value : original.value.slice(0, previewCharacters);
        return ok({ kind: 'text', text, isShortened: text.length < original.value.length });
      }),
    'exports.check': async ({ source: _source, ...request }) => withExports((exports) => exports.check(request)),
    'exports.save': async ({ place, source, name: typed, ...request }, { windowId }) =>
      withExports<Awaited<ReturnType<typeof savedPlace>> | typeof unsaved.value>(async (exports) => {
        const { transcriptId, format } = request;
        if (typed !== undefined && keys.isInText(typed)) return err(makeFailure('E-237'));
        const name = exports.nameFor(transcriptId, format, typed);
        if (!name.ok) return name;
        const found = await placeForExport(settings.get(), windowOf(windowId), name.value, format, place);
        if (!found.ok) return found;
        if (found.value === null) return unsaved;
        const { path } = found.value;
        const saved =
          source === 'service' && isServiceFormat(format)
            ? await exports.saveOriginal(transcriptId, format, path)
            : await exports.save(request, path);
        if (!saved.ok) return err(await placeFailure(saved.error, path));
        if (source === 'studio') rememberExport(settings, path, request);
        return ok(await savedPlace(fileTokens, windowId, found.value, transcriptId));
      }),
    'exports.replace': async ({ revealToken, takenToken }, { windowId }) => {
      const [from, to] = [fileTokens.resolve(windowId, revealToken), fileTokens.resolve(windowId, takenToken)];
      if (from === null || to === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
      const moved = await replaceExport(from, to);
      return moved.ok ? ok({ savedAs: basename(to), revealToken: takenToken }) : moved;
    },
    'exports.reveal': async ({ revealToken }, { windowId }) => {
      const path = fileTokens.resolve(windowId, revealToken);
      if (path === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
      shell.showItemInFolder(path);
      return ok({});
    },
    'exports.chooseFolder': async (_input, { windowId }) => {
      const { exportFolder } = settings.get();
      const [folder] = await choosePaths(windowOf(windowId), {
        title: say()('files.exportFolder'),
        ...(exportFolder === null ? {} : { defaultPath: exportFolder }),
        properties: ['openDirectory', 'createDirectory'],
      });
      if (folder === undefined) return ok({ isChosen: false });
      settings.update({ exportFolder: folder });
      return ok({ isChosen: true });
    },
    'exports.saveReport': async ({ transcriptId, csv }, { windowId }) =>
      withExports(async (exports) => {
        const name = exports.nameFor(transcriptId, 'csv');
        if (!name.ok) return name;
        // Saved next to the table of the same transcript, under a name of its own.
        const own = safeFileName(`${name.value.slice(0, -'.csv'.length)} ${say()('files.checkMark')}`, '.csv');
        return saveBeside(windowId, say()('files.saveCheck'), own, csv);
      }),
    'exports.profiles': async () => {
      const found = await profiles.list();
      return found.ok ? ok({ profiles: [...found.value] }) : found;
    },
    'exports.saveProfile': async ({ named, replaces }) => {
      const saved = await profiles.save(named, replaces);
      return saved.ok ? ok({}) : saved;
    },
    'exports.removeProfile': async ({ name }) => {
      const removed = await profiles.remove(name);
      return removed.ok ? ok({}) : removed;
    },
    'exports.importProfile': async (_input, { windowId }) => {
      const [path] = await choosePaths(windowOf(windowId), {
        title: say()('files.importProfile'),
        properties: ['openFile'],
        filters: [{ name: 'JSON', extensions: ['json'] }],
      });
      if (path === undefined) return ok({ name: null });
      const taken = await profiles.take(path);
      return taken.ok ? ok({ name: taken.value }) : taken;
    },
    'exports.shareProfile': async ({ name }, { windowId }) => {
      const found = await profiles.list();
      if (!found.ok) return found;
      const named = found.value.find((profile) => profile.name === name);
      if (named === undefined) return err(makeFailure('E-010', { code: 'file_missing' }));
      return saveBeside(windowId, say()('files.shareProfile'), safeFileName(name, '.json'), writeProfile(named));
    },
  };
};
