import { dialog, shell } from 'electron';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { MoveProgress, StorageUse } from '../../services/storage/storage-files.ts';
import { every } from '../every.ts';
import { dialogWords, translate } from '../words.ts';
import { choosePaths } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type StorageHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `storage.${string}`>>;

const toPage = ({ parts, freeBytes, movedTo }: StorageUse) => ({ parts: [...parts], freeBytes, movedTo });

export const storageHandlers = ({
  storage,
  oldRows,
  settings,
  libraryRoot,
  window: { publishMove, windowOf },
}: HandlerServices): StorageHandlers => ({
  'storage.describe': async () => ok(toPage(await storage.measure())),
  'storage.openFolder': async () =>
    (await shell.openPath(libraryRoot())) === '' ? ok({}) : err(makeFailure('E-010', { code: 'folder_unreadable' })),
  'storage.clean': async ({ part }) => {
    const cleaned = await storage.clean(part);
    return cleaned.ok ? ok({ ...toPage(cleaned.value.use), freedBytes: cleaned.value.freedBytes }) : cleaned;
  },
  'storage.oldRows': ({ days }) => oldRows.count(days),
  'storage.removeOldRows': ({ days, withTexts, atService }) => oldRows.remove(days, withTexts, atService),
  'storage.restoreOldRows': async () => {
    const restored = await oldRows.restore();
    return restored.ok ? ok({ restoredCount: restored.value }) : restored;
  },
  'storage.move': async (_input, { windowId }) => {
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
  },
  'storage.cancelMove': async () => {
    storage.cancelMove();
    return ok({});
  },
  'storage.eraseEverything': async ({ typed }) => {
    const word = translate(settings.get().interfaceLanguage, 'settings.privacy.all.word');
    const erased = await storage.eraseEverything(typed, word);
    return erased.ok ? ok({}) : erased;
  },
});
