import { clipboard } from 'electron';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { HandlerServices } from './handler-services.ts';

type ConnectionHandlers = Pick<
  Handlers<Contract>,
  | 'connection.check'
  | 'connection.setAddress'
  | 'connection.enterKey'
  | 'connection.pasteKey'
  | 'connection.forgetKey'
  | 'connection.recheckKey'
  | 'connection.choose'
>;

export const connectionHandlers = ({
  keys,
  connection,
  checkConnection,
  openKeyWindow,
}: HandlerServices): ConnectionHandlers => ({
  'connection.check': async ({ serviceAddress }) => {
    const address = connection.readAddress(serviceAddress);
    return address.ok ? ok(await checkConnection(address.value)) : address;
  },
  'connection.setAddress': async ({ serviceAddress }) => connection.setAddress(serviceAddress),
  'connection.enterKey': async () => {
    openKeyWindow();
    return ok({});
  },
  'connection.pasteKey': async () => {
    const saved = await keys.save(await clipboard.readText());
    return saved.ok ? ok(connection.describe()) : err(makeFailure('E-233', { code: `key_${saved.error}` }));
  },
  'connection.forgetKey': async () => {
    const forgotten = await keys.forget();
    return forgotten.ok ? ok(connection.describe()) : forgotten;
  },
  'connection.recheckKey': async () => {
    await keys.load();
    return ok(connection.describe());
  },
  'connection.choose': async ({ mode }) => connection.choose(mode),
});
