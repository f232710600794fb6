import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { dictationStream, type DictationStreamServices } from '../../electron/shell/handlers/dictation-stream.ts';
import { openTakesFolder } from '../../electron/platform/node/takes-folder.ts';
import { createDictationService, type StartTake } from '../../electron/services/dictation/dictation-service.ts';
import type { DictationSession } from '../../electron/api/live/dictation-events.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import { textToCleanUp, type WritingStyle } from '../../shared/domain/dictation/clean-up.ts';
import type { AssistantService } from '../../electron/services/assistant/assistant-service.ts';
import { createCleanUp, type CleanUpByModel } from '../../electron/services/dictation/clean-up-phrase.ts';
import type { OpenDictation } from '../../electron/services/dictation/phrase-sender.ts';

/** Speech for the cutter: unique stretches of noise between silences. */
function talk(ms: number, seed: number): Buffer {
  const audio = Buffer.alloc(ms * 32);
  let state = seed;
  for (let at = 0; at < audio.length; at += 2) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    audio.writeInt16LE(Math.round((state / 2_147_483_648 - 0.5) * 12_000), at);
  }
  return audio;
}

const nameOf = (audio: Uint8Array): string => createHash('sha256').update(audio).digest('hex').slice(0, 16);

/** Answers each utterance with the name of its audio. */
const dictate: OpenDictation = (_options, listener): DictationSession => {
  let utterance = 0;
  let audio: Uint8Array[] = [];
  let isOver = false;
  return {
    push(pcm) {
      if (audio.length === 0) utterance += 1;
      audio.push(Uint8Array.from(pcm));
      return !isOver;
    },
    get open() {
      return audio.length === 0 ? null : utterance;
    },
    setLanguage: () => undefined,
    commit() {
      const [id, text] = [utterance, nameOf(Buffer.concat(audio))];
      audio = [];
      setImmediate(() => {
        if (isOver) return;
        listener({
          kind: 'final',
          utterance: id,
          result: { text, segments: [] },
          timings: { audioMs: 0, waitedMs: 0, answeredMs: 0 },
          isPerhapsCountedTwice: false,
        });
      });
    },
    interrupt: () => (audio = []),
    goOn: () => undefined,
    async stop() {
      isOver = true;
    },
    abort: () => (isOver = true),
  };
};

const asItIs: CleanUpByModel = async () => ({ written: null, fault: 'failed', credits: Promise.resolve(null) });

/** A model that answers when the test lets it, or is aborted. */
function slowModel() {
  const asked: (Parameters<CleanUpByModel>[0] & { readonly answer: (written: string) => void })[] = [];
  const cleanUp: CleanUpByModel = (wanted) => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<CleanUpByModel>>>();
    const end = (written: string | null) =>
      resolve({ written, fault: written === null ? 'late' : null, credits: Promise.resolve(null) });
    wanted.signal.addEventListener('abort', () => end(null));
    asked.push({ ...wanted, answer: end });
    return promise;
  };
  return { asked, cleanUp };
}

function studio(folder: string, style: WritingStyle = 'verbatim', cleanUp = asItIs, nowMs = 1_000_000) {
  let now = nowMs;
  const trashed = new Set<string>();
  const takes = openTakesFolder(folder);
  const service = createDictationService({
    dictate,
    takes,
    rules: () => ({ replacements: [], hasCommands: false }),
    style: () => style,
    cleanUp,
    publish: () => undefined,
    isTrashed: (id) => trashed.has(id),
    now: () => now,
    after: () => () => undefined,
  });
  const press = async (audio: Buffer, more: Partial<StartTake> = {}): Promise<string> => {
    const started = service.start({
      language: 'uz',
      mode: 'hold',
      device: 'Microphone',
      storesNothing: false,
      continues: null,
      ...more,
    });
    if (!started.ok) throw new Error(started.error.code);
    for (let at = 0; at < audio.length; at += 640) started.value.push(audio.subarray(at, at + 640), null, 0);
    started.value.end();
    const { takeId } = started.value;
    await expect.poll(() => service.read(takeId)?.summary.waitingCount).toBe(0);
    return takeId;
  };
  return { service, takes, trashed, press, tick: (ms: number) => (now += ms) };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-session-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

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

test('a session that is in the trash, gone or stored differently is not resumed', async () => {
  const { service, press, trashed } = studio(newFolder());
  const id = await press(talk(1000, 1));
  expect(await press(talk(1000, 2), { continues: id, storesNothing: true })).not.toBe(id);
  expect(await press(talk(1000, 2), { continues: 'never-there' })).not.toBe(id);
  trashed.add(id);
  expect(await press(talk(1000, 2), { continues: id })).not.toBe(id);
  expect(service.read(id)?.phrases).toHaveLength(1);
  await service.close();
});

test('a session that is stored nowhere is resumed too, and ends with the next one', async () => {
  const { service, press } = studio(newFolder());
  const id = await press(talk(1000, 1), { storesNothing: true });
  expect(await press(talk(1000, 2), { storesNothing: true, continues: id })).toBe(id);
  expect(service.read(id)?.phrases).toHaveLength(2);
  const next = await press(talk(1000, 3), { storesNothing: true });
  expect(service.read(id)).toBeNull();
  expect(service.read(next)?.phrases).toHaveLength(1);
  await service.close();
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
  const answer = dictationStream({
    workspaces: { current: () => ok({ dictation: service }) },
    settings: { get: () => ({ storesNoTakes: false, dictationLanguage: 'ru' }) },
    window: { hearDictation: () => undefined, noteMicrophoneGone: () => undefined },
  } as unknown as DictationStreamServices);
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
  await expect(answer(input as never, stream as never, {} as never)).rejects.toThrow('the port is gone');
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

test('a phrase that was discarded is there again with its text when that is taken back', async () => {
  const { service, press } = studio(newFolder());
  const id = await press(talk(1000, 1));
  const text = service.read(id)?.phrases[0]?.text;
  service.discard(id, 1);
  expect(service.read(id)?.phrases[0]?.state).toBe('discarded');
  expect(service.restore(id, 1)).toBe(true);
  expect(service.read(id)?.phrases[0]).toMatchObject({ state: 'text', text });
  await service.close();
});

test('a phrase is written by a model, with the person’s own words one step away, and stays so after a restart', async () => {
  const folder = newFolder();
  const credits = Promise.withResolvers<string | null>();
  const asked: string[] = [];
  const { service, press } = studio(folder, 'email', async ({ text }) => {
    asked.push(text);
    return { written: `Dear ${text}`, fault: null, credits: credits.promise };
  });
  const id = await press(talk(1000, 1));
  const phrase = () => service.read(id)?.phrases[0];
  await expect.poll(() => phrase()?.text).toBe(`Dear ${asked[0]}`);
  expect(phrase()).toMatchObject({ raw: asked[0], cleanUp: { style: 'email', fault: null, isArriving: false } });
  credits.resolve('0.25');
  await expect.poll(() => phrase()?.cleanUp?.credits).toBe('0.25');
  expect(service.showRaw(id, 1, true)).toBe(true);
  expect(phrase()).toMatchObject({ text: asked[0], cleanUp: { isShown: false } });
  expect(service.showRaw(id, 1, false)).toBe(true);
  await service.close();
  // Another choice later changes nothing of what was written.
  const again = studio(folder, 'verbatim');
  expect(again.service.read(id)?.phrases[0]).toMatchObject({ text: `Dear ${asked[0]}`, cleanUp: { credits: '0.25' } });
  expect(again.service.cleanUp(id, 1, 'tidy', false)).toBe(true);
  expect(again.service.read(id)?.phrases[0]?.cleanUp).toMatchObject({ style: 'tidy', credits: null });
  expect(asked).toHaveLength(1);
  await again.service.close();
});

test('while a model writes, the take goes on; the app may quit meanwhile, and then the person’s own words count', async () => {
  const folder = newFolder();
  const { service, press } = studio(folder, 'notes', ({ signal }) => {
    const never = Promise.withResolvers<Awaited<ReturnType<CleanUpByModel>>>();
    signal.addEventListener('abort', () =>
      never.resolve({ written: null, fault: 'late', credits: Promise.resolve(null) }),
    );
    return never.promise;
  });
  const id = await press(talk(1000, 1));
  expect(service.read(id)?.phrases[0]).toMatchObject({ cleanUp: { isArriving: true, fault: null } });
  expect(await press(talk(1000, 2), { continues: id })).toBe(id);
  await service.close();
  const [first, second] = studio(folder).service.read(id)?.phrases ?? [];
  expect(first).toMatchObject({ text: first?.raw, cleanUp: { fault: 'failed', isArriving: false } });
  expect(second?.text).not.toBe('');
});

test.each([
  ['failed', null],
  ['different', 'Quite another text about 12 other things.'],
  ['limit', null],
] as const)('the person’s own words are used, and it is said why (%s)', async (fault, text) => {
  const assistant = {
    chooseModel: async () => ok({ model: 'cheap', estimate: '1' }),
    ask: async () =>
      text === null
        ? err({ failure: makeFailure('E-001'), partial: '', llmRequestId: null })
        : ok({ text, finishReason: 'stop', usage: { credits: '0.1' }, llmRequestId: 'llm_1' }),
    lookUp: async () => null,
  } as unknown as AssistantService;
  const { service, press } = studio(newFolder(), 'chat', createCleanUp(assistant, () => fault !== 'limit').write);
  const id = await press(talk(1000, 1));
  await expect.poll(() => service.read(id)?.phrases[0]?.cleanUp?.fault).toBe(fault);
  const [phrase] = service.read(id)?.phrases ?? [];
  expect(phrase?.text).toBe(phrase?.raw);
  await expect.poll(() => service.read(id)?.phrases[0]?.cleanUp?.credits).toBe(fault === 'different' ? '0.1' : null);
  await service.close();
});

test('a take that is removed while a model writes it does not come back', async () => {
  const folder = newFolder();
  const { asked, cleanUp } = slowModel();
  const { service, takes, press } = studio(folder, 'email', cleanUp);
  const id = await press(talk(1000, 1));
  service.remove(id);
  asked[0]?.answer('Dear all');
  await nextTurn();
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith(id))).toEqual([]);
  expect(await takes.list()).toEqual([]);
  await service.close();
});

test('another text or another style replaces the request that is running, and the same style again does not', async () => {
  const { asked, cleanUp } = slowModel();
  const { service, press } = studio(newFolder(), 'email', cleanUp);
  const id = await press(talk(1000, 1));
  expect(service.sendAgain(id, { id: 1, language: 'ru' })).toBe(true);
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[0]?.signal.aborted).toBe(true);
  service.cleanUp(id, 1, 'chat', false);
  service.cleanUp(id, 1, 'chat', false);
  expect(asked.map(({ style, signal }) => [style, signal.aborted])).toEqual([
    ['email', true],
    ['email', true],
    ['chat', false],
  ]);
  await nextTurn();
  expect(service.read(id)?.phrases[0]?.cleanUp).toMatchObject({ isArriving: true, fault: null });
  asked[2]?.answer('See you');
  await expect.poll(() => service.read(id)?.phrases[0]?.text).toBe('See you');
  expect(service.read(id)?.phrases[0]?.cleanUp?.isArriving).toBe(false);
  await service.close();
});

test('a phrase that the last quit left unwritten is sent to a model by no other change of it', async () => {
  const folder = newFolder();
  const { service, press } = studio(folder, 'email', slowModel().cleanUp);
  const id = await press(talk(1000, 1));
  await service.close();
  const { asked, cleanUp } = slowModel();
  const again = studio(folder, 'email', cleanUp).service;
  again.noteDelivery(id, [1], 'Notes');
  again.showRaw(id, 1, true);
  again.edit(id, 1, 'What I meant');
  expect(asked).toEqual([]);
  // A style would throw the correction away.
  expect(again.cleanUp(id, 1, 'chat', false)).toBe(false);
  expect(again.read(id)?.phrases[0]).toMatchObject({ text: 'What I meant', isEdited: true });
  expect(again.edit(id, 1, null)).toBe(true);
  expect(again.cleanUp(id, 1, 'chat', false)).toBe(true);
  expect(asked).toHaveLength(1);
  await again.close();
});

test('a style to which the user agreed is not judged by the hour’s limit again, and counts once', async () => {
  const admitted: number[] = [];
  const assistant = {
    chooseModel: async () => ok({ model: 'cheap', estimate: '1' }),
    ask: async ({ messages }: Parameters<AssistantService['ask']>[0]) => {
      const { content } = messages[1] ?? { content: '' };
      const text = textToCleanUp(typeof content === 'string' ? content : '');
      return ok({ text, finishReason: 'stop', usage: { credits: '0.1' }, llmRequestId: 'llm_1' });
    },
  } as unknown as AssistantService;
  const { write } = createCleanUp(assistant, (characters) => {
    admitted.push(characters);
    return false;
  });
  const { service, press } = studio(newFolder(), 'verbatim', write);
  const id = await press(talk(1000, 1));
  expect(service.cleanUp(id, 1, 'chat', false)).toBe(true);
  await expect.poll(() => service.read(id)?.phrases[0]?.cleanUp).toMatchObject({ fault: null, credits: '0.1' });
  expect(admitted).toEqual([]);
  await service.close();
});

test('a style that is chosen while a take closes keeps it open, so that a later title stays', async () => {
  const { asked, cleanUp } = slowModel();
  const { service, takes, press } = studio(newFolder(), 'verbatim', cleanUp);
  const finishing = Promise.withResolvers<void>();
  const create = takes.create.bind(takes);
  takes.create = (...options) => {
    const record = create(...options);
    return record.ok ? ok({ ...record.value, finish: async () => finishing.promise }) : record;
  };
  const id = await press(talk(1000, 1));
  await nextTurn();
  expect(service.cleanUp(id, 1, 'email', false)).toBe(true);
  finishing.resolve();
  await nextTurn();
  expect(service.setTitle(id, 'Letter')).toBe(true);
  asked[0]?.answer('Dear all');
  await expect.poll(() => service.read(id)?.phrases[0]?.text).toBe('Dear all');
  await nextTurn();
  expect(takes.read(id)?.facts.title).toBe('Letter');
  await service.close();
});
