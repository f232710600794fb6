import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readFailure } from './storage-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';

export interface WalkedFile {
  readonly path: string;
  /** The path as the user would write it: the given one, plus what was found below it. */
  readonly shown: string;
  readonly wasNamed: boolean;
}

export interface Walk {
  readonly files: readonly WalkedFile[];
  readonly refused: readonly (WalkedFile & { readonly failure: Failure })[];
}

const notAFile = (): Failure => localFailure('file-unreadable', { code: 'not_a_file' });

/** Links inside folders are followed to files but never to folders, so a cycle of links ends. */
export async function walkFiles(paths: readonly string[]): Promise<Walk> {
  const files: WalkedFile[] = [];
  const refused: (WalkedFile & { failure: Failure })[] = [];
  const seen = new Set<string>();
  const refuse = (file: WalkedFile, failure: Failure) => refused.push({ ...file, failure });

  const take = (file: WalkedFile, real: string) => {
    if (seen.has(real)) return;
    seen.add(real);
    files.push(file);
  };

  const walkFolder = async (path: string, shown: string) => {
    const real = await realpath(path);
    if (seen.has(real)) return;
    seen.add(real);
    const entries = await readdir(path, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const inside = { path: join(path, entry.name), shown: join(shown, entry.name), wasNamed: false };
      try {
        if (entry.isDirectory()) await walkFolder(inside.path, inside.shown);
        // Resolving each of thousands would be most of the work, and a file that is no link is in its folder.
        else if (entry.isFile()) take(inside, join(real, entry.name));
        else if (entry.isSymbolicLink()) {
          const target = await stat(inside.path);
          if (target.isFile()) take(inside, await realpath(inside.path));
          else if (!target.isDirectory()) refuse(inside, notAFile());
        } else refuse(inside, notAFile());
      } catch (error) {
        refuse(inside, readFailure(error, entry.isDirectory() ? 'folder' : 'file'));
      }
    }
  };

  for (const given of paths) {
    const named = { path: resolve(given), shown: given, wasNamed: true };
    try {
      const target = await stat(named.path);
      if (target.isDirectory()) await walkFolder(named.path, given);
      else if (target.isFile()) take(named, await realpath(named.path));
      else refuse(named, notAFile());
    } catch (error) {
      refuse(named, readFailure(error));
    }
  }
  return { files, refused };
}
