import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { UploadSource } from '../stt-api.ts';
import { BodyFailed, type StreamedBody } from './transport.ts';

/** A form with plain fields and one file, described so that each attempt can open the file anew. */
export interface MultipartForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly fileField: string;
  readonly source: UploadSource;
  /** Ours alone and the same for each attempt, so that a repeat sends the same bytes. */
  readonly boundary: string;
  /** Bytes of the file handed over so far. */
  readonly onFileBytes?: ((sentBytes: number) => void) | undefined;
}

export interface OpenedForm extends StreamedBody {
  close(): Promise<void>;
}

/** The file stopped being what was promised while it was read; holds what to tell. */
export class FileFailed extends BodyFailed {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super('the file can not be sent');
    this.failure = failure;
  }
}

/**
 * Small, so that each chunk taken is a sign of life on a slow network, and because it costs the least memory: with
 * 256 KiB the same upload held 20 MB more.
 */
const readBytes = 64 * 1024;

/**
 * Buffers are used in turn: new ones for each chunk are garbage that grows to 70 MB before it is collected. The socket
 * asks for the next chunk only when it holds less than its mark (64 KiB), so of eight it can never hold all.
 */
const ringBuffers = 8;

/**
 * Opens the file once and looks at the open file, so that nothing else can be put in its place. Another size or time of
 * change than expected is E-011; a file that can't be opened is E-010. Nothing has been sent then.
 */
export async function openForm(form: MultipartForm): Promise<Result<OpenedForm, Failure>> {
  const { source } = form;
  const opened = await openFile(source);
  if (!opened.ok) return opened;
  const file = opened.value;
  const changed = await changeOf(file, source);
  if (changed !== null) {
    await file.close();
    return err(changed);
  }
  const head = Buffer.from(headOf(form), 'utf8');
  const tail = Buffer.from(`\r\n--${form.boundary}--\r\n`, 'latin1');
  return ok({
    contentType: `multipart/form-data; boundary=${form.boundary}`,
    lengthBytes: head.length + source.sizeBytes + tail.length,
    chunks: () => readForm(form, file, head, tail),
    close: () => file.close().catch(() => undefined),
  });
}

async function* readForm(form: MultipartForm, file: FileHandle, head: Buffer, tail: Buffer): AsyncGenerator<Buffer> {
  const { source, onFileBytes } = form;
  yield head;
  const ring = Array.from({ length: ringBuffers }, () => Buffer.allocUnsafeSlow(readBytes));
  let at = 0;
  for (let turn = 0; at < source.sizeBytes; turn++) {
    const buffer = ring[turn % ringBuffers] ?? Buffer.allocUnsafeSlow(readBytes);
    const chunk = await readChunk(file, buffer, at, Math.min(readBytes, source.sizeBytes - at), source);
    yield chunk;
    at += chunk.length;
    onFileBytes?.(at);
  }
  // Looked at before the last bytes leave: a file that changed meanwhile never becomes a complete request.
  const changed = await changeOf(file, source);
  if (changed !== null) throw new FileFailed({ ...changed, outcome: 'unknown' });
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

async function openFile(source: UploadSource): Promise<Result<FileHandle, Failure>> {
  try {
    // Without blocking, so that a pipe put in the file's place can't hold the queue.
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
  makeFailure('E-011', { code: 'file_changed', params: { name: source.name } });

const unreadable = (source: UploadSource, code: string, outcome: Failure['outcome']): Failure =>
  makeFailure('E-010', { code, outcome, params: { name: source.name } });

function headOf(form: MultipartForm): string {
  const fields = Object.entries(form.fields).map(
    ([name, value]) =>
      `--${form.boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const disposition = `form-data; name="${quoted(form.fileField)}"; filename="${quoted(fileName(form.source.name))}"`;
  return `${fields.join('')}--${form.boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${mediaType(form.source.name)}\r\n\r\n`;
}

/** As browsers write names since RFC 7578: UTF-8 as it is; only quotes and line ends are written in another way. */
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
};

const mediaType = (name: string): string =>
  mediaTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
