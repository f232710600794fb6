import { ok, err, type Result } from '../../../shared/result/result.ts';
import { Secret } from '../../secret/secret.ts';
import { readKeyText, type KeyTextProblem } from '../secrets/key-service.ts';

/** Holds a signing secret that a person typed to check a delivery with, until another is typed or the app ends. */
export function createSigningSecret(onTyped: (maskedSuffix: string) => void) {
  let held: Secret | null = null;
  return {
    current: (): Secret | null => held,
    async save(text: string): Promise<Result<null, KeyTextProblem>> {
      const parsed = readKeyText(text);
      if (!parsed.ok) return err(parsed.problem);
      held = new Secret(parsed.key);
      onTyped(held.maskedSuffix);
      return ok(null);
    },
  };
}
