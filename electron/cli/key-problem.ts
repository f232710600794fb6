import type { SecretRead } from '../services/secrets/secret-store.ts';

/**
 * The problem to print when the keychain gave no key, as a key under `cli.problem`. A key that may well exist is never
 * reported as missing (E-190 to E-194). A locked keychain answers like an empty one; `wasSaved`, which the window sets
 * once it has stored a key, tells them apart.
 */
export function keyProblem(
  state: Exclude<SecretRead['state'], 'present'>,
  wasSaved: boolean,
): 'noKey' | 'keychainShut' {
  if (state === 'absent') return wasSaved ? 'keychainShut' : 'noKey';
  return state === 'no-service' ? 'noKey' : 'keychainShut';
}
