import type { Contract } from '../../../shared/ipc/contract.ts';
import type { StreamHandlers } from '../../../shared/ipc/derive.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { exportDisk } from '../../platform/node/export-disk.ts';
import { exportMany } from '../../services/exports/batch-export.ts';
import { rememberExport } from '../../services/exports/remember-export.ts';
import { every } from '../every.ts';
import { placeFailure, placeForExport, savedPlace } from './export-place.ts';
import type { HandlerServices } from './handler-services.ts';

export interface ExportStreamServices {
  readonly workspaces: HandlerServices['workspaces'];
  readonly keys: Pick<HandlerServices['keys'], 'isInText'>;
  readonly settings: HandlerServices['settings'];
  readonly window: Pick<HandlerServices['window'], 'fileTokens' | 'windowOf'>;
}

/** The interval of progress messages. */
const progressMs = 100;

export const exportStreamHandlers = ({
  workspaces,
  keys,
  settings,
  window: { fileTokens, windowOf },
}: ExportStreamServices): Pick<StreamHandlers<Contract>, 'exports.saveAudio' | 'exports.many'> => ({
  'exports.saveAudio': async ({ place, source: _source, name: typed, ...request }, stream, { windowId }) => {
    const library = await workspaces.opened();
    if (!library.ok) return library;
    const { exports } = library.value;
    if (typed !== undefined && keys.isInText(typed)) return err(makeFailure('E-237'));
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

  'exports.many': async ({ items, options, template, collision, layout }, stream, { windowId }) => {
    const library = await workspaces.opened();
    if (!library.ok) return library;
    const { exports } = library.value;
    const folder = settings.get().exportFolder;
    if (folder === null) return err(makeFailure('E-214', { code: 'export_not_writable' }));
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
});
