import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { SaveSpeech } from '../../services/speech/speech-file.ts';
import { WorkThread } from '../../threads/work-thread.ts';
import { asUsersFile, asUsersFolder } from './users-files.ts';
import { filePort } from './export-disk.ts';
import { placeFile, unfinishedBeside } from './place-file.ts';
import { audioWorkerRole, type AudioOutcome, type AudioRequest } from './audio/audio-cutter.ts';
import { systemCode, writeFailure } from './storage-failure.ts';

/** In a thread of its own that ends with the file. */
export const createSpeechSaver =
  (workerUrl: URL): SaveSpeech =>
  async (path, parts, { withSubtitles, ...options }) => {
    const part = join(dirname(path), `.${randomBytes(6).toString('hex')}.part`);
    const thread = new WorkThread<AudioRequest, AudioOutcome>({
      workerUrl,
      workerData: audioWorkerRole,
      silenceLimitMs: 60_000,
      triesOnce: true,
      lost: () => ({ kind: 'failed', system: null }),
    });
    try {
      const outcome = await thread.run({ kind: 'speech', parts, to: part, ...options });
      if (outcome.kind === 'failed' && outcome.system !== null && outcome.system !== 'ENOENT')
        return err(writeFailure({ code: outcome.system }));
      if (outcome.kind !== 'spoken') return err(makeFailure('file-unreadable', { code: 'file_unreadable' }));
      const { quietestLufs } = outcome;
      if (options.as === 'files') {
        for (const name of await readdir(part)) await asUsersFile(join(part, name));
        await asUsersFolder(part);
        return ok({ path: await renameFolder(part, path), subtitlesPath: null, quietestLufs });
      }
      await asUsersFile(part);
      await rename(part, path);
      if (!withSubtitles || options.as !== 'one') return ok({ path, subtitlesPath: null, quietestLufs });
      // The dialog asked about the name of the audio only.
      const subtitles = `${path.replace(/\.[^.\\/]+$/u, '')}.srt`;
      const unfinished = unfinishedBeside(subtitles);
      try {
        const written = await filePort.writeWhole(unfinished, outcome.subtitles);
        const placed = written.ok ? await placeFile(unfinished, subtitles, false) : written;
        return placed.ok ? ok({ path, subtitlesPath: placed.value, quietestLufs }) : placed;
      } finally {
        await rm(unfinished, { force: true }).catch(() => undefined);
      }
    } catch (error) {
      return err(writeFailure(error));
    } finally {
      await thread.close();
      await rm(part, { force: true, recursive: true }).catch(() => undefined);
    }
  };

const mostNumbers = 999;

/** A non-empty folder is never written into. */
async function renameFolder(from: string, path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const to = number === 1 ? path : `${path} ${String(number)}`;
    try {
      await rename(from, to);
      return to;
    } catch (error) {
      const isTaken = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOTDIR'].includes(systemCode(error));
      if (!isTaken || number === mostNumbers) throw error;
    }
  }
}

export interface SpeechMeasures {
  readonly sizeBytes: number;
  readonly durationMs: number | null;
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

function chunkAt(file: Buffer, name: string): number | null {
  for (let at = 12; at + 8 <= file.length;) {
    if (file.toString('latin1', at, at + 4) === name) return at;
    const size = file.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  return null;
}
