import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { problem, type Answer } from './answer.ts';

/** Fits a complete edited transcript of a long recording, and not much more. */
const maxJsonBytes = 32 * 1024 * 1024;

function fieldsOf(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.map((issue) => [issue.path.join('.') || 'body', issue.message]));
}

/** Reads a JSON body of the right type and shape; the failure is the answer to send. */
export async function readJson<T>(
  request: IncomingMessage,
  schema: z.ZodType<T>,
  { invalidStatus = 400, invalidCode = 'validation_error', maxBytes = maxJsonBytes } = {},
): Promise<Result<T, Answer>> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    return err(problem(415, 'unsupported_media_type', 'Send the body as application/json.'));
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return err(problem(413, 'body_too_large', 'The JSON body is too large.'));
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return err(problem(400, 'invalid_json', 'The body is not JSON.'));
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  return err(problem(invalidStatus, invalidCode, 'Some fields are not right.', fieldsOf(parsed.error)));
}
