import { readFileSync } from 'node:fs';

/** Where the shipped files are; told by the entry, because only it knows where it was built to. */
export interface Places {
  /** In `dist/`. */
  built(...path: string[]): string;
  /** In `assets/`. */
  asset(...path: string[]): string;
}

/** The version that a `package.json` tells. */
export function ownVersion(file: URL): string {
  const text = readFileSync(file, 'utf8');
  const found = JSON.parse(text) as { readonly version?: string };
  return found.version ?? '?';
}
