import type { SecretRead } from '../services/secrets/secret-store.ts';

/**
 * What to tell when the keychain gave no key, as a key under `cli.problem`: a key that may well be there is never told
 * as missing (E-190 to E-194).
 */
export function keyProblem(state: Exclude<SecretRead['state'], 'present'>): 'noKey' | 'keychainShut' {
  return state === 'absent' || state === 'no-service' ? 'noKey' : 'keychainShut';
}
