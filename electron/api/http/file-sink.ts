import { randomBytes } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BodySink } from './transport.ts';

/** A file that is received next to its target: the final name exists only once the file is complete. */
export interface PartFile {
  readonly taker: BodySink;
  /** Bytes kept so far. */
  readonly sizeBytes: () => number;
  /** The first bytes, from which the format can be recognised. */
  readonly head: () => Buffer;
  /** Discards what was received: the next bytes are the first. */
  restart(): void;
  /** Overwrites the first bytes, for a header that contains a length; at least as many bytes must be there already. */
  rewriteStart(bytes: Uint8Array): Promise<void>;
  /** Renames the complete file to its target and flushes it to disk. */
  finish(): Promise<void>;
  /** Deletes what was received; harmless at any time, also after `finish`. */
  discard(): Promise<void>;
}

/**
 * Whether a body may be audio by its content type: whatever a server calls it except text and documents. The bytes
 * decide.
 */
export const mayBeAudio = (contentType: string): boolean =>
  !/^\s*(?:text|multipart)\/|\b(?:html|xml|json)\b/iu.test(contentType);

const headBytes = 32 * 1024;

/**
 * `{name}.{random}.part` in the folder of `target`, new, readable by its owner only. Rejects when it can't be made.
 */
export async function openPart(target: string, maxBytes: number): Promise<PartFile> {
  const folder = dirname(target);
  const path = join(folder, `${basename(target)}.${randomBytes(6).toString('hex')}.part`);
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  let head = Buffer.alloc(0);
  let isOpen = true;
  const shut = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  };
  return {
    taker: {
      maxBytes,
      async write(chunk) {
        if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
        const at = size;
        size += chunk.length;
        await writeAll(file, chunk, at);
      },
    },
    sizeBytes: () => size,
    head: () => head,
    restart() {
      size = 0;
      head = Buffer.alloc(0);
    },
    async rewriteStart(bytes) {
      await writeAll(file, bytes, 0);
      head = Buffer.concat([bytes, head.subarray(bytes.length)]);
    },
    async finish() {
      await file.truncate(size);
      await file.sync();
      await shut();
      await rename(path, target);
      await syncFolder(folder);
    },
    async discard() {
      await shut().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

async function writeAll(file: FileHandle, chunk: Uint8Array, from: number): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, at, chunk.length - at, from + at);
    at += bytesWritten;
  }
}

/** Some systems can't open a folder to flush it; there the rename alone has to do. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Nothing more can be done for it.
  }
}
