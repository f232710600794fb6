export interface Bytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the whole recording. */
  readonly size: number;
}

/** The decoder, the place to split and the first picture are all found in this much of a recording. */
export const headBytes = 256 * 1024;
/** The beginning of the recording that was read last: each request takes as long as drawing what it brings. */
let head: { readonly url: string; readonly read: Promise<Bytes | null> } | null = null;

/** The beginning of a recording, which may be asked for before the worker that reads on from there has started. */
export const fetchHead = (url: string): Promise<Bytes | null> => fetchBytes(url, 0, headBytes).catch(() => null);

/** Takes the beginning from who asked for it; null when it has to be asked for again. */
export function takeHead(url: string, read: Bytes | null): void {
  if (read !== null) head = { url, read: Promise.resolve(read) };
}

/** The bytes of a recording starting at `from`, and its total size; null when it is shorter. */
export async function readBytes(url: string, from: number, count: number): Promise<Bytes | null> {
  if (from + count > headBytes) return fetchBytes(url, from, count);
  if (head?.url !== url) head = { url, read: fetchBytes(url, 0, headBytes) };
  const asked = head;
  const read = await asked.read.catch(() => null);
  // The next request tries again.
  if (read === null && head === asked) head = null;
  return read === null || from >= read.size ? null : { ...read, bytes: read.bytes.subarray(from, from + count) };
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

const pieceBytes = 64 * 1024;

/**
 * The bytes of a recording in a range, in order, with the end exclusive; the network layer provides back pressure. An
 * end that is still looked for is in the middle: what is known of the beginning comes before it is there. A piece is valid
 * until the next one is requested.
 */
export async function* byteStream(
  url: string,
  from = 0,
  to: number | Promise<number> = Infinity,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const known = head?.url === url ? await head.read.catch(() => null) : null;
  let at = from;
  if (known !== null && from < known.bytes.length) {
    const end = known.size > 4 * known.bytes.length && typeof to !== 'number' ? known.bytes.length : await to;
    at = Math.min(known.bytes.length, end);
    yield known.bytes.subarray(from, at);
    if (at === known.size) return;
  }
  const end = await to;
  if (at >= end) return;
  const last = end === Infinity ? '' : String(end - 1);
  const response = await fetch(
    url,
    at === 0 && end === Infinity ? {} : { headers: { range: `bytes=${String(at)}-${last}` } },
  );
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

/** Pieces of bytes one after the other, in memory of their own. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
