import type * as nodeFs from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TakeFile } from '../../electron/platform/node/takes-folder.ts';
import { keepTakeAudio } from '../../electron/platform/node/audio/dictated-wav.ts';
import { saveTake } from '../../electron/services/dictation/save-take.ts';
import type { NewTranscript } from '../../electron/services/library/store.ts';
import { preparedNameOf } from '../../electron/services/media/audio-extractor.ts';
import type { LeanTranscript } from '../../shared/domain/transcript/lean-transcript.ts';
import type { App } from '../../electron/sections/context.ts';
import { dictationStreams } from '../../electron/sections/dictation.ts';
import { ok } from '../../shared/result/result.ts';
import { nameOf, newFolder, studio, talk } from '../support/dictation-studio.ts';

// Its dialogs are not opened here.
vi.mock('electron', () => ({}));
/** While it is full the disk takes nothing of a take. */
const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs', async (load) => {
  const fs = await load<typeof nodeFs>();
  const unlessFull =
    <A extends readonly unknown[], T>(write: (...given: A) => T) =>
    (...given: A): T => {
      if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return write(...given);
    };
  return { ...fs, writeSync: unlessFull(fs.writeSync), appendFileSync: unlessFull(fs.appendFileSync) };
});
const fillDisk = (): void => {
  disk.isFull = true;
  onTestFinished(() => void (disk.isFull = false));
};

test('a resumed session has every earlier phrase, and each text belongs to exactly its samples', async () => {
  const folder = newFolder();
  const { service, press, tick } = studio(folder);
  const [first, second, third] = [talk(3000, 1), talk(2010, 2), talk(4000, 3)];
  const id = await press(first);
  tick(60_000);
  expect(await press(second, { continues: id })).toBe(id);
  tick(60_000);
  expect(await press(third, { continues: id, mode: 'hands-free' })).toBe(id);
  await service.close();
  const audio = Buffer.concat([first, second, third]);
  expect(
    readFileSync(join(folder, `${id}.wav`))
      .subarray(44)
      .equals(audio),
  ).toBe(true);
  const again = studio(folder);
  const read = again.service.read(id);
  const stored = again.service.storedOf(id);
  expect(stored?.phrases.map(({ state }) => state)).toEqual(['text', 'text', 'text']);
  expect(read?.phrases.map(({ text }) => text)).toEqual(
    stored?.phrases.map(({ from, to }) => nameOf(audio.subarray(from * 2, (to ?? 0) * 2))),
  );
  expect(stored?.phrases.map(({ from, to }) => [from, to])).toEqual([
    [0, 48_000],
    [48_000, 80_160],
    [80_160, 144_160],
  ]);
  // When each was said, though the audio does not contain the time between.
  expect(read?.phrases.map(({ spokenAtMs }) => spokenAtMs)).toEqual([1_000_000, 1_060_000, 1_120_000]);
  // It can be resumed after a restart as well.
  expect(await again.press(talk(1000, 4), { continues: id })).toBe(id);
  expect(again.service.read(id)?.phrases).toHaveLength(4);
  await again.service.close();
});

test.each([
  ['hold', 2],
  ['hands-free', 10],
] as const)('with %s a microphone that records nothing for %i minutes is switched off', async (mode, minutes) => {
  const { service } = studio(newFolder());
  const started = service.start({ language: 'uz', mode, device: '', storesNothing: true, continues: null });
  if (!started.ok) throw new Error(started.error.code);
  const second = Buffer.alloc(32_000);
  const isOn = async () => (await service.everything()).some(({ isRecording }) => isRecording);
  for (let at = 0; at < minutes * 60; at += 1) started.value.push(second, null, 0);
  expect(await isOn()).toBe(true);
  started.value.push(second, null, 0);
  expect(await isOn()).toBe(false);
  await service.close();
});

test('F-65: a page that crashes in the middle of a take ends it, and what was said until then has its text', async () => {
  const folder = newFolder();
  const { service } = studio(folder);
  const audio = talk(3000, 5);
  const session = dictationStreams({
    workspaces: { current: () => ok({ dictation: service }) },
    settings: { get: () => ({ storesNoTakes: false, dictationLanguage: 'ru' }) },
    hearDictation: () => undefined,
    noteMicrophoneGone: () => undefined,
  } as unknown as App)['dictation.session'];
  async function* untilTheCrash() {
    for (let at = 0; at < audio.length; at += 640) {
      const pcm = new Int16Array(Uint8Array.from(audio.subarray(at, at + 640)).buffer);
      yield { kind: 'frame', at: at / 2, pcm, speech: 0.9 };
    }
    await Promise.resolve();
    throw new Error('the port is gone');
  }
  const stream = { send: async () => undefined, incoming: untilTheCrash() };
  const input = { language: 'uz', mode: 'hands-free', device: '', continues: null };
  await expect(session.handle(input as never, stream as never, {} as never)).rejects.toThrow('the port is gone');
  const [take] = await service.everything();
  expect(take).toMatchObject({ isRecording: false, language: 'ru', durationMs: 3000 });
  await expect.poll(() => service.read(take?.id ?? '')?.phrases.map(({ state }) => state)).toEqual(['text']);
  expect(
    readFileSync(join(folder, `${take?.id ?? ''}.wav`))
      .subarray(44)
      .equals(audio),
  ).toBe(true);
  await service.close();
});

test('what an earlier run left without a text is sent when that is asked for, once, and not what is in the trash', async () => {
  const folder = newFolder();
  const first = studio(folder);
  const record = async () => {
    const started = first.service.start({
      language: 'uz',
      mode: 'hold',
      device: '',
      storesNothing: false,
      continues: null,
    });
    if (!started.ok) throw new Error(started.error.code);
    const audio = talk(1000, 7);
    for (let at = 0; at < audio.length; at += 640) started.value.push(audio.subarray(at, at + 640), null, 0);
    started.value.end();
    await first.service.close();
    return started.value.takeId;
  };
  const [kept, trashed] = [await record(), await record()];
  const again = studio(folder);
  again.trashed.add(trashed);
  const stateOf = (id: string) => again.service.read(id)?.phrases.map(({ state }) => state);
  expect(stateOf(kept)).toEqual(['waiting']);
  await Promise.all([again.service.sendLeft(), again.service.sendLeft()]);
  expect(stateOf(kept)).toEqual(['text']);
  expect(stateOf(trashed)).toEqual(['waiting']);
  await again.service.close();
});

test('a document has neither the words nor the audio of what was discarded or taken back by voice, and its word times match its audio', async () => {
  const folder = newFolder();
  const { service, press } = studio(folder);
  const spoken = [1000, 2000, 1500, 500, 700, 300, 900].map((ms, at) => talk(ms, at + 1));
  const id = await press(spoken[0] ?? Buffer.alloc(0));
  for (const audio of spoken.slice(1)) await press(audio, { continues: id });
  service.discard(id, 1);
  service.discard(id, 3);
  const stored = service.storedOf(id);
  if (stored === null) throw new Error('no take');
  // A word in the middle of each phrase.
  const phrases = stored.phrases.map((phrase) => {
    const text = ['first', 'second', 'third', 'fourth', 'secret', 'buni oʻchir', 'hidden oʻchir seventh'][
      phrase.id - 1
    ];
    if (text === undefined) throw new Error('no words');
    const said = phrase.id === 7 ? text.split(' ') : [text];
    const words = said.map((word, at) => ({ text: word, startMs: 100 + at * 250, endMs: 200 + at * 250 }));
    const segments = [{ text, startMs: 0, endMs: 300, words }];
    return { ...phrase, texts: [{ language: 'uz' as const, received: { text, segments } }] };
  });
  const documents: NewTranscript[] = [];
  const saved = await saveTake(
    {
      store: {
        addJobs: () => ok(null),
        commit: (_job, _event, _atMs, output) => {
          if (output?.transcript !== undefined) documents.push(output.transcript);
          return ok(null);
        },
        hideJobs: () => ok(null),
      },
      keepAudio: keepTakeAudio(join(folder, `${id}.wav`), join(folder, 'prepared')),
      rules: { replacements: [], hasCommands: true },
      newId: () => 'new',
      now: () => 0,
    },
    { ...stored, phrases },
    'Dictation',
  );
  expect(saved.ok).toBe(true);
  const [document] = documents;
  const name = preparedNameOf(document?.mediaPath ?? '') ?? '';
  const audio = readFileSync(join(folder, 'prepared', name));
  // The command itself stays, which takes back "secret": its words have no times. In the last phrase it is gone, too.
  const rest = spoken[6]?.subarray(450 * 32) ?? '';
  const kept = Buffer.concat([spoken[1] ?? '', spoken[3] ?? '', spoken[5] ?? '', rest] as Buffer[]);
  expect(audio.subarray(44).equals(kept)).toBe(true);
  expect(audio.readUInt32LE(40)).toBe(kept.length);
  expect(readdirSync(join(folder, 'prepared'))).toEqual([name]);
  const { segments } = JSON.parse(String(document?.written.body)) as LeanTranscript;
  expect(segments.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual([
    ['second', 0, 2000],
    ['fourth', 2000, 2500],
    ['seventh', 2800, 3250],
  ]);
  expect(segments.flatMap(({ words = [] }) => words.map(({ startMs, endMs }) => [startMs, endMs]))).toEqual([
    [100, 200],
    [2100, 2200],
    [2950, 3050],
  ]);
  // The take itself keeps everything, so that a discard can be taken back.
  expect(readFileSync(join(folder, `${id}.wav`)).length).toBe(44 + Buffer.concat(spoken).length);
  await service.close();
});

test('a disk that fills up while dictating stops nothing: a warning, every text at once, and all of it on disk later', async () => {
  const folder = newFolder();
  const { service, press, published } = studio(folder);
  const id = await press(talk(1000, 1));
  expect(await press(talk(2000, 2), { continues: id }, fillDisk)).toBe(id);
  expect(service.read(id)?.phrases.map(({ state }) => state)).toEqual(['text', 'text']);
  expect(published.at(-1)).toMatchObject({ takeId: id, hasDiskTrouble: true, isRecording: false });
  disk.isFull = false;
  await service.close();
  const again = studio(folder).service.read(id);
  expect(again?.summary.durationMs).toBe(3000);
  expect(again?.phrases.map(({ text }) => text)).toEqual([nameOf(talk(1000, 1)), nameOf(talk(2000, 2))]);
  const audio = readFileSync(join(folder, `${id}.wav`)).subarray(44);
  expect(audio.equals(Buffer.concat([talk(1000, 1), talk(2000, 2)]))).toBe(true);
});

test('after minutes of a full disk later audio is at its own time, and the last minute before is kept', () => {
  const path = join(newFolder(), 'take.wav');
  const file = TakeFile.create(path, () => undefined);
  onTestFinished(() => file.close());
  const second = (at: number): Buffer => talk(1000, at + 1);
  const read = (at: number): Buffer => Buffer.from(file.read(at * 16_000, (at + 1) * 16_000));
  for (let at = 0; at < 90; at += 1) {
    if (at === 1) fillDisk();
    file.append(second(at));
  }
  expect(read(89)).toEqual(second(89));
  disk.isFull = false;
  file.append(second(90));
  expect(file.samples).toBe(91 * 16_000);
  for (const at of [0, 30, 60, 89, 90]) expect(read(at).equals(second(at))).toBe(true);
  // The hole is silence.
  expect(read(10).equals(Buffer.alloc(32_000))).toBe(true);
  expect(readFileSync(path)).toHaveLength(44 + 91 * 32_000);
});

test('old audio is deleted, but not the only copy of a phrase that has no text', async () => {
  const folder = newFolder();
  const first = studio(folder);
  const [read, refused] = [await first.press(talk(1000, 1)), await first.press(talk(1000, 2))];
  await first.service.close();
  const phrase = first.takes.read(refused)?.phrases[0];
  if (phrase === undefined) throw new Error('no phrase');
  const failure = { row: 'E-130', code: 'audio_too_long' };
  first.takes.changePhrase(refused, { ...phrase, state: 'failed', texts: [], failure });
  const later = studio(folder);
  later.tick(8 * 24 * 3_600_000);
  await later.service.removeOldAudio(7);
  expect([later.service.audioPath(read), later.service.audioPath(refused)]).toEqual([null, expect.any(String)]);
});
