import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { TakeFile } from '../../electron/platform/node/takes-folder.ts';
import { TakeEngine } from '../../electron/services/dictation/take-engine.ts';
import type { SendingState } from '../../shared/domain/dictation/take-view.ts';
import { textOf, type Phrase } from '../../shared/domain/dictation/take.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { onUtterance, readyMessage, startScriptedStream, type Upgrading } from '../support/scripted-stream.ts';
import { liveClient } from '../contract/live-rig.ts';
import { nameOf } from '../support/dictation-studio.ts';
import { folderOfTest } from '../support/test-folders.ts';

const minutes = process.env['OVOZ_LONG'] === undefined ? 20 : 480;

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

/** Answers each utterance with the name of its audio, which proves which samples a text belongs to. */
function service(onCommit: (send: (text: string) => void, text: string) => void) {
  const lengths: number[] = [];
  const open = new Set<WebSocket>();
  const script = async ({ accept }: Upgrading): Promise<void> => {
    const socket = await accept();
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.send(readyMessage);
    onUtterance(socket, (whole) => {
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

/** `speed`: how many times faster than a real clock the session's clock runs. */
async function rigOf(script: (upgrading: Upgrading) => Promise<void>, speed = 200) {
  const server = await startScriptedStream(script);
  const folder = folderOfTest();
  const path = join(folder, 'take.wav');
  const spool = TakeFile.create(path, (error) => {
    throw error;
  });
  const states: SendingState[] = [];
  const told: Phrase[] = [];
  const client = liveClient(server, {}, {}, speed);
  const engine = new TakeEngine(
    {
      live: client.live.dictation,
      spool,
      listener: { onPhrases: (phrases) => void told.push(...phrases), onState: (state) => void states.push(state) },
    },
    { language: 'uz', pauses: 'each', keepsSilence: false, triesAgain: true },
  );
  onTestFinished(async () => {
    engine.close();
    spool.close();
    await server.close();
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
function expectAllText({ engine }: Awaited<ReturnType<typeof rigOf>>, audio: Buffer): void {
  const texts = engine.take.phrases.filter(({ state }) => state === 'text');
  for (const phrase of texts)
    expect(textOf(phrase)).toBe(nameOf(audio.subarray(phrase.from * 2, (phrase.to ?? 0) * 2)));
  expect(texts.every(({ texts: all }) => all.length === 1)).toBe(true);
  expect(engine.account()).toEqual({ text: audio.length / 2, waiting: 0, discarded: 0 });
}

test(
  `F-58: ${minutes} minutes with a drop every 2 to 10 s lose nothing, and each text comes once and in order`,
  async () => {
    const next = seededRandom(7);
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
  minutes * 4_500,
);

test('busy, overloaded, late and duplicate answers cost nothing: each phrase has its one text', async () => {
  const next = seededRandom(11);
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
  const rig = await rigOf(script, 50);
  const audio = talk(300_000, seededRandom(5));
  await speak(rig.engine, audio);
  rig.engine.endCapture();
  await rig.engine.settled();
  expectAllText(rig, audio);
});

test('a phrase discarded while it is spoken is never committed, and one that was is awaited: its text comes back without a second sending', async () => {
  const answers: (() => void)[] = [];
  const { script, lengths } = service((send, text) => void answers.push(() => send(text)));
  const rig = await rigOf(script, 1);
  const burst = Buffer.concat([talk(2000, seededRandom(31), 0), Buffer.alloc(1500 * 32)]);
  await speak(rig.engine, burst);
  await expect.poll(() => answers.length).toBe(1);
  await speak(rig.engine, talk(2000, seededRandom(32), 0));
  rig.engine.endCapture(0);
  const states = () => rig.engine.take.phrases.map(({ state }) => state);
  expect(states()).toEqual(['discarded', 'discarded']);
  // Not even for a moment: a start after a kill sends what waits.
  expect(rig.told.filter(({ id, state }) => id === 2 && state === 'waiting')).toEqual([]);
  let isSettled = false;
  const settled = rig.engine.settled().then(() => (isSettled = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSettled).toBe(false);
  answers[0]?.();
  await settled;
  expect(states()).toEqual(['discarded', 'discarded']);
  rig.engine.restore(1);
  expect(rig.engine.take.phrase(1)?.state).toBe('text');
  expect(lengths).toHaveLength(1);
  rig.engine.restore(2);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  await rig.engine.settled();
  expect(states()).toEqual(['text', 'text']);
});
