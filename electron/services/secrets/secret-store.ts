import { Secret } from '../../secret/secret.ts';

/** Adapters of the keychain create and open secrets too. */
export { Secret };

/**
 * Why a keychain could not answer; distinguished because each reason needs a different action of the user (E-190 to
 * E-194).
 */
export type KeychainTrouble = 'locked' | 'no-service' | 'denied' | 'slow';

export type SecretRead =
  | { readonly state: 'present'; readonly secret: Secret }
  | { readonly state: 'absent' }
  | { readonly state: KeychainTrouble };

export type SecretWrite = { readonly state: 'saved' } | { readonly state: KeychainTrouble | 'unsaved' };

/**
 * A store for secrets. Every call ends within its time limit; nothing throws. The argument is the name of an account,
 * never a key.
 */
export interface SecretStore {
  /** The secret, or why there is none: it was never written, or the keychain did not return it. */
  read(account: string): Promise<SecretRead>;
  /** Reads back what it wrote: a difference is `unsaved` (E-194). */
  write(account: string, secret: Secret): Promise<SecretWrite>;
  /** Removes it; `saved` also when there was none. */
  clear(account: string): Promise<SecretWrite>;
}

/**
 * Secrets that the service shows only once, by the id of what they belong to. They stay in the memory of main until
 * they are taken or dropped, and end with the process: pages only learn that there is one, and its last characters.
 */
export function createShownOnce() {
  const held = new Map<string, Secret>();
  return {
    keep: (id: string, secret: Secret): void => void held.set(id, secret),
    get: (id: string): Secret | null => held.get(id) ?? null,
    drop: (id: string): void => void held.delete(id),
  };
}

export type ShownOnce = ReturnType<typeof createShownOnce>;
