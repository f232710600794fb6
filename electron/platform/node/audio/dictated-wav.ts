import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { dictationRate } from '../../../../shared/domain/dictation/phrase-cutter.ts';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { Resampler } from '../../../../shared/domain/media/resample.ts';
import { wavHeader, wavHeaderBytes } from '../../../../shared/domain/media/wav-header.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import type { AudioCutter } from '../../../services/exports/write-request.ts';
import type { SaveTakePorts } from '../../../services/dictation/save-take.ts';
import type { TakeSpool } from '../../../services/dictation/take-engine.ts';
import { readFailure, writeFailure } from '../storage-failure.ts';
import { openRecordedAudio } from '../takes-folder.ts';
import { keepAudio } from './extracted-audio.ts';

export interface DictatedAudio {
  readonly spool: TakeSpool;
  readonly samples: number;
  close(): Promise<void>;
}

interface Layout {
  readonly isFloat: boolean;
  readonly bits: number;
  readonly channels: number;
  readonly rate: number;
  readonly dataOffset: number;
  readonly dataBytes: number;
}

const blockFrames = 65_536;

/** The header is made anew: that of a take whose phrases are still being written may be behind. */
export function keepTakeAudio(path: string, folder: string): SaveTakePorts['keepAudio'] {
  return async (parts) => {
    const part = join(folder, `${basename(path)}.part`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(part, wavHeader(0, dictationRate), { mode: 0o600 });
      for (const { from, to } of parts) {
        const range = { start: wavHeaderBytes + from * 2, end: wavHeaderBytes + to * 2 - 1 };
        // oxlint-disable-next-line no-await-in-loop -- one after another into one file
        await writeFile(part, createReadStream(path, range), { flag: 'a' });
      }
      // By what was copied: a full disk may not have accepted the end of a take.
      const bytes = (await stat(part)).size - wavHeaderBytes;
      await writeFile(part, wavHeader(bytes, dictationRate), { flag: 'r+' });
      return await keepAudio(part, folder, 'wav');
    } catch (error) {
      return err(writeFailure(error));
    } finally {
      await rm(part, { force: true }).catch(() => undefined);
    }
  };
}

/** file-unreadable, not-a-recording, export-unfinished; `code: 'cancelled'` after an abort. */
export async function openDictatedAudio(
  path: string,
  cutAudio: AudioCutter,
  signal: AbortSignal,
): Promise<Result<DictatedAudio>> {
  const wav = await openDictatedWav(path);
  if (wav.ok || wav.error.code !== 'not_a_wav') return wav;
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-dictate-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const to = join(folder, 'decoded.wav');
  const spans = [{ startMs: 0, endMs: Number.MAX_SAFE_INTEGER }];
  const whole = { from: resolve(path), to, format: 'wav', isMono: true, spans, durationMs: 0 } as const;
  let isKept = false;
  try {
    const decoded = await cutAudio(whole, { signal, onShare: () => undefined });
    const opened = decoded.ok ? await openDictatedWav(to) : decoded;
    if (!opened.ok) return opened;
    isKept = true;
    const close = async () => {
      await opened.value.close();
      await remove();
    };
    return ok({ ...opened.value, close });
  } finally {
    if (!isKept) await remove();
  }
}

/** 16 kHz mono PCM16 is read in place, anything else is converted. not-a-recording for a file that is no such WAV. */
async function openDictatedWav(path: string): Promise<Result<DictatedAudio>> {
  try {
    const file = await open(path, 'r');
    try {
      const layout = await readLayout(file);
      if (layout === null) return err({ ...localFailure('not-a-recording'), code: 'not_a_wav' });
      const { isFloat, bits, channels, rate, dataOffset, dataBytes } = layout;
      if (!isFloat && bits === 16 && channels === 1 && rate === dictationRate) {
        const audio = await openRecordedAudio(path, dataOffset);
        return ok({ spool: audio, samples: Math.floor(dataBytes / 2), close: () => audio.close() });
      }
      const pcm = await convert(file, layout);
      const spool: TakeSpool = { append: () => undefined, read: (from, to) => pcm.subarray(from * 2, to * 2) };
      return ok({ spool, samples: pcm.length / 2, close: async () => undefined });
    } finally {
      await file.close();
    }
  } catch (error) {
    return err(readFailure(error));
  }
}

async function readLayout(file: FileHandle): Promise<Layout | null> {
  const { size } = await file.stat();
  const head = Buffer.alloc(12);
  await file.read(head, 0, 12, 0);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return null;
  let format: Omit<Layout, 'dataOffset' | 'dataBytes'> | null = null;
  const chunk = Buffer.alloc(48);
  for (let at = 12, chunks = 0; at + 8 <= size && chunks < 64; chunks += 1) {
    chunk.fill(0);
    await file.read(chunk, 0, chunk.length, at);
    const name = chunk.toString('latin1', 0, 4);
    const bytes = chunk.readUInt32LE(4);
    if (name === 'fmt ') format = readFormat(chunk.subarray(8));
    if (name === 'data') {
      // An interrupted recorder leaves no length, or too large a one: the rest of the file is then the audio.
      const rest = size - at - 8;
      return format === null
        ? null
        : { ...format, dataOffset: at + 8, dataBytes: bytes === 0 || bytes > rest ? rest : bytes };
    }
    at += 8 + bytes + (bytes & 1);
  }
  return null;
}

function readFormat(chunk: Buffer): Omit<Layout, 'dataOffset' | 'dataBytes'> | null {
  const tag = chunk.readUInt16LE(0) === 0xfffe ? chunk.readUInt16LE(24) : chunk.readUInt16LE(0);
  const [channels, rate, bits] = [chunk.readUInt16LE(2), chunk.readUInt32LE(4), chunk.readUInt16LE(14)];
  const isKnown = (tag === 1 && [8, 16, 24, 32].includes(bits)) || (tag === 3 && [32, 64].includes(bits));
  const isSane = channels >= 1 && channels <= 32 && rate >= 8000 && rate <= 384_000;
  return isKnown && isSane ? { isFloat: tag === 3, bits, channels, rate } : null;
}

async function convert(file: FileHandle, layout: Layout): Promise<Buffer> {
  const { channels, bits, rate, dataOffset, dataBytes } = layout;
  const frameBytes = (channels * bits) / 8;
  const frames = Math.floor(dataBytes / frameBytes);
  const resampler = new Resampler(rate, dictationRate);
  const parts: Buffer[] = [];
  const block = Buffer.alloc(blockFrames * frameBytes);
  for (let done = 0; done < frames;) {
    const count = Math.min(blockFrames, frames - done);
    await file.read(block, 0, count * frameBytes, dataOffset + done * frameBytes);
    const mono = Float32Array.from({ length: count }, (_, frame) => {
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1)
        sum += sampleAt(block, frame * frameBytes + (channel * bits) / 8, layout);
      return sum / channels;
    });
    parts.push(asPcm16(resampler.push(mono)));
    done += count;
  }
  parts.push(asPcm16(resampler.flush()));
  return Buffer.concat(parts);
}

function sampleAt(bytes: Buffer, at: number, { bits, isFloat }: Layout): number {
  if (isFloat) {
    const value = bits === 32 ? bytes.readFloatLE(at) : bytes.readDoubleLE(at);
    return Number.isFinite(value) ? value : 0;
  }
  if (bits === 8) return (bytes.readUInt8(at) - 128) / 128;
  return bytes.readIntLE(at, bits / 8) / 2 ** (bits - 1);
}

function asPcm16(samples: Float32Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [at, value] of samples.entries())
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value * 32_767))), at * 2);
  return bytes;
}
