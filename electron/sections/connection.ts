import { clipboard } from 'electron';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import { readProxyHost, proxyModes } from '../../shared/domain/network/proxy.ts';
import type { KeyService } from '../services/secrets/key-service.ts';
import { pageSettings } from './app.ts';
import { procedure, nothing } from '../ipc/procedure.ts';
import type { App } from './context.ts';
import { z } from 'zod';
import { modeIds } from '../../shared/domain/modes.ts';

export const connectionProcedures = (app: App) => {
  const { settings, keys, legacyKeys, accountTokens, connection, checkConnection, openKeyWindow } = app;
  const paste = async (into: KeyService) => {
    const saved = await into.save(await clipboard.readText());
    return saved.ok ? ok(connection.describe()) : err(makeFailure('not-a-key', { code: `key_${saved.error}` }));
  };
  const forget = async (from: KeyService) => {
    const forgotten = await from.forget();
    return forgotten.ok ? ok(connection.describe()) : forgotten;
  };
  return {
    'connection.check': procedure(
      z.strictObject({ serviceAddress: z.string().max(2048) }),
      async ({ serviceAddress }) => {
        const address = connection.readAddress(serviceAddress);
        return address.ok ? ok(await checkConnection(address.value)) : address;
      },
    ),
    'connection.setAddress': procedure(
      z.strictObject({ serviceAddress: z.string().max(2048) }),
      async ({ serviceAddress }) => connection.setAddress(serviceAddress),
    ),
    /** Opens the small key window (S-06) and returns; `connection.changed` reports when a key was entered. */
    'connection.enterKey': procedure(nothing, async () => {
      openKeyWindow('current');
      return ok({});
    }),
    /** Main reads the key from the clipboard; the page never sees it. */
    'connection.pasteKey': procedure(nothing, async () => paste(keys)),
    'connection.forgetKey': procedure(nothing, async () => forget(keys)),
    'connection.recheckKey': procedure(nothing, async () => {
      await keys.load();
      return ok(connection.describe());
    }),
    'connection.choose': procedure(z.strictObject({ mode: z.enum(modeIds) }), async ({ mode }) =>
      connection.choose(mode),
    ),
    'connection.setProxy': procedure(
      z.strictObject({
        mode: z.enum(proxyModes),
        server: z.string().max(300),
        port: z.number().int().min(1).max(65_535),
      }),
      async ({ mode, server, port }) => {
        const read = server.trim() === '' ? null : readProxyHost(server);
        if (read === null && (mode === 'manual' || server.trim() !== ''))
          return err(makeFailure('proxy-sign-in', { code: 'proxy_malformed' }));
        connection.setProxy({ mode, server: read?.host ?? '', port: read?.port ?? port });
        return ok(pageSettings(settings.get(), connection.describe().serviceAddress));
      },
    ),
    'connection.setPlaces': procedure(
      z.strictObject({ streamAddress: z.string().max(2048), callHost: z.string().max(300) }),
      async (places) => {
        const saved = connection.setPlaces(places);
        return saved.ok ? ok(pageSettings(settings.get(), connection.describe().serviceAddress)) : saved;
      },
    ),
    /** The same for the key of the legacy API, which has its own entry in the keychain. */
    'legacyKey.enter': procedure(nothing, async () => {
      openKeyWindow('legacy');
      return ok({});
    }),
    'legacyKey.paste': procedure(nothing, async () => paste(legacyKeys)),
    'legacyKey.forget': procedure(nothing, async () => forget(legacyKeys)),
    /** The same for the token of the account, which only its keys, usage and logs need. */
    'accountToken.enter': procedure(nothing, async () => {
      openKeyWindow('account');
      return ok({});
    }),
    'accountToken.paste': procedure(nothing, async () => paste(accountTokens)),
    'accountToken.forget': procedure(nothing, async () => forget(accountTokens)),
    /** The current key was recognised as one of the legacy API: main stores it in the right entry. */
    'legacyKey.adopt': procedure(nothing, async () => {
      const secret = keys.current();
      if (secret === null) return err(makeFailure('key-missing', { code: 'key_missing' }));
      await legacyKeys.take(secret);
      return forget(keys);
    }),
  };
};
