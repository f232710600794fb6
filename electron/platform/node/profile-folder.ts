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
import { filePort } from './export-disk.ts';
import { readFailure, writeFailure } from './storage-failure.ts';

const extension = '.json';

/** The user's own subtitle rules, one file each; the terminal knows them by the same names. */
export function openProfileFolder(folder: string) {
  const pathOf = (name: string): string => join(folder, safeFileName(name, extension));

  const list = async (): Promise<Result<readonly NamedProfile[]>> => {
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
  const save = async (named: NamedProfile, replaces: string | null): Promise<Result<null>> => {
    const known = await list();
    if (!known.ok) return known;
    const path = pathOf(named.name);
    const before = replaces === null ? null : pathOf(replaces);
    const isTaken = known.value.some(({ name }) => pathOf(name).toLowerCase() === path.toLowerCase());
    if (isTaken && before?.toLowerCase() !== path.toLowerCase()) return err(localFailure('name-taken'));
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
    remove: (name: string): Promise<Result<null>> =>
      rm(pathOf(name), { force: true }).then(
        () => ok(null),
        (error: unknown) => err(writeFailure(error)),
      ),
    async take(path: string): Promise<Result<string>> {
      try {
        const isSmall = (await stat(path)).size <= maxProfileBytes;
        const found = isSmall ? readProfile(await readFile(path, 'utf8')) : null;
        if (found === null) return err(localFailure('not-a-recording', { code: 'not_a_profile' }));
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
