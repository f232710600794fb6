import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { TakeFile } from '../../electron/platform/node/take-spool.ts';
import { TakeEngine, type EngineOptions } from '../../electron/services/dictation/take-engine.ts';
import type { SendingState } from '../../shared/domain/dictation/take-view.ts';
import { textOf, type Phrase } from '../../shared/domain/dictation/take.ts';
import { readyMessage, startScriptedStream, type Upgrading } from '../support/scripted-stream.ts';
import { liveClient } from '../contract/live-rig.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const minutes = isLong ? 480 : 30;

/** Repeatable random numbers from 0 on. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Speech in bursts of 1 to 9 s with pauses between them, as 16-bit audio; no two stretches are alike. */
function talk(ms: number, next: () => number, pausesMs = 1200): Buffer {
  const audio = Buffer.alloc(ms * 32);
  let isSpeech = false;
  let left = 0;
  for (let at = 0; at < audio.length; at += 2) {
    if (left <= 0) {
      isSpeech = pausesMs === 0 || !isSpeech;
      left = Math.round((isSpeech ? 1000 + next() * 8000 : pausesMs * next() + 300) * 16);
    }
    left -= 1;
    const swell = 0.6 + 0.4 * Math.sin(at / 3000);
    audio.writeInt16LE(Math.round((next() - 0.5) * (isSpeech ? 14_000 * swell : 20)), at);
  }
  return audio;
}

const nameOf = (audio: Uint8Array): string => createHash('sha256').update(audio).digest('hex').slice(0, 16);

/** Answers each utterance with the name of its audio, which proves which samples a text belongs to. */
function service(onCommit: (send: (text: string) => void, text: string) => void) {
  const lengths: number[] = [];
  const open = new Set<WebSocket>();
  const script = async ({ accept }: Upgrading): Promise<void> => {
    const socket = await accept();
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.send(readyMessage);
    let audio: Buffer[] | null = null;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return void audio?.push(data);
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      if (message['type'] === 'start') audio = [];
      if (message['action'] === 'interrupt') audio = null;
      if (message['type'] !== 'commit' || audio === null) return;
      const whole = Buffer.concat(audio);
      audio = null;
      lengths.push(whole.length / 32);
      onCommit(
        (text) => {
          if (socket.readyState === socket.OPEN) socket.send(text);
        },
        JSON.stringify({ event: 'final', text: nameOf(whole), language: 'uz', duration_ms: whole.length / 32 }),
      );
    });
  };
  const drop = (): void => {
    for (const socket of open) socket.terminate();
  };
  return { lengths, script, drop };
}

interface Rig {
  readonly engine: TakeEngine;
  readonly states: readonly SendingState[];
  readonly told: readonly (readonly Phrase[])[];
  readonly path: string;
  readonly spool: TakeFile;
}

async function rigOf(
  script: (upgrading: Upgrading) => Promise<void>,
  options: Partial<EngineOptions> = {},
  /** How many times faster than a real clock the session's clock runs. */
  speed = 200,
): Promise<Rig> {
  const server = await startScriptedStream(script);
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-take-'));
  const path = join(folder, 'take.wav');
  const spool = TakeFile.create(path, (error) => {
    throw error;
  });
  const states: SendingState[] = [];
  const told: (readonly Phrase[])[] = [];
  const client = liveClient(server, {}, {}, speed);
  const engine = new TakeEngine(
    {
      dictate: (options, listener) => client.live.dictate(options, listener),
      spool,
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms / speed);
        return () => clearTimeout(timer);
      },
      listener: { onPhrases: (phrases) => void told.push(phrases), onState: (state) => void states.push(state) },
    },
    { language: 'uz', pauses: 'each', keepsSilence: false, triesAgain: true, ...options },
  );
  onTestFinished(async () => {
    engine.close();
    spool.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return { engine, states, told, path, spool };
}

/** Sends audio in frames of 20 ms and lets the network run every 200 ms of it, faster than a microphone. */
async function speak(
  engine: TakeEngine,
  audio: Buffer,
  onSpoken: (ms: number) => void = () => undefined,
): Promise<void> {
  for (let at = 0; at < audio.length; at += 640) {
    engine.push(audio.subarray(at, at + 640));
    if (at % 6400 !== 0) continue;
    onSpoken(at / 32);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Every text belongs to exactly the samples of its phrase, each once, and nothing waits. */
function expectAllText({ engine }: Rig, audio: Buffer): void {
  const texts = engine.take.phrases.filter(({ state }) => state === 'text');
  for (const phrase of texts)
    expect(textOf(phrase)).toBe(nameOf(audio.subarray(phrase.from * 2, (phrase.to ?? 0) * 2)));
  expect(texts.every(({ texts: all }) => all.length === 1)).toBe(true);
  expect(engine.account()).toEqual({ text: audio.length / 2, waiting: 0, discarded: 0 });
}

test(
  `F-58: ${minutes} minutes with a drop every 2 to 10 s lose nothing, and each text comes once and in order`,
  async () => {
    const next = random(7);
    const { script, lengths, drop } = service(
      // Sometimes the work is done and only the answer is missing.
      (send, text) => (next() < 0.95 ? send(text) : undefined),
    );
    const rig = await rigOf(script);
    const minute = talk(60_000, next);
    const audio = Buffer.concat(Array.from({ length: minutes }, () => minute));
    let dropAtMs = 2000;
    await speak(rig.engine, audio, (ms) => {
      if (ms < dropAtMs) return;
      drop();
      dropAtMs = ms + 2000 + next() * 8000;
    });
    rig.engine.endCapture();
    await rig.engine.settled();
    expectAllText(rig, audio);
    expect(rig.states.filter(({ kind }) => kind === 'reconnecting').length).toBeGreaterThan(minutes);
    expect(lengths.every((ms) => ms >= 100 && ms <= 35_000)).toBe(true);
    // The spoken audio is on disk unchanged, and as a WAV.
    await rig.spool.finish();
    expect(readFileSync(rig.path).subarray(44).equals(audio)).toBe(true);
  },
  isLong ? 1_800_000 : 90_000,
);

test('F-67: ten minutes without a pause are cut between 0.1 and 35 s, and no sample is lost at the cuts', async () => {
  const { script, lengths } = service((send, text) => send(text));
  const rig = await rigOf(script);
  const audio = talk(600_000, random(3), 0);
  await speak(rig.engine, audio);
  rig.engine.endCapture();
  await rig.engine.settled();
  expectAllText(rig, audio);
  expect(lengths.length).toBeGreaterThanOrEqual(18);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(35_000);
  expect(lengths.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(599_000);
});

test('busy, overloaded, late and duplicate answers cost nothing: each phrase has its one text', async () => {
  const next = random(11);
  const say = (code: string): string => JSON.stringify({ event: 'error', code, message: 'x' });
  const { script } = service((send, text) => {
    const luck = next();
    if (luck < 0.15) return send(say('busy'));
    if (luck < 0.3) return send(say('overloaded'));
    if (luck < 0.35) return send(say('timeout'));
    if (luck < 0.5) return void setTimeout(() => send(text), 320);
    send(text);
    if (luck < 0.7) send(text);
  });
  // A slower clock than elsewhere, so that a busy machine stalls for less than the client waits; late is 16 s of it.
  const rig = await rigOf(script, {}, 50);
  const audio = talk(300_000, random(5));
  await speak(rig.engine, audio);
  rig.engine.endCapture();
  await rig.engine.settled();
  expectAllText(rig, audio);
});

test('while the text of one phrase is awaited the next is sent on a second connection, opened before it was spoken', async () => {
  const { script } = service((send, text) => send(text));
  let connections = 0;
  const first = Promise.withResolvers<void>();
  const rig = await rigOf(
    async (upgrading) => {
      connections += 1;
      if (connections > 1) return script(upgrading);
      const socket = await upgrading.accept();
      socket.send(readyMessage);
      const audio: Buffer[] = [];
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) audio.push(data);
        else if ((JSON.parse(data.toString()) as Record<string, unknown>)['type'] === 'commit') {
          const whole = Buffer.concat(audio);
          const text = JSON.stringify({ event: 'final', text: nameOf(whole), language: 'uz' });
          void first.promise.then(() => socket.send(text));
        }
      });
    },
    {},
    1,
  );
  const [one, two] = [40, 41].map((seed) => Buffer.concat([talk(2000, random(seed), 0), Buffer.alloc(1500 * 32)]));
  const audio = Buffer.concat([one!, two!]);
  await speak(rig.engine, one!);
  await expect.poll(() => connections).toBe(2);
  await speak(rig.engine, two!);
  rig.engine.endCapture();
  // The second has its text although the first is still awaited.
  await expect.poll(() => rig.engine.take.phrase(2)?.state, { timeout: 10_000 }).toBe('text');
  expect(rig.engine.take.phrase(1)?.state).toBe('waiting');
  expect(connections).toBe(2);
  first.resolve();
  await rig.engine.settled();
  expectAllText(rig, audio);
});

test('an empty account keeps everything waiting, and resumes on request', async () => {
  let isEmpty = true;
  const { script } = service((send, text) =>
    send(isEmpty ? JSON.stringify({ event: 'error', code: 'insufficient_credits', message: '' }) : text),
  );
  const rig = await rigOf(script);
  const audio = talk(20_000, random(9));
  await speak(rig.engine, audio);
  rig.engine.endCapture();
  await expect.poll(() => rig.states.at(-1)?.kind).toBe('held');
  expect(rig.engine.account().waiting).toBeGreaterThan(0);
  isEmpty = false;
  rig.engine.tryNow();
  await rig.engine.settled();
  expectAllText(rig, audio);
});

test('only what the user discards is discarded; a second attempt in another language keeps the first text', async () => {
  const { script } = service((send, text) => send(text));
  const rig = await rigOf(script, { pauses: 'each' });
  const audio = talk(40_000, random(21));
  await speak(rig.engine, audio);
  rig.engine.endCapture();
  await rig.engine.settled();
  const [first, second] = rig.engine.take.phrases;
  rig.engine.discard(first?.id ?? 0);
  rig.engine.sendAgain(second?.id ?? 0, 'ru');
  await rig.engine.settled();
  const discarded = (first?.to ?? 0) - (first?.from ?? 0);
  expect(rig.engine.account()).toEqual({ text: audio.length / 2 - discarded, waiting: 0, discarded });
  expect(rig.engine.take.phrase(2)?.texts.map(({ language }) => language)).toEqual(['uz', 'ru']);
});

test('text returned for silence is ignored, and silence is not sent', async () => {
  const { script, lengths } = service((send) =>
    send(JSON.stringify({ event: 'final', text: 'Rahmat.', duration_ms: 100 })),
  );
  const rig = await rigOf(script);
  await speak(rig.engine, Buffer.alloc(32 * 5000));
  rig.engine.endCapture();
  await rig.engine.settled();
  expect(lengths).toEqual([]);
  const whole = await rigOf(script, { keepsSilence: true, total: 80_000 });
  await speak(whole.engine, Buffer.alloc(32 * 5000));
  whole.engine.endCapture();
  await whole.engine.settled();
  expect(lengths).toEqual([5000]);
  expect(whole.engine.take.phrases.map(({ state }) => state)).toEqual(['silent']);
});

test('if the disk fails the audio stays in memory and that is reported at once; a truncated file can be opened again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-take-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'take.wav');
  const troubles: unknown[] = [];
  const file = TakeFile.create(path, (error) => void troubles.push(error));
  const audio = talk(1000, random(2));
  file.append(audio.subarray(0, 16_000));
  file.close();
  // A closed file fails like a full disk.
  file.append(audio.subarray(16_000));
  expect(troubles).toHaveLength(1);
  expect(file.samples).toBe(audio.length / 2);
  const again = TakeFile.open(path, statSync(path).size - 1, () => undefined);
  onTestFinished(() => again.close());
  expect(again.samples).toBe(7999);
  expect(Buffer.from(again.read(100, 200)).equals(audio.subarray(200, 400))).toBe(true);
  expect(readFileSync(path).readUInt32LE(40)).toBe(15_998);
});
