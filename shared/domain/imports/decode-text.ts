/** Text of a file of unknown encoding: by its byte order mark, as UTF-16 that has none, UTF-8, or Windows Cyrillic. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return decode(bytes.subarray(2), 'utf-16le');
  if (first === 0xfe && second === 0xff) return decode(bytes.subarray(2), 'utf-16be');
  if (first === 0xef && second === 0xbb && third === 0xbf) return decode(bytes.subarray(3), 'utf-8');
  const zeros = [0, 0];
  const sample = bytes.subarray(0, 512);
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  // Latin letters, figures and line ends have a zero for every second byte.
  if (odd > sample.length / 8 && odd > even * 4) return decode(bytes, 'utf-16le');
  if (even > sample.length / 8 && even > odd * 4) return decode(bytes, 'utf-16be');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decode(bytes, 'windows-1251');
  }
}

const decode = (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes);
