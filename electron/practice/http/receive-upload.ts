import Busboy, { type BusboyInstance } from '@fastify/busboy';
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, basename, extname } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { problem, type Answer } from './answer.ts';

/** An uploaded file on disk; its consumer moves or removes it. */
export interface UploadedFile {
  readonly path: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface UploadRules {
  /** The name of the form field that holds the files. */
  readonly field: string;
  readonly maxFiles: number;
  /** Of one file. */
  readonly maxBytes: number;
  readonly tooLargeCode: string;
  /** How long the form may take to arrive; absent: no limit. */
  readonly deadlineMs?: number;
}

export interface Form {
  /** In the order of the form, at least one. */
  readonly files: readonly [UploadedFile, ...UploadedFile[]];
  /** The last value of each field. */
  readonly fields: ReadonlyMap<string, string>;
  /** Names that were sent more than once, and files in fields that expect none. */
  readonly unexpected: ReadonlySet<string>;
}

interface ReceivedFile extends UploadedFile {
  readonly isTruncated: boolean;
}

interface TakenFile {
  readonly path: string;
  readonly part: Readable;
  readonly written: Promise<ReceivedFile | null>;
}

const tooLarge = ({ field, maxBytes, tooLargeCode }: UploadRules): Answer =>
  problem(413, tooLargeCode, `A file may have at most ${Math.floor(maxBytes / 1024 / 1024)} MiB.`, {
    [field]: 'too large',
  });

const malformed = problem(400, 'invalid_multipart', 'The body is not a complete multipart form.');

/** Writes a part to disk while hashing it; the form's limit cuts it off, and `truncated` is then set. */
async function store(
  part: Readable & { truncated?: boolean },
  path: string,
  fileName: string,
  contentType: string,
): Promise<ReceivedFile> {
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
  return {
    path,
    fileName,
    contentType,
    sha256: hash.digest('hex'),
    sizeBytes,
    isTruncated: part.truncated === true,
  };
}

function openForm(request: IncomingMessage, { maxBytes, maxFiles }: UploadRules): BusboyInstance | null {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) return null;
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { fileSize: maxBytes, files: maxFiles + 1, fields: 20, fieldSize: 16_384, parts: maxFiles + 24 },
    });
  } catch {
    return null;
  }
}

type Fed = 'complete' | 'malformed' | 'gone';

/** Feeds the body into the form parser. Never destroys the request: the client still has to read our answer. */
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

/** Collects the parts of a form as they arrive; files go straight to disk. */
class Collector {
  readonly #folder: string;
  readonly #rules: UploadRules;
  readonly #failed = Promise.withResolvers<'write-failed'>();
  readonly taken: TakenFile[] = [];
  readonly fields = new Map<string, string>();
  readonly unexpected = new Set<string>();

  constructor(form: BusboyInstance, folder: string, rules: UploadRules) {
    this.#folder = folder;
    this.#rules = rules;
    form.on('field', (name, value) => {
      if (this.fields.has(name)) this.unexpected.add(name);
      this.fields.set(name, value);
    });
    form.on('file', (name, part, fileName, _encoding, contentType) =>
      this.#take(name, part, fileName ?? '', contentType),
    );
  }

  get writeFailed(): Promise<'write-failed'> {
    return this.#failed.promise;
  }

  #take(name: string, part: Readable, fileName: string, contentType: string): void {
    if (name !== this.#rules.field || this.taken.length === this.#rules.maxFiles) {
      this.unexpected.add(name);
      part.resume();
      return;
    }
    const path = join(this.#folder, `${randomUUID()}.part`);
    const written = store(part, path, fileName, contentType).catch(() => {
      this.#failed.resolve('write-failed');
      return null;
    });
    this.taken.push({ path, part, written });
  }
}

interface Parts {
  readonly files: readonly UploadedFile[];
  readonly fields: ReadonlyMap<string, string>;
  readonly unexpected: ReadonlySet<string>;
}

async function receiveParts(
  request: IncomingMessage,
  body: Readable,
  folder: string,
  rules: UploadRules,
): Promise<Result<Parts, Answer | null>> {
  // The form around the files is small, so a length beyond both can be refused before anything is written.
  const most = rules.maxBytes * rules.maxFiles + 64 * 1024;
  if (Number(request.headers['content-length'] ?? 0) > most) return err(tooLarge(rules));
  const form = openForm(request, rules);
  if (form === null) return err(problem(415, 'unsupported_media_type', 'Send the recording as multipart/form-data.'));
  const collected = new Collector(form, folder, rules);
  const late = Promise.withResolvers<'late'>();
  const timer = rules.deadlineMs === undefined ? undefined : setTimeout(() => late.resolve('late'), rules.deadlineMs);
  const outcome = await Promise.race([feed(request, body, form), collected.writeFailed, late.promise]);
  clearTimeout(timer);
  if (outcome !== 'complete') {
    stopFeeding(body, form);
    for (const { part } of collected.taken) part.destroy();
  }
  const files = await Promise.all(collected.taken.map(({ written }) => written));
  const refuse = async (answer: Answer | null): Promise<Result<Parts, Answer | null>> => {
    for (const { path } of collected.taken) await rm(path, { force: true });
    return err(answer);
  };
  if (outcome === 'gone') return refuse(null);
  if (outcome === 'malformed') return refuse(malformed);
  if (outcome === 'late') return refuse(problem(408, 'upload_timeout', 'The form took too long to come in.'));
  const whole = files.filter((file) => file !== null);
  if (whole.length < files.length)
    return refuse(
      problem(503, 'service_unavailable', 'The practice service could not store the recording: is the disk full?'),
    );
  if (whole.some(({ isTruncated }) => isTruncated)) return refuse(tooLarge(rules));
  return ok({ files: whole, fields: collected.fields, unexpected: collected.unexpected });
}

/**
 * Streams a multipart form to `folder`: memory use does not depend on the size of its files. The failure is the answer
 * to send, or null when the client has left.
 */
export async function receiveForm(
  request: IncomingMessage,
  body: Readable,
  folder: string,
  rules: UploadRules,
): Promise<Result<Form, Answer | null>> {
  const received = await receiveParts(request, body, folder, rules);
  if (!received.ok) return received;
  const { files, fields, unexpected } = received.value;
  const [first, ...others] = files;
  if (first !== undefined) return ok({ files: [first, ...others], fields, unexpected });
  const message = unexpected.size > 0 ? `must be in the field "${rules.field}"` : 'is required';
  return err(problem(400, 'validation_error', 'The recording is missing.', { [rules.field]: message }));
}

/** Control characters don't belong in a title, and file names may contain them. */
export const titleOf = (fileName: string): string => {
  const name = basename(fileName.replaceAll('\\', '/').replaceAll(/\p{Cc}|\p{Cf}/gu, ''));
  return name.slice(0, name.length - extname(name).length).slice(0, 200) || 'Untitled';
};
