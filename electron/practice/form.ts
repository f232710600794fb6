import Busboy, { type BusboyInstance } from '@fastify/busboy';
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, basename, extname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { UndecodableCode } from '../../shared/domain/audio/pcm-block.ts';
import { problem, refuse, Refusal, type Answer, type Exchange } from './http.ts';
import type { SoundOutcome } from './sound-worker.ts';

/** An uploaded file on disk; its consumer may move it away. */
export interface UploadedFile {
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

interface UploadRules {
  readonly folder: string;
  readonly field: string;
  readonly maxFiles: number;
  readonly maxBytes: number;
  readonly tooLargeCode: string;
  /** How long the form may take to arrive; absent: no limit. */
  readonly deadlineMs?: number;
  /** How a product refuses a form that can't be used; null: as others do. */
  readonly refusal?: (usual: Answer) => Answer | null;
}

export interface Form {
  /** In the order of the form, at least one. */
  readonly files: readonly [UploadedFile, ...UploadedFile[]];
  /** The last value of each field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names that were sent more than once, and files in fields that expect none. */
  readonly unexpected: readonly string[];
}

/** Hashes a part while it is written; null: the form's limit cut it off. */
async function store(
  part: Readable & { truncated?: boolean },
  path: string,
  fileName: string,
): Promise<UploadedFile | null> {
  const hash = createHash('sha256');
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  part.on('data', (chunk: Buffer) => hash.update(chunk));
  await pipeline(part, file);
  return part.truncated === true ? null : { path, fileName, sha256: hash.digest('hex'), sizeBytes: file.bytesWritten };
}

const notStored = problem(
  503,
  'service_unavailable',
  'The practice service could not store the recording: is the disk full?',
);
const notAForm = problem(415, 'unsupported_media_type', 'Send the recording as multipart/form-data.');
const notWhole = problem(400, 'invalid_multipart', 'The body is not a complete multipart form.');
const tooLate = problem(408, 'upload_timeout', 'The form took too long to come in.');

/** Collects the parts; the outcome is null when all of them arrived, or why not. */
async function receive({ request }: Exchange, { folder, field, maxBytes, maxFiles, deadlineMs }: UploadRules) {
  const contentType = request.headers['content-type'] ?? '';
  const limits = { fileSize: maxBytes, files: maxFiles + 1, fields: 20, fieldSize: 16_384, parts: maxFiles + 24 };
  const fields: Record<string, string> = {};
  const unexpected: string[] = [];
  const taken: { readonly path: string; readonly part: Readable; readonly written: Promise<UploadedFile | null> }[] =
    [];
  const ended = Promise.withResolvers<Answer | 'gone' | null>();
  let form: BusboyInstance;
  try {
    form = new Busboy({ headers: { ...request.headers, 'content-type': contentType }, limits });
  } catch {
    return { outcome: notAForm, files: [], fields, unexpected, paths: [] };
  }
  form.on('field', (name, value) => {
    if (Object.hasOwn(fields, name)) unexpected.push(name);
    fields[name] = value;
  });
  form.on('file', (name, part, fileName) => {
    if (name !== field || taken.length === maxFiles) {
      unexpected.push(name);
      part.resume();
      return;
    }
    const path = join(folder, `${randomUUID()}.part`);
    const written = store(part, path, fileName ?? '');
    written.catch(() => ended.resolve(notStored));
    taken.push({ path, part, written });
  });
  form.once('finish', () => ended.resolve(null));
  form.once('error', () => ended.resolve(notWhole));
  request.once('close', () => {
    if (!request.complete) ended.resolve('gone');
  });
  const timer = deadlineMs === undefined ? undefined : setTimeout(() => ended.resolve(tooLate), deadlineMs);
  request.pipe(form);
  const outcome = await ended.promise;
  clearTimeout(timer);
  if (outcome !== null) {
    // Never destroys the request: the client still has to read our answer.
    request.unpipe(form);
    request.resume();
    for (const { part } of taken) part.destroy();
  }
  const settled = await Promise.allSettled(taken.map(({ written }) => written));
  const files = settled.map((one) => (one.status === 'fulfilled' ? one.value : null));
  const isLost = outcome === null && settled.some(({ status }) => status === 'rejected');
  return { outcome: isLost ? notStored : outcome, files, fields, unexpected, paths: taken.map(({ path }) => path) };
}

/** Gives `work` a multipart form whose files went straight to disk, and removes what it leaves of them. */
export async function withForm<T>(
  exchange: Exchange,
  rules: UploadRules,
  work: (form: Form) => Promise<T>,
): Promise<T> {
  const { field, maxBytes, maxFiles, refusal = () => null } = rules;
  const stop = (usual: Answer): never => {
    throw new Refusal(refusal(usual) ?? usual);
  };
  const mib = Math.floor(maxBytes / 1024 / 1024);
  const tooLarge = problem(413, rules.tooLargeCode, `A file may have at most ${mib} MiB.`, { [field]: 'too large' });
  // The form around the files is small, so a length beyond both can be refused before anything is written.
  if (Number(exchange.request.headers['content-length'] ?? 0) > maxBytes * maxFiles + 64 * 1024) stop(tooLarge);
  const { outcome, files, fields, unexpected, paths } = await receive(exchange, rules);
  try {
    if (outcome === 'gone') throw new Refusal(null);
    if (outcome !== null) stop(outcome);
    const whole = files.filter((file) => file !== null);
    if (whole.length < files.length) stop(tooLarge);
    const [first, ...others] = whole;
    if (first === undefined) {
      const words = unexpected.length > 0 ? `must be in the field "${field}"` : 'is required';
      return stop(problem(400, 'validation_error', 'The recording is missing.', { [field]: words }));
    }
    return await work({ files: [first, ...others], fields, unexpected });
  } finally {
    for (const path of paths) await rm(path, { force: true });
  }
}

/** The fields of a form without files; null: not such a form. */
export async function readFields(exchange: Exchange): Promise<Form['fields'] | null> {
  const none = { folder: '', field: '', maxFiles: 0, maxBytes: 0, tooLargeCode: '' };
  const { outcome, unexpected, fields } = await receive(exchange, none);
  return outcome === null && unexpected.length === 0 ? fields : null;
}

const refusals: Readonly<Record<UndecodableCode, readonly [number, string]>> = {
  unsupported_media_type: [415, 'The file is not MP3, WAV, M4A, OGG, WebM or FLAC.'],
  unsupported_codec: [422, 'The sound in this file is written in a way that is not supported.'],
  invalid_audio: [422, 'The sound in this file cannot be decoded.'],
  audio_too_large: [413, 'The recording is longer than six hours.'],
  no_audio: [422, 'There is no sound in this file.'],
};

/** A recording that could not be measured. */
export function refuseSound(outcome: SoundOutcome, field = 'audio'): never {
  const { code, detail } =
    outcome.kind === 'undecodable' ? outcome : ({ code: 'invalid_audio', detail: outcome.kind } as const);
  const [status, message] = refusals[code];
  return refuse(status, code, message, { [field]: detail });
}

export const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true');

/** Control characters don't belong in a title, and file names may contain them. */
export const titleOf = (fileName: string): string => {
  const name = basename(fileName.replaceAll('\\', '/').replaceAll(/\p{Cc}|\p{Cf}/gu, ''));
  return name.slice(0, name.length - extname(name).length).slice(0, 200) || 'Untitled';
};
