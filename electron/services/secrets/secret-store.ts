import { Secret } from '../../secret/secret.ts';

/** Adapters of the keychain make and open secrets too. */
export { Secret };

/** Why a keychain could not answer; told apart because each asks something else of the person (E-190 to E-194). */
export type KeychainTrouble = 'locked' | 'no-service' | 'denied' | 'slow';

export type SecretRead =
  | { readonly state: 'present'; readonly secret: Secret }
  | { readonly state: 'absent' }
  | { readonly state: KeychainTrouble };

export type SecretWrite = { readonly state: 'saved' } | { readonly state: KeychainTrouble | 'unsaved' };

/** A place for secrets. Every call ends within its time limit; nothing throws. Account names, not keys, are in the argument. */
export interface SecretStore {
  /** The secret, or why there is none: it was never written, or the keychain did not give it. */
  read(account: string): Promise<SecretRead>;
  /** Reads back what it wrote: a difference is `unsaved` (E-194). */
  write(account: string, secret: Secret): Promise<SecretWrite>;
  /** Removes it; `saved` also when there was none. */
  clear(account: string): Promise<SecretWrite>;
}
