import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageChannel, type MessagePort as NodePort } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Procedures } from '../../electron/ipc/procedure.ts';
import { createRateLimiter } from '../../electron/ipc/dispatch.ts';
import { createStreams, type StreamPort } from '../../electron/ipc/streams.ts';
import type { App } from '../../electron/sections/context.ts';
import { speakProcedures, speakStreams } from '../../electron/sections/speak.ts';
import { type Workspace } from '../../electron/workspace/open-workspace.ts';
import type { SpeechPlayer } from '../../renderer/audio/speech-player.ts';
import { type StudioClient, connectPage } from '../../renderer/bridge/client.ts';
import { createSpeakStore, type SpeakStore } from '../../renderer/features/speak/model/speak-store.ts';
import { ok } from '../../shared/result/result.ts';
import { startFakeSpeech, type FakeSpeech } from '../support/fake-speech.ts';
import { openApp, serviceAt } from './open-library.ts';
import { folderOfTest } from '../support/test-folders.ts';

// Its dialogs are not opened here.
vi.mock('electron', () => ({ dialog: {}, BrowserWindow: {} }));

let folder: string;
let service: FakeSpeech;
let workspace: Workspace;
const ports: NodePort[] = [];
const stores: SpeakStore[] = [];
let admitted: unknown[] = [];

beforeEach(async () => {
  admitted = [];
  folder = folderOfTest();
  service = await startFakeSpeech();
  workspace = await openApp(folder, serviceAt(service.url));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await expect.poll(() => store.getState().saving).toBe('saved');
  for (const port of ports.splice(0)) port.close();
  await workspace.close();
  await service.close();
});

const servicesOf = (): App =>
  ({
    workspaces: { opened: async () => ok(workspace) },
    keys: { isInText: () => false },
    settings: { get: () => ({ interfaceLanguage: 'en' }) },
    mediaTokens: { issue: ({ sha256 }: { sha256: string }) => sha256 },
    paid: {
      start: async (_asker: unknown, estimate: unknown) => {
        admitted.push(estimate);
        return ok(true);
      },
    },
    publishTake: () => undefined,
  }) as unknown as App;

/** The section's own store over the real stream and the real handlers; only drawing and playback are left out. */
async function openText(text: string, heard: () => void = () => undefined): Promise<SpeakStore> {
  const services = servicesOf();
  const procedures: Procedures = speakProcedures(services);
  const streams = createStreams({
    procedures: speakStreams(services),
    isTrusted: () => true,
    rate: createRateLimiter({ burst: 100, perSecond: 100 }, () => 0),
    now: () => 0,
    newBugId: () => 'bug-1',
    report: () => undefined,
  });
  const studio = {
    request: async (method: string, input: unknown) =>
      procedures[method]?.handle(input, { windowId: 1, activation: null }),
    subscribe: () => () => undefined,
    open: async (stream: 'speak.generate', options: unknown) => {
      const granted = streams.grant({ windowId: 1, frameUrl: 'app://studio/', isMainFrame: true }, {
        stream,
        options,
        nonce: '0123456789abcdef',
      } as never);
      if (!granted.ok) return granted;
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      granted.value.connect({
        postMessage: (message) => port1.postMessage(message),
        on: (event: 'message' | 'close', listener: (message: never) => void) =>
          port1.on(event, (data?: unknown) => listener({ data } as never)),
        start: () => undefined,
        close: () => port1.close(),
      } as StreamPort);
      return ok(connectPage(port2 as unknown as MessagePort));
    },
  } as unknown as StudioClient;
  const player = {
    getState: () => ({ status: 'idle', heardId: null, awaitedId: null, failedIds: [], heardMs: 0, lateCount: 0 }),
    subscribe: () => () => undefined,
    start: () => undefined,
    push: heard,
    finish: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    stop: () => undefined,
  } satisfies SpeechPlayer;
  const store = createSpeakStore(studio, player);
  stores.push(store);
  await store.load();
  store.setDefaults({ language: 'en', voiceId: 'voice_a' });
  store.setText(text, { isTyping: false });
  return store;
}

const text = 'One is here. Two is here. Three is here. Four is here.';
const states = (store: SpeakStore) =>
  (store.getState().document?.blocks ?? []).map((_, index) => store.statusOf(index)?.state);

it('what was sent before Stop is stored and shown, and is never paid for again', async () => {
  let stop: (() => void) | null = null;
  const store = await openText(text, () => {
    stop?.();
    stop = null;
  });
  // During the first audio that arrives, with others right behind it.
  stop = () => store.stop();
  store.speak(0);
  await expect.poll(() => stop).toBeNull();
  await expect.poll(() => states(store)).not.toContain('generating');
  expect(states(store).filter((state) => state === 'ready')).toHaveLength(service.made());
  expect(service.made()).toBeLessThan(4);
  store.speak(0);
  await expect.poll(() => states(store)).toEqual(['ready', 'ready', 'ready', 'ready']);
  expect(service.made()).toBe(4);
  expect(service.requests()).toHaveLength(4);
});

it('all that is paid for is admitted before: in another voice, and again where the file is gone', async () => {
  const store = await openText('One is here. One is here. Two is here.');
  store.speak(0);
  await expect.poll(() => states(store)).toEqual(['ready', 'ready', 'ready']);
  const orders = store.getState().requests.flatMap((request, index) => [
    { blockId: `a-${String(index)}`, request },
    { blockId: `b-${String(index)}`, request: { ...request, voiceId: 'voice_b' } },
  ]);
  const stream = { send: async () => true, incoming: new ReadableStream(), signal: new AbortController().signal };
  await speakStreams(servicesOf())['speak.generate'].handle(
    { orders, isNewTake: false, sendsAgain: false },
    stream as never,
    {} as never,
  );
  const speech = join(folder, 'speech');
  for (const name of await readdir(speech)) await rm(join(speech, name));
  const again = await openText('One is here. Two is here.');
  await expect.poll(() => states(again)).toEqual(['failed', 'failed']);
  again.speak(0);
  await expect.poll(() => [service.made(), states(again)]).toEqual([6, ['ready', 'ready']]);
  const whole = { requests: 2, audioMs: 0, characters: 24, isRough: false };
  expect(admitted).toMatchObject([whole, whole, whole]);
});

it('a sentence being sent at Stop does not count as unsent, and its audio is received later, even by the next order', async () => {
  const hold = service.hold();
  const store = await openText('One is here.');
  store.speak(0);
  await hold.arrived;
  store.stop();
  expect(states(store)).toEqual(['generating']);
  expect(store.getState().isGenerating).toBe(false);
  store.speak(0);
  hold.release();
  await expect.poll(() => states(store)).toEqual(['ready']);
  expect(service.made()).toBe(1);
});
