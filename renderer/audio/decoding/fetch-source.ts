import { headBytes, type Bytes, type ByteSource } from '../../../shared/decoding/decoded-audio.ts';

const pieceBytes = 64 * 1024;

/** The beginning is kept: each request takes as long as drawing what it brings. */
export function fetchSource(url: string): ByteSource {
  let head: Promise<Bytes | null> | null = null;

  return {
    async read(from, count) {
      if (from + count > headBytes) return fetchBytes(url, from, count);
      const asked = (head ??= fetchBytes(url, 0, headBytes));
      const read = await asked.catch(() => null);
      // The next request tries again.
      if (read === null && head === asked) head = null;
      return read === null || from >= read.size ? null : { ...read, bytes: read.bytes.subarray(from, from + count) };
    },

    async *stream(from = 0, to = Infinity) {
      const known = await head?.catch(() => null);
      let at = from;
      if (known !== undefined && known !== null && from < known.bytes.length) {
        const end = known.size > 4 * known.bytes.length && typeof to !== 'number' ? known.bytes.length : await to;
        at = Math.min(known.bytes.length, end);
        yield known.bytes.subarray(from, at);
        if (at === known.size) return;
      }
      const end = await to;
      if (at < end) yield* fetchInPieces(url, at, end);
    },
  };
}

async function fetchBytes(url: string, from: number, count: number): Promise<Bytes | null> {
  const response = await fetch(url, { headers: { range: `bytes=${String(from)}-${String(from + count - 1)}` } });
  const size = Number(response.headers.get('content-range')?.split('/')[1]);
  if (response.status !== 206 || !Number.isSafeInteger(size)) {
    await response.body?.cancel();
    return null;
  }
  return { bytes: new Uint8Array(await response.arrayBuffer()), size };
}

/** The network layer provides back pressure. */
async function* fetchInPieces(
  url: string,
  from: number,
  end: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const last = end === Infinity ? '' : String(end - 1);
  const isWhole = from === 0 && end === Infinity;
  const response = await fetch(url, isWhole ? {} : { headers: { range: `bytes=${String(from)}-${last}` } });
  if (!response.ok || response.body === null) throw new Error(`The recording answered with ${response.status}`);
  const reader = response.body.getReader({ mode: 'byob' });
  try {
    // One buffer for all pieces: the engine would collect one for each later than they come.
    for (let buffer = new ArrayBuffer(pieceBytes); ;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done || value === undefined) return;
      yield value;
      buffer = value.buffer;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
