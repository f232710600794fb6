import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { judgeAttachment, type AttachmentFault } from '../../../shared/wire/attachment-limits.ts';
import { limits } from '../../../shared/wire/limits.ts';
import type { AskApi } from './ask.ts';

const rowOf = { empty: 'E-079', too_large: 'E-077', other_type: 'E-078', too_many_pages: 'E-079' } as const;

/**
 * Makes a file available at the service for a question, and returns its id. All limits are checked before anything is
 * sent (E-077 to E-079). The service does not recognise repeats, so the file gets a name derived from its content and
 * is searched for first: an upload of an earlier run is reused, and the same question stays the same request. `model`
 * is sent only where the user chose it, because a file stored for another model may not suit it.
 */
export async function attachFile(
  api: AskApi,
  path: string,
  model: string | null,
  signal: AbortSignal,
): Promise<Result<string, Failure>> {
  const name = basename(path);
  const refuse = (fault: AttachmentFault) =>
    err(
      makeFailure(rowOf[fault as keyof typeof rowOf], {
        code: `attachment_${fault}`,
        outcome: 'not_sent',
        layer: 'local',
        params: { name },
      }),
    );
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true)
    return err(makeFailure('E-010', { code: 'file_missing', outcome: 'not_sent', params: { name } }));
  if (found.size > limits.attachment.fileBytes) return refuse('too_large');
  const bytes = await readFile(path);
  const judged = judgeAttachment(bytes);
  if (typeof judged === 'object') return refuse(judged.fault);
  const contentName = `${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}.${judged === 'document' ? 'pdf' : 'image'}`;
  const there = await api.files({ limit: limits.pages.files.max }, signal);
  if (there.ok) {
    const same = there.value.files.find((file) => file.filename === contentName && file.bytes === bytes.length);
    if (same !== undefined) return ok(same.id);
  }
  const { size: sizeBytes, mtimeMs } = found;
  const about = { purpose: judged, ...(model === null ? {} : { model }) };
  const uploaded = await api.upload({ path, name: contentName, sizeBytes, mtimeMs }, about, signal);
  return uploaded.ok ? ok(uploaded.value.id) : uploaded;
}
