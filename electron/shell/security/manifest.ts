import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  // Dictionaries for spelling.
  '.aff': 'text/plain; charset=utf-8',
  '.dic': 'text/plain; charset=utf-8',
};

export interface BuiltFile {
  readonly file: string;
  readonly mediaType: string;
}

/** The files that the scheme serves, by exact request path. Nothing else exists. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

/** Lists the built page once, at start; file types that no page needs (source maps, notes) are left out. */
export async function readBuiltFiles(folder: string): Promise<BuiltFiles> {
  const files = new Map<string, BuiltFile>();
  const walk = async (relative: string): Promise<void> => {
    for (const name of await readdir(join(folder, relative))) {
      const path = `${relative}/${name}`;
      const mediaType = mediaTypes[extname(name)];
      if ((await stat(join(folder, path))).isDirectory()) await walk(path);
      else if (mediaType !== undefined) files.set(path, { file: join(folder, path), mediaType });
    }
  };
  await walk('');
  return files;
}
