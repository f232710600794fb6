import { shell } from 'electron';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import type { RecoveryState } from '../../../shared/ipc/schemas.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { HandlerServices } from './handler-services.ts';

type RecoveryHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `recovery.${string}`>>;

/** Paths stay in main: a page learns what happened and can open the file manager there. */
export const recoveryHandlers = ({ workspaces, connection, settings, dataRoot }: HandlerServices): RecoveryHandlers => {
  let areSettingsReset = settings.wasReset;

  const describe = async (): Promise<RecoveryState> => {
    const library = await workspaces.opened();
    const isWanted = settings.get().mode !== 'unset';
    if (!library.ok) return { areSettingsReset, library: null, failure: isWanted ? library.error : null };
    const { recovery } = library.value;
    const report = recovery.report();
    return {
      areSettingsReset,
      library: report === null ? null : { ...report, isDamagedFileKept: recovery.damagedFile() !== null },
      failure: null,
    };
  };

  return {
    'recovery.describe': async () => ok(await describe()),
    'recovery.acknowledge': async () => {
      areSettingsReset = false;
      const library = await workspaces.opened();
      if (library.ok) library.value.recovery.acknowledge();
      return ok(await describe());
    },
    'recovery.retry': async () => {
      await connection.reopen();
      return ok(await describe());
    },
    'recovery.reveal': async ({ what }) => {
      const library = await workspaces.opened();
      const file = what === 'damaged-file' && library.ok ? library.value.recovery.damagedFile() : null;
      if (file !== null) {
        shell.showItemInFolder(file);
        return ok({});
      }
      return (await shell.openPath(dataRoot)) === ''
        ? ok({})
        : err(makeFailure('E-010', { code: 'folder_unreadable' }));
    },
  };
};
