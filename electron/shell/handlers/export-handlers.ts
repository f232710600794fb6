import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { shell } from 'electron';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import { distinctFileName, foldedName } from '../../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { isServiceFormat, type ExportService, type ShownExport } from '../../services/exports/export-service.ts';
import { dialogWords } from '../words.ts';
import { chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type ExportHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `exports.${string}`>>;

/** What the system knows a file by: the last part, without its full stop. */
const fileExtension = (format: ExportFormat): string => exporters[format].extension.split('.').at(-1) ?? format;

/** More than this in a preview only costs time; the file has all of it. */
const previewCharacters = 6_000;

export const exportHandlers = ({
  workspaces,
  settings,
  window: { fileTokens, windowOf },
}: HandlerServices): ExportHandlers => {
  const withExports = async <T>(ask: (exports: ExportService) => Promise<Result<T>>): Promise<Result<T>> => {
    const library = await workspaces.opened();
    return library.ok ? ask(library.value.exports) : library;
  };
  /** Where a file goes: the person says it, or the folder of the last export takes it under a free name. */
  const placeFor = async (windowId: number, name: string, format: ExportFormat, place: 'ask' | 'last') => {
    const folder = settings.get().exportFolder;
    if (place === 'last' && folder !== null) {
      const names = await readdir(folder).catch(() => null);
      const { extension } = exporters[format];
      const taken = new Set(names?.map(foldedName));
      if (names !== null) return join(folder, distinctFileName(name.slice(0, -extension.length), extension, taken));
    }
    return chooseSavePath(windowOf(windowId), {
      title: dialogWords(settings.get().interfaceLanguage)('files.saveTranscript'),
      defaultPath: folder === null ? name : join(folder, name),
      filters: [{ name: format.toUpperCase(), extensions: [fileExtension(format)] }],
    });
  };

  return {
    'exports.render': async ({ part, source, ...request }) =>
      withExports<ShownExport>(async (exports) => {
        if (source === 'studio') return exports.show(request, part === 'beginning' ? previewCharacters : null);
        if (!isServiceFormat(request.format)) return err(makeFailure('E-028', { code: 'result_missing' }));
        const original = await exports.original(request.transcriptId, request.format);
        if (!original.ok) return original;
        const text = part === 'all' ? original.value : original.value.slice(0, previewCharacters);
        return ok({ kind: 'text', text, isCut: text.length < original.value.length });
      }),
    'exports.save': async ({ place, source, ...request }, { windowId }) =>
      withExports<{ savedAs: string | null; revealToken: string | null }>(async (exports) => {
        const { transcriptId, format, options } = request;
        const name = exports.nameFor(transcriptId, format);
        if (!name.ok) return name;
        const path = await placeFor(windowId, name.value, format, place);
        if (path === null) return ok({ savedAs: null, revealToken: null });
        const saved =
          source === 'service' && isServiceFormat(format)
            ? await exports.saveOriginal(transcriptId, format, path)
            : await exports.save(request, path);
        if (!saved.ok) return saved;
        if (source === 'studio') {
          const exportChoices = { ...settings.get().exportChoices, [format]: options };
          settings.update({ exportFolder: dirname(path), lastExportFormat: format, exportChoices });
        }
        return ok({ savedAs: basename(path), revealToken: fileTokens.issue(windowId, path) });
      }),
    'exports.reveal': async ({ revealToken }, { windowId }) => {
      const path = fileTokens.resolve(windowId, revealToken);
      if (path === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
      shell.showItemInFolder(path);
      return ok({});
    },
  };
};
