import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, onTestFinished, test } from 'vitest';
import { locateDataFolder, prepareDataFolder } from '../../electron/platform/node/data-folder.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import type { StoredAudio } from '../../electron/services/library/store.ts';
import { openStorageFolder } from '../../electron/storage/storage-folder.ts';
import { type Workspace } from '../../electron/workspace/open-workspace.ts';
import { ok } from '../../shared/result/result.ts';
import { makeVideo } from '../support/make-video.ts';
import { writeSilentWav, toneWav } from '../support/wav-files.ts';
import { openQueueRig } from '../support/queue-rig.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';
import { parseFaultPlan } from '../../electron/practice/faults.ts';
import { readState } from '../../electron/practice/state.ts';
import { startCli } from '../support/cli-run.ts';
import { openApp, serviceAt, valueOf } from './open-library.ts';
import { folderOfTest } from '../support/test-folders.ts';

const speech = fileURLToPath(new URL('../fixtures/audio/two-sentences.opus.ogg', import.meta.url));
/** Two seconds: what is isolated here costs as much time as it is long. */
const shortTone = () => {
  const path = join(root, 'suhbat.wav');
  writeFileSync(path, toneWav(330, 2));
  return path;
};
const noSignal = new AbortController().signal;
let root = '';
let service: PracticeServer;
let library: Workspace;
/** Where the library is now. */
let place = '';
const dataDir = () => join(root, 'data');

const open = async () => {
  library = await openApp(dataDir(), serviceAt(service.url, service.token));
  await library.jobs.start();
};
const files = () => {
  const folder = locateDataFolder(dataDir());
  prepareDataFolder(folder);
  return openStorageFolder(folder);
};
beforeEach(async () => {
  root = folderOfTest();
  place = dataDir();
  for (const name of ['service', 'data', 'disk']) mkdirSync(join(root, name));
  const pace = { queuedMs: 20, processingMs: 20 };
  service = await startPracticeServer({ stateDir: join(root, 'service'), pace });
  await open();
});
afterEach(async () => {
  await library.close();
  await service.close();
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
  const [audio] = valueOf(library.isolation.list());
  if (audio === undefined) throw new Error('nothing was isolated');
  return audio;
};
/** What "Transcribe this" does. */
const transcribe = async (audio: StoredAudio): Promise<string> => {
  await add(valueOf(await library.isolation.transcriptionOf(audio, { language: 'uz', includeSpeakers: false })));
  return newestText();
};
const newestText = (): string => valueOf(library.deletion.list())[0]?.id ?? '';
const played = (id: string) => valueOf(library.transcripts.find(id)).mediaPath;
const extractor = () => readdirSync(join(place, 'prepared'));
/** The storage page: audio that can be extracted again, waveforms. Then rows that ended long ago. */
const cleanPrepared = async () =>
  expect(await files().remove('prepared', valueOf(await library.keptAudio()))).toEqual(ok(null));
const cleanAll = async () => {
  await cleanPrepared();
  expect(await files().remove('peaks', null)).toEqual(ok(null));
  for (const { id } of library.jobs.list().jobs) valueOf(await library.isolation.hide([id]));
};
const eraseForGood = async (kind: 'isolation' | 'transcript', id: string) => {
  valueOf(await library.items.trash([{ kind, id }]));
  valueOf(await library.items.erase([{ kind, id }], false));
};
const video = async () => {
  const path = join(root, 'suhbat.mkv');
  await makeVideo(path, 'mkv', speech);
  return path;
};

it('a transcript of isolated audio keeps its audio when storage is cleaned, the isolation erased and the library moved', async () => {
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
  place = valueOf(await files().judgeMove(join(root, 'disk'))).path;
  valueOf(await files().move(place, () => undefined, noSignal));
  expect(existsSync(join(dataDir(), 'prepared', `${audio.sha256}.${audio.format}`))).toBe(false);
  await open();
  expect(played(text).startsWith(place)).toBe(true);
  expect(readFileSync(played(text))).toEqual(bytes);

  await eraseForGood('transcript', text);
  expect(extractor()).toEqual([]);
}, 120_000);

it('isolated audio that replaced a recording stays, and can be undone even if the recording is gone', async () => {
  const path = await video();
  await add({ path, kind: 'transcribe', language: 'uz', includeSpeakers: false });
  const text = newestText();
  const own = readFileSync(played(text));
  const audio = await isolate(path);
  const bytes = readFileSync(library.isolation.pathOf(audio));
  expect(valueOf(await library.isolation.recordings.use(audio, text))).toEqual({ formerAudioId: null });
  expect(valueOf(await library.isolation.recordings.use(audio, text))).toEqual({ formerAudioId: audio.id });
  expect(readFileSync(played(text))).toEqual(bytes);
  renameSync(path, `${path}.gone`);

  await cleanAll();
  await eraseForGood('isolation', audio.id);
  await cleanAll();
  expect(readFileSync(played(text))).toEqual(bytes);
  valueOf(library.isolation.recordings.useOriginal(text));
  expect(readFileSync(played(text))).toEqual(own);

  await eraseForGood('transcript', text);
  expect(extractor()).toEqual([]);
}, 120_000);

it('a large batch waits until it is confirmed, even across a restart; hidden results are shown again', async () => {
  const request = { path: shortTone(), kind: 'isolate' as const, restoresSpeech: false };
  const { jobIds } = await library.jobs.add([request], undefined, { skipsRepeats: false, restsAboveMs: 1000 });
  const [jobId = ''] = jobIds;
  const stateNow = () => library.jobs.list().jobs.find(({ id }) => id === jobId)?.state.tag;
  expect(stateNow()).toBe('paused');
  await library.close();
  await open();
  expect(stateNow()).toBe('paused');
  expect(valueOf(library.isolation.list())).toEqual([]);

  expect(valueOf(await library.jobs.act([jobId], 'go-on'))).toMatchObject({ changedCount: 1 });
  await ended(jobId);
  valueOf(await library.isolation.hide([jobId]));
  expect(valueOf(library.isolation.hidden())).toMatchObject([{ jobId, name: 'suhbat.wav' }]);
  await library.close();
  await open();
  expect(valueOf(await library.isolation.unhide([jobId]))).toBe(1);
  expect(valueOf(library.isolation.hidden())).toEqual([]);
  expect(stateNow()).toBe('done');

  // A small amount: nothing waits for confirmation.
  const small = { ...request, restoresSpeech: true };
  const added = await library.jobs.add([small], undefined, { skipsRepeats: false, restsAboveMs: 600_000 });
  await ended(added.jobIds[0]);
});

it('a silent recording asks before anything is sent, once, and continues after a click', async () => {
  const path = join(root, 'muted.wav');
  writeSilentWav(path, 12);
  const [jobId = ''] = (await library.jobs.add([{ path, kind: 'isolate', restoresSpeech: false }])).jobIds;
  const stateNow = () => library.jobs.list().jobs[0]?.state;
  await expect.poll(stateNow).toMatchObject({ tag: 'needs-user', failure: { kind: 'recording-silent' } });
  await library.jobs.retry(jobId, false);
  expect(stateNow()).toMatchObject({ tag: 'needs-user' });
  valueOf(await library.jobs.retry(jobId, true));
  await ended(jobId);
});

it('erasing everything removes isolated audio in all its formats, and partial downloads', async () => {
  const audio = await isolate(shortTone());
  valueOf(await library.isolation.copyResult(audio, 'flac', join(root, 'saved.flac')));
  const folder = join(place, 'audio');
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  writeFileSync(join(folder, `${audio.id}-wav.part`), 'half');
  writeFileSync(join(folder, 'mine.wav'), 'of somebody else');
  await library.close();
  valueOf(await files().removeEverything());
  expect(readdirSync(folder)).toEqual(['mine.wav']);
  expect(existsSync(join(root, 'saved.flac'))).toBe(true);
  await open();
  expect(valueOf(library.isolation.list())).toEqual([]);
});

/** Isolates every recording at once; `result` are the bytes of each result. */
const isolatesTo =
  (result: Buffer): Script =>
  (request, response) => {
    if (request.url.startsWith('/signed')) {
      response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': String(result.length) });
      response.end(result);
      return;
    }
    const done = { id: 'iso_1', status: 'completed', audio_status: 'completed' };
    if (request.method === 'POST') sendJson(response, 202, { ...done, status: 'queued', audio_status: 'pending' });
    else if (request.url.includes('iso_1'))
      sendJson(response, 200, { ...done, audio_url: `http://${String(request.headers.host)}/signed/result.wav` });
    else sendJson(response, 200, { items: [], next_cursor: null });
  };

async function rigOf(script: Script) {
  const rig = await openQueueRig(script);
  onTestFinished(() => rig.close());
  const { refused } = await rig.library.jobs.add([
    { path: rig.record('uy.wav', 300, 6), kind: 'isolate', restoresSpeech: false },
  ]);
  expect(refused).toEqual([]);
  const downloads = () => rig.server.seen.filter(({ url }) => url.startsWith('/signed')).length;
  return { ...rig, library: rig.library, downloads };
}

it('a result that can not be read is downloaded three times and then asked about', async () => {
  const rig = await rigOf(isolatesTo(Buffer.alloc(4000, 7)));
  await rig.until(['needs-user']);
  expect(rig.states()).toMatchObject([{ failure: { kind: 'download-damaged' } }]);
  expect(rig.downloads()).toBe(3);
});

it('with a key that may not read, nothing is sent: its result could not be fetched', async () => {
  const rig = await rigOf((request, response, at) =>
    request.method === 'GET' && !request.url.includes('iso_1')
      ? sendJson(response, 403, { error: { code: 'insufficient_scope' }, request_id: 'req_1' })
      : isolatesTo(toneWav(300, 6))(request, response, at),
  );
  await rig.until(['blocked']);
  expect(rig.states()).toMatchObject([{ failure: { kind: 'key-cannot-collect', outcome: 'not_sent' } }]);
  expect(rig.posts()).toEqual([]);
});

/** Answers take long enough for each kill to fall between a request and its answer. */
const rules = [
  { route: '/v1/voice-isolations', method: 'POST', fault: 'delay', ms: 1500, when: 'after' },
  { route: '/v1/voice-isolations/:id', method: 'GET', fault: 'delay', ms: 400, when: 'after' },
  { route: '/storage/:objectName', method: 'GET', fault: 'delay', ms: 800, when: 'after' },
];

test('isolation killed at submit, poll and download reserves credits once and ends with one file', async () => {
  const serviceDir = join(root, 'killed-service');
  const dataDir = join(root, 'killed-data');
  const out = join(root, 'out');
  for (const folder of [serviceDir, dataDir, out]) mkdirSync(folder);
  const wav = shortTone();
  const slow = await startPracticeServer({
    stateDir: serviceDir,
    faultPlan: valueOf(parseFaultPlan({ rules })),
    pace: { queuedMs: 300, processingMs: 600 },
  });
  const run = () =>
    startCli(['isolate', wav, '--json', '--out', out, '--format', 'wav'], {
      url: slow.url,
      key: slow.token,
      dataDir,
    });
  const logPath = join(dataDir, 'logs/cli.log');
  const log = () => (existsSync(logPath) ? readFileSync(logPath, 'utf8') : '');
  const count = (event: string) => log().split(`"event":"${event}"`).length - 1;
  const charges = () =>
    Object.values(readState(serviceDir).charges)
      .filter(({ operation }) => operation === 'isolate')
      .map(({ state }) => ({ state }));
  /** Kills the command in this state; the test would prove nothing if it ended by itself. */
  const killAt = async (event: string, until: () => boolean = () => true) => {
    const before = count(event);
    const { child, ended } = run();
    await expect.poll(() => count(event) > before && until(), { timeout: 30_000, interval: 10 }).toBe(true);
    child.kill('SIGKILL');
    expect([event, (await ended).signal]).toEqual([event, 'SIGKILL']);
  };
  await killAt('job-sending', () => charges().length === 1);
  await killAt('job-polling');
  await killAt('job-fetching', () => readdirSync(join(dataDir, 'audio')).some((name) => name.endsWith('.part')));
  const last = await run().ended;
  expect([last.code, last.error]).toEqual([0, '']);
  expect(charges()).toEqual([{ state: 'settled' }]);

  const database = new DatabaseSync(join(dataDir, 'library.db'), { readOnly: true });
  const rows = (sql: string) => database.prepare(sql).all();
  const jobs = rows('SELECT kind, tag, memory FROM jobs');
  expect(jobs).toMatchObject([{ kind: 'isolate', tag: 'done' }]);
  const audio = rows("SELECT * FROM audio JOIN items ON items.kind = 'isolation' AND items.id = audio.id");
  expect(audio).toMatchObject([{ source_name: 'suhbat.wav', format: 'wav', duration_ms: 2000 }]);
  // One whole file, and no partial download beside it.
  expect(readdirSync(join(dataDir, 'audio'))).toEqual([audio[0]?.['file_name']]);
  expect(readFileSync(join(out, 'suhbat-clean.wav'))).toEqual(
    readFileSync(join(dataDir, 'audio', String(audio[0]?.['file_name']))),
  );
  // An address signed by the service is in no table and no log.
  const stored = JSON.stringify([jobs, audio, rows('SELECT event FROM job_events')]);
  expect(`${stored}${log()}`).not.toMatch(/\/storage\/|signature=|expires=/iu);
  database.close();
  await slow.close();
}, 120_000);
