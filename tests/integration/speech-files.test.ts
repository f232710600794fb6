import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { MPEGDecoder } from 'mpg123-decoder';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSpeechSaver } from '../../electron/platform/node/save-speech.ts';
import { joinSpeech, speechByChapter, speechByPart } from '../../electron/platform/node/audio/join-speech.ts';
import { createLoudnessMeter } from '../../shared/domain/audio/loudness.ts';
import { speechTone } from '../support/fake-speech.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ovoz-join-'));
  path = join(folder, 'take.wav');
  await writeFile(path, speechTone());
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const parts = () => [
  { path, text: 'Bir.', pauseMs: 250 },
  { path, text: 'Ikki.', pauseMs: 600 },
];
const samplesOf = (wav: Uint8Array) => new Int16Array(Uint8Array.from(wav).slice(44).buffer);

it('one WAV contains every sample as it was received, with the pause between and none at the end', async () => {
  const { file, subtitles } = await joinSpeech(parts(), { format: 'wav', targetLufs: null });
  const [tone, joined] = [samplesOf(speechTone()), samplesOf(file)];
  expect(joined.length).toBe(12_000 + 6_000 + 12_000);
  expect(joined.slice(0, 12_000)).toEqual(tone);
  expect(joined.slice(12_000, 18_000).every((sample) => sample === 0)).toBe(true);
  expect(joined.slice(18_000)).toEqual(tone);
  expect(subtitles).toBe('1\n00:00:00,000 --> 00:00:00,500\nBir.\n\n2\n00:00:00,750 --> 00:00:01,250\nIkki.\n');
});

it('MP3 and OGG have their format, and a loudness target changes the level without clipping', async () => {
  const mp3 = await joinSpeech(parts(), { format: 'mp3', targetLufs: null });
  expect([mp3.file[0], (mp3.file[1] ?? 0) & 0xe0]).toEqual([0xff, 0xe0]);
  const ogg = await joinSpeech(parts(), { format: 'ogg', targetLufs: null });
  expect(strFromU8(ogg.file.slice(0, 4))).toBe('OggS');
  const peakAt = async (targetLufs: number | null) =>
    Math.max(...samplesOf((await joinSpeech(parts(), { format: 'wav', targetLufs })).file));
  const [plain, low, loud] = [await peakAt(null), await peakAt(-30), await peakAt(0)];
  expect(low).toBeLessThan(plain);
  expect(loud).toBeGreaterThan(plain);
  expect(loud).toBeLessThan(32_767);
  const quiet: number[] = [];
  for (const targetLufs of [-30, 0])
    await joinSpeech(parts(), { format: 'wav', targetLufs, onQuiet: (lufs) => quiet.push(lufs) });
  expect(quiet).toEqual([expect.toSatisfy((lufs: number) => lufs < -0.5 && lufs > -20)]);
});

it('a loudness target is met by what the MP3 sounds like', async () => {
  const { file } = await joinSpeech(parts(), { format: 'mp3', targetLufs: -20 });
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const { channelData, sampleRate } = decoder.decode(file);
  decoder.free();
  const meter = createLoudnessMeter(sampleRate, 1);
  meter.add(channelData.slice(0, 1));
  expect(Math.abs((meter.read().integratedLufs ?? 0) + 20)).toBeLessThan(0.4);
});

it('by sentence there is a file for each, the text and the subtitles', async () => {
  const files = await speechByPart(parts(), { format: 'wav', targetLufs: null });
  expect(Object.keys(files).toSorted()).toEqual(['001.wav', '002.wav', 'subtitles.srt', 'text.txt']);
  expect(strFromU8(files['text.txt'] ?? new Uint8Array())).toBe('Bir.\nIkki.\n');
});

it('by chapter there is a file with its subtitles for each, named by its heading', async () => {
  const [one, two] = parts();
  if (one === undefined || two === undefined) throw new Error('no parts');
  const chapters = [one, { ...one, chapter: 'Bob: \u202E1' }, { ...two, chapter: 'Bob: \u202E1' }];
  const files = await speechByChapter(chapters, { format: 'wav', targetLufs: null });
  expect(Object.keys(files).toSorted()).toEqual(['01.srt', '01.wav', '02 Bob- 1.srt', '02 Bob- 1.wav']);
  expect(samplesOf(files['02 Bob- 1.wav'] ?? new Uint8Array())).toHaveLength(12_000 + 6_000 + 12_000);
  expect(strFromU8(files['02 Bob- 1.srt'] ?? new Uint8Array())).toContain('00:00:00,750');
});

it('a sentence with its own time is placed then, or right after a longer one before it', async () => {
  const timed = [
    { path, text: 'Bir.', pauseMs: 0, startMs: 1000 },
    { path, text: 'Ikki.', pauseMs: 0, startMs: 1200 },
    { path, text: 'Uch.', pauseMs: 0, startMs: 4000 },
  ];
  const { file, subtitles } = await joinSpeech(timed, { format: 'wav', targetLufs: null });
  expect(samplesOf(file)).toHaveLength(4.5 * 24_000);
  expect(subtitles.match(/\d\d:\d\d:\d\d,\d+ -->/gu)).toEqual([
    '00:00:01,000 -->',
    '00:00:01,500 -->',
    '00:00:04,000 -->',
  ]);
});

it('a sentence that is heard faster is as much shorter in the file, and its subtitles follow', async () => {
  const [one, two] = parts();
  if (one === undefined || two === undefined) throw new Error('no parts');
  const { file, subtitles } = await joinSpeech([{ ...one, tempo: 2 }, two], { format: 'wav', targetLufs: null });
  expect(Math.abs(samplesOf(file).length - (6_000 + 6_000 + 12_000))).toBeLessThan(480);
  expect(subtitles).toMatch(/^1\n00:00:00,000 --> 00:00:00,2[45]/u);
});

const saver = createSpeechSaver(new URL('../../electron/entries/audio-worker.ts', import.meta.url));
it('what is heard faster is saved faster', async () => {
  const target = join(folder, 'fast.wav');
  const faster = parts().map((part) => ({ ...part, tempo: 2 }));
  expect(
    await saver(target, faster, { format: 'wav', as: 'one', targetLufs: null, withSubtitles: false }),
  ).toMatchObject({ ok: true });
  expect(Math.abs(samplesOf(await readFile(target)).length - (6_000 + 6_000 + 6_000))).toBeLessThan(960);
});

it.each([
  ['flac', 'fLaC', 0],
  ['m4a', 'ftyp', 4],
] as const)('%s is made in a thread of its own, with subtitles beside it', async (format, mark, at) => {
  const target = join(folder, `whole.${format}`);
  const saved = await saver(target, parts(), { format, as: 'one', targetLufs: -16, withSubtitles: true });
  const subtitlesPath = join(folder, 'whole.srt');
  expect(saved).toMatchObject({ ok: true, value: { path: target, subtitlesPath, quietestLufs: null } });
  expect((await readFile(target)).toString('latin1', at, at + 4)).toBe(mark);
  expect(await readFile(join(folder, 'whole.srt'), 'utf8')).toContain('Ikki.');
  expect((await readdir(folder)).toSorted()).toEqual(['take.wav', 'whole.srt', `whole.${format}`].toSorted());
});

it('subtitles of somebody else beside the saved audio stay as they are: the new ones get a number', async () => {
  const own = join(folder, 'whole.srt');
  await writeFile(own, 'mine');
  const options = { format: 'wav', as: 'one', targetLufs: null, withSubtitles: true } as const;
  const saved = await saver(join(folder, 'whole.wav'), parts(), options);
  expect(saved).toMatchObject({ ok: true, value: { subtitlesPath: join(folder, 'whole (2).srt') } });
  expect(await readFile(own, 'utf8')).toBe('mine');
  expect(await readFile(join(folder, 'whole (2).srt'), 'utf8')).toContain('Ikki.');
  expect((await readdir(folder)).toSorted()).toEqual(['take.wav', 'whole (2).srt', 'whole.srt', 'whole.wav']);
});

it('subtitles that can’t get their name leave no unfinished file behind', async () => {
  const options = { format: 'wav', as: 'one', targetLufs: null, withSubtitles: true } as const;
  const longest = 'a'.repeat(255);
  expect(await saver(join(folder, longest), parts(), options)).toMatchObject({ ok: false });
  expect((await readdir(folder)).toSorted()).toEqual([longest, 'take.wav']);
});

it(
  'files are written into an archive or a folder of their own, which is never written into twice',
  { tags: ['long'] },
  async () => {
    const options = { format: 'wav', targetLufs: null, withSubtitles: false } as const;
    const zip = join(folder, 'whole.zip');
    expect(await saver(zip, parts(), { ...options, as: 'zip' })).toMatchObject({
      ok: true,
      value: { path: zip, quietestLufs: null },
    });
    expect(Object.keys(unzipSync(await readFile(zip))).toSorted()[0]).toBe('001.wav');
    const book = parts().map((part) => ({ ...part, chapter: part.text }));
    expect(await saver(zip, book, { ...options, as: 'chapters' })).toMatchObject({
      ok: true,
      value: { path: zip, quietestLufs: null },
    });
    expect(Object.keys(unzipSync(await readFile(zip))).toSorted()).toEqual([
      '01 Bir.srt',
      '01 Bir.wav',
      '02 Ikki.srt',
      '02 Ikki.wav',
    ]);
    const target = join(folder, 'Zal');
    expect(await saver(target, parts(), { ...options, as: 'files' })).toMatchObject({
      ok: true,
      value: { path: target, quietestLufs: null },
    });
    expect(await saver(target, parts(), { ...options, as: 'files' })).toMatchObject({
      ok: true,
      value: { path: `${target} 2`, quietestLufs: null },
    });
    expect((await readdir(`${target} 2`)).toSorted()).toEqual(['001.wav', '002.wav', 'subtitles.srt', 'text.txt']);
    expect((await readdir(folder)).toSorted()).toEqual(['Zal', 'Zal 2', 'take.wav', 'whole.zip']);
  },
);

it('a sentence whose audio is gone leaves no partial file', async () => {
  const missing = [...parts(), { path: join(folder, 'gone.wav'), text: 'Uch.', pauseMs: 0 }];
  const options = { format: 'mp3', as: 'one', targetLufs: null, withSubtitles: false } as const;
  expect(await saver(join(folder, 'whole.mp3'), missing, options)).toMatchObject({
    ok: false,
    error: { row: 'E-010' },
  });
  expect(await readdir(folder)).toEqual(['take.wav']);
});
