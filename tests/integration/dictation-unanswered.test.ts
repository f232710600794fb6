import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openTakesFolder } from '../../electron/platform/node/takes-folder.ts';
import { createDictationService } from '../../electron/services/dictation/dictation-service.ts';
import type { TakeChange } from '../../shared/domain/dictation/take-view.ts';
import { liveClient, practice } from '../contract/live-rig.ts';
import { newFolder } from '../support/dictation-studio.ts';

const wav = readFileSync(new URL('../fixtures/audio/two-sentences.s16.wav', import.meta.url));
const pcm = wav.subarray(wav.indexOf('data') + 8);
const commit = { route: 'realtime-commit' };

test('a phrase counts how often it was sent without an answer, any answer is one, and a restart does not forget it', async () => {
  const server = await practice([
    { ...commit, nth: 1, fault: 'commit-close', closeCode: 1011 },
    { ...commit, nth: 2, fault: 'commit-close', closeCode: 1011 },
    { ...commit, nth: 3, fault: 'commit-error', code: 'busy' },
  ]);
  const folder = newFolder();
  const published: TakeChange[] = [];
  const client = liveClient(server);
  const ports: Parameters<typeof createDictationService>[0] = {
    dictate: (options, listener) => client.live.dictate(options, listener),
    takes: openTakesFolder(folder),
    rules: () => ({ replacements: [], hasCommands: false }),
    style: () => 'verbatim',
    cleanUp: async () => ({ written: null, fault: 'failed', credits: Promise.resolve(null) }),
    publish: (change) => void published.push(change),
    isTrashed: () => false,
    now: () => 0,
    after: () => () => undefined,
  };
  const service = createDictationService(ports);
  onTestFinished(() => service.close());
  const started = service.start({ language: 'uz', mode: 'hold', device: '', storesNothing: false, continues: null });
  if (!started.ok) throw new Error(started.error.code);
  for (let at = 0; at < pcm.length; at += 640) started.value.push(pcm.subarray(at, at + 640), null, 0);
  started.value.end();
  const { takeId } = started.value;
  await expect.poll(() => service.read(takeId)?.phrases[0]?.state).toBe('text');
  const counts = published.flatMap(({ phrases }) => phrases?.map(({ unanswered }) => unanswered) ?? []);
  expect(counts.filter((count, at) => count !== counts[at - 1])).toEqual([0, 1, 2, 3, 2, 3, 2]);
  const again = createDictationService({ ...ports, takes: openTakesFolder(folder) });
  expect(again.read(takeId)?.phrases[0]?.unanswered).toBe(2);
});
