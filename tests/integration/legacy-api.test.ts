import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../electron/service/connection.ts';
import { parseFaultPlan } from '../../electron/practice/faults.ts';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { checkLegacy } from '../../electron/service/legacy.ts';
import { openApp } from './open-library.ts';
import { folderOfTest } from '../support/test-folders.ts';

const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
const flac = fileURLToPath(new URL('../fixtures/audio/two-sentences.flac', import.meta.url));

/** The whole app without a window, over a practice service with planned faults. */
async function open(rules: readonly unknown[] = [], more: (url: string) => Partial<Connection> = () => ({})) {
  const plan = parseFaultPlan({ rules });
  if (!plan.ok) throw new Error(plan.error);
  const server = await startPracticeServer({ faultPlan: plan.value });
  const dataDir = folderOfTest();
  const connection: Connection = {
    kind: 'practice',
    baseUrl: server.url,
    key: new Secret(server.token),
    legacyKey: new Secret(server.legacyToken),
    ...more(server.callHost),
  };
  const workspace = await openApp(dataDir, () => connection, { mode: 'practice' });
  await workspace.jobs.start();
  onTestFinished(async () => {
    await workspace.close();
    await server.close();
  });
  const paid = () => readLedger(server.stateDir).map(({ route }) => route);
  const speak = (text: string, voiceId = 'legacy:cheerful', wanted: object = {}) =>
    workspace.speech.speak({
      text,
      voiceId,
      language: 'uz',
      speed: 1,
      sendsAgain: false,
      waitMs: 1000,
      target: join(dataDir, 'a.wav'),
      signal: new AbortController().signal,
      ...wanted,
    });
  const job = () => workspace.jobs.list().jobs[0];
  return { workspace, server, dataDir, paid, speak, job };
}

const rateOf = (path: string): number => readFileSync(path).readUInt32LE(24);

test.each([
  ['its form', () => ({}), 'POST /api/v1/tts/post/'],
  ['its live call', (grpcHost: string) => ({ grpcHost }), '/RealtimeTTS/Synthesize'],
] as const)('a legacy voice speaks by %s into a file, and is paid for once', async (_name, more, route) => {
  const { speak, paid, dataDir } = await open([], more);
  const spoken = await speak('Salom, dunyo!');
  expect(spoken).toMatchObject({ ok: true, value: { durationMs: expect.any(Number) } });
  expect(rateOf(join(dataDir, 'a.wav'))).toBe(16_000);
  expect(paid()).toEqual([expect.stringContaining(route)]);
});

test('what the legacy API would refuse is refused here, and nothing is sent', async () => {
  const { speak, paid, workspace } = await open();
  const codeOf = async (asked: ReturnType<typeof speak>) => {
    const result = await asked;
    return result.ok ? null : [result.error.code, result.error.outcome];
  };
  expect(await codeOf(speak('a'.repeat(1001)))).toEqual(['legacy_text_too_long', 'not_sent']);
  expect(await codeOf(speak('Привет', 'legacy:neutral', { language: 'ru', speed: 1.5 }))).toEqual([
    'legacy_speed',
    'not_sent',
  ]);
  expect(await codeOf(speak('Привет', 'legacy:sad', { language: 'ru' }))).toEqual(['no_voice', 'not_sent']);
  expect(checkLegacy({ name: 'a.mp3', sizeBytes: 500_000_001 })?.code).toBe('file_too_large');
  expect(checkLegacy({ name: 'a.mp3', sizeBytes: 500_000_000 })).toBeNull();
  const added = await workspace.jobs.attach(
    { kind: 'transcribe', language: 'ru', includeSpeakers: false, isLegacy: true, path: flac },
    new AbortController().signal,
  );
  expect(added).toMatchObject({ ok: false, error: { code: 'legacy_type' } });
  expect(paid()).toEqual([]);
  const without = await open([], () => ({ legacyKey: undefined as never }));
  expect(await codeOf(without.speak('Salom'))).toEqual(['legacy_key_missing', 'not_sent']);
});

test('speech whose answer was lost is found in the list and fetched, and never sent again', async () => {
  const rule = { route: '/api/v1/tts/post/', method: 'POST', nth: 1, fault: 'drop-answer-after-acceptance' };
  const { speak, paid, dataDir } = await open([rule]);
  expect((await speak('Salom, dunyo!')).ok).toBe(false);
  await expect.poll(async () => (await speak('Salom, dunyo!')).ok, { timeout: 10_000 }).toBe(true);
  expect(rateOf(join(dataDir, 'a.wav'))).toBe(16_000);
  expect(paid()).toHaveLength(1);
});

test('speech that was never taken is not mistaken for the same text spoken a moment ago', async () => {
  const rule = { route: '/api/v1/tts/post/', method: 'POST', nth: 2, fault: 'reset-before-read' };
  const { speak, paid } = await open([rule]);
  const first = await speak('Salom, dunyo!');
  if (!first.ok) throw new Error(first.error.code);
  first.value.settle();
  const other = { speed: 1.5 };
  expect(await speak('Salom, dunyo!', 'legacy:cheerful', other)).toMatchObject({ error: { outcome: 'unknown' } });
  expect(await speak('Salom, dunyo!', 'legacy:cheerful', other)).toMatchObject({ error: { kind: 'job-not-found' } });
  expect(paid()).toHaveLength(1);
});

test('a recording goes through the queue by the legacy API, with its speakers, also when the answer was lost', async () => {
  const rule = { route: '/api/v2/stt/post/', method: 'POST', nth: 1, fault: 'drop-answer-after-acceptance' };
  const { workspace, paid, job } = await open([rule]);
  await workspace.jobs.add([
    { kind: 'transcribe', language: 'uz', includeSpeakers: true, isLegacy: true, path: sample },
  ]);
  await expect.poll(() => job()?.state.tag, { timeout: 30_000 }).toBe('done');
  const done = job();
  if (done?.state.tag !== 'done') throw new Error('not done');
  expect(done).toMatchObject({ isLegacy: true, state: { speakerCount: 2 } });
  const read = await workspace.transcripts.open(done.state.transcriptId ?? '');
  expect(paid()).toEqual([expect.stringContaining('/api/v2/stt/post/')]);
  expect(read).toMatchObject({ ok: true, value: { transcript: { speakers: [{ id: 'p1' }, { id: 'p2' }] } } });
});
