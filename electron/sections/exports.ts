import { choosePaths, chooseSavePath } from '../shell/choose-paths.ts';
import { basename, join, dirname } from 'node:path';
import { shell, type BrowserWindow } from 'electron';
import {
  safeFileName,
  distinctFileName,
  foldedName,
  batchLayouts,
  copyCollisions,
} from '../../shared/domain/exports/safe-file-name.ts';
import { writeProfile, namedProfile } from '../../shared/domain/subtitles/profile-file.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { openProfileFolder } from '../platform/node/profile-folder.ts';
import { isServiceFormat, rememberExport, type ShownExport } from '../services/exports/export-service.ts';
import { dialogWords } from '../shell/words.ts';
import { procedure, nothing, streamOf } from '../ipc/procedure.ts';
import { askOpened, id, type App } from './context.ts';
import { exportFormat, givenOptions, type StoredSettings } from '../../shared/domain/settings/settings.ts';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { exportDisk } from '../platform/node/export-disk.ts';
import { exportMany } from '../services/exports/batch-export.ts';
import { every } from '../shell/import-progress.ts';
import { z } from 'zod';
import { readdir, stat } from 'node:fs/promises';
import { plainOutline } from '../../shared/domain/exports/outline.ts';
import { writeDocx } from '../services/exports/write-request.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { systemCode } from '../platform/node/storage-failure.ts';
import { folderName } from './app.ts';

/** What to write of a transcript. `service`: as written by the service, which offers a few formats. */
const exportRequest = z.strictObject({
  transcriptId: id,
  format: exportFormat(),
  options: givenOptions(),
  source: z.enum(['studio', 'service']),
});
/** `recent`: index in `recentExports` of the settings. */
const exportPlace = z.union([z.enum(['ask', 'last']), z.strictObject({ recent: z.number().int().nonnegative() })]);
const profileName = z.string().min(1).max(80);
/** `name`: what the user wants the file to be called, with or without its extension; else that of the transcript. */
const saveRequest = exportRequest.extend({ place: exportPlace, name: z.string().min(1).max(240).optional() });

/** `takenToken`: the earlier export that has the wanted name; null when anybody else made or changed that file. */
interface SavedExport {
  readonly savedAs: string | null;
  readonly revealToken: string | null;
  readonly takenToken?: string | null;
}

/** More than this in a preview only costs time; the file contains everything. */
const previewCharacters = 6_000;

const unsaved = ok({ savedAs: null, revealToken: null });

export const exportProcedures = ({ workspaces, keys, settings, dataRoot, saveText, fileTokens, windowOf }: App) => {
  const profiles = openProfileFolder(join(dataRoot, 'subtitle-profiles'));
  const say = () => dialogWords(settings.get().interfaceLanguage);
  const withExports = askOpened(workspaces, (workspace) => workspace.exports);
  const saveBeside = async (
    windowId: number,
    title: string,
    name: string,
    text: string | Uint8Array,
  ): Promise<Result<SavedExport>> => {
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
    'exports.render': procedure(
      exportRequest.extend({ part: z.enum(['beginning', 'all']) }),
      async ({ part, source, ...request }) =>
        withExports<ShownExport>(async (exports) => {
          if (source === 'studio') return exports.show(request, part === 'beginning' ? previewCharacters : null);
          if (!isServiceFormat(request.format)) return err(makeFailure('result-missing', { code: 'result_missing' }));
          const original = await exports.original(request.transcriptId, request.format);
          if (!original.ok) return original;
          const text = part === 'all' ? original.value : original.value.slice(0, previewCharacters);
          return ok({ kind: 'text', text, isShortened: text.length < original.value.length });
        }),
    ),
    /** What a video can be cut into; null for other recordings. */
    'exports.video': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }) =>
      withExports(async (exports) => ok({ video: await exports.video(transcriptId) })),
    ),
    'exports.check': procedure(exportRequest, async ({ source: _source, ...request }) =>
      withExports((exports) => exports.check(request)),
    ),
    /** `last`, `recent`: without a dialog, under a free name. Failures have the name of the folder. */
    'exports.save': procedure(saveRequest, async ({ place, source, name: typed, ...request }, { windowId }) =>
      withExports<SavedExport>(async (exports) => {
        const { transcriptId, format } = request;
        if (typed !== undefined && keys.isInText(typed)) return err(makeFailure('key-in-text'));
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
    ),
    /** A text that the page has, such as an answer; Word gets its paragraphs. */
    'exports.saveText': procedure(
      z.strictObject({
        title: z.string().min(1).max(300),
        text: z.string().min(1).max(2_000_000),
        format: z.enum(['docx', 'txt', 'md']),
      }),
      async ({ title, text, format }, { windowId }) => {
        if (keys.isInText(text) || keys.isInText(title)) return err(makeFailure('key-in-text'));
        const { interfaceLanguage } = settings.get();
        const written =
          format === 'docx'
            ? await writeDocx(plainOutline(title, text, interfaceLanguage))
            : format === 'txt'
              ? text.replaceAll('**', '')
              : text;
        return saveBeside(windowId, say()('files.saveText'), safeFileName(title, `.${format}`), written);
      },
    ),
    /** Puts a saved file in the place of an earlier export; name-taken when that was changed meanwhile. */
    'exports.replace': procedure(
      z.strictObject({ revealToken: id, takenToken: id }),
      async ({ revealToken, takenToken }, { windowId }) => {
        const [from, to] = [fileTokens.resolve(windowId, revealToken), fileTokens.resolve(windowId, takenToken)];
        if (from === null || to === null) return err(makeFailure('file-unreadable', { code: 'unknown_file' }));
        const moved = await replaceExport(from, to);
        return moved.ok ? ok<SavedExport>({ savedAs: basename(to), revealToken: takenToken }) : moved;
      },
    ),
    'exports.reveal': procedure(z.strictObject({ revealToken: id }), async ({ revealToken }, { windowId }) => {
      const path = fileTokens.resolve(windowId, revealToken);
      if (path === null) return err(makeFailure('file-unreadable', { code: 'unknown_file' }));
      shell.showItemInFolder(path);
      return ok({});
    }),
    'exports.chooseFolder': procedure(nothing, async (_input, { windowId }) => {
      const { exportFolder } = settings.get();
      const [folder] = await choosePaths(windowOf(windowId), {
        title: say()('files.exportFolder'),
        ...(exportFolder === null ? {} : { defaultPath: exportFolder }),
        properties: ['openDirectory', 'createDirectory'],
      });
      if (folder === undefined) return ok({ isChosen: false });
      settings.update({ exportFolder: folder });
      return ok({ isChosen: true });
    }),
    'exports.saveReport': procedure(
      z.strictObject({ transcriptId: id, csv: z.string() }),
      async ({ transcriptId, csv }, { windowId }) =>
        withExports(async (exports) => {
          const name = exports.nameFor(transcriptId, 'csv');
          if (!name.ok) return name;
          // Saved next to the table of the same transcript, under a name of its own.
          const own = safeFileName(`${name.value.slice(0, -'.csv'.length)} ${say()('files.checkMark')}`, '.csv');
          return saveBeside(windowId, say()('files.saveCheck'), own, csv);
        }),
      { maxInputBytes: 16 * 1024 * 1024 },
    ),
    'exports.profiles': procedure(nothing, async () => {
      const found = await profiles.list();
      return found.ok ? ok({ profiles: [...found.value] }) : found;
    }),
    /** `replaces`: its previous name. name-taken when another profile has this name. */
    'exports.saveProfile': procedure(
      z.strictObject({ named: namedProfile(), replaces: profileName.nullable() }),
      async ({ named, replaces }) => {
        const saved = await profiles.save(named, replaces);
        return saved.ok ? ok({}) : saved;
      },
    ),
    'exports.removeProfile': procedure(z.strictObject({ name: profileName }), async ({ name }) => {
      const removed = await profiles.remove(name);
      return removed.ok ? ok({}) : removed;
    }),
    /** From a file that the user chooses; null when none was chosen, not-a-recording when it is no profile. */
    'exports.importProfile': procedure(nothing, async (_input, { windowId }) => {
      const [path] = await choosePaths(windowOf(windowId), {
        title: say()('files.importProfile'),
        properties: ['openFile'],
        filters: [{ name: 'JSON', extensions: ['json'] }],
      });
      if (path === undefined) return ok({ name: null });
      const taken = await profiles.take(path);
      return taken.ok ? ok({ name: taken.value }) : taken;
    }),
    'exports.shareProfile': procedure(z.strictObject({ name: profileName }), async ({ name }, { windowId }) => {
      const found = await profiles.list();
      if (!found.ok) return found;
      const named = found.value.find((profile) => profile.name === name);
      if (named === undefined) return err(makeFailure('file-unreadable', { code: 'file_missing' }));
      return saveBeside(windowId, say()('files.shareProfile'), safeFileName(name, '.json'), writeProfile(named));
    }),
  };
};

const progressMs = 100;

export const exportStreams = ({ workspaces, keys, settings, fileTokens, windowOf }: App) => ({
  'exports.saveCut': streamOf<{ kind: 'share'; share: number } | ({ kind: 'saved' } & SavedExport)>()(
    { open: saveRequest, up: nothing },
    async ({ place, source: _source, name: typed, ...request }, stream, { windowId }) => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      const { exports } = library.value;
      if (typed !== undefined && keys.isInText(typed)) return err(makeFailure('key-in-text'));
      const name = exports.nameFor(request.transcriptId, request.format, typed);
      if (!name.ok) return name;
      const found = await placeForExport(settings.get(), windowOf(windowId), name.value, request.format, place);
      if (!found.ok) return found;
      if (found.value === null) {
        await stream.send({ kind: 'saved', savedAs: null, revealToken: null });
        return ok(undefined);
      }
      const notify = every(progressMs, (share: number) => void stream.send({ kind: 'share', share }));
      const { path } = found.value;
      const saved = await exports.save(request, path, { signal: stream.signal, onShare: notify });
      if (!saved.ok) return err(await placeFailure(saved.error, path));
      rememberExport(settings, path, request);
      await stream.send({
        kind: 'saved',
        ...(await savedPlace(fileTokens, windowId, found.value, request.transcriptId)),
      });
      return ok(undefined);
    },
  ),
  /** A cancelled run keeps the complete files. */
  'exports.many': streamOf<
    | { kind: 'progress'; done: number; total: number; title: string }
    | {
        kind: 'ended';
        fileCount: number;
        skippedCount: number;
        failures: readonly { transcriptId: string; title: string | null; format: ExportFormat; failure: Failure }[];
        revealToken: string | null;
      }
  >()(
    {
      open: z.strictObject({
        items: z
          .array(z.strictObject({ transcriptId: id, formats: z.array(exportFormat()).min(1) }))
          .min(1)
          .max(20_000),
        options: z.partialRecord(exportFormat(), givenOptions()),
        template: z.string().max(200),
        collision: z.enum(copyCollisions),
        layout: z.enum(batchLayouts),
      }),
      up: nothing,
    },
    async ({ items, options, template, collision, layout }, stream, { windowId }) => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      const { exports } = library.value;
      const folder = settings.get().exportFolder;
      if (folder === null) return err(makeFailure('export-unfinished', { code: 'export_not_writable' }));
      const formats = [...new Set(items.flatMap((item) => item.formats))];
      settings.update({ manyExports: { formats, template, collision, layout } });
      const notify = every(progressMs, (done: number, total: number, title: string) => {
        void stream.send({ kind: 'progress', done, total, title });
      });
      const outcomes = await exportMany(
        { items, options: (format) => options[format] ?? {}, template, collision, layout, folder },
        { ...exportDisk, open: async (transcriptId) => exports.open(transcriptId) },
        { signal: stream.signal, onProgress: notify },
      );
      const outputs = outcomes.flatMap((outcome) => outcome.outputs);
      const [first] = outputs;
      const failures = outcomes.flatMap((outcome) =>
        outcome.failures.map((failed) => ({ ...failed, transcriptId: outcome.transcriptId, title: outcome.title })),
      );
      const wanted = items.reduce((sum, item) => sum + item.formats.length, 0);
      const fileCount = layout === 'zip' ? new Set(outputs).size : outputs.length;
      await stream.send({
        kind: 'ended',
        fileCount,
        skippedCount: layout === 'zip' ? 0 : wanted - outputs.length - failures.length,
        failures,
        revealToken: first === undefined ? null : fileTokens.issue(windowId, first),
      });
      return ok(undefined);
    },
  ),
});

const fileExtension = (format: ExportFormat): string => exporters[format].extension.split('.').at(-1) ?? format;

/** The user chooses, or it is the place of the last export, or of an earlier one by its index in the recent list. */
type ExportPlace = 'ask' | 'last' | { readonly recent: number };

/** `taken`: the path of the file that has the wanted name already. */
interface FoundPlace {
  readonly path: string;
  readonly taken: string | null;
}

/** Null if the user cancelled. export-unfinished when there is no such folder any more. */
export async function placeForExport(
  { exportFolder, recentExports, interfaceLanguage }: StoredSettings,
  window: BrowserWindow | undefined,
  name: string,
  format: ExportFormat,
  place: ExportPlace,
): Promise<Result<FoundPlace | null>> {
  const folder = typeof place === 'object' ? (recentExports[place.recent]?.folder ?? exportFolder) : exportFolder;
  const names = folder === null ? null : await readdir(folder).catch(() => null);
  if (place !== 'ask' && folder !== null) {
    if (names === null) return err(await folderFailure(folder));
    const { extension } = exporters[format];
    const free = distinctFileName(name.slice(0, -extension.length), extension, new Set(names.map(foldedName)));
    const other = names.find((one) => foldedName(one) === foldedName(name));
    return ok({ path: join(folder, free), taken: other === undefined ? null : join(folder, other) });
  }
  const path = await chooseSavePath(window, {
    title: dialogWords(interfaceLanguage)('files.saveTranscript'),
    defaultPath: folder === null || names === null ? name : join(folder, name),
    filters: [{ name: format.toUpperCase(), extensions: [fileExtension(format)] }],
  });
  return ok(path === null ? null : { path, taken: null });
}

/** Why nothing can be written into a folder. */
async function folderFailure(folder: string): Promise<Failure> {
  const isGone = await stat(folder).then(
    (found) => !found.isDirectory(),
    (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(systemCode(error)),
  );
  const code = isGone ? 'export_folder_gone' : 'export_folder_not_writable';
  return makeFailure('export-unfinished', { code, params: { name: folderName(folder) } });
}

/** The failure of an export to this path, with the name of what can't be written: the folder, or a file in it. */
export async function placeFailure(failure: Failure, path: string): Promise<Failure> {
  if (failure.kind === 'disk-space-short' && failure.code === 'disk_full')
    return makeFailure('disk-space-short', { code: 'export_disk_full', params: { name: folderName(dirname(path)) } });
  if (failure.code !== 'export_not_writable') return failure;
  const isThere = (await stateOf(path)) !== null;
  return isThere
    ? makeFailure('export-unfinished', { code: failure.code, params: { name: basename(path) } })
    : folderFailure(dirname(path));
}

interface OwnFile {
  readonly state: string;
  readonly transcriptId: string;
}

/** A later export of the same transcript may replace these and no others. */
const ownFiles = new Map<string, OwnFile>();

const stateOf = (path: string): Promise<string | null> =>
  stat(path, { bigint: true }).then(
    (file) => (file.isFile() ? [file.ino, file.size, file.mtimeNs].join(' ') : null),
    () => null,
  );

const noteOwnFile = async (path: string, transcriptId: string): Promise<void> => {
  const state = await stateOf(path);
  if (state !== null) ownFiles.set(path, { state, transcriptId });
};

/** False for the file of another transcript, and once anybody else has changed, moved or removed it. */
const isOwnFile = async (path: string, transcriptId: string): Promise<boolean> => {
  const own = ownFiles.get(path);
  return own?.transcriptId === transcriptId && own.state === (await stateOf(path));
};

export async function savedPlace(
  fileTokens: App['fileTokens'],
  windowId: number,
  { path, taken }: FoundPlace,
  transcriptId: string,
) {
  await noteOwnFile(path, transcriptId);
  return {
    savedAs: basename(path),
    revealToken: fileTokens.issue(windowId, path),
    takenToken: taken !== null && (await isOwnFile(taken, transcriptId)) ? fileTokens.issue(windowId, taken) : null,
  };
}

/**
 * Moves an exported file to the path of an earlier one; name-taken when that is no longer as the app left it, or is another
 * transcript's.
 */
export async function replaceExport(from: string, to: string): Promise<Result<null>> {
  const own = ownFiles.get(from);
  if (own === undefined || !(await isOwnFile(to, own.transcriptId))) return err(makeFailure('name-taken'));
  const moved = await exportDisk.move(from, to);
  if (!moved.ok) return moved;
  ownFiles.delete(from);
  await noteOwnFile(to, own.transcriptId);
  return ok(null);
}
