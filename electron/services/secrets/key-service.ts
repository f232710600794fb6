import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { holdsKey } from '../../../shared/domain/text/looks-like-key.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { Secret } from '../../secret/secret.ts';
import type { SettingsStore } from '../settings/stored-settings.ts';

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

/** Signed tokens contain claims about the user, so they are longer than keys. */
export const longestToken = 4096;

const rowOfTrouble = {
  'no-service': 'keychain-missing',
  locked: 'keychain-locked',
  slow: 'keychain-slow',
  denied: 'keychain-denied',
  unsaved: 'key-not-stored',
} as const;

/** The only holder of the API key; what the keychain refuses is kept in memory, never in a file. */
export function createKeyService(options: {
  readonly store: SecretStore;
  readonly settings: SettingsStore;
  readonly environmentKey: Secret | null;
  readonly account?: string;
  readonly marker?: 'keySaved' | 'olderKeySaved' | 'accountTokenSaved';
  readonly longest?: number;
  /** Of the service in use. */
  readonly address?: () => string;
}) {
  const { store, settings, environmentKey, account: own = keyAccount, marker = 'keySaved', longest } = options;
  const { address = () => settings.get().serviceAddress } = options;
  const listeners = new Set<() => void>();
  let held: { secret: Secret; store: Exclude<KeyDescription['store'], 'none'> } | null =
    environmentKey === null ? null : { secret: environmentKey, store: 'environment' };
  let keychain: KeyDescription['keychain'] = 'absent';
  /** The keychain was read before a key was entered or forgotten: the answer is about the previous key. */
  let isOutdated = false;

  const changed = () => {
    for (const listener of listeners) listener();
  };

  const origin = (): string => URL.parse(address())?.origin ?? '';
  const bindTo = (place: string): void =>
    void settings.update({ keyOrigins: { ...settings.get().keyOrigins, [own]: place } });
  /** A key goes only to the origin for which it was entered; who sets one in the environment sets that too. */
  const here = () => {
    const bound = settings.get().keyOrigins[own] ?? '';
    return held?.store === 'environment' || bound === '' || bound === origin() ? held : null;
  };

  const accept = (read: SecretRead): void => {
    if (read.state === 'present') {
      keychain = 'present';
      if (held === null || held.store === 'keychain') held = { secret: read.secret, store: 'keychain' };
    } else if (read.state === 'absent') {
      // A locked keychain answers like an empty one; the marker tells them apart.
      keychain = settings.get()[marker] ? 'locked' : 'absent';
    } else keychain = read.state;
    changed();
  };

  return {
    current: (): Secret | null => here()?.secret ?? null,

    /** A key that was entered before the address, or by an earlier version, belongs to the address in use. */
    bind(): void {
      const isUnbound = (settings.get().keyOrigins[own] ?? '') === '';
      const isStored = held === null ? settings.get()[marker] : held.store !== 'environment';
      if (isUnbound && isStored && origin() !== '') bindTo(origin());
    },

    /** Whether a text contains something that looks like a key, or the key itself, whatever it looks like (S-68). */
    isInText: (text: string): boolean => holdsKey(text) || (held?.secret.isIn(text) ?? false),

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
      if (held?.store === 'environment') return;
      isOutdated = false;
      const read = await store.read(own);
      if (!isOutdated) accept(read);
    },

    /** Handles an answer of the keychain after its time limit. */
    acceptLate(account: string, read: SecretRead): void {
      if (account === own && held?.store !== 'environment' && !isOutdated) accept(read);
    },

    async save(text: string): Promise<Result<KeyDescription, KeyTextProblem>> {
      const parsed = readKeyText(text, longest);
      return parsed.ok ? ok(await this.take(new Secret(parsed.key))) : err(parsed.problem);
    },

    async take(secret: Secret): Promise<KeyDescription> {
      isOutdated = true;
      const { state } = await store.write(own, secret);
      held = { secret, store: state === 'saved' ? 'keychain' : 'session' };
      keychain = state === 'saved' ? 'present' : state;
      if (state === 'saved') settings.update({ [marker]: true });
      bindTo(origin());
      changed();
      return this.describe();
    },

    /** When the keychain refuses, its row gives the reason and the marker stays. */
    async forget(): Promise<Result<null>> {
      held = null;
      isOutdated = true;
      bindTo('');
      const { state } = await store.clear(own);
      const wasNeverSaved = state === 'no-service' && !settings.get()[marker];
      if (state === 'saved') settings.update({ [marker]: false });
      keychain = state === 'saved' ? 'absent' : state;
      changed();
      return state === 'saved' || wasNeverSaved ? ok(null) : err(makeFailure(rowOfTrouble[state]));
    },
  };
}

export type KeyService = ReturnType<typeof createKeyService>;

export type KeyTextProblem = 'empty' | 'spaces' | 'length' | 'characters';

export type KeyText =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: KeyTextProblem };

const shortest = 8;
const longestKey = 512;

/** Trims the spaces of a careless copy; the rest must fit into a request header. */
export function readKeyText(text: string, longest = longestKey): KeyText {
  const key = text.trim();
  if (key === '') return { ok: false, problem: 'empty' };
  if (/\s/.test(key)) return { ok: false, problem: 'spaces' };
  if (!new Secret(key).fitsHeader) return { ok: false, problem: 'characters' };
  if (key.length < shortest || key.length > longest) return { ok: false, problem: 'length' };
  return { ok: true, key };
}

export const sendsByLegacy = (
  settings: Pick<SettingsStore, 'get'>,
  legacyKeys: Pick<KeyService, 'describe'>,
): boolean => settings.get().usesLegacyTranscription && legacyKeys.describe().present;
