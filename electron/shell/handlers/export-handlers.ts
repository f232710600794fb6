import { basename } from 'node:path';
import { shell } from 'electron';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ExportService } from '../../services/exports/export-service.ts';
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

  return {
    'exports.render': async ({ part, ...request }) =>
      withExports((exports) => exports.show(request, part === 'beginning' ? previewCharacters : null)),
    'exports.save': async (request, { windowId }) =>
      withExports<{ savedAs: string | null; revealToken: string | null }>(async (exports) => {
        const name = exports.nameFor(request.transcriptId, request.format);
        if (!name.ok) return name;
        const path = await chooseSavePath(windowOf(windowId), {
          title: dialogWords(settings.get().interfaceLanguage)('files.saveTranscript'),
          defaultPath: name.value,
          filters: [{ name: request.format.toUpperCase(), extensions: [fileExtension(request.format)] }],
        });
        if (path === null) return ok({ savedAs: null, revealToken: null });
        const saved = await exports.save(request, path);
        if (!saved.ok) return saved;
        return ok({ savedAs: basename(saved.value.path), revealToken: fileTokens.issue(windowId, saved.value.path) });
      }),
    'exports.reveal': async ({ revealToken }, { windowId }) => {
      const path = fileTokens.resolve(windowId, revealToken);
      if (path === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
      shell.showItemInFolder(path);
      return ok({});
    },
  };
};
