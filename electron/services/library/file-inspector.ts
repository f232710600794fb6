import type { AudioPlan } from '../../../shared/domain/media/audio-plan.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { basename } from 'node:path';
import type { AudioExtractor } from '../media/audio-extractor.ts';
import type { FilePort } from './store.ts';
import { ok, type Result } from '../../../shared/result/result.ts';

/** A recording that exists on this computer; paths stay in main. */
export interface LocalFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds; null when the file does not state it cheaply. */
  readonly durationMs: number | null;
  /** Whether it is sent unchanged, or its audio is extracted here first, by copying or by re-encoding. */
  readonly plan: AudioPlan['kind'];
}

/** A rejected file, with the row of the reason (E-211, E-010 and related ones). */
export interface RefusedFile {
  readonly name: string;
  readonly failure: Failure;
}

/** Watches work on many files, and can stop it between two of them. */
export interface ImportWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (doneCount: number, totalCount: number) => void;
}

/**
 * Inspects paths before anything is added: walks folders (links to folders are not followed), reads at most 64 KiB of a
 * file.
 */
export interface FileInspector {
  /** Every recording found below the paths, in order; all other files with their reason. */
  inspect(
    paths: readonly string[],
    watch?: ImportWatch,
  ): Promise<{ readonly files: readonly LocalFile[]; readonly refused: readonly RefusedFile[] }>;
  /** Every file found below the paths, in order, without opening any. */
  walk(paths: readonly string[]): Promise<{
    readonly files: readonly Pick<LocalFile, 'path' | 'name'>[];
    readonly refused: readonly RefusedFile[];
  }>;
}

const lookedAtOnce = 8;

/** Inspects files and folders before anything is added. Every rejected file is listed with its reason. */
export function createFileInspector(port: FilePort, extractor: AudioExtractor): FileInspector {
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

export interface InspectedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  readonly plan: AudioPlan['kind'];
}

/** Whether a file can be used: readable, a recording by its bytes, with audio in it. E-010, or E-211. */
export async function inspectFile(extractor: AudioExtractor, path: string): Promise<Result<InspectedFile, Failure>> {
  const looked = await extractor.look(path);
  if (!looked.ok) return looked;
  const { plan, durationMs, sizeBytes } = looked.value;
  return ok({ path, name: basename(path), sizeBytes, durationMs, plan: plan.kind });
}
