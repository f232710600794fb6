import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { convertFile } from '../../electron/audio/encode/convert-file.ts';
import { locateDataFolder, prepareDataFolder } from '../../electron/platform/node/data-folder.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { Secret } from '../../electron/secret/secret.ts';
import type { StoredAudio } from '../../electron/services/library/store.ts';
import { openStorageFolder } from '../../electron/storage/storage-folder.ts';
import { openWorkspace } from '../../electron/workspace/open-workspace.ts';
import type { Workspace } from '../../electron/workspace/workspace.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import { makeVideo } from '../support/make-video.ts';
import { writeSilentWav } from '../support/wav-files.ts';

const noisy = fileURLToPath(new URL('../../assets/noisy/street-uz.mp3', import.meta.url));
const speech = fileURLToPath(new URL('../fixtures/audio/two-sentences.opus.ogg', import.meta.url));
const noSignal = new AbortController().signal;
let root = '';
let service: PracticeServer;
let library: Workspace;
/** Where the library is now. */
let place = '';
const dataDir = () => join(root, 'data');

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
const open = async () => {
  library = must(
    await openWorkspace({
      mode: 'service',
      dataDir: dataDir(),
      source: () => ({ kind: 'service', baseUrl: service.url, key: new Secret(service.token) }),
      audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
      readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
      log: { write: () => undefined },
      allowsLoopbackHttp: true,
    }),
  );
  await library.jobs.start();
};
const files = () => {
  const folder = locateDataFolder(dataDir());
  prepareDataFolder(folder);
  return openStorageFolder(folder);
};
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'ovoz-isolated-'));
  place = dataDir();
  for (const name of ['service', 'data', 'disk']) mkdirSync(join(root, name));
  const pace = { queuedMs: 20, processingMs: 20 };
  service = await startPracticeServer({ stateDir: join(root, 'service'), pace });
  await open();
});
afterEach(async () => {
  await library.close();
  await service.close();
  rmSync(root, { recursive: true, force: true });
});

const ended = (jobId: string | undefined) =>
  expect
    .poll(() => library.jobs.list().jobs.find(({ id }) => id === jobId)?.state.tag, { timeout: 30_000 })
    .toBe('done');
const add = async (job: Parameters<Workspace['jobs']['add']>[0][number]) => {
  const { jobIds, refused } = await library.jobs.add([job]);
  expect(refused).toEqual([]);
  await ended(jobIds[0]);
};
const isolate = async (path: string): Promise<StoredAudio> => {
  await add({ path, kind: 'isolate', restoresSpeech: false });
  const [audio] = must(library.isolation.list());
  if (audio === undefined) throw new Error('nothing was isolated');
  return audio;
};
/** What "Transcribe this" does. */
const transcribe = async (audio: StoredAudio): Promise<string> => {
  await add(must(await library.isolation.transcriptionOf(audio, { language: 'uz', includeSpeakers: false })));
  return newestText();
};
const newestText = (): string => must(library.deletion.list())[0]?.id ?? '';
const played = (id: string) => must(library.transcripts.find(id)).mediaPath;
const extractor = () => readdirSync(join(place, 'prepared'));
/** The storage page: audio that can be extracted again, waveforms. Then rows that ended long ago. */
const cleanPrepared = async () =>
  expect(await files().remove('prepared', must(await library.keptAudio()))).toEqual(ok(null));
const cleanAll = async () => {
  await cleanPrepared();
  expect(await files().remove('peaks', null)).toEqual(ok(null));
  for (const { id } of library.jobs.list().jobs) must(await library.isolation.hide(id));
};
const eraseForGood = async (kind: 'isolation' | 'transcript', id: string) => {
  must(await library.items.trash([{ kind, id }]));
  must(await library.items.erase([{ kind, id }], false));
};
/** Quarters of a second in which two parts overlap. */
const seamSlots: ReadonlySet<number> = new Set([18, 19, 20, 21, 38, 39, 40, 41]);
const channelCount = 2;
/** 16-bit samples of a WAV, with two channels interleaved. */
const samplesOf = (path: string): Int16Array => {
  const file = readFileSync(path);
  const at = file.indexOf('data') + 8;
  return new Int16Array(file.buffer.slice(file.byteOffset + at, file.byteOffset + file.length));
};
/** The largest value in each quarter of a second. */
const worst = (samples: Int16Array, of: (at: number) => number): readonly number[] => {
  const found: number[] = [];
  for (let at = channelCount; at < samples.length; at += 1) {
    const slot = Math.floor(at / (48_000 * channelCount * 0.25));
    found[slot] = Math.max(found[slot] ?? 0, Math.abs(of(at)));
  }
  return found;
};
const video = async () => {
  const path = join(root, 'suhbat.mkv');
  await makeVideo(path, 'mkv', speech);
  return path;
};

it(
  'a transcript of isolated audio keeps its audio when storage is cleaned, the isolation erased and the library moved',
  { timeout: 120_000 },
  async () => {
    const audio = await isolate(await video());
    const bytes = readFileSync(library.isolation.pathOf(audio));
    const text = await transcribe(audio);
    expect(readFileSync(played(text))).toEqual(bytes);

    await cleanAll();
    await eraseForGood('isolation', audio.id);
    expect(readdirSync(join(place, 'audio'))).toEqual([]);
    await cleanAll();
    expect(readFileSync(played(text))).toEqual(bytes);

    await library.close();
    place = must(await files().judgeMove(join(root, 'disk'))).path;
    must(await files().move(place, () => undefined, noSignal));
    expect(existsSync(join(dataDir(), 'prepared', `${audio.sha256}.${audio.format}`))).toBe(false);
    await open();
    expect(played(text).startsWith(place)).toBe(true);
    expect(readFileSync(played(text))).toEqual(bytes);

    await eraseForGood('transcript', text);
    expect(extractor()).toEqual([]);
  },
);

it(
  'isolated audio that waits to be transcribed is found after its isolation was erased and the library moved',
  { timeout: 120_000 },
  async () => {
    const audio = await isolate(await video());
    const job = must(await library.isolation.transcriptionOf(audio, { language: 'uz', includeSpeakers: false }));
    await library.jobs.hold(true);
    const { jobIds } = await library.jobs.add([job]);
    await eraseForGood('isolation', audio.id);
    await cleanPrepared();
    await library.close();
    place = must(await files().judgeMove(join(root, 'disk'))).path;
    must(await files().move(place, () => undefined, noSignal));
    await open();
    await library.jobs.hold(false);
    await ended(jobIds[0]);
    expect(existsSync(played(newestText()))).toBe(true);
  },
);

it(
  'isolated audio that replaced a recording stays, and can be undone even if the recording is gone',
  { timeout: 120_000 },
  async () => {
    const path = await video();
    await add({ path, kind: 'transcribe', language: 'uz', includeSpeakers: false });
    const text = newestText();
    const own = readFileSync(played(text));
    const audio = await isolate(path);
    const bytes = readFileSync(library.isolation.pathOf(audio));
    expect(must(await library.isolation.recordings.use(audio, text))).toEqual({ formerAudioId: null });
    expect(must(await library.isolation.recordings.use(audio, text))).toEqual({ formerAudioId: audio.id });
    expect(readFileSync(played(text))).toEqual(bytes);
    renameSync(path, `${path}.gone`);

    await cleanAll();
    await eraseForGood('isolation', audio.id);
    await cleanAll();
    expect(readFileSync(played(text))).toEqual(bytes);
    must(library.isolation.recordings.useOriginal(text));
    expect(readFileSync(played(text))).toEqual(own);

    await eraseForGood('transcript', text);
    expect(extractor()).toEqual([]);
  },
);

it(
  'erasing a transcript keeps the original of isolated audio, and a second transcript of the same audio',
  { timeout: 120_000 },
  async () => {
    const path = await video();
    await add({ path, kind: 'transcribe', language: 'uz', includeSpeakers: false });
    const first = newestText();
    const audio = await isolate(path);
    must(await library.isolation.recordings.use(audio, first));
    const second = await transcribe(audio);
    expect(second).not.toBe(first);
    await eraseForGood('transcript', first);
    expect(existsSync(must(library.isolation.sourceOf(audio))?.path ?? '')).toBe(true);
    expect(existsSync(played(second))).toBe(true);
    await eraseForGood('transcript', second);
    await eraseForGood('isolation', audio.id);
    expect(extractor()).toEqual([]);
  },
);

it(
  'a large batch waits until it is confirmed, even across a restart; hidden results are shown again',
  { timeout: 60_000 },
  async () => {
    const request = { path: speech, kind: 'isolate' as const, restoresSpeech: false };
    const { jobIds } = await library.jobs.add([request], undefined, { skipsRepeats: false, restsAboveMs: 1000 });
    const [jobId = ''] = jobIds;
    const stateNow = () => library.jobs.list().jobs.find(({ id }) => id === jobId)?.state.tag;
    expect(stateNow()).toBe('paused');
    await library.close();
    await open();
    expect(stateNow()).toBe('paused');
    expect(must(library.isolation.list())).toEqual([]);

    expect(must(await library.jobs.act([jobId], 'go-on'))).toMatchObject({ changedCount: 1 });
    await ended(jobId);
    must(await library.isolation.hide(jobId));
    expect(must(library.isolation.hidden())).toMatchObject([{ jobId, name: 'two-sentences.opus.ogg' }]);
    await library.close();
    await open();
    expect(must(await library.isolation.unhide(jobId))).toBe(true);
    expect(must(library.isolation.hidden())).toEqual([]);
    expect(stateNow()).toBe('done');

    // A small amount: nothing waits for confirmation.
    const small = { ...request, restoresSpeech: true };
    const added = await library.jobs.add([small], undefined, { skipsRepeats: false, restsAboveMs: 600_000 });
    await ended(added.jobIds[0]);
  },
);

it('a silent recording asks before anything is sent, once, and continues after a click', async () => {
  const path = join(root, 'muted.wav');
  writeSilentWav(path, 60);
  const [jobId = ''] = (await library.jobs.add([{ path, kind: 'isolate', restoresSpeech: false }])).jobIds;
  const stateNow = () => library.jobs.list().jobs[0]?.state;
  await expect.poll(stateNow).toMatchObject({ tag: 'needs-user', failure: { row: 'E-244' } });
  await library.jobs.retry(jobId, false);
  expect(stateNow()).toMatchObject({ tag: 'needs-user' });
  must(await library.jobs.retry(jobId, true));
  await ended(jobId);
});

it(
  'parts of a recording, isolated each on its own and joined, are as long as the whole and have no seam',
  { timeout: 120_000 },
  async () => {
    const wav = join(root, 'street.wav');
    await convertFile('wav', noisy, wav, () => undefined);
    const whole = await isolate(wav);
    const parts = [
      { startMs: 0, endMs: 5_500 },
      { startMs: 4_500, endMs: 10_500 },
      { startMs: 9_500, endMs: 15_456 },
    ];
    for (const part of parts) await add({ path: wav, kind: 'isolate', restoresSpeech: false, part });
    const [last] = must(library.isolation.list());
    if (last === undefined) throw new Error('no part was isolated');
    expect(must(library.isolation.parts.describe(last))).toMatchObject({ count: 3, isJoinable: true });
    const [joined, all] = [join(root, 'joined.wav'), join(root, 'whole.wav')];
    must(await library.isolation.parts.saveJoined(last, joined, 'wav', noSignal));
    must(await library.isolation.copyResult(whole, 'wav', all));

    const [one, other] = [samplesOf(joined), samplesOf(all)];
    expect(one).toHaveLength(other.length);
    // A seam would be a step, or a larger difference than elsewhere.
    const steps = worst(one, (at) => (one[at] ?? 0) - (one[at - channelCount] ?? 0));
    const apart = worst(one, (at) => (one[at] ?? 0) - (other[at] ?? 0));
    for (const found of [steps, apart]) {
      const most = (isSeam: boolean) => Math.max(...found.filter((_, slot) => seamSlots.has(slot) === isSeam));
      expect(most(true)).toBeLessThanOrEqual(most(false));
    }
    // Up to the first seam the samples are identical.
    expect(Math.max(...apart.slice(0, 18))).toBe(0);
  },
);

it('erasing everything removes isolated audio in all its formats, and partial downloads', async () => {
  const audio = await isolate(speech);
  must(await library.isolation.copyResult(audio, 'flac', join(root, 'saved.flac')));
  const folder = join(place, 'audio');
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  writeFileSync(join(folder, `${audio.id}-wav.part`), 'half');
  writeFileSync(join(folder, 'mine.wav'), 'of somebody else');
  await library.close();
  must(await files().removeEverything());
  expect(readdirSync(folder)).toEqual(['mine.wav']);
  expect(existsSync(join(root, 'saved.flac'))).toBe(true);
  await open();
  expect(must(library.isolation.list())).toEqual([]);
});
