import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAudioFolder } from '../../electron/platform/node/audio-folder.ts';
import { filePort } from '../../electron/platform/node/export-disk.ts';
import { measureSpeech } from '../../electron/platform/node/save-speech.ts';
import { createSpeechTakes, type SpeechTakesPorts } from '../../electron/services/speech/speech-takes.ts';
import { type Workspace } from '../../electron/workspace/open-workspace.ts';
import type { SpeechRequest } from '../../shared/domain/speech/blocks.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import { speechTone, startFakeSpeech, type FakeSpeech } from '../support/fake-speech.ts';
import { openApp, openStore, serviceAt } from './open-library.ts';
import { folderOfTest } from '../support/test-folders.ts';

let folder: string;
let service: FakeSpeech;
const open = new Set<Workspace>();

const workspaceIn = async (name: string, key = 'sk-test-0000000001'): Promise<Workspace> => {
  const opened = await openApp(join(folder, name), serviceAt(service.url, key));
  open.add(opened);
  return opened;
};

beforeEach(async () => {
  folder = folderOfTest();
  service = await startFakeSpeech();
});
afterEach(async () => {
  for (const workspace of open) await workspace.close();
  open.clear();
  await service.close();
});

const request = (text: string, more: Partial<SpeechRequest> = {}): SpeechRequest => ({
  text,
  language: 'uz',
  voiceId: 'voice_a',
  speed: 1,
  ...more,
});

it('the same content is paid for once: repeated, in two blocks at once, and after a restart', async () => {
  const first = await workspaceIn('data');
  const wanted = request('Salom, dunyo.');
  const [one, other] = await Promise.all([
    first.speechTakes.generate(wanted),
    first.speechTakes.generate({ ...wanted, speed: 1.0001 }),
  ]);
  expect(one).toMatchObject({ ok: true, value: { state: 'made', durationMs: 500 } });
  expect(other).toEqual(one);
  await first.close();
  open.delete(first);
  const second = await workspaceIn('data');
  expect(await second.speechTakes.generate(wanted)).toEqual(one);
  expect(service.requests()).toHaveLength(1);
  await second.speechTakes.generate(request('Salom, dunyo.', { speed: 1.05 }));
  expect(service.requests()).toHaveLength(2);
});

it('speech whose file is gone counts as failed, says so, and can be had again', async () => {
  const { speechTakes } = await workspaceIn('data');
  const made = await speechTakes.generate(request('Salom.'));
  if (!made.ok) throw new Error('not made');
  await rm(speechTakes.pathOf(made.value));
  const gone = { ok: true, value: [{ state: 'failed', failure: { kind: 'file-unreadable', code: 'speech_gone' } }] };
  expect(await speechTakes.findByRequests([request('Salom.')])).toMatchObject(gone);
  expect(await speechTakes.findByIds([made.value.id])).toMatchObject(gone);
  const again = await speechTakes.generate(request('Salom.'));
  if (!again.ok) throw new Error('not made again');
  expect(existsSync(speechTakes.pathOf(again.value))).toBe(true);
  expect(service.made()).toBe(2);
  expect(await speechTakes.findByRequests([request('Salom.')])).toMatchObject({ ok: true, value: [{ state: 'made' }] });
});

it('speech that was accepted and did not arrive stays requested, and its request is repeated after a restart', async () => {
  const library = openStore(folder);
  const store = library.store.speech;
  const audio = openAudioFolder(join(folder, 'speech'));
  let keys = 0;
  const takesWith = (speak: SpeechTakesPorts['speech']['speak'], more: Partial<SpeechTakesPorts> = {}) =>
    createSpeechTakes({
      store,
      folder: audio,
      speech: { speak } as SpeechTakesPorts['speech'],
      api: {} as SpeechTakesPorts['api'],
      downloader: {} as SpeechTakesPorts['downloader'],
      measure: measureSpeech,
      isThere: (path) => filePort.isThere(path),
      now: () => 0,
      newId: () => `take-${String((keys += 1))}`,
      ...more,
    });
  const first = takesWith(async ({ noteKey }) => {
    noteKey?.('key-1');
    return err(makeFailure('still-processing', { code: 'still_made', outcome: 'accepted' }));
  });
  expect(await first.generate(request('Kutilgan.'))).toMatchObject({ ok: false, error: { kind: 'still-processing' } });
  const noted: unknown[] = [];
  const ended: string[] = [];
  const speak: SpeechTakesPorts['speech']['speak'] = async ({ noteKey, target }) => {
    noted.push(noteKey?.('key-1'));
    await writeFile(target, speechTone());
    return ok({ sizeBytes: 1, durationMs: null, requestId: null, settle: () => ended.push('settled') });
  };
  const note = (take: { readonly id: string; readonly state: string; readonly failure: Failure | null }) =>
    ended.push(`${take.id} ${take.state} ${take.failure?.kind ?? ''}`);
  // Audio that the disk does not take, or a note of it, is asked for again under the same key.
  const full = err(makeFailure('disk-full'));
  await takesWith(speak, { folder: { ...audio, keep: async () => full } }).resume(note);
  await takesWith(speak, { store: { ...store, updateTake: () => full } }).resume(note);
  await takesWith(speak).resume(note);
  expect(noted).toEqual([ok(null), ok(null), ok(null)]);
  expect(ended).toEqual(['take-1 asked disk-full', 'take-1 asked disk-full', 'settled', 'take-1 made ']);
  library.close();
});

it('killed between sending and answer: the same key is repeated, one generation is paid for, and its audio is found', async () => {
  const hold = service.hold();
  const program = fileURLToPath(new URL('../support/speak-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, [program, join(folder, 'data'), service.url, 'Men uzildim.'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'exit');
  const [{ key }] = await hold.arrived;
  child.kill('SIGKILL');
  expect(await gone).toEqual([null, 'SIGKILL']);
  hold.release();
  const second = await workspaceIn('data');
  const ended: string[] = [];
  await second.speechTakes.resume((take) => ended.push(take.state));
  expect(ended).toEqual(['made']);
  expect(new Set(service.requests().map((one) => one.key))).toEqual(new Set([key]));
  expect(service.made()).toBe(1);
  const found = await second.speechTakes.findByRequests([request('Men uzildim.')]);
  if (!found.ok || found.value[0] === undefined) throw new Error('not found');
  expect(readFileSync(second.speechTakes.pathOf(found.value[0])).toString('latin1', 0, 4)).toBe('RIFF');
});

it('an unanswered request is not sent under another API key, and costs nothing more when the first key is back', async () => {
  const first = await workspaceIn('data');
  const hold = service.hold();
  const asked = first.speechTakes.generate(request('Javobsiz.'));
  await hold.arrived;
  await first.close();
  open.delete(first);
  hold.release();
  expect((await asked).ok).toBe(false);
  const other = await workspaceIn('data', 'sk-test-0000000002');
  const ended: (string | undefined)[] = [];
  await other.speechTakes.resume((take) => ended.push(take.failure?.code));
  expect(ended).toEqual(['old_request']);
  expect(service.requests()).toHaveLength(1);
  expect(await other.speechTakes.findByRequests([request('Javobsiz.')])).toMatchObject({
    ok: true,
    value: [{ state: 'asked', failure: { kind: 'job-not-found' } }],
  });
  await other.close();
  open.delete(other);
  const again = await workspaceIn('data');
  await again.speechTakes.resume((take) => ended.push(take.state));
  expect(ended.at(-1)).toBe('made');
  expect(service.made()).toBe(1);
});

it('audio is played as it arrives, once, even if the first answer breaks in the middle', async () => {
  const workspace = await workspaceIn('data');
  service.breakNext(9000);
  let samples = 0;
  const made = await workspace.speechTakes.generate(request('Uzilgan gap.'), {
    onAudio: (pcm) => (samples += pcm.length),
  });
  expect(made).toMatchObject({ ok: true });
  expect(samples).toBe(12_000);
  expect(service.made()).toBe(1);
});

it('a refusal leaves nothing open, and the next attempt is a new request', async () => {
  const workspace = await workspaceIn('data');
  service.refuseNext(402, 'insufficient_credits');
  expect(await workspace.speechTakes.generate(request('Pulsiz.'))).toMatchObject({
    ok: false,
    error: { kind: 'credits-exhausted' },
  });
  expect(await workspace.speechTakes.findByRequests([request('Pulsiz.')])).toMatchObject({
    ok: true,
    value: [{ state: 'failed', failure: { kind: 'credits-exhausted' } }],
  });
  expect(await workspace.speechTakes.generate(request('Pulsiz.'))).toMatchObject({ ok: true });
  const [refused, accepted] = service.requests();
  expect(accepted?.key).not.toBe(refused?.key);
});
