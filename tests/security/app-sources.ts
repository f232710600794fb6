import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

/** Sources of the app by their paths, without tests, and without comments: a rule is about code and not about words. */
export const appSources: ReadonlyMap<string, string> = new Map(
  ['electron', 'shared', 'renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /[.]tsx?$/.test(entry.name) && !/[.]test[.]tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .map((file) => [file, withoutComments(textOf(file))] as const),
  ),
);

export const filesWith = (pattern: RegExp): readonly string[] =>
  [...appSources].filter(([, text]) => pattern.test(text)).map(([file]) => file);
