import { isIP } from 'node:net';

const mostCharacters = 2048;

/** Why an address can't be told anything (contract 4.11); null: it can. */
export function callbackTrouble(text: string): string | null {
  if (text.length > mostCharacters) return `at most ${mostCharacters} characters`;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:') return 'must be an https address';
  if (url.port !== '') return 'must use port 443';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials';
  if (text.includes('#')) return 'must not hold a fragment';
  const host = url.hostname.replace(/\.$/, '');
  const isAddress = isIP(host.replace(/^\[|\]$/g, '')) !== 0;
  const isPrivate = !host.includes('.') || /(?:^|\.)(?:localhost|local|internal|lan|home|arpa)$/.test(host);
  return isAddress || isPrivate ? 'must be a public name' : null;
}
