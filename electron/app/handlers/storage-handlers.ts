import { shell } from 'electron';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { StorageUse } from '../../services/storage/storage-files.ts';
import { translate } from '../words.ts';
import type { HandlerServices } from './handler-services.ts';

type StorageHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `storage.${string}`>>;

const told = ({ parts, freeBytes }: StorageUse) => ({ parts: [...parts], freeBytes });

export const storageHandlers = ({ storage, settings, dataRoot }: HandlerServices): StorageHandlers => ({
  'storage.describe': async () => ok(told(await storage.measure())),
  'storage.openFolder': async () =>
    (await shell.openPath(dataRoot)) === '' ? ok({}) : err(makeFailure('E-010', { code: 'folder_unreadable' })),
  'storage.clean': async ({ part }) => {
    const cleaned = await storage.clean(part);
    return cleaned.ok ? ok({ ...told(cleaned.value.use), freedBytes: cleaned.value.freedBytes }) : cleaned;
  },
  'storage.eraseEverything': async ({ typed }) => {
    const word = translate(settings.get().interfaceLanguage, 'settings.privacy.all.word');
    const erased = await storage.eraseEverything(typed, word);
    return erased.ok ? ok({}) : erased;
  },
});
