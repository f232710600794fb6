import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { strToU8, zipSync } from 'fflate';
import { changeTempo } from '../../../../shared/domain/audio/stretch-audio.ts';
import { reachLoudness } from '../../../../shared/domain/audio/limiter.ts';
import type { AudioExtension } from '../../../../shared/domain/media/audio-plan.ts';
import { safeFileName } from '../../../../shared/domain/exports/safe-file-name.ts';
import { memorySink } from '../../../audio/encode/audio-writer.ts';
import { subtitleTime } from '../../../../shared/domain/exports/format-text.ts';
import type { JoinOptions, SpokenPart } from '../../../services/speech/speech-file.ts';
import { openAudioWriter } from '../../../audio/encode/open-audio-writer.ts';

const rate = 24_000;
/** How much is encoded before other work of the process gets its turn: one second. */
const stepSamples = rate;

/** A difference in loudness that is not heard. */
const closeEnoughLu = 0.5;

/** `onQuiet`: a file stayed below the target, because its peaks are too high for it; LUFS. */
type LoudnessOptions = JoinOptions & { readonly onQuiet?: (reachedLufs: number) => void };

/** Joins the parts into one file and returns where each of them is heard. Rejects when a file can't be read. */
export async function joinSpeech(parts: readonly SpokenPart[], options: LoudnessOptions) {
  const spoken: Float32Array<ArrayBuffer>[] = [];
  for (const { path, tempo = 1 } of parts) {
    spoken.push(changeTempo(await readSamples(path), tempo));
    await breathe();
  }
  const starts: number[] = [];
  let end = 0;
  for (const [index, audio] of spoken.entries()) {
    const part = parts[index];
    const start = Math.max(end, Math.round(((part?.startMs ?? 0) * rate) / 1000));
    starts.push(start);
    end = start + audio.length + pauseSamples(part, index === parts.length - 1);
  }
  const joined = new Float32Array(end);
  const cues = spoken.map((audio, index) => {
    const start = starts[index] ?? 0;
    joined.set(audio, start);
    return {
      startMs: Math.round((start * 1000) / rate),
      endMs: Math.round(((start + audio.length) * 1000) / rate),
      text: parts[index]?.text ?? '',
    };
  });
  if (options.targetLufs !== null) {
    const { addedDb, peakDb } = encoded[options.format];
    const lufs = options.targetLufs + addedDb;
    const reached = (await reachLoudness(joined, rate, { lufs, peakDb }, breathe)) ?? lufs;
    if (reached < lufs - closeEnoughLu) options.onQuiet?.(reached - addedDb);
  }
  return { file: await encode(joined, options.format), subtitles: toSrt(cues) };
}

type NamedFiles = Record<string, Uint8Array>;

export async function speechByPart(parts: readonly SpokenPart[], options: LoudnessOptions): Promise<NamedFiles> {
  const files: NamedFiles = {};
  for (const [index, part] of parts.entries()) {
    const { file } = await joinSpeech([{ ...part, startMs: undefined }], options);
    files[`${String(index + 1).padStart(3, '0')}.${options.format}`] = file;
  }
  const whole = await joinSpeech(parts, { format: 'wav', targetLufs: null });
  files['text.txt'] = strToU8(`${parts.map(({ text }) => text).join('\n')}\n`);
  files['subtitles.srt'] = strToU8(whole.subtitles);
  return files;
}

export async function speechByChapter(parts: readonly SpokenPart[], options: LoudnessOptions): Promise<NamedFiles> {
  const chapters: { readonly title: string; readonly parts: SpokenPart[] }[] = [];
  for (const part of parts) {
    const title = part.chapter ?? '';
    const last = chapters.at(-1);
    if (last?.title === title) last.parts.push(part);
    else chapters.push({ title, parts: [part] });
  }
  const files: NamedFiles = {};
  for (const [index, { title, parts: own }] of chapters.entries()) {
    const from = own[0]?.startMs ?? 0;
    const begun = own.map((part) => ({
      ...part,
      startMs: part.startMs === undefined ? undefined : part.startMs - from,
    }));
    const { file, subtitles } = await joinSpeech(begun, options);
    const name = `${String(index + 1).padStart(2, '0')} ${title}`;
    files[safeFileName(name, `.${options.format}`)] = file;
    files[safeFileName(name, '.srt')] = strToU8(subtitles);
  }
  return files;
}

export async function writeFiles(to: string, files: NamedFiles, as: 'folder' | 'zip'): Promise<void> {
  if (as === 'zip') {
    // The frozen clock of the thread is at a time that archives can't represent.
    await writeFile(to, zipSync(files, { level: 0, mtime: new Date(2000, 0, 1) }));
    return;
  }
  await mkdir(to);
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(to, name), bytes);
}

/** What an encoder makes of audio: peaks become higher where it is compressed, and LAME lowers everything. */
const encoded: Readonly<Record<AudioExtension, { readonly addedDb: number; readonly peakDb: number }>> = {
  wav: { addedDb: 0, peakDb: -1 },
  flac: { addedDb: 0, peakDb: -1 },
  m4a: { addedDb: 0, peakDb: -1.5 },
  mp3: { addedDb: 0.5, peakDb: -1 },
  ogg: { addedDb: 0, peakDb: -2.5 },
};

const pauseSamples = (part: SpokenPart | undefined, isLast: boolean): number =>
  isLast ? 0 : Math.round(((part?.pauseMs ?? 0) * rate) / 1000);

async function readSamples(path: string): Promise<Float32Array<ArrayBuffer>> {
  const file = await readFile(path);
  const format = file.indexOf('fmt ', 12, 'latin1');
  const data = file.indexOf('data', 12, 'latin1');
  const isPlain =
    format !== -1 &&
    data !== -1 &&
    file.readUInt16LE(format + 10) === 1 &&
    file.readUInt32LE(format + 12) === rate &&
    file.readUInt16LE(format + 22) === 16;
  if (!isPlain) throw new Error('not speech of this service');
  const bytes = Math.min(file.readUInt32LE(data + 4), file.length - data - 8);
  return Float32Array.from(
    { length: Math.floor(bytes / 2) },
    (_, sample) => file.readInt16LE(data + 8 + sample * 2) / 32_768,
  );
}

async function encode(samples: Float32Array<ArrayBuffer>, format: AudioExtension): Promise<Uint8Array> {
  const { sink, bytes } = memorySink();
  const writer = await openAudioWriter({ format, sampleRate: rate, channelCount: 1 }, sink);
  for (let at = 0; at < samples.length; at += stepSamples) {
    await writer.write([samples.subarray(at, at + stepSamples)]);
    await breathe();
  }
  await writer.finish();
  return bytes();
}

const toSrt = (cues: readonly { readonly startMs: number; readonly endMs: number; readonly text: string }[]): string =>
  cues
    .map(
      ({ startMs, endMs, text }, index) =>
        `${String(index + 1)}\n${subtitleTime(startMs, ',')} --> ${subtitleTime(endMs, ',')}\n${text}\n`,
    )
    .join('\n');
