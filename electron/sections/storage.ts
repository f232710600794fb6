import { choosePaths, chooseSavePath } from '../shell/choose-paths.ts';
import { dialog, shell } from 'electron';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { MoveProgress, StorageUse } from '../services/storage/storage-service.ts';
import { dialogWords, translate } from '../shell/words.ts';
import { every } from '../shell/import-progress.ts';
import { procedure, nothing, streamOf } from '../ipc/procedure.ts';
import { folderId } from './app.ts';
import { id, type App } from './context.ts';
import { z } from 'zod';
import { rowAges } from '../../shared/domain/jobs/batch-progress.ts';
import { basename } from 'node:path';
import { diagnosticsName } from '../services/diagnostics/write-diagnostics.ts';
import { kindOfNumber } from '../../shared/result/failure-kinds.ts';

const toPage = ({ parts, freeBytes, movedTo }: StorageUse) => ({ parts: [...parts], freeBytes, movedTo });

export const storageProcedures = ({ storage, oldRows, settings, libraryRoot, publishMove, windowOf }: App) => ({
  /** How much the app stores on this computer. */
  'storage.describe': procedure(nothing, async () => ok(toPage(await storage.measure()))),
  'storage.openFolder': procedure(nothing, async () =>
    (await shell.openPath(libraryRoot())) === ''
      ? ok({})
      : err(makeFailure('file-unreadable', { code: 'folder_unreadable' })),
  ),
  'storage.clean': procedure(
    z.strictObject({ part: z.enum(['prepared', 'backups', 'practice', 'peaks', 'log']) }),
    async ({ part }) => {
      const cleaned = await storage.clean(part);
      return cleaned.ok ? ok({ ...toPage(cleaned.value.use), freedBytes: cleaned.value.freedBytes }) : cleaned;
    },
  ),
  'storage.oldRows': procedure(z.strictObject({ days: z.literal(rowAges) }), ({ days }) => oldRows.count(days)),
  'storage.removeOldRows': procedure(
    z.strictObject({ days: z.literal(rowAges), withTexts: z.boolean(), atService: z.boolean() }),
    ({ days, withTexts, atService }) => oldRows.remove(days, withTexts, atService),
  ),
  /** Restores what the last request removed; texts only as long as a deletion can be undone. */
  'storage.restoreOldRows': procedure(nothing, async () => {
    const restored = await oldRows.restore();
    return restored.ok ? ok({ restoredCount: restored.value }) : restored;
  }),
  'storage.move': procedure(nothing, async (_input, { windowId }) => {
    const say = dialogWords(settings.get().interfaceLanguage);
    const window = windowOf(windowId);
    const [chosen] = await choosePaths(window, {
      title: say('move.choose'),
      properties: ['openDirectory', 'createDirectory'],
    });
    if (chosen === undefined) return ok({ isBegun: false });
    const judged = await storage.judgeMove(chosen);
    if (!judged.ok) return judged;
    if (judged.value.isNetwork) {
      const question = {
        type: 'warning' as const,
        message: say('move.network'),
        detail: say('move.networkText'),
        buttons: [say('move.goOn'), say('move.keep')],
        defaultId: 1,
        cancelId: 1,
      };
      const shown = window === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question);
      if ((await shown).response !== 0) return ok({ isBegun: false });
    }
    const publish = (progress: MoveProgress) => publishMove({ ...progress, failure: null, leftBytes: 0 });
    const publishSome = every(120, publish);
    const moved = storage.move(judged.value.path, (progress) => {
      const isPart = progress.step === 'copying' && progress.copiedBytes < progress.totalBytes;
      (isPart ? publishSome : publish)(progress);
    });
    void moved.then((ended) =>
      publishMove({
        step: 'ended',
        copiedBytes: 0,
        totalBytes: 0,
        failure: ended.ok ? null : ended.error,
        leftBytes: ended.ok ? ended.value.leftBytes : 0,
      }),
    );
    return ok({ isBegun: true });
  }),
  'storage.cancelMove': procedure(nothing, async () => {
    storage.cancelMove();
    return ok({});
  }),
  /** Erases everything, including key and settings; main compares `typed` with the word that the user was asked for. */
  'storage.eraseEverything': procedure(z.strictObject({ typed: z.string().max(64) }), async ({ typed }) => {
    const word = translate(settings.get().interfaceLanguage, 'settings.privacy.all.word');
    const erased = await storage.eraseEverything(typed, word);
    return erased.ok ? ok({}) : erased;
  }),
});

/** Paths stay in main: a page learns what happened and can open the file manager there. */
export const recoveryProcedures = ({ workspaces, connection, settings, dataRoot }: App) => {
  let areSettingsReset = settings.wasReset;

  const describe = async () => {
    const library = await workspaces.opened();
    const isWanted = settings.get().mode !== 'unset';
    if (!library.ok) return { areSettingsReset, library: null, failure: isWanted ? library.error : null };
    const { recovery } = library.value;
    const notice = recovery.report();
    return {
      areSettingsReset,
      library: notice === null ? null : { notice, isDamagedFileKept: recovery.damagedFile() !== null },
      failure: null,
    };
  };

  return {
    'recovery.describe': procedure(nothing, async () => ok(await describe())),
    'recovery.acknowledge': procedure(nothing, async () => {
      areSettingsReset = false;
      const library = await workspaces.opened();
      if (library.ok) library.value.recovery.acknowledge();
      return ok(await describe());
    }),
    'recovery.retry': procedure(nothing, async () => {
      await connection.reopen();
      return ok(await describe());
    }),
    'recovery.reveal': procedure(z.strictObject({ what: z.enum(['damaged-file', 'folder']) }), async ({ what }) => {
      const library = await workspaces.opened();
      const file = what === 'damaged-file' && library.ok ? library.value.recovery.damagedFile() : null;
      if (file !== null) {
        shell.showItemInFolder(file);
        return ok({});
      }
      return (await shell.openPath(dataRoot)) === ''
        ? ok({})
        : err(makeFailure('file-unreadable', { code: 'folder_unreadable' }));
    }),
  };
};

const ofModel = z.strictObject({ id: z.string().max(80) });

export const modelProcedures = ({ models: { downloads, hasOwn }, settings, windowOf }: App) => ({
  'models.list': procedure(nothing, async () =>
    ok({ models: [...(await downloads.list())], refused: [...downloads.refused()], hasOwn }),
  ),
  'models.get': procedure(ofModel, async ({ id }) => {
    downloads.get(id);
    return ok({});
  }),
  'models.pause': procedure(ofModel, async ({ id }) => {
    await downloads.pause(id);
    return ok({});
  }),
  'models.remove': procedure(ofModel, async ({ id }) => {
    await downloads.remove(id);
    return ok({});
  }),
  /** Opens the system's dialog for files that came another way; null when it was cancelled. */
  'models.add': procedure(nothing, async (_input, { windowId }) => {
    const say = dialogWords(settings.get().interfaceLanguage);
    const paths = await choosePaths(windowOf(windowId), {
      title: say('files.modelFiles'),
      properties: ['openFile', 'multiSelections'],
      filters: [
        { name: say('files.models'), extensions: ['onnx', 'txt'] },
        { name: say('files.allFiles'), extensions: ['*'] },
      ],
    });
    return paths.length === 0 ? ok(null) : downloads.add(paths);
  }),
  'models.dismissRefused': procedure(nothing, async () => {
    downloads.dismissRefused();
    return ok({});
  }),
});

export const diagnosticsProcedures = ({ collectDiagnostics, saveText, settings, windowOf }: App) => ({
  'diagnostics.save': procedure(nothing, async (_input, { windowId }) => {
    const path = await chooseSavePath(windowOf(windowId), {
      title: dialogWords(settings.get().interfaceLanguage)('files.saveReport'),
      defaultPath: diagnosticsName(Date.now()),
      filters: [{ name: 'JSON', extensions: ['json'] }],
    });
    if (path === null) return ok({ savedAs: null });
    const saved = await saveText(path, await collectDiagnostics());
    return saved.ok ? ok({ savedAs: basename(path) }) : saved;
  }),
});

export const diagnosticsStreams = {
  'diagnostics.echo': streamOf<{ number: number; samples: Int16Array }>()(
    { open: nothing, up: z.instanceof(Int16Array) },
    async (_options, stream) => {
      let number = 0;
      for await (const samples of stream.incoming) {
        number += 1;
        await stream.send({ number, samples });
      }
      return ok(undefined);
    },
  ),
};

const shownLines = 200;

export const automationProcedures = ({ workspaces, settings, retryCopies, windowOf }: App) => ({
  'automation.chooseFolder': procedure(
    z.strictObject({ purpose: z.enum(['copies', 'watch']) }),
    async ({ purpose }, { windowId }) => {
      const say = dialogWords(settings.get().interfaceLanguage);
      const [folder] = await choosePaths(windowOf(windowId), {
        title: say(purpose === 'copies' ? 'files.copyFolder' : 'files.watchFolder'),
        properties: purpose === 'copies' ? ['openDirectory', 'createDirectory'] : ['openDirectory'],
      });
      if (folder === undefined) return ok({ isChosen: false });
      const { watchFolders } = settings.get();
      settings.update(
        purpose === 'copies' ? { copyFolder: folder } : { watchFolders: [...new Set([...watchFolders, folder])] },
      );
      return ok({ isChosen: true });
    },
  ),
  'automation.stopWatching': procedure(z.strictObject({ id }), async ({ id: stopped }) => {
    settings.update({ watchFolders: settings.get().watchFolders.filter((path) => folderId(path) !== stopped) });
    return ok({});
  }),
  'automation.retryCopies': procedure(nothing, async () => {
    await retryCopies();
    return ok({});
  }),
  'automation.log': procedure(nothing, async () => {
    const library = workspaces.current();
    if (!library.ok) return ok({ entries: [] });
    const entries = library.value.automation.list(shownLines).flatMap(({ kind, atMs, name, outcome, row }) => {
      if (outcome === 'there-before') return [];
      const failure = row === null ? null : makeFailure(kindOfNumber(row) ?? 'internal-error', { params: { name } });
      return [{ kind, atMs, name, outcome, failure }];
    });
    return ok({ entries });
  }),
});
