import type { FileHandle } from 'node:fs/promises';

/** Where a file is written; formats return to its beginning once they know the length. */
export type AudioSink = (bytes: Uint8Array, position: number) => Promise<void>;

export function fileSink(file: FileHandle): AudioSink {
  return async (bytes, position) => {
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
      written += bytesWritten;
    }
  };
}

/** Keeps the file in memory, for what is short. */
export function memorySink(): { readonly sink: AudioSink; readonly bytes: () => Uint8Array<ArrayBuffer> } {
  let kept = new Uint8Array(64 * 1024);
  let length = 0;
  return {
    sink: async (bytes, position) => {
      const end = position + bytes.length;
      if (end > kept.length) {
        const larger = new Uint8Array(Math.max(end, kept.length * 2));
        larger.set(kept.subarray(0, length));
        kept = larger;
      }
      kept.set(bytes, position);
      length = Math.max(length, end);
    },
    bytes: () => kept.slice(0, length),
  };
}
