import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import {
  attachmentExtension,
  judgeAttachment,
  judgeMessages,
  type AttachmentFault,
  type AttachmentPurpose,
} from '../../../shared/wire/attachment-limits.ts';
import { limits } from '../../../shared/wire/limits.ts';
import type { AskApi } from './ask.ts';

const rowOf = { empty: 'E-079', too_large: 'E-077', other_type: 'E-078', too_many_pages: 'E-079' } as const;

/** The failure if the questions of a conversation have too many files; takes the number of files of each. */
export const judgeFiles = (counts: readonly number[]): AttachmentFault | null =>
  judgeMessages(
    counts.map((count) => ({
      role: 'user',
      content: [{ type: 'text' }, ...Array.from({ length: count }, () => ({ type: 'file' }))],
    })),
  );

/** A file that a question may have. */
export interface AttachmentFacts {
  readonly name: string;
  readonly sizeBytes: number;
  readonly purpose: AttachmentPurpose;
}

type Inspected = AttachmentFacts & { readonly bytes: Buffer; readonly mtimeMs: number };

/** Checks all limits of a file before anything of it is sent: E-010 when it is gone, otherwise E-077 to E-079. */
export async function inspectAttachment(path: string): Promise<Result<Inspected, Failure>> {
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
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null)
    return err(makeFailure('E-010', { code: 'file_unreadable', outcome: 'not_sent', params: { name } }));
  const judged = judgeAttachment(bytes);
  if (typeof judged === 'object') return refuse(judged.fault);
  return ok({ name, sizeBytes: bytes.length, purpose: judged, bytes, mtimeMs: found.mtimeMs });
}

/** A file at the service. `isUploaded`: by this call; otherwise it was there, and others may use it. */
export interface AttachedFile {
  readonly fileId: string;
  readonly isUploaded: boolean;
}

/**
 * Makes a file available at the service for a question. All limits are checked before anything is
 * sent (E-077 to E-079). The service does not recognise repeats, so the file gets a name derived from its content and
 * is searched for first: an upload of an earlier run is reused, and the same question stays the same request. `model`
 * is sent only where the user chose it, because a file stored for another model may not suit it.
 */
export async function attachFile(
  api: AskApi,
  path: string,
  model: string | null,
  signal: AbortSignal,
): Promise<Result<AttachedFile, Failure>> {
  const inspected = await inspectAttachment(path);
  if (!inspected.ok) return inspected;
  const { bytes, purpose, sizeBytes, mtimeMs } = inspected.value;
  const contentName = `${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}.${attachmentExtension(bytes)}`;
  const there = await api.files({ limit: limits.pages.files.max }, signal);
  if (there.ok) {
    const same = there.value.files.find((file) => file.filename === contentName && file.bytes === bytes.length);
    if (same !== undefined) return ok({ fileId: same.id, isUploaded: false });
    if (there.value.files.length >= limits.attachment.activePerAccount)
      return err(makeFailure('E-081', { code: 'attachment_quota_exceeded', outcome: 'not_sent', layer: 'local' }));
  }
  const about = { purpose, ...(model === null ? {} : { model }) };
  const uploaded = await api.upload({ path, name: contentName, sizeBytes, mtimeMs }, about, signal);
  return uploaded.ok ? ok({ fileId: uploaded.value.id, isUploaded: true }) : uploaded;
}
