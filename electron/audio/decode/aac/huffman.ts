import { Undecodable } from '../sound.ts';
import type { BitReader } from './bit-reader.ts';
import type { Codebook } from './codebooks.ts';

/** Reads the next symbol of a canonical book: at each length, codes are consecutive and shorter codes come first. */
export function readSymbol(bits: BitReader, { codesPerLength, symbols }: Codebook): number {
  let code = 0;
  let first = 0;
  let index = 0;
  for (const count of codesPerLength) {
    code |= bits.read(1);
    if (code - first < count) return symbols[index + code - first] ?? 0;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw new Undecodable('invalid_audio', 'a code that is in no book');
}
