import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { MPEGDecoder } from 'mpg123-decoder';
import { beforeEach, expect, it } from 'vitest';
import { createSpeechSaver } from '../../electron/platform/node/save-speech.ts';
import { joinSpeech } from '../../electron/platform/node/audio/join-speech.ts';
import { createLoudnessMeter } from '../../shared/domain/audio/loudness.ts';
import { speechTone } from '../support/fake-speech.ts';
import { folderOfTest } from '../support/test-folders.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = folderOfTest();
  path = join(folder, 'take.wav');
  await writeFile(path, speechTone());
});

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

const saver = createSpeechSaver(new URL('../../electron/entries/audio-worker.ts', import.meta.url));

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

it('files are written into an archive or a folder of their own, which is never written into twice', async () => {
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
});

it('a sentence whose audio is gone leaves no partial file', async () => {
  const missing = [...parts(), { path: join(folder, 'gone.wav'), text: 'Uch.', pauseMs: 0 }];
  const options = { format: 'mp3', as: 'one', targetLufs: null, withSubtitles: false } as const;
  expect(await saver(join(folder, 'whole.mp3'), missing, options)).toMatchObject({
    ok: false,
    error: { kind: 'file-unreadable' },
  });
  expect(await readdir(folder)).toEqual(['take.wav']);
});
