import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { holdsKey } from '../../../shared/domain/text/looks-like-key.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { Secret, type KeychainTrouble, type SecretRead, type SecretStore } from './secret-store.ts';

/** Everything that code outside main may know about the key; same shape as `keyStatus` in `shared/ipc/schemas.ts`. */
export interface KeyDescription {
  readonly present: boolean;
  readonly maskedSuffix: string;
  readonly store: 'keychain' | 'session' | 'environment' | 'none';
  readonly keychain: 'present' | 'absent' | KeychainTrouble | 'unsaved';
}

interface HeldKey {
  readonly secret: Secret;
  readonly store: Exclude<KeyDescription['store'], 'none'>;
}

export interface KeyServiceOptions {
  readonly store: SecretStore;
  readonly settings: SettingsStore;
  /** From OVOZ_API_KEY: used for this run and never stored. */
  readonly environmentKey: Secret | null;
  /** Its entry in the keychain; by default that of the current key. */
  readonly account?: string;
  /** The setting that distinguishes an empty keychain from a locked one. */
  readonly marker?: 'keySaved' | 'olderKeySaved' | 'accountTokenSaved';
  /** Most characters; 512 by default. */
  readonly longest?: number;
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
  'no-service': 'E-190',
  locked: 'E-191',
  slow: 'E-192',
  denied: 'E-193',
  unsaved: 'E-194',
} as const;

/**
 * The only holder of the API key. A key that the keychain does not accept is kept in memory until the app quits, and
 * the description says so; there is no fallback to a file.
 */
export function createKeyService(options: KeyServiceOptions) {
  const { store, settings, environmentKey, account: own = keyAccount, marker = 'keySaved', longest } = options;
  const listeners = new Set<() => void>();
  let held: HeldKey | null = environmentKey === null ? null : { secret: environmentKey, store: 'environment' };
  let keychain: KeyDescription['keychain'] = 'absent';
  /** The keychain was read before a key was entered or forgotten: the answer is about the previous key. */
  let isOutdated = false;

  const changed = () => {
    for (const listener of listeners) listener();
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
    current: (): Secret | null => held?.secret ?? null,

    /** Whether a text contains something that looks like a key, or the key itself, whatever it looks like (S-68). */
    isInText: (text: string): boolean => holdsKey(text) || (held?.secret.isIn(text) ?? false),

    describe: (): KeyDescription => ({
      present: held !== null,
      maskedSuffix: held?.secret.maskedSuffix ?? '',
      store: held?.store ?? 'none',
      keychain,
    }),

    onChanged(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Reads the keychain, at most for its time limit. Not needed with a key from the environment. */
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

    /** Uses the key from now on and stores it if possible. An invalid text changes nothing. */
    async save(text: string): Promise<Result<KeyDescription, KeyTextProblem>> {
      const parsed = readKeyText(text, longest);
      return parsed.ok ? ok(await this.take(new Secret(parsed.key))) : err(parsed.problem);
    },

    /** Like `save`, for a key that main has already. */
    async take(secret: Secret): Promise<KeyDescription> {
      isOutdated = true;
      const { state } = await store.write(own, secret);
      held = { secret, store: state === 'saved' ? 'keychain' : 'session' };
      keychain = state === 'saved' ? 'present' : state;
      if (state === 'saved') settings.update({ [marker]: true });
      changed();
      return this.describe();
    },

    /**
     * Forgets the key here and in the keychain. When the keychain refuses, its row gives the reason and the marker
     * stays.
     */
    async forget(): Promise<Result<null>> {
      held = null;
      isOutdated = true;
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

/** Why a text can't be an API key. */
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

/** Whether new recordings are sent by the legacy API: the user chose it, and its key is there. */
export const sendsByLegacy = (
  settings: Pick<SettingsStore, 'get'>,
  legacyKeys: Pick<KeyService, 'describe'>,
): boolean => settings.get().usesLegacyTranscription && legacyKeys.describe().present;
