import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { AccountService } from '../../services/account/account-service.ts';
import { notByPerson, type Asker } from '../../services/spend/paid-actions.ts';
import { copySecret } from '../copy-secret.ts';
import type { HandlerServices } from './handler-services.ts';

type AccountHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `account.${string}`>>;

/** The answer with the secret was missed, or the app was restarted since. */
export const secretGone = makeFailure('E-067', { code: 'secret_gone', outcome: 'accepted', layer: 'local' });

export const accountHandlers = ({ workspaces, keys, window: { activations } }: HandlerServices): AccountHandlers => {
  const withAccount = async <T>(ask: (account: AccountService) => Promise<Result<T>>): Promise<Result<T>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? ask(workspace.value.account) : workspace;
  };
  const done = async (ask: (account: AccountService) => Promise<Result<unknown>>) => {
    const result = await withAccount(ask);
    return result.ok ? ok({}) : result;
  };
  const byPerson = async (asker: Asker, ask: (account: AccountService) => Promise<Result<unknown>>) =>
    activations.take(asker.windowId, asker.activation) ? done(ask) : err(notByPerson);
  return {
    'account.log': ({ filter, cursor }) => withAccount((account) => account.log(filter, cursor)),
    'account.keys': () =>
      withAccount(async (account) => {
        const listed = await account.keys();
        return listed.ok ? ok({ keys: listed.value, ownSuffix: account.ownSuffix() }) : listed;
      }),
    'account.permissions': () =>
      withAccount(async (account) => {
        const listed = await account.permissions();
        return listed.ok ? ok({ permissions: listed.value }) : listed;
      }),
    'account.createKey': (wanted, asker) =>
      withAccount(async (account) => {
        if (!activations.take(asker.windowId, asker.activation)) return err(notByPerson);
        if (keys.isInText(wanted.name)) return err(makeFailure('E-237'));
        const made = await account.createKey(wanted);
        if (!made.ok) return made;
        const secret = account.secrets.get(made.value.id);
        return ok({ key: made.value, maskedSuffix: secret?.maskedSuffix ?? '' });
      }),
    'account.copyKey': ({ keyId }) =>
      done(async (account) => {
        const secret = account.secrets.get(keyId);
        if (secret === null) return err(secretGone);
        return copySecret(secret.reveal());
      }),
    'account.useKey': ({ keyId }) =>
      done(async (account) => {
        const secret = account.secrets.get(keyId);
        if (secret === null) return err(secretGone);
        await keys.take(secret);
        return ok(null);
      }),
    'account.dropKey': ({ keyId }) =>
      done(async (account) => {
        account.secrets.drop(keyId);
        return ok(null);
      }),
    'account.updateKey': async ({ keyId, wanted }, asker) => {
      if (!activations.take(asker.windowId, asker.activation)) return err(notByPerson);
      return withAccount(async (account) => {
        if (wanted.name !== undefined && keys.isInText(wanted.name)) return err(makeFailure('E-237'));
        const updated = await account.updateKey(keyId, wanted);
        return updated.ok ? ok({ key: updated.value }) : updated;
      });
    },
    'account.revokeKey': ({ keyId }, asker) => byPerson(asker, (account) => account.revokeKey(keyId)),
    'account.removeKey': ({ keyId }, asker) => byPerson(asker, (account) => account.removeKey(keyId)),
  };
};
