/** The form of services' keys after their prefix: `sk_live_…`, `pk-test-…`. */
const prefixed = /(?:^|[^A-Za-z0-9])[A-Za-z]{2,12}[_-](?:live|test|prod|dev)[_-][A-Za-z0-9_-]{8,}/;
/** Known prefixes of keys, followed by one long run: `sk-…`, `whsec_…`, `api_key_…`. */
const named =
  /(?:^|[^A-Za-z0-9])(?:sk|pk|rk|ak|whsec|key|token)(?:[_-][A-Za-z0-9]{2,12}){0,2}[_-](?=[A-Za-z]*\d)[A-Za-z0-9]{16,}/;
/** A token of a signed-in user: three parts, the first of them JSON. */
const signed = /(?:^|[^A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}/;

const shortestBare = 28;
const shortestRun = 10;

const kindOf = (character: string): number => (/[0-9]/.test(character) ? 0 : /[A-Z]/.test(character) ? 1 : 2);

/** Random rather than written: file names consist of words, and hashes have no capitals. */
function looksRandom(token: string): boolean {
  if (token.length < shortestBare) return false;
  const longestRun = Math.max(...token.split(/[_-]/).map((run) => run.length));
  if (longestRun < shortestRun) return false;
  const kinds = Array.from(token.replaceAll(/[_-]/g, ''), kindOf);
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return new Set(kinds).size === 3 && changes > kinds.length * 0.35;
}

/** By form alone, for every text that is no key: titles, searches, addresses (S-68). */
export function holdsKey(text: string): boolean {
  if (prefixed.test(text) || named.test(text) || signed.test(text)) return true;
  return (text.match(/[A-Za-z0-9_-]{28,}/g) ?? []).some(looksRandom);
}
