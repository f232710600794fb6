import { readFileSync } from 'node:fs';

/** The version that a `package.json` tells. */
export function ownVersion(file: URL): string {
  const text = readFileSync(file, 'utf8');
  const found = JSON.parse(text) as { readonly version?: string };
  return found.version ?? '?';
}
