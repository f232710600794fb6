import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Busboy, { type BusboyInstance } from '@fastify/busboy';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { problem, type Answer } from './answer.ts';

export interface Upload {
  /** A file of ours; whoever takes the upload moves or removes it. */
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly fields: ReadonlyMap<string, string>;
}

interface ReceivedFile {
  readonly path: string;
  readonly fileName: string;
  readonly hash: string;
  readonly sizeBytes: number;
  readonly isTruncated: boolean;
}

const tooLarge = (maxBytes: number): Answer =>
  problem(413, 'audio_too_large', `A recording may have at most ${Math.floor(maxBytes / 1024 / 1024)} MiB.`, {
    audio: 'too large',
  });

const malformed = problem(400, 'invalid_multipart', 'The body is not a complete multipart form.');

/** Writes a part to disk while hashing it; the form's limit cuts it off, which `truncated` then says. */
async function store(part: Readable & { truncated?: boolean }, path: string, fileName: string): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(part, measure, createWriteStream(path, { mode: 0o600, flush: true }));
  return { path, fileName, hash: hash.digest('hex'), sizeBytes, isTruncated: part.truncated === true };
}

function openForm(request: IncomingMessage, maxBytes: number): BusboyInstance | null {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) return null;
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { fileSize: maxBytes, files: 1, fields: 20, fieldSize: 4096, parts: 24 },
    });
  } catch {
    return null;
  }
}

type Fed = 'complete' | 'malformed' | 'gone';

/** Pushes the body into the form. Never destroys the request: the client still has to read our answer. */
function feed(request: IncomingMessage, body: Readable, form: BusboyInstance): Promise<Fed> {
  return new Promise((resolve) => {
    form.once('finish', () => resolve('complete'));
    form.once('error', () => resolve('malformed'));
    request.once('close', () => {
      if (!request.complete) resolve('gone');
    });
    body.pipe(form);
  });
}

function stopFeeding(body: Readable, form: BusboyInstance): void {
  body.unpipe(form);
  body.resume();
}

/**
 * Streams a multipart form to `folder`: memory use does not depend on the size of the file. The failure is the answer
 * to give, or null when the client went away and nobody is left to answer.
 */
export async function receiveUpload(
  request: IncomingMessage,
  body: Readable,
  folder: string,
  maxBytes: number,
): Promise<Result<Upload, Answer | null>> {
  // The form around the file is small; a length beyond both can be refused before anything is written.
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + 64 * 1024) return err(tooLarge(maxBytes));
  const form = openForm(request, maxBytes);
  if (form === null) return err(problem(415, 'unsupported_media_type', 'Send the recording as multipart/form-data.'));

  const fields = new Map<string, string>();
  let hasUnknownFile = false;
  let current: {
    readonly path: string;
    readonly part: Readable;
    readonly written: Promise<ReceivedFile | null>;
  } | null = null;
  const writeFailed = Promise.withResolvers<'write-failed'>();
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, part, fileName) => {
    if (name !== 'audio' || current !== null) {
      hasUnknownFile = true;
      part.resume();
      return;
    }
    const path = join(folder, `${randomUUID()}.part`);
    const written = store(part, path, fileName ?? '').catch(() => {
      writeFailed.resolve('write-failed');
      return null;
    });
    current = { path, part, written };
  });

  const outcome = await Promise.race([feed(request, body, form), writeFailed.promise]);
  const taken = current as {
    readonly path: string;
    readonly part: Readable;
    readonly written: Promise<ReceivedFile | null>;
  } | null;
  if (outcome !== 'complete') {
    stopFeeding(body, form);
    taken?.part.destroy();
  }
  const file = (await taken?.written) ?? null;
  const refuse = async (answer: Answer | null): Promise<Result<Upload, Answer | null>> => {
    if (taken !== null) await rm(taken.path, { force: true });
    return err(answer);
  };
  if (outcome === 'gone') return refuse(null);
  if (outcome === 'malformed') return refuse(malformed);
  if (taken !== null && file === null) {
    return refuse(
      problem(503, 'service_unavailable', 'The practice service could not store the recording: is the disk full?'),
    );
  }
  if (file === null) {
    return refuse(
      problem(400, 'validation_error', 'The recording is missing.', {
        audio: hasUnknownFile ? 'must be in the field "audio"' : 'is required',
      }),
    );
  }
  if (file.isTruncated) return refuse(tooLarge(maxBytes));
  return ok({ path: file.path, fileName: file.fileName, sizeBytes: file.sizeBytes, sha256: file.hash, fields });
}
