import { holdsKey } from '../text/looks-like-key.ts';

const codePattern = /^[A-Za-z0-9_.:-]{1,64}$/;
const idPattern = /^[A-Za-z0-9_.:-]{1,128}$/;
// The C0 and C1 controls and the characters that turn the direction of text or hide in it.
const unsafeCharacters = /[\p{Cc}\p{Bidi_Control}\u200b-\u200d\u2028\u2029\u2060-\u2064\ufeff]/gu;
const addressPattern = /\b[a-z][a-z0-9+.-]{1,12}:\/\/\S+/giu;
const bearerPattern = /\b(bearer|basic)\s+\S+/giu;
const namedSecretPattern = /\b(?:sk|pk|key|tok|ticket|whsec)[-_][A-Za-z0-9_-]{6,}/giu;
const longTokenPattern = /[A-Za-z0-9_+/=-]{32,}/gu;
/** Letters and digits without a break: words of a name are apart, or have no digits inside. */
const mixedRunPattern = /(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{20,}/gu;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** The longest text of a server that is shown, in characters. */
export const detailsLimit = 300;

/** A machine code in lower case, or undefined when it is not one. */
export function cleanCode(value: unknown): string | undefined {
  return typeof value === 'string' && codePattern.test(value) ? value.toLowerCase() : undefined;
}

/** A request id that is safe to log and to show, or undefined (rule 7). */
export function cleanId(value: unknown): string | undefined {
  return typeof value === 'string' && idPattern.test(value) ? value : undefined;
}

/**
 * A server's text made harmless (rule 8): one line, no control or direction characters, no addresses, nothing that
 * looks like a secret, at most `limit` characters.
 */
export function cleanMessage(text: string, limit: number = detailsLimit): string {
  return shortened(
    text
      .slice(0, 20_000)
      .toWellFormed()
      .replace(unsafeCharacters, ' ')
      .replace(addressPattern, '[address]')
      .replace(bearerPattern, '$1 [secret]')
      .replace(namedSecretPattern, '[secret]')
      .replace(longTokenPattern, (token) => (uuidPattern.test(token) ? token : '[secret]')),
    limit,
  );
}

/** The same for the name of a file, which may be one long word: only what has the form of a secret is hidden in it. */
export function cleanName(name: string): string {
  if (holdsKey(name)) return cleanMessage(name);
  return shortened(
    name
      .toWellFormed()
      .replace(unsafeCharacters, ' ')
      .replace(addressPattern, '[address]')
      .replace(bearerPattern, '$1 [secret]')
      .replace(mixedRunPattern, '[secret]'),
    detailsLimit,
  );
}

function shortened(text: string, limit: number): string {
  const plain = text.replace(/\s+/gu, ' ').trim();
  const characters = Array.from(plain);
  return characters.length <= limit ? plain : `${characters.slice(0, limit - 1).join('')}…`;
}
