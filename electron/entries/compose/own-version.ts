import { readFileSync } from 'node:fs';

/** The version in `package.json` of the sources that run. */
export function ownVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const found = JSON.parse(text) as { readonly version?: string };
  return found.version ?? '?';
}
