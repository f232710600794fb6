import { err, ok, type Result } from '../result/result.ts';

export type WavEncoding = 'pcm' | 'float' | 'alaw' | 'mulaw';

/** The header of a WAV; `dataBytes` is null when the writer never filled it in (streams, crashes). */
export interface WavFormat {
  readonly encoding: WavEncoding;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bitsPerSample: number;
  /** Bytes of one sample of every channel. */
  readonly frameBytes: number;
  readonly dataOffset: number;
  readonly dataBytes: number | null;
}

/** `need-more` asks for a longer beginning of the file. */
export type WavError = 'not-wav' | 'need-more' | 'unsupported';

const maxHeaderBytes = 1 << 20;

/** Reads the chunks up to `data` from the beginning of a file: RIFF, RF64 and BW64. */
export function readWavFormat(bytes: Uint8Array): Result<WavFormat, WavError> {
  if (bytes.byteLength < 12) return err('need-more');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const riff = tag(view, 0);
  if (!['RIFF', 'RF64', 'BW64'].includes(riff) || tag(view, 8) !== 'WAVE') return err('not-wav');
  let at = 12;
  let format: Omit<WavFormat, 'dataOffset' | 'dataBytes'> | null = null;
  let longDataBytes: number | null = null;
  while (at < maxHeaderBytes) {
    if (at + 8 > bytes.byteLength) return err('need-more');
    const name = tag(view, at);
    const size = view.getUint32(at + 4, true);
    const body = at + 8;
    if (name === 'data') {
      if (format === null) return err('unsupported');
      const known = size === 0 || size === 0xffff_ffff ? longDataBytes : size;
      return ok({ ...format, dataOffset: body, dataBytes: known });
    }
    if (name === 'fmt ' || name === 'ds64') {
      if (body + Math.min(size, 40) > bytes.byteLength) return err('need-more');
      if (name === 'ds64' && size >= 16) longDataBytes = Number(view.getBigUint64(body + 8, true)) || null;
      if (name === 'fmt ') {
        format = readFmt(view, body, size);
        if (format === null) return err('unsupported');
      }
    }
    at = body + size + (size % 2);
  }
  return err('unsupported');
}

function readFmt(view: DataView, at: number, size: number): Omit<WavFormat, 'dataOffset' | 'dataBytes'> | null {
  if (size < 16) return null;
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  const frameBytes = view.getUint16(at + 12, true);
  const bitsPerSample = view.getUint16(at + 14, true);
  const code = view.getUint16(at, true);
  // WAVE_FORMAT_EXTENSIBLE keeps the real code in the first two bytes of its GUID.
  const encoding = encodingOf(code === 0xfffe && size >= 26 ? view.getUint16(at + 24, true) : code);
  const isSane = channels >= 1 && channels <= 32 && sampleRate >= 100 && sampleRate <= 768_000;
  if (encoding === null || !isSane || !allowedBits[encoding].includes(bitsPerSample)) return null;
  return frameBytes === (channels * bitsPerSample) / 8
    ? { encoding, channels, sampleRate, bitsPerSample, frameBytes }
    : null;
}

const allowedBits: Readonly<Record<WavEncoding, readonly number[]>> = {
  pcm: [8, 16, 24, 32],
  float: [32, 64],
  alaw: [8],
  mulaw: [8],
};

function encodingOf(code: number): WavEncoding | null {
  switch (code) {
    case 1:
      return 'pcm';
    case 3:
      return 'float';
    case 6:
      return 'alaw';
    case 7:
      return 'mulaw';
    default:
      return null;
  }
}

const tag = (view: DataView, at: number) =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
