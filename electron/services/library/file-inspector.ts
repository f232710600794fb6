import { basename } from 'node:path';
import { inspectFile } from '../jobs/inspect-file.ts';
import type { FileInspector, LocalFile, RefusedFile } from './library.ts';
import type { SoundPort } from '../media/sound-port.ts';
import type { FilePort } from './store.ts';

const lookedAtOnce = 8;

/** Looks into files and folders before anything is added. Every file that can't be taken is named with its reason. */
export function createFileInspector(port: FilePort, sounds: SoundPort): FileInspector {
  const walk = async (paths: readonly string[]) => {
    const found = await port.walk(paths);
    const refused: readonly RefusedFile[] = found.refused.map(({ path, failure }) => ({
      name: basename(path),
      failure: { ...failure, params: { name: basename(path) } },
    }));
    return { files: found.files.map(({ path }) => ({ path, name: basename(path) })), refused };
  };
  return {
    walk,
    async inspect(paths, watch) {
      const found = await walk(paths);
      const files: LocalFile[] = [];
      const refused = [...found.refused];
      for (let from = 0; from < found.files.length && watch?.signal.aborted !== true; from += lookedAtOnce) {
        watch?.onProgress(from, found.files.length);
        const some = found.files.slice(from, from + lookedAtOnce);
        const looked = await Promise.all(some.map(({ path }) => inspectFile(sounds, path)));
        for (const [index, one] of looked.entries()) {
          if (one.ok) files.push(one.value);
          else refused.push({ name: some[index]?.name ?? '', failure: one.error });
        }
      }
      return { files, refused };
    },
  };
}
