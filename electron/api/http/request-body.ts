import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { Call } from './call.ts';
import { FileFailed, openForm, type OpenedForm } from './multipart.ts';
import type { StreamedBody, WireBodyFault } from './transport.ts';

/** Opens the body of one attempt; null: the request has none. */
export async function openBody(request: Call): Promise<Result<OpenedForm | null, Failure>> {
  if (request.form !== undefined) return openForm(request.form);
  return ok(request.json === undefined ? null : { ...jsonBody(request.json), close: () => Promise.resolve() });
}

/** Classifies a body that could not be produced to its end. */
export function bodyFailure(seen: WireBodyFault, request: Call): Failure {
  const failure =
    seen.cause instanceof FileFailed ? seen.cause.failure : makeFailure('E-010', { code: 'file_unreadable' });
  const name = request.form?.files.length === 1 ? request.form.files[0]?.source.name : undefined;
  return {
    ...failure,
    outcome: seen.sentBytes > 0 ? 'unknown' : 'not_sent',
    ...(name === undefined || failure.params !== undefined ? {} : { params: { name } }),
  };
}

function jsonBody(value: unknown): StreamedBody {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8');
  return {
    contentType: 'application/json',
    lengthBytes: bytes.length,
    chunks: async function* chunks() {
      yield bytes;
    },
  };
}
