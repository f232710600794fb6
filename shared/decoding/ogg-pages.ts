import { joined } from './decoded-audio.ts';

export const isOggPage = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x4f &&
  bytes[at + 1] === 0x67 &&
  bytes[at + 2] === 0x67 &&
  bytes[at + 3] === 0x53 &&
  bytes[at + 4] === 0;

const isContinued = 1;
const isFirstOfStream = 2;

const isFreshPage = (bytes: Uint8Array, at: number): boolean =>
  isOggPage(bytes, at) && ((bytes[at + 5] ?? isContinued) & isContinued) === 0;

export const findFreshPage = (bytes: Uint8Array): number =>
  bytes.findIndex((_byte, place) => isFreshPage(bytes, place));

/** The next page after this one that begins with a new packet, and the packets before it; null beyond these bytes. */
export function walkPage(bytes: Uint8Array, from: number): { readonly at: number; readonly packets: number } | null {
  let packets = 0;
  let at = from;
  do {
    const page = isOggPage(bytes, at) ? pageOf(bytes, at) : null;
    if (page === null) return null;
    packets += page.parts.filter(isLastPart).length;
    at += page.length;
  } while (!isFreshPage(bytes, at));
  return { at, packets };
}

export function codecOfOgg(bytes: Uint8Array): 'vorbis' | 'opus' | null {
  const next = 28 + (bytes[27] ?? 0);
  const isOnly = isOggPage(bytes, next) && ((bytes[next + 5] ?? isFirstOfStream) & isFirstOfStream) === 0;
  if (!isOggPage(bytes, 0) || bytes[26] !== 1 || !isOnly) return null;
  const name = String.fromCharCode(...bytes.subarray(28, 36));
  // More than two channels need a mapping table, which the browser handles.
  if (name === 'OpusHead') return (bytes[37] ?? 3) <= 2 ? 'opus' : null;
  return name.startsWith('\u0001vorbis') ? 'vorbis' : null;
}

export function headersOfOgg(bytes: Uint8Array): number {
  let at = 0;
  while (isOggPage(bytes, at) && bytes.subarray(at + 6, at + 14).every((byte) => byte === 0))
    at += pageOf(bytes, at)?.length ?? Infinity;
  return at < bytes.length ? at : 0;
}

function pageOf(bytes: Uint8Array, at: number): { readonly parts: Uint8Array; readonly length: number } | null {
  const count = bytes[at + 26];
  if (count === undefined) return null;
  const parts = bytes.subarray(at + 27, at + 27 + count);
  const length = 27 + count + parts.reduce((sum, size) => sum + size, 0);
  return at + length <= bytes.length ? { parts, length } : null;
}

export async function* oggPackets(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** A packet that goes on in the next page; null when its beginning is not known. */
  let open: Uint8Array[] | null = null;
  for await (const piece of pieces) {
    rest = joined([rest, piece]);
    let at = 0;
    while (at + 27 <= rest.length) {
      // After damage the next page is looked for.
      const page = isOggPage(rest, at) ? pageOf(rest, at) : { parts: null, length: 1 };
      if (page === null) break;
      if (page.parts !== null) {
        if (isFreshPage(rest, at)) open = [];
        let from = at + 27 + page.parts.length;
        for (const size of page.parts) {
          open?.push(rest.subarray(from, from + size));
          from += size;
          if (!isLastPart(size)) continue;
          const packet = open === null ? null : joined(open);
          open = [];
          if (packet !== null && !isHeader(packet)) yield packet;
        }
      }
      at += page.length;
    }
    // What stays is copied, because the parts of an open packet lie in it.
    rest = rest.slice(at);
  }
}

/** A part of a packet that is full goes on in the next one. */
const isLastPart = (size: number): boolean => size < 255;

const isHeader = (packet: Uint8Array): boolean => {
  const name = String.fromCharCode(...packet.subarray(0, 8));
  return name === 'OpusHead' || name === 'OpusTags';
};
