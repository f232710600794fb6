import { Undecodable } from '../pcm-block.ts';
import { BitReader } from './bit-reader.ts';
import { sampleRates } from './scale-factor-bands.ts';

export interface AudioConfig {
  /** The rate that is decoded; with SBR the file promises twice as much, and the upper half is omitted. */
  readonly sampleRate: number;
  /** 0: the frames say it. */
  readonly channels: number;
}

const lowComplexity = 2;
const spectralBandReplication = 5;
const parametricStereo = 29;

function readObjectType(bits: BitReader): number {
  const type = bits.read(5);
  return type === 31 ? 32 + bits.read(6) : type;
}

function readRate(bits: BitReader): number {
  const index = bits.read(4);
  const rate = index === 15 ? bits.read(24) : sampleRates[index];
  if (rate === undefined || rate < 1000) throw new Undecodable('invalid_audio', 'AAC with an impossible sampling rate');
  return rate;
}

/** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). Low complexity is what recorders and phones write. */
export function readAudioConfig(description: Uint8Array): AudioConfig {
  const bits = new BitReader(description);
  let type = readObjectType(bits);
  const sampleRate = readRate(bits);
  const channels = bits.read(4);
  if (type === spectralBandReplication || type === parametricStereo) {
    readRate(bits);
    type = readObjectType(bits);
  }
  if (type !== lowComplexity)
    throw new Undecodable('unsupported_codec', `AAC of type ${type}; only low complexity is supported`);
  if (bits.readFlag()) throw new Undecodable('unsupported_codec', 'AAC with frames of 960 samples');
  return { sampleRate, channels };
}
