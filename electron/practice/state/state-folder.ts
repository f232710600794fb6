import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StateFolder {
  readonly path: string;
  readonly uploadsDir: string;
  /** Files that the service created, behind signed addresses. */
  readonly objectsDir: string;
  /** Removes partial uploads of an earlier process, and audio that no unfinished work needs. */
  removeLeftovers(unfinishedIds: ReadonlySet<string>): Promise<void>;
  /** Removes the folder if it was a temporary one. */
  dispose(): Promise<void>;
}

/** The state folder, readable only by this user. Without a path: a temporary one. */
export async function prepareStateFolder(path: string | undefined): Promise<StateFolder> {
  const folder = path ?? (await mkdtemp(join(tmpdir(), 'ovoz-practice-')));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const uploadsDir = join(folder, 'uploads');
  const objectsDir = join(folder, 'objects');
  for (const inner of [uploadsDir, objectsDir]) await mkdir(inner, { recursive: true, mode: 0o700 });
  return {
    path: folder,
    uploadsDir,
    objectsDir,
    removeLeftovers: async (unfinishedIds) => {
      for (const name of await readdir(uploadsDir)) {
        const isNeeded = name.endsWith('.audio') && unfinishedIds.has(name.slice(0, -'.audio'.length));
        if (!isNeeded) await rm(join(uploadsDir, name), { force: true });
      }
    },
    dispose: async () => {
      if (path === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
