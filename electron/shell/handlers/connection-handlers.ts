import { clipboard } from 'electron';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok } from '../../../shared/result/result.ts';
import { readProxyHost } from '../../../shared/domain/network/proxy.ts';
import type { KeyService } from '../../services/secrets/key-service.ts';
import { pageSettings } from './app-handlers.ts';
import type { HandlerServices } from './handler-services.ts';

type ConnectionHandlers = Pick<
  Handlers<Contract>,
  Extract<keyof Contract['requests'], `connection.${string}` | `legacyKey.${string}` | `accountToken.${string}`>
>;

export const connectionHandlers = (services: HandlerServices): ConnectionHandlers => {
  const {
    settings,
    keys,
    legacyKeys,
    accountTokens,
    connection,
    checkConnection,
    window: { openKeyWindow },
  } = services;
  const paste = async (into: KeyService) => {
    const saved = await into.save(await clipboard.readText());
    return saved.ok ? ok(connection.describe()) : err(makeFailure('E-233', { code: `key_${saved.error}` }));
  };
  const forget = async (from: KeyService) => {
    const forgotten = await from.forget();
    return forgotten.ok ? ok(connection.describe()) : forgotten;
  };
  return {
    'connection.check': async ({ serviceAddress }) => {
      const address = connection.readAddress(serviceAddress);
      return address.ok ? ok(await checkConnection(address.value)) : address;
    },
    'connection.setAddress': async ({ serviceAddress }) => connection.setAddress(serviceAddress),
    'connection.enterKey': async () => {
      openKeyWindow('current');
      return ok({});
    },
    'connection.pasteKey': async () => paste(keys),
    'connection.forgetKey': async () => forget(keys),
    'connection.recheckKey': async () => {
      await keys.load();
      return ok(connection.describe());
    },
    'connection.choose': async ({ mode }) => connection.choose(mode),
    'connection.setProxy': async ({ mode, server, port }) => {
      const read = server.trim() === '' ? null : readProxyHost(server);
      if (read === null && (mode === 'manual' || server.trim() !== ''))
        return err(makeFailure('E-008', { code: 'proxy_malformed' }));
      connection.setProxy({ mode, server: read?.host ?? '', port: read?.port ?? port });
      return ok(pageSettings(settings.get(), connection.describe().serviceAddress));
    },
    'connection.setPlaces': async (places) => {
      const saved = connection.setPlaces(places);
      return saved.ok ? ok(pageSettings(settings.get(), connection.describe().serviceAddress)) : saved;
    },
    'legacyKey.enter': async () => {
      openKeyWindow('legacy');
      return ok({});
    },
    'legacyKey.paste': async () => paste(legacyKeys),
    'legacyKey.forget': async () => forget(legacyKeys),
    'accountToken.enter': async () => {
      openKeyWindow('account');
      return ok({});
    },
    'accountToken.paste': async () => paste(accountTokens),
    'accountToken.forget': async () => forget(accountTokens),
    'legacyKey.adopt': async () => {
      const secret = keys.current();
      if (secret === null) return err(makeFailure('E-235', { code: 'key_missing' }));
      await legacyKeys.take(secret);
      return forget(keys);
    },
  };
};
