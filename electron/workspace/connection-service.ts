import type { NetworkStatus } from '../services/connection/wake-watch.ts';
import { isModelStyle } from '../../shared/domain/dictation/clean-up.ts';
import { modeIds, modeOf, type ModeId } from '../../shared/domain/modes.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { ProxyChoice } from '../../shared/domain/network/proxy.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Connection, ConnectionSource } from '../service/connection.ts';
import type { AccessDescription, AccessService } from '../services/account/access-service.ts';
import {
  createBatteryPause,
  type PowerSource,
  type PracticeState,
  type PracticeSupervisor,
} from '../services/practice/practice-supervisor.ts';
import type { KeyDescription, KeyService } from '../services/secrets/key-service.ts';
import type { SettingsStore, StoredSettings } from '../services/settings/stored-settings.ts';
import type { WorkspaceSwitch } from './workspace-switch.ts';
import { readCallHost, readServiceAddress, readStreamAddress } from '../services/connection/service-address.ts';

const mostAgreed = 50;

export interface ConnectionDescription {
  readonly mode: StoredSettings['mode'];
  readonly serviceAddress: string;
  readonly key: KeyDescription;
  readonly access: AccessDescription;
  readonly legacyKey: KeyDescription;
  readonly accountToken: KeyDescription;
  readonly practice: PracticeState;
  readonly isOnline: boolean;
  readonly isPausedOnBattery: boolean;
  /** The user wants no questions about recordings of this account while their price is unknown. */
  readonly sendsUnpriced: boolean;
}

export interface ConnectionServiceOptions {
  readonly settings: SettingsStore;
  readonly keys: KeyService;
  readonly legacyKeys: KeyService;
  readonly accountTokens: KeyService;
  readonly practice: PracticeSupervisor;
  readonly local: PracticeSupervisor;
  readonly workspaces: WorkspaceSwitch;
  readonly network: NetworkStatus;
  readonly power: PowerSource | null;
  readonly access: AccessService;
  /** An address from the environment takes precedence over the stored one. */
  readonly environmentAddress: string | null;
  readonly streamPlaces?: () => Pick<Connection, 'streamUrl' | 'grpcHost'>;
  readonly allowsLoopback: boolean;
}

interface ModeProvider {
  connection(): Connection | null;
  prepare(): Promise<Result<null>>;
  stop(): Promise<void>;
}

const providerOf = (service: PracticeSupervisor): ModeProvider => ({
  connection: () => service.connection(),
  prepare: () => service.ensureRunning(),
  stop: () => service.stop(),
});

export function createConnectionService(options: ConnectionServiceOptions) {
  const { settings, keys, legacyKeys, accountTokens, practice, local, workspaces, network, access, allowsLoopback } =
    options;
  const listeners = new Set<(state: ConnectionDescription) => void>();
  let lastChoice: Promise<unknown> = Promise.resolve();

  /** One change of mode at a time; a second one waits for the first. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = lastChoice.then(work);
    lastChoice = done.catch(() => undefined);
    return done;
  };

  const address = (): string => options.environmentAddress ?? settings.get().serviceAddress;

  const describe = (): ConnectionDescription => ({
    mode: settings.get().mode,
    serviceAddress: address(),
    key: keys.describe(),
    access: access.describe(),
    legacyKey: legacyKeys.describe(),
    accountToken: accountTokens.describe(),
    practice: settings.get().mode === 'local' ? local.state() : practice.state(),
    isOnline: network.isOnline(),
    isPausedOnBattery: settings.get().mode === 'local' && battery.isPaused(),
    sendsUnpriced: settings.get().agreedConnections.includes(identity() ?? ''),
  });

  const changed = () => {
    const workspace = workspaces.current();
    if (workspace.ok) {
      workspace.value.jobs.noteConnectionChange();
      void workspace.value.deletion.tellService();
      workspace.value.dictation.tryNow();
      const { mode } = settings.get();
      if (mode !== 'unset' && modeOf(mode).isFree && providers[mode].connection() !== null)
        void workspace.value.dictation.sendLeft();
    }
    access.refresh();
    publish();
  };
  const publish = () => {
    for (const listener of listeners) listener(describe());
  };

  const serviceConnection = (): Connection | null => {
    const baseUrl = readServiceAddress(address(), allowsLoopback);
    const key = keys.current();
    const legacyKey = legacyKeys.current();
    const accessToken = accountTokens.current();
    return baseUrl.ok && key !== null
      ? {
          ...options.streamPlaces?.(),
          kind: 'service',
          baseUrl: baseUrl.value,
          key,
          ...(legacyKey === null ? {} : { legacyKey }),
          ...(accessToken === null ? {} : { accessToken }),
        }
      : null;
  };

  const identity = (): string | null => {
    const found = serviceConnection();
    return found === null ? null : found.key.fingerprint(found.baseUrl);
  };

  const providers: Readonly<Record<ModeId, ModeProvider>> = {
    service: {
      connection: serviceConnection,
      async prepare() {
        const baseUrl = readServiceAddress(address(), allowsLoopback);
        if (!baseUrl.ok) return baseUrl;
        return keys.current() === null ? err(makeFailure('key-missing', { code: 'key_missing' })) : ok(null);
      },
      stop: async () => undefined,
    },
    practice: providerOf(practice),
    local: providerOf(local),
  };
  const stopAllBut = async (mode: ModeId | null): Promise<void> => {
    for (const other of modeIds) if (other !== mode) await providers[other].stop();
  };

  const choose = async (mode: ModeId): Promise<Result<ConnectionDescription>> => {
    const prepared = await providers[mode].prepare();
    if (!prepared.ok) return prepared;
    // A folder that was chosen elsewhere is no consent to send what comes into it here.
    if (settings.get().mode !== mode) settings.update({ watchFolders: [] });
    const opened = await workspaces.use(mode);
    if (!opened.ok) return opened;
    await stopAllBut(mode);
    const { mode: before, dictationStyle } = settings.get();
    // A style of a model that was chosen where it is free is no consent to pay for it.
    const wasFree = before !== 'unset' && modeOf(before).isFree && !modeOf(mode).isFree;
    // This computer has no models that write.
    const isToDrop = wasFree || modeOf(mode).origin === 'local';
    settings.update({ mode, ...(isToDrop && isModelStyle(dictationStyle) ? { dictationStyle: 'tidy' } : {}) });
    changed();
    return ok(describe());
  };

  const open = async (mode: StoredSettings['mode']) => {
    if (mode !== 'unset') {
      void providers[mode].prepare();
      await workspaces.use(mode);
    }
    changed();
  };

  const battery = createBatteryPause(settings, options.power, (isPaused) => {
    local.pause(isPaused);
    publish();
  });
  keys.onChanged(changed);
  legacyKeys.onChanged(changed);
  // No work waits for the token, but what was paid for can be looked up with it.
  accountTokens.onChanged(() => {
    publish();
    const workspace = workspaces.current();
    if (workspace.ok) void workspace.value.readCosts();
  });
  practice.onChanged(changed);
  local.onChanged(changed);
  network.onChanged(() => {
    const workspace = workspaces.current();
    if (workspace.ok) workspace.value.jobs.noteNetworkChange(network.addresses());
    access.refresh();
    publish();
  });
  // Grants unblock no queue: whatever is blocked by them waits for the user.
  access.onChanged(publish);

  return {
    describe,
    onChanged(listener: (state: ConnectionDescription) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    sourceFor:
      (kind: ModeId): ConnectionSource =>
      () =>
        providers[kind].connection(),
    serviceIdentity: identity,
    sendUnpriced(account: string): void {
      settings.update({ agreedConnections: [...settings.get().agreedConnections, account].slice(-mostAgreed) });
      publish();
    },
    /** Parses an entered address, or address-invalid. Nothing is stored; an empty text means the address in use. */
    readAddress: (text: string): Result<string> =>
      readServiceAddress(text.trim() === '' ? address() : text, allowsLoopback),
    setAddress(text: string): Result<ConnectionDescription> {
      const read = readServiceAddress(text, allowsLoopback);
      if (!read.ok) return read;
      for (const one of [keys, legacyKeys, accountTokens]) one.bind();
      const isElsewhere = URL.parse(address())?.origin !== URL.parse(read.value)?.origin;
      const workspace = workspaces.current();
      // What waits was meant for the service of its time: another one gets it only when the user sends it.
      if (isElsewhere && settings.get().mode === 'service' && workspace.ok) {
        const { jobs } = workspace.value;
        void jobs.act(
          jobs.list().jobs.map(({ id }) => id),
          'leave',
        );
        // As with another mode.
        settings.update({ watchFolders: [] });
      }
      settings.update({ serviceAddress: read.value });
      for (const one of [keys, legacyKeys, accountTokens]) one.follow();
      changed();
      return ok(describe());
    },
    setPlaces(places: { readonly streamAddress: string; readonly callHost: string }): Result<null> {
      const stream = readStreamAddress(places.streamAddress, allowsLoopback);
      if (!stream.ok) return stream;
      const host = readCallHost(places.callHost, allowsLoopback);
      if (!host.ok) return host;
      settings.update({ streamAddress: stream.value, callHost: host.value });
      changed();
      return ok(null);
    },
    /** Open connections use the old proxy, so they are dropped; running work continues over new ones. */
    setProxy(choice: ProxyChoice): void {
      settings.update({ proxy: choice });
      const workspace = workspaces.current();
      if (workspace.ok) workspace.value.client.dropConnections();
      changed();
    },
    choose: (mode: ModeId): Promise<Result<ConnectionDescription>> => inTurn(() => choose(mode)),
    reopen: (): Promise<void> => inTurn(() => open(settings.get().mode)),
    /** For `practice` only when that is in use; continues in the mode that the settings name by then. */
    whileClosed: <T>(which: ModeId | 'any', work: () => Promise<T>): Promise<T> =>
      inTurn(async () => {
        const { mode } = settings.get();
        if (mode === 'unset' || (which !== 'any' && which !== mode)) return work();
        const result = await workspaces.whileClosed(async () => {
          await stopAllBut(null);
          return work();
        });
        await open(settings.get().mode);
        return result;
      }),
    /** Continues where the last run stopped. Neither a slow keychain nor a failing practice service delays it. */
    async resume(): Promise<void> {
      void keys.load();
      // Read only where a key was stored: even a read without result may make a keychain ask for its password.
      if (legacyKeys.isSaved()) void legacyKeys.load();
      if (accountTokens.isSaved()) void accountTokens.load();
      await open(settings.get().mode);
    },
    async stop(): Promise<void> {
      await workspaces.close();
      await stopAllBut(null);
    },
  };
}

export type ConnectionService = ReturnType<typeof createConnectionService>;
