import type { SecretRead } from '../services/secrets/secret-store.ts';

/**
 * What to tell when the keychain gave no key, as a key under `cli.problem`: a key that may well be there is never told
 * as missing (E-190 to E-194). A locked keychain answers with nothing, as an empty one does; `wasSaved`, the window's
 * mark that it once took a key, tells them apart.
 */
export function keyProblem(
  state: Exclude<SecretRead['state'], 'present'>,
  wasSaved: boolean,
): 'noKey' | 'keychainShut' {
  if (state === 'absent') return wasSaved ? 'keychainShut' : 'noKey';
  return state === 'no-service' ? 'noKey' : 'keychainShut';
}
