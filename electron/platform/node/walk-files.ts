import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';

export interface Walk {
  /** `wasNamed`: given by the person and not found in a folder. */
  readonly files: readonly { readonly path: string; readonly wasNamed: boolean }[];
  readonly refused: readonly { readonly path: string; readonly failure: Failure }[];
}

const refusal = (path: string, code: string) => ({ path, failure: localFailure('E-010', { code }) });

/**
 * Every regular file behind the paths, each once, folders in the order of their names. A link that a person named is
 * followed; links inside folders are followed to files and never to folders, so a loop of links has an end. Pipes,
 * sockets and devices are refused without being opened; hidden files in folders are passed over.
 */
export async function walkFiles(paths: readonly string[]): Promise<Walk> {
  const files: { path: string; wasNamed: boolean }[] = [];
  const refused: { path: string; failure: Failure }[] = [];
  const seen = new Set<string>();

  const take = async (path: string, wasNamed: boolean) => {
    const real = await realpath(path);
    if (seen.has(real)) return;
    seen.add(real);
    files.push({ path, wasNamed });
  };

  const walkFolder = async (folder: string) => {
    const real = await realpath(folder);
    if (seen.has(real)) return;
    seen.add(real);
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      try {
        if (entry.isDirectory()) await walkFolder(path);
        else if (entry.isFile()) await take(path, false);
        else if (entry.isSymbolicLink()) {
          const target = await stat(path);
          if (target.isFile()) await take(path, false);
          else if (!target.isDirectory()) refused.push(refusal(path, 'not_a_file'));
        } else refused.push(refusal(path, 'not_a_file'));
      } catch {
        refused.push(refusal(path, 'file_unreadable'));
      }
    }
  };

  for (const given of paths) {
    const path = resolve(given);
    try {
      await lstat(path);
      const target = await stat(path);
      if (target.isDirectory()) await walkFolder(path);
      else if (target.isFile()) await take(path, true);
      else refused.push(refusal(path, 'not_a_file'));
    } catch {
      refused.push(refusal(path, 'file_unreadable'));
    }
  }
  return { files, refused };
}
