import { readFile } from 'node:fs/promises';

/** The facts of a generation that are shown without opening its file. */
export interface SpeechMeasures {
  readonly sizeBytes: number;
  readonly durationMs: number | null;
  /** Twenty peaks a second, a byte each, in base64. */
  readonly bars: string;
}

const barsPerSecond = 20;

/** Length and peaks of a 16-bit WAV; other kinds have no peaks. Null when the file can't be read. */
export async function measureSpeech(path: string): Promise<SpeechMeasures | null> {
  const file = await readFile(path).catch(() => null);
  if (file === null) return null;
  const unmeasured = { sizeBytes: file.length, durationMs: null, bars: '' };
  const format = chunkAt(file, 'fmt ');
  const data = chunkAt(file, 'data');
  if (format === null || data === null || file.length < format + 24) return unmeasured;
  const channels = file.readUInt16LE(format + 10);
  const sampleRate = file.readUInt32LE(format + 12);
  if (file.readUInt16LE(format + 22) !== 16 || channels === 0 || sampleRate === 0) return unmeasured;
  const frames = Math.floor(Math.min(file.readUInt32LE(data + 4), file.length - data - 8) / 2 / channels);
  const framesPerBar = Math.round(sampleRate / barsPerSecond);
  const bars = Buffer.alloc(Math.ceil(frames / framesPerBar));
  for (let frame = 0; frame < frames; frame += 1) {
    const level = Math.abs(file.readInt16LE(data + 8 + frame * channels * 2)) >> 7;
    const bar = Math.floor(frame / framesPerBar);
    if (level > (bars[bar] ?? 0)) bars[bar] = level;
  }
  return {
    sizeBytes: file.length,
    durationMs: Math.round((frames * 1000) / sampleRate),
    bars: bars.toString('base64'),
  };
}

/** Where a chunk of a RIFF file begins. */
function chunkAt(file: Buffer, name: string): number | null {
  for (let at = 12; at + 8 <= file.length;) {
    if (file.toString('latin1', at, at + 4) === name) return at;
    const size = file.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return null;
}
