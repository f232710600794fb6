import { BitWriter } from './bit-writer.ts';

const bitsPerSample = 16;
/** Parts of a block that have a parameter of their own: 2 to the power of this. */
const partitionOrder = 3;

function crcTable(bits: 8 | 16, polynomial: number): Uint16Array {
  const top = 1 << (bits - 1);
  const mask = bits === 8 ? 0xff : 0xffff;
  return Uint16Array.from({ length: 256 }, (_, index) => {
    let value = index << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) value = ((value & top) === 0 ? value << 1 : (value << 1) ^ polynomial) & mask;
    return value;
  });
}
const crc8Table = crcTable(8, 0x07);
const crc16Table = crcTable(16, 0x8005);
const crc8 = (bytes: Uint8Array): number => bytes.reduce((crc, byte) => crc8Table[crc ^ byte] ?? 0, 0);
const crc16 = (bytes: Uint8Array): number =>
  bytes.reduce((crc, byte) => ((crc << 8) & 0xffff) ^ (crc16Table[(crc >> 8) ^ byte] ?? 0), 0);

/** The number of a frame as UTF-8 writes a character. */
function writeFrameNumber(writer: BitWriter, value: number): void {
  if (value < 0x80) {
    writer.write(value, 8);
    return;
  }
  let extra = 1;
  while (value >= 2 ** (6 * extra + 6 - extra)) extra += 1;
  const lead = (0xff << (7 - extra)) & 0xff;
  writer.write(lead | Math.floor(value / 2 ** (6 * extra)), 8);
  for (let at = extra - 1; at >= 0; at -= 1) writer.write(0x80 | (Math.floor(value / 2 ** (6 * at)) & 0x3f), 8);
}

/** What is left after each of the five fixed predictors; the one with the least is taken. */
function bestResidual(samples: Int16Array): { readonly order: number; readonly residual: Int32Array } {
  let current = Int32Array.from(samples);
  let best = { order: 0, residual: current };
  let least = Number.POSITIVE_INFINITY;
  for (let order = 0; order <= Math.min(4, samples.length - 1); order += 1) {
    if (order > 0) current = current.map((value, at) => (at < order ? value : value - (current[at - 1] ?? 0)));
    const cost = current.subarray(order).reduce((sum, value) => sum + Math.abs(value), 0);
    if (cost < least) {
      least = cost;
      best = { order, residual: current };
    }
  }
  return best;
}

function writePartition(writer: BitWriter, residual: Int32Array): void {
  const folded = residual.map((value) => (value < 0 ? -2 * value - 1 : 2 * value));
  const mean = folded.reduce((sum, value) => sum + value, 0) / Math.max(1, folded.length);
  const parameter = Math.min(14, Math.max(0, Math.floor(Math.log2(mean + 1))));
  writer.write(parameter, 4);
  for (const value of folded) {
    writer.writeUnary(value >>> parameter);
    if (parameter > 0) writer.write(value, parameter);
  }
}

function writeSubframe(writer: BitWriter, samples: Int16Array): void {
  const { order, residual } = bestResidual(samples);
  writer.write(0, 1);
  writer.write(8 + order, 6);
  writer.write(0, 1);
  for (const sample of samples.subarray(0, order)) writer.write(sample, bitsPerSample);
  const canPart = samples.length % 2 ** partitionOrder === 0 && samples.length / 2 ** partitionOrder > order;
  const parts = canPart ? 2 ** partitionOrder : 1;
  writer.write(0, 2);
  writer.write(canPart ? partitionOrder : 0, 4);
  const length = samples.length / parts;
  for (let part = 0; part < parts; part += 1)
    writePartition(writer, residual.subarray(part === 0 ? order : part * length, (part + 1) * length));
}

/** One FLAC frame (RFC 9639 9): 16-bit samples, one or two independent channels of the same length. */
export function flacFrame(frameNumber: number, sampleRate: number, channels: readonly Int16Array[]): Uint8Array {
  const length = channels[0]?.length ?? 0;
  const writer = new BitWriter();
  writer.write(0xfff8, 16);
  // Length and rate stand at the end of the header, so that a frame can be read without what comes before it.
  writer.write(0b0111, 4);
  writer.write(sampleRate < 2 ** 16 ? 0b1101 : 0, 4);
  writer.write(channels.length - 1, 4);
  writer.write(0b100, 3);
  writer.write(0, 1);
  writeFrameNumber(writer, frameNumber);
  writer.write(length - 1, 16);
  if (sampleRate < 2 ** 16) writer.write(sampleRate, 16);
  writer.write(crc8(writer.bytes()), 8);
  for (const samples of channels) writeSubframe(writer, samples);
  writer.align();
  writer.write(crc16(writer.bytes()), 16);
  return writer.bytes();
}
