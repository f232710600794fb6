import { readFileSync } from 'node:fs';

/** Locations of the shipped files; the entry passes them in, because only it knows where it was built to. */
export interface Places {
  /** In `dist/`. */
  built(...path: string[]): string;
  /** In `assets/`. */
  asset(...path: string[]): string;
}

/** The version in a `package.json`. */
export function ownVersion(file: URL): string {
  const text = readFileSync(file, 'utf8');
  const found = JSON.parse(text) as { readonly version?: string };
  return found.version ?? '?';
}
