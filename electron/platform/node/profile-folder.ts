import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import {
  maxProfileBytes,
  readProfile,
  writeProfile,
  type NamedProfile,
} from '../../../shared/domain/subtitles/profile-file.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { filePort } from './file-port.ts';
import { readFailure, writeFailure } from './storage-failure.ts';

export interface ProfileFolder {
  /** Sorted by name; files that are no profiles are ignored. */
  list(): Promise<Result<readonly NamedProfile[]>>;
  /** `replaces`: its previous name. E-213 when another profile has this name, E-214 when it can't be written. */
  save(named: NamedProfile, replaces: string | null): Promise<Result<null>>;
  remove(name: string): Promise<Result<null>>;
  /** Imports the profile in a file under a free name; E-211 when it contains none. */
  take(path: string): Promise<Result<string>>;
}

const extension = '.json';

/** The user's own subtitle rules, one file each; the terminal knows them by the same names. */
export function openProfileFolder(folder: string): ProfileFolder {
  const pathOf = (name: string): string => join(folder, safeFileName(name, extension));

  const list: ProfileFolder['list'] = async () => {
    try {
      const names = await readdir(folder).catch(() => []);
      const read = await Promise.all(names.filter((name) => name.endsWith(extension)).map((name) => readOne(name)));
      return ok(
        read.flatMap((found) => (found === null ? [] : [found])).toSorted((a, b) => a.name.localeCompare(b.name)),
      );
    } catch (error) {
      return err(readFailure(error, 'folder'));
    }
  };
  const readOne = async (name: string): Promise<NamedProfile | null> => {
    const path = join(folder, name);
    if ((await stat(path)).size > maxProfileBytes) return null;
    return readProfile(await readFile(path, 'utf8'));
  };
  const save: ProfileFolder['save'] = async (named, replaces) => {
    const known = await list();
    if (!known.ok) return known;
    const path = pathOf(named.name);
    const before = replaces === null ? null : pathOf(replaces);
    const isTaken = known.value.some(({ name }) => pathOf(name).toLowerCase() === path.toLowerCase());
    if (isTaken && before?.toLowerCase() !== path.toLowerCase()) return err(localFailure('E-213'));
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      return err(writeFailure(error));
    }
    const saved = await filePort.writeWhole(path, writeProfile(named));
    if (saved.ok && before !== null && before !== path) await rm(before, { force: true });
    return saved;
  };

  return {
    list,
    save,
    remove: (name) =>
      rm(pathOf(name), { force: true }).then(
        () => ok(null),
        (error: unknown) => err(writeFailure(error)),
      ),
    async take(path) {
      try {
        const isSmall = (await stat(path)).size <= maxProfileBytes;
        const found = isSmall ? readProfile(await readFile(path, 'utf8')) : null;
        if (found === null) return err(localFailure('E-211', { code: 'not_a_profile' }));
        const known = await list();
        if (!known.ok) return known;
        const names = new Set(known.value.map(({ name }) => name));
        let { name } = found;
        for (let number = 2; names.has(name); number += 1) name = `${found.name.slice(0, 70)} (${String(number)})`;
        const saved = await save({ ...found, name }, null);
        return saved.ok ? ok(name) : saved;
      } catch (error) {
        return err(readFailure(error));
      }
    },
  };
}
