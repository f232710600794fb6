import { basename } from 'node:path';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { headerDurationMs } from '../../../shared/domain/media/duration.ts';
import { sniff } from '../../../shared/domain/media/sniff.ts';
import type { FilePort } from '../library/store.ts';

export interface InspectedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly durationMs: number | null;
}

/** Whether a file can be taken: readable and a recording by its bytes. E-010, or E-211. */
export async function inspectFile(files: FilePort, path: string): Promise<Result<InspectedFile, Failure>> {
  const name = basename(path);
  const peek = await files.peek(path);
  if (!peek.ok) return err({ ...peek.error, params: { name } });
  const { head, tail, sizeBytes } = peek.value;
  const found = sniff(head);
  if (found.kind === 'not-media') {
    return err(localFailure('E-211', { code: found.what === 'empty' ? 'empty_file' : 'not_audio', params: { name } }));
  }
  return ok({ path, name, sizeBytes, durationMs: headerDurationMs(found.format, head, tail, sizeBytes) });
}
