import { basename } from 'node:path';
import { inspectFile } from '../jobs/inspect-file.ts';
import type { FileInspector, LocalFile, RefusedFile } from './library.ts';
import type { SoundPort } from '../media/sound-port.ts';
import type { FilePort } from './store.ts';

const lookedAtOnce = 8;

/** Looks into files and folders before anything is added. Every file that can't be taken is named with its reason. */
export const createFileInspector = (port: FilePort, sounds: SoundPort): FileInspector => ({
  async inspect(paths, watch) {
    const walk = await port.walk(paths);
    const files: LocalFile[] = [];
    const refused: RefusedFile[] = walk.refused.map(({ path, failure }) => ({
      name: basename(path),
      failure: { ...failure, params: { name: basename(path) } },
    }));
    for (let from = 0; from < walk.files.length && watch?.signal.aborted !== true; from += lookedAtOnce) {
      watch?.onProgress(from, walk.files.length);
      const some = walk.files.slice(from, from + lookedAtOnce);
      const looked = await Promise.all(some.map(({ path }) => inspectFile(sounds, path)));
      for (const [index, found] of looked.entries()) {
        const path = some[index]?.path ?? '';
        if (found.ok) files.push(found.value);
        else refused.push({ name: basename(path), failure: found.error });
      }
    }
    return { files, refused };
  },
});
