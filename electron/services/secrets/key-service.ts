import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { holdsKey } from '../../../shared/domain/text/looks-like-key.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { Secret } from '../../secret/secret.ts';
import type { SettingsStore, StoredSettings } from '../settings/stored-settings.ts';

/** Adapters of the keychain create and open secrets too. */
export { Secret };

/** Each reason needs a different action of the user. */
export type KeychainTrouble = 'locked' | 'no-service' | 'denied' | 'slow';

export type SecretRead =
  | { readonly state: 'present'; readonly secret: Secret }
  | { readonly state: 'absent' }
  | { readonly state: KeychainTrouble };

export type SecretWrite = { readonly state: 'saved' } | { readonly state: KeychainTrouble | 'unsaved' };

/** Every call ends within its time limit; nothing throws. The argument names an account, never a key. */
export interface SecretStore {
  /** The secret, or why there is none: it was never written, or the keychain did not return it. */
  read(account: string): Promise<SecretRead>;
  /** Reads back what it wrote: a difference is `unsaved` (key-not-stored). */
  write(account: string, secret: Secret): Promise<SecretWrite>;
  /** Removes it; `saved` also when there was none. */
  clear(account: string): Promise<SecretWrite>;
}

/** Kept in the memory of main until taken or dropped; pages learn only the last characters. */
export function createShownOnce() {
  const held = new Map<string, Secret>();
  return {
    keep: (id: string, secret: Secret): void => void held.set(id, secret),
    get: (id: string): Secret | null => held.get(id) ?? null,
    drop: (id: string): void => void held.delete(id),
  };
}

export interface KeyDescription {
  readonly present: boolean;
  readonly maskedSuffix: string;
  readonly store: 'keychain' | 'session' | 'environment' | 'none';
  readonly keychain: 'present' | 'absent' | KeychainTrouble | 'unsaved';
}

/** The account of the service's key in the keychain. Practice stores no key: each start creates one. */
export const keyAccount = 'api-key';

/** A key of the legacy API has its own entry, so that neither is ever mistaken for the other. */
export const legacyKeyAccount = 'api-key-older';

/** The token of the signed-in user, which opens keys, usage and logs of the account and nothing else. */
export const accountTokenAccount = 'account-token';

const rowOfTrouble = {
  'no-service': 'keychain-missing',
  locked: 'keychain-locked',
  slow: 'keychain-slow',
  denied: 'keychain-denied',
  unsaved: 'key-not-stored',
} as const;

type KeyMarker = 'keySaved' | 'olderKeySaved' | 'accountTokenSaved';
const markers: Readonly<Record<string, KeyMarker>> = {
  [keyAccount]: 'keySaved',
  [legacyKeyAccount]: 'olderKeySaved',
  [accountTokenAccount]: 'accountTokenSaved',
};
type StoredKeys = Pick<StoredSettings, 'keyOrigins' | KeyMarker>;

const originOf = (address: string): string => URL.parse(address)?.origin ?? '';

/** Its entry in the keychain at an address, then the single one of earlier versions where that belongs to it. */
function entriesOf(own: string, address: string, { keyOrigins }: StoredKeys): readonly [string, ...string[]] {
  const origin = originOf(address);
  if (origin === '') return [own];
  const bound = keyOrigins[own] ?? '';
  return bound === '' || bound === origin ? [`${own} ${origin}`, own] : [`${own} ${origin}`];
}

const markerOf = (own: string): KeyMarker => markers[own] ?? 'keySaved';
const isEntrySaved = (own: string, entry: string, stored: StoredKeys): boolean =>
  entry === own ? stored[markerOf(own)] : stored.keyOrigins[entry] !== undefined;
export const isKeySaved = (own: string, address: string, stored: StoredKeys): boolean =>
  entriesOf(own, address, stored).some((entry) => isEntrySaved(own, entry, stored));

export async function readStoredKey(store: SecretStore, own: string, address: string, stored: StoredKeys) {
  const [entry, single] = entriesOf(own, address, stored);
  const read = await store.read(entry);
  return read.state === 'absent' && single !== undefined
    ? { entry: single, read: await store.read(single) }
    : { entry, read };
}

/** The only holder of the API key; what the keychain refuses is kept in memory, never in a file. */
export function createKeyService(options: {
  readonly store: SecretStore;
  readonly settings: SettingsStore;
  readonly environmentKey: Secret | null;
  readonly account?: string;
  /** Of the service in use. */
  readonly address?: () => string;
}) {
  const { store, settings, account: own = keyAccount } = options;
  const marker = markerOf(own);
  const { address = () => settings.get().serviceAddress } = options;
  const listeners = new Set<() => void>();
  let { environmentKey } = options;
  /** By their entries: a key goes only to the origin for which it was entered. */
  const held = new Map<string, { readonly secret: Secret; readonly store: 'keychain' | 'session' }>();
  let keychain: KeyDescription['keychain'] = 'absent';
  /** The keychain was read before a key was entered or forgotten: the answer is about the previous key. */
  let isOutdated = false;

  const changed = () => {
    for (const listener of listeners) listener();
  };

  const entries = () => entriesOf(own, address(), settings.get());
  /** Who sets a key in the environment sets the address for it too. */
  const here = () => {
    if (environmentKey !== null) return { secret: environmentKey, store: 'environment' } as const;
    const entry = entries().find((name) => held.has(name));
    return entry === undefined ? null : (held.get(entry) ?? null);
  };
  const isSaved = (): boolean => isKeySaved(own, address(), settings.get());

  const note = (entry: string, isThere: boolean): void => {
    const { [entry]: _before, ...others } = settings.get().keyOrigins;
    settings.update(
      entry === own
        ? { [marker]: isThere, keyOrigins: others }
        : { keyOrigins: isThere ? { ...others, [entry]: entry.slice(own.length + 1) } : others },
    );
  };

  const accept = (entry: string, read: SecretRead): void => {
    if (read.state === 'present') {
      keychain = 'present';
      if (held.get(entry)?.store !== 'session') held.set(entry, { secret: read.secret, store: 'keychain' });
    } else if (read.state === 'absent') {
      // A locked keychain answers like an empty one; the marker tells them apart.
      keychain = isSaved() ? 'locked' : 'absent';
    } else keychain = read.state;
    changed();
  };

  const write = async (entry: string, secret: Secret): Promise<SecretWrite['state']> => {
    const { state } = await store.write(entry, secret);
    held.set(entry, { secret, store: state === 'saved' ? 'keychain' : 'session' });
    if (state === 'saved') note(entry, true);
    return state;
  };
  const clear = async (entry: string): Promise<SecretWrite['state']> => {
    held.delete(entry);
    const { state } = await store.clear(entry);
    if (state === 'saved') note(entry, false);
    return state;
  };

  return {
    current: (): Secret | null => here()?.secret ?? null,
    isSaved,

    /** A key that was entered before the address, or by an earlier version, belongs to the address in use. */
    bind(): void {
      const { keyOrigins, [marker]: isStored } = settings.get();
      const isUnbound = (keyOrigins[own] ?? '') === '';
      if (isUnbound && (isStored || held.has(own)) && originOf(address()) !== '')
        settings.update({ keyOrigins: { ...keyOrigins, [own]: originOf(address()) } });
    },

    /** The address in use is another: a key that was entered for it before is found again. */
    follow(): void {
      const found = here();
      if (found === null) keychain = 'absent';
      else if (found.store === 'keychain') keychain = 'present';
      if (found === null && isSaved()) void this.load();
    },

    /** Whether a text contains something that looks like a key, or the key itself, whatever it looks like (S-68). */
    isInText: (text: string): boolean =>
      holdsKey(text) ||
      (environmentKey?.isIn(text) ?? false) ||
      [...held.values()].some(({ secret }) => secret.isIn(text)),

    describe: (): KeyDescription => ({
      present: here() !== null,
      maskedSuffix: here()?.secret.maskedSuffix ?? '',
      store: here()?.store ?? 'none',
      keychain,
    }),

    onChanged(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async load(): Promise<void> {
      if (environmentKey !== null) return;
      isOutdated = false;
      const [wanted] = entries();
      const { entry, read } = await readStoredKey(store, own, address(), settings.get());
      if (isOutdated || wanted !== entries()[0]) return;
      accept(entry, read);
      if (read.state !== 'present' || entry === wanted) return;
      // From the single entry of earlier versions, which stays until the key is surely in its own.
      if ((await write(wanted, read.secret)) === 'saved') await clear(entry);
      else held.delete(wanted);
    },

    /** Handles an answer of the keychain after its time limit. */
    acceptLate(entry: string, read: SecretRead): void {
      if (entries().includes(entry) && environmentKey === null && !isOutdated) accept(entry, read);
    },

    async save(text: string): Promise<Result<KeyDescription, KeyTextProblem>> {
      const parsed = readKeyText(text, own);
      return parsed.ok ? ok(await this.take(new Secret(parsed.key))) : err(parsed.problem);
    },

    async take(secret: Secret): Promise<KeyDescription> {
      isOutdated = true;
      environmentKey = null;
      const [entry, single] = entries();
      const state = await write(entry, secret);
      keychain = state === 'saved' ? 'present' : state;
      if (single !== undefined && settings.get()[marker]) await clear(single);
      changed();
      return this.describe();
    },

    /** Here, or for every address. When the keychain refuses, its row gives the reason and the marker stays. */
    async forget(isEverywhere = false): Promise<Result<null>> {
      isOutdated = true;
      environmentKey = null;
      const [entry, ...others] = entries();
      const elsewhere = Object.keys(settings.get().keyOrigins).filter((name) => name.startsWith(`${own} `));
      const saved = [...new Set([entry, ...others, ...(isEverywhere ? [own, ...elsewhere] : [])])].filter((name) =>
        isEntrySaved(own, name, settings.get()),
      );
      for (const name of isEverywhere ? [...held.keys()] : [entry, ...others]) held.delete(name);
      let state: SecretWrite['state'] = 'saved';
      for (const name of saved.length === 0 ? [entry] : saved) if (state === 'saved') state = await clear(name);
      keychain = state === 'saved' ? 'absent' : state;
      changed();
      return state === 'saved' || (state === 'no-service' && saved.length === 0)
        ? ok(null)
        : err(makeFailure(rowOfTrouble[state]));
    },
  };
}

export type KeyService = ReturnType<typeof createKeyService>;

/** `token`, `key`: the one was entered where the other belongs. */
export type KeyTextProblem = 'empty' | 'spaces' | 'length' | 'characters' | 'token' | 'key';

export type KeyText =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: KeyTextProblem };

const shortest = 8;
const longestKey = 512;
/** Signed tokens contain claims about the user, so they are longer than keys. */
const longestToken = 4096;
const signedToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;
const prefixedKey = /^[A-Za-z]{2,12}_/;

/** Trims the spaces of a careless copy; the rest must fit into a request header. */
export function readKeyText(text: string, account = keyAccount): KeyText {
  const isForToken = account === accountTokenAccount;
  const key = text.trim();
  if (key === '') return { ok: false, problem: 'empty' };
  if (/\s/.test(key)) return { ok: false, problem: 'spaces' };
  if (!new Secret(key).fitsHeader) return { ok: false, problem: 'characters' };
  if (!isForToken && signedToken.test(key)) return { ok: false, problem: 'token' };
  if (isForToken && prefixedKey.test(key)) return { ok: false, problem: 'key' };
  if (key.length < shortest || key.length > (isForToken ? longestToken : longestKey))
    return { ok: false, problem: 'length' };
  return { ok: true, key };
}

export const sendsByLegacy = (
  settings: Pick<SettingsStore, 'get'>,
  legacyKeys: Pick<KeyService, 'describe'>,
): boolean => settings.get().usesLegacyTranscription && legacyKeys.describe().present;
