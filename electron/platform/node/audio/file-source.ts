import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { openFlags } from '../hash-file.ts';
import type { ByteSource } from '../../../../shared/decoding/byte-source.ts';

const pieceBytes = 64 * 1024;

/**
 * A recording on disk, for a thread that has nothing else to do: it waits for the disk, which takes a fifth of the time of
 * asking for each piece. Throws when it can't be opened.
 */
export function openFileSource(path: string): ByteSource & { readonly close: () => void } {
  const file = openSync(path, openFlags);
  const { size } = fstatSync(file);
  const read = (into: Uint8Array<ArrayBuffer>, from: number) =>
    into.subarray(0, readSync(file, into, 0, into.length, from));

  return {
    close: () => closeSync(file),
    read: (from, count) =>
      Promise.resolve(from >= size ? null : { bytes: read(new Uint8Array(Math.min(count, size - from)), from), size }),
    async *stream(from = 0, to = Infinity) {
      const end = Math.min(await to, size);
      const piece = new Uint8Array(pieceBytes);
      for (let at = from; at < end;) {
        const bytes = read(piece.subarray(0, end - at), at);
        // The file became shorter.
        if (bytes.length === 0) return;
        at += bytes.length;
        yield bytes;
      }
    },
  };
}
