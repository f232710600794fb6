import { clipboard } from 'electron';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';

/** Puts a secret on the clipboard and reads it back, because a system without a clipboard may refuse it silently. */
export async function copySecret(secret: string): Promise<Result<Record<string, never>>> {
  try {
    await clipboard.writeText(secret);
    if ((await clipboard.readText()) === secret) return ok({});
  } catch {
    // The same as when it did not arrive.
  }
  return err(makeFailure('key-secret-lost', { code: 'not_copied', outcome: 'accepted', layer: 'local' }));
}
