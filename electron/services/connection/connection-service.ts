import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { ProxyChoice } from '../../../shared/domain/network/proxy.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result/result.ts';
import type { Connection, ConnectionSource } from '../../api/connection.ts';
import type { AccessDescription, AccessService } from '../account/access-service.ts';
import type { PracticeState, PracticeSupervisor } from '../practice/practice-supervisor.ts';
import type { KeyDescription, KeyService } from '../secrets/key-service.ts';
import type { SettingsStore, StoredSettings } from '../settings/settings-store.ts';
import type { LibraryKind, LibrarySwitch } from './library-switch.ts';
import { readServiceAddress } from './service-address.ts';

/** The same shape as `connectionState` in `shared/ipc/schemas.ts`. */
export interface ConnectionDescription {
  readonly mode: StoredSettings['mode'];
  readonly serviceAddress: string;
  readonly key: KeyDescription;
  /** What the key may be used for, as far as it is known. */
  readonly access: AccessDescription;
  /** The key of the older generation, for its routes only. */
  readonly olderKey: KeyDescription;
  readonly practice: PracticeState;
  readonly isOnline: boolean;
}

/** Whether the computer has a network at all; says nothing of the service. */
export interface NetworkStatus {
  isOnline(): boolean;
  /** The addresses of this computer, as they are now. */
  addresses(): ReadonlySet<string>;
  /** Tells that the network came or went, or that an address did. */
  onChanged(listener: () => void): () => void;
}

export interface ConnectionServiceOptions {
  readonly settings: SettingsStore;
  readonly keys: KeyService;
  readonly olderKeys: KeyService;
  readonly practice: PracticeSupervisor;
  readonly libraries: LibrarySwitch;
  readonly network: NetworkStatus;
  readonly access: AccessService;
  /** An address from the environment stands before the stored one. */
  readonly environmentAddress: string | null;
  /** Where live streams and the older call are, when the environment says so (`readStreamPlaces`). */
  readonly streamPlaces?: Pick<Connection, 'streamUrl' | 'grpcHost'>;
  /** Plain http on this computer, for runs from source. */
  readonly allowsLoopback: boolean;
}

/** Knows where requests go and with what, and tells whenever that changes. */
export function createConnectionService(options: ConnectionServiceOptions) {
  const { settings, keys, olderKeys, practice, libraries, network, access, allowsLoopback } = options;
  const listeners = new Set<(state: ConnectionDescription) => void>();
  let lastChoice: Promise<unknown> = Promise.resolve();

  const address = (): string => options.environmentAddress ?? settings.get().serviceAddress;

  const describe = (): ConnectionDescription => ({
    mode: settings.get().mode,
    serviceAddress: address(),
    key: keys.describe(),
    access: access.describe(),
    olderKey: olderKeys.describe(),
    practice: practice.state(),
    isOnline: network.isOnline(),
  });

  const changed = () => {
    const library = libraries.current();
    if (library.ok) library.value.jobs.noteConnectionChange();
    access.refresh();
    tell();
  };
  const tell = () => {
    for (const listener of listeners) listener(describe());
  };

  const serviceConnection = (): Connection | null => {
    const baseUrl = readServiceAddress(address(), allowsLoopback);
    const key = keys.current();
    const legacyKey = olderKeys.current();
    return baseUrl.ok && key !== null
      ? {
          ...options.streamPlaces,
          kind: 'service',
          baseUrl: baseUrl.value,
          key,
          ...(legacyKey === null ? {} : { legacyKey }),
        }
      : null;
  };

  const prepare = async (mode: LibraryKind): Promise<Result<null>> => {
    switch (mode) {
      case 'practice':
        return practice.ensureRunning();
      case 'service': {
        const baseUrl = readServiceAddress(address(), allowsLoopback);
        if (!baseUrl.ok) return baseUrl;
        return keys.current() === null ? err(makeFailure('E-235', { code: 'key_missing' })) : ok(null);
      }
      default:
        return assertNever(mode);
    }
  };

  const choose = async (mode: LibraryKind): Promise<Result<ConnectionDescription>> => {
    const prepared = await prepare(mode);
    if (!prepared.ok) return prepared;
    const opened = await libraries.use(mode);
    if (!opened.ok) return opened;
    if (mode === 'service') await practice.stop();
    settings.update({ mode });
    changed();
    return ok(describe());
  };

  const open = async (mode: StoredSettings['mode']) => {
    if (mode === 'practice') void practice.ensureRunning();
    if (mode !== 'unset') await libraries.use(mode);
    changed();
  };

  keys.onChanged(changed);
  olderKeys.onChanged(changed);
  practice.onChanged(changed);
  network.onChanged(() => {
    const library = libraries.current();
    if (library.ok) library.value.jobs.noteNetworkChange(network.addresses());
    access.refresh();
    tell();
  });
  // What the key may do opens no queue: whoever is blocked by it waits for the person.
  access.onChanged(tell);

  return {
    describe,
    onChanged(listener: (state: ConnectionDescription) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** What the client of one library asks before each attempt. */
    sourceFor:
      (kind: LibraryKind): ConnectionSource =>
      () =>
        kind === 'practice' ? practice.connection() : serviceConnection(),
    /** Stands for address and key of the service; null when one is missing. */
    serviceIdentity(): string | null {
      const found = serviceConnection();
      return found === null ? null : found.key.fingerprint(found.baseUrl);
    },
    /** What an entered address becomes, or E-234. Nothing is stored; an empty one is the address in use. */
    readAddress: (text: string): Result<string> =>
      readServiceAddress(text.trim() === '' ? address() : text, allowsLoopback),
    setAddress(text: string): Result<ConnectionDescription> {
      const read = readServiceAddress(text, allowsLoopback);
      if (!read.ok) return read;
      settings.update({ serviceAddress: read.value });
      changed();
      return ok(describe());
    },
    /** Connections that are open go by the old way, so they are dropped; what runs goes on over new ones. */
    setProxy(choice: ProxyChoice): void {
      settings.update({ proxy: choice });
      const library = libraries.current();
      if (library.ok) library.value.client.dropConnections();
      changed();
    },
    /** One change of mode at a time; a second one waits for the first. */
    choose(mode: LibraryKind): Promise<Result<ConnectionDescription>> {
      const choice = lastChoice.then(() => choose(mode));
      lastChoice = choice.catch(() => undefined);
      return choice;
    },
    /** Tries to open the library of the mode that is in use once more, after what stopped it was mended. */
    reopen(): Promise<void> {
      const done = lastChoice.then(() => open(settings.get().mode));
      lastChoice = done.catch(() => undefined);
      return done;
    },
    /**
     * Lets go of the library (of `practice` only when that is in use) and of the practice service while `work` changes
     * what they keep, then goes on in the mode that the settings name by then.
     */
    whileClosed<T>(which: LibraryKind | 'any', work: () => Promise<T>): Promise<T> {
      const done = lastChoice.then(async () => {
        const { mode } = settings.get();
        if (mode === 'unset' || (which !== 'any' && which !== mode)) return work();
        const result = await libraries.whileClosed(async () => {
          await practice.stop();
          return work();
        });
        await open(settings.get().mode);
        return result;
      });
      lastChoice = done.catch(() => undefined);
      return done;
    },
    /** Goes on where the last run stopped. Neither a slow keychain nor a practice service that fails holds it up. */
    async resume(): Promise<void> {
      void keys.load();
      // Only asked for where one was kept: a question that finds nothing may still make a keychain ask for its password.
      if (settings.get().olderKeySaved) void olderKeys.load();
      await open(settings.get().mode);
    },
    async stop(): Promise<void> {
      await libraries.close();
      await practice.stop();
    },
  };
}

export type ConnectionService = ReturnType<typeof createConnectionService>;
