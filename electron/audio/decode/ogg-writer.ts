const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ ((value & 0x8000_0000) === 0 ? 0 : 0x04c1_1db7);
  return value >>> 0;
});

function crc(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ (crcTable[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return value;
}

/** A packet ends with a segment below 255, so one that is a multiple of 255 long needs an empty one. */
function segmentsOf(length: number): number[] {
  return [...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255];
}

/** Writes the pages of one logical Ogg stream (RFC 3533). */
export class OggWriter {
  #sequence = 0;

  /** One page with whole packets, together below 64 KiB; larger ones don't fit into a page. */
  page(packets: readonly Uint8Array[]): Uint8Array {
    const segments = packets.flatMap((packet) => segmentsOf(packet.length));
    if (segments.length > 255) throw new RangeError('the packets do not fit into one Ogg page');
    const header = Buffer.alloc(27 + segments.length);
    header.write('OggS', 0, 'latin1');
    header[5] = this.#sequence === 0 ? 2 : 0;
    header.writeUInt32LE(1, 14);
    header.writeUInt32LE(this.#sequence, 18);
    header[26] = segments.length;
    header.set(segments, 27);
    this.#sequence += 1;
    const page = Buffer.concat([header, ...packets]);
    page.writeUInt32LE(crc(page), 22);
    return page;
  }
}
