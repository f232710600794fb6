import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { BodyFailed, type StreamedBody } from './transport.ts';

/** The file to send, as it was when it was hashed: the client refuses to send any other content under the same key. */
export interface UploadSource {
  readonly path: string;
  /** The name the service sees; never a path. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface MultipartForm {
  /** Without those that are undefined. */
  readonly fields: Readonly<Record<string, string | boolean | undefined>>;
  readonly files: readonly FormFile[];
  readonly onFileBytes?: ((sentBytes: number) => void) | undefined;
}

export interface FormFile {
  readonly field: string;
  readonly source: UploadSource;
}

export interface OpenedForm extends StreamedBody {
  close(): Promise<void>;
}

export class FileFailed extends BodyFailed {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('the file can not be sent');
    this.failure = failure;
  }
}

/** Each chunk counts as progress on a slow network; 256 KiB held 20 MB more. */
const readBytes = 64 * 1024;

/** Fresh buffers grow to 70 MB of garbage; the socket never holds all eight. */
const ringBuffers = 8;

interface OpenPart {
  readonly source: UploadSource;
  readonly file: FileHandle;
  readonly head: Buffer;
}

/**
 * Checks the open descriptor, so that nothing can be swapped in afterwards. file-unreadable, file-changed. `name`: the
 * same for each attempt, so that a repeat sends identical bytes.
 */
export async function openForm(form: MultipartForm, name: string): Promise<Result<OpenedForm>> {
  const boundary = `ovoz-${name.replaceAll(/[^A-Za-z0-9-]/gu, '').slice(0, 60)}`;
  const parts: OpenPart[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(parts.map(({ file }) => file.close().catch(() => undefined)));
  };
  for (const [at, { field, source }] of form.files.entries()) {
    const opened = await openFile(source);
    const failure = opened.ok ? await changeOf(opened.value, source) : opened.error;
    if (opened.ok)
      parts.push({ source, file: opened.value, head: Buffer.from(headOf(form, boundary, at, field), 'utf8') });
    if (failure !== null) {
      await close();
      return err(failure);
    }
  }
  const tail = Buffer.from(`${form.files.length === 0 ? fieldsOf(form, boundary) : '\r\n'}--${boundary}--\r\n`, 'utf8');
  return ok({
    contentType: `multipart/form-data; boundary=${boundary}`,
    lengthBytes: parts.reduce((sum, { head, source }) => sum + head.length + source.sizeBytes, tail.length),
    chunks: () => readForm(parts, tail, form.onFileBytes),
    close,
  });
}

async function* readForm(
  parts: readonly OpenPart[],
  tail: Buffer,
  onFileBytes: MultipartForm['onFileBytes'],
): AsyncGenerator<Buffer> {
  const ring = Array.from({ length: ringBuffers }, () => Buffer.allocUnsafeSlow(readBytes));
  let turn = 0;
  let sentBytes = 0;
  for (const { source, file, head } of parts) {
    yield head;
    for (let at = 0; at < source.sizeBytes; turn++) {
      const buffer = ring[turn % ringBuffers] ?? Buffer.allocUnsafeSlow(readBytes);
      const chunk = await readChunk(file, buffer, at, Math.min(readBytes, source.sizeBytes - at), source);
      yield chunk;
      at += chunk.length;
      sentBytes += chunk.length;
      onFileBytes?.(sentBytes);
    }
  }
  // Checked before the last bytes leave: a file that changed meanwhile never becomes a complete request.
  for (const { source, file } of parts) {
    const changed = await changeOf(file, source);
    if (changed !== null) throw new FileFailed({ ...changed, outcome: 'unknown' });
  }
  yield tail;
}

async function readChunk(
  file: FileHandle,
  buffer: Buffer,
  at: number,
  length: number,
  source: UploadSource,
): Promise<Buffer> {
  let bytesRead: number;
  try {
    ({ bytesRead } = await file.read(buffer, 0, length, at));
  } catch {
    throw new FileFailed(unreadable(source, 'file_unreadable', 'unknown'));
  }
  if (bytesRead === 0) throw new FileFailed({ ...fileChanged(source), outcome: 'unknown' });
  return buffer.subarray(0, bytesRead);
}

async function openFile(source: UploadSource): Promise<Result<FileHandle>> {
  try {
    // Non-blocking, so that a pipe in place of the file can't hang the queue.
    return ok(await open(source.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    return err(unreadable(source, isMissing ? 'file_missing' : 'file_unreadable', 'not_sent'));
  }
}

async function changeOf(file: FileHandle, source: UploadSource): Promise<Failure | null> {
  let stats: Stats;
  try {
    stats = await file.stat();
  } catch {
    return unreadable(source, 'file_unreadable', 'not_sent');
  }
  if (!stats.isFile()) return unreadable(source, 'file_unreadable', 'not_sent');
  const isSame = stats.size === source.sizeBytes && Math.abs(stats.mtimeMs - source.mtimeMs) < 1;
  return isSame ? null : fileChanged(source);
}

const fileChanged = (source: UploadSource): Failure =>
  makeFailure('file-changed', { code: 'file_changed', params: { name: source.name } });

const unreadable = (source: UploadSource, code: string, outcome: Failure['outcome']): Failure =>
  makeFailure('file-unreadable', { code, outcome, params: { name: source.name } });

function headOf(form: MultipartForm, boundary: string, at: number, field: string): string {
  const name = form.files[at]?.source.name ?? '';
  const disposition = `form-data; name="${quoted(field)}"; filename="${quoted(fileName(name))}"`;
  const before = at === 0 ? fieldsOf(form, boundary) : '\r\n';
  return `${before}--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${mediaType(name)}\r\n\r\n`;
}

const fieldsOf = ({ fields }: MultipartForm, boundary: string): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
    )
    .join('');

/** As browsers encode names (RFC 7578): plain UTF-8, with only quotes and line ends escaped. */
const quoted = (text: string): string =>
  text.toWellFormed().replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Never a path, never invisible characters. */
const fileName = (name: string): string =>
  name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replaceAll(/[^\P{Cc}\r\n]/gu, '_')
    .trim() || 'recording';

const mediaTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  webm: 'audio/webm',
  flac: 'audio/flac',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

const mediaType = (name: string): string =>
  mediaTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
