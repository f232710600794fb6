import type { ByteSource } from '../../shared/decoding/decoded-audio.ts';

const pieceBytes = 1000;

/** A recording in memory, in small pieces of which each overwrites the one before it. */
export const sourceOf = (recording: Uint8Array<ArrayBuffer>): ByteSource => ({
  read: (from, count) =>
    Promise.resolve(
      from >= recording.length ? null : { bytes: recording.slice(from, from + count), size: recording.length },
    ),
  async *stream(from = 0, to = Infinity) {
    const end = Math.min(await to, recording.length);
    const piece = new Uint8Array(pieceBytes);
    for (let at = from; at < end; at += pieceBytes) {
      const bytes = recording.subarray(at, Math.min(at + pieceBytes, end));
      piece.set(bytes);
      yield piece.subarray(0, bytes.length);
    }
  },
});
