import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { systemClientClock } from '../../electron/service/transport.ts';
import type { LiveDictation } from '../../electron/service/dictation-socket.ts';
import { openTakesFolder } from '../../electron/platform/node/takes-folder.ts';
import type { CleanUpByModel } from '../../electron/services/dictation/clean-up-phrase.ts';
import { createDictationService, type StartTake } from '../../electron/services/dictation/dictation-service.ts';
import type { WritingStyle } from '../../shared/domain/dictation/clean-up.ts';
import type { TakeChange } from '../../shared/domain/dictation/take-view.ts';
import { ok } from '../../shared/result/result.ts';
import { folderOfTest } from './test-folders.ts';

/** Speech for the cutter: unique stretches of noise between silences. */
export function talk(ms: number, seed: number): Buffer {
  const audio = Buffer.alloc(ms * 32);
  let state = seed;
  for (let at = 0; at < audio.length; at += 2) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    audio.writeInt16LE(Math.round((state / 2_147_483_648 - 0.5) * 12_000), at);
  }
  return audio;
}

export const nameOf = (audio: Uint8Array): string => createHash('sha256').update(audio).digest('hex').slice(0, 16);

/** Answers each commit with what `answer` makes of its audio. */
export const liveThat = (
  answer: (audio: Buffer) => Parameters<Parameters<LiveDictation['open']>[0]['onMessage']>[0],
): LiveDictation => ({
  clock: systemClientClock,
  log: { write: () => undefined },
  ledger: undefined,
  isFree: true,
  allowProbe: () => undefined,
  async open(handlers) {
    let audio: Uint8Array[] = [];
    let isOver = false;
    return ok({
      start: () => true,
      sound: (pcm) => audio.push(Uint8Array.from(pcm)) > 0,
      commit() {
        const message = answer(Buffer.concat(audio.splice(0)));
        setImmediate(() => {
          if (!isOver) handlers.onMessage(message);
        });
        return true;
      },
      interrupt: () => (audio = []).length === 0,
      isHeard: () => true,
      unsentBytes: () => 0,
      close: () => void (isOver = true),
    });
  },
});

const live = liveThat((audio) => ({ kind: 'final', result: { text: nameOf(audio), segments: [] } }));

const asItIs: CleanUpByModel = async () => ({ written: null, fault: 'failed', credits: Promise.resolve(null) });

/** Dictation with takes in a folder and a service that answers at once. */
export function studio(folder: string, style: WritingStyle = 'verbatim', cleanUp = asItIs, nowMs = 1_000_000) {
  let now = nowMs;
  const trashed = new Set<string>();
  const takes = openTakesFolder(folder);
  const published: TakeChange[] = [];
  const service = createDictationService({
    live,
    takes,
    rules: () => ({ replacements: [], hasCommands: false }),
    style: () => style,
    cleanUp,
    followers: [(change) => void published.push(change)],
    isTrashed: (id) => trashed.has(id),
    now: () => now,
    after: () => () => undefined,
  });
  const press = async (
    audio: Buffer,
    more: Partial<StartTake> = {},
    onStarted: () => void = () => undefined,
  ): Promise<string> => {
    const started = service.start({
      language: 'uz',
      mode: 'hold',
      device: 'Microphone',
      storesNothing: false,
      continues: null,
      ...more,
    });
    if (!started.ok) throw new Error(started.error.code);
    onStarted();
    for (let at = 0; at < audio.length; at += 640) started.value.push(audio.subarray(at, at + 640), null, 0);
    started.value.end();
    const { takeId } = started.value;
    await expect.poll(() => service.read(takeId)?.summary.waitingCount).toBe(0);
    return takeId;
  };
  return { service, takes, trashed, published, press, tick: (ms: number) => (now += ms) };
}

export function newFolder(): string {
  const folder = folderOfTest();
  return folder;
}
