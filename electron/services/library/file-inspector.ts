import { basename } from 'node:path';
import type { AudioPlan } from '../../../shared/domain/media/audio-plan.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { FilePort } from './store.ts';
import type { AudioExtractor } from '../media/audio-extractor.ts';

export interface LocalFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  /** Whether it is sent unchanged, or its audio is extracted here first, by copying or by re-encoding. */
  readonly plan: AudioPlan['kind'];
  readonly isCutShort: boolean;
}

export interface RefusedFile {
  readonly name: string;
  readonly failure: Failure;
}

export interface ImportWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (doneCount: number, totalCount: number) => void;
}

const lookedAtOnce = 8;

export function createFileInspector(port: FilePort, extractor: AudioExtractor) {
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
    async inspect(
      paths: readonly string[],
      watch?: ImportWatch,
    ): Promise<{ readonly files: readonly LocalFile[]; readonly refused: readonly RefusedFile[] }> {
      const found = await walk(paths);
      const files: LocalFile[] = [];
      const refused = [...found.refused];
      for (let from = 0; from < found.files.length && watch?.signal.aborted !== true; from += lookedAtOnce) {
        watch?.onProgress(from, found.files.length);
        const some = found.files.slice(from, from + lookedAtOnce);
        const looked = await Promise.all(some.map(({ path }) => inspectFile(extractor, path)));
        for (const [index, one] of looked.entries()) {
          if (one.ok) files.push(one.value);
          else refused.push({ name: some[index]?.name ?? '', failure: one.error });
        }
      }
      return { files, refused };
    },
  };
}

export type FileInspector = ReturnType<typeof createFileInspector>;

/** Whether a file can be read (file-unreadable) and is a recording with audio in it (not-a-recording). */
export async function inspectFile(extractor: AudioExtractor, path: string): Promise<Result<LocalFile>> {
  const looked = await extractor.look(path);
  if (!looked.ok) return looked;
  const { plan, durationMs, sizeBytes, isCutShort = false } = looked.value;
  return ok({ path, name: basename(path), sizeBytes, durationMs, plan: plan.kind, isCutShort });
}
