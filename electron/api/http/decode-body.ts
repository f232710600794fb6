import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * The text of a body: UTF-8 with replacement, byte order mark dropped. We ask for no compression; some gateways compress
 * all the same. Null: the compressed bytes are damaged, cut, or larger than `maxBytes` when unpacked.
 */
export function decodeBody(chunks: readonly Buffer[], encoding: string | undefined, maxBytes: number): string | null {
  const bytes = Buffer.concat(chunks);
  const unpack = decoders[encoding?.trim().toLowerCase() ?? ''];
  if (unpack === undefined) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder().decode(unpack(bytes, { maxOutputLength: maxBytes }));
  } catch {
    return null;
  }
}
