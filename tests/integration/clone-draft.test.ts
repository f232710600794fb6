import { readdirSync, rmSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openServiceClient } from '../../electron/service/client.ts';
import { openAudioFolder } from '../../electron/platform/node/audio-folder.ts';
import { parseFaultPlan } from '../../electron/practice/faults.ts';
import { startPracticeServer, type PracticeOptions } from '../../electron/practice/server.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { createCloneService, findUploadIn } from '../../electron/services/voices/clone-service.ts';
import { noDetails } from '../../shared/domain/voices/clone-rules.ts';
import { ok } from '../../shared/result/result.ts';
import { cutRecording } from '../support/cut-recording.ts';
import { valueOf } from './open-library.ts';
import { folderOfTest } from '../support/test-folders.ts';

const [deepVoice, sameVoice] = await Promise.all([cutRecording(11, 21.5), cutRecording(25, 35)]);
const details = { ...noDetails, name: 'Kechki eshittirish', accent: ' Fargʻona ', palette: 'deep' } as const;

function planOf(...rules: readonly object[]) {
  const plan = parseFaultPlan({ rules });
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
}

/** The practice service and the app's stored draft; `restart` opens the draft anew, as after a crash. */
async function openRig(options: PracticeOptions = {}, hasToken = true) {
  const clock = { ms: Date.parse('2026-11-22T10:00:00Z') };
  const server = await startPracticeServer({ now: () => clock.ms, ...options });
  const client = openServiceClient({
    connection: () => ({
      kind: 'practice',
      baseUrl: server.url,
      key: new Secret(server.token),
      ...(hasToken && { accessToken: new Secret(server.accessToken) }),
    }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
    random: () => 0,
  });
  const folder = folderOfTest();
  const notes = new Map<string, string>();
  const store = {
    note: (name: string) => ok(notes.get(name) ?? null),
    saveNote: (name: string, value: string) => {
      notes.set(name, value);
      return ok(null);
    },
  };
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  let number = 0;
  const open = () =>
    createCloneService({
      store,
      api: client.clone,
      folder: openAudioFolder(folder),
      writeFile: async (path, bytes) => {
        await writeFile(path, bytes);
        return ok(null);
      },
      readFile: (path) => readFile(path).catch(() => null),
      describeFile: (path) => stat(path).then(({ size, mtimeMs }) => ({ sizeBytes: size, mtimeMs })),
      now: () => clock.ms,
      newId: () => `id${String((number += 1))}`,
      findUpload: findUploadIn(client.account, () => hasToken),
      after: (_ms, callback) => {
        clock.ms += 60_000;
        queueMicrotask(callback);
        return () => undefined;
      },
    });
  return {
    clone: open(),
    restart: open,
    client,
    notes,
    /** Uploads that the service took, by its own log. */
    uploads: async () => {
      const period = { from: '2026-11-21', to: '2026-11-24', route: '/v1/voice-enrollments', method: 'POST' };
      const logged = await client.account.requestLogs(period, { limit: 100 });
      return logged.ok ? logged.value.items.filter(({ status }) => status === 201).length : null;
    },
    files: () => readdirSync(folder),
  };
}
type Rig = Awaited<ReturnType<typeof openRig>>;

const recordingOf = (what: 'reference' | 'reading', wav: Buffer, removesNoise = false) => ({
  what,
  parts: [new Int16Array(Uint8Array.from(wav.subarray(44)).buffer)],
  sampleRate: 16_000,
  language: 'uz' as const,
  removesNoise,
  name: null,
});
const keep = (clone: Rig['clone'], what: 'reference' | 'reading', wav: Buffer) =>
  clone.keepRecording(recordingOf(what, wav));
const draftOf = async (answer: ReturnType<Rig['clone']['send']>) => valueOf(await answer);
/** Up to the reading text. */
async function toReading({ clone }: Rig) {
  await keep(clone, 'reference', deepVoice);
  await clone.send('upload');
  await clone.send('approve');
  clone.change({ details, hasConsent: true });
  return draftOf(clone.send('challenge'));
}

it('a crash during the recording of a voice keeps what was recorded; cancelling deletes it', async () => {
  const rig = await openRig();
  const recording = recordingOf('reference', deepVoice, true);
  await rig.clone.spool(recording);
  // It is still recording: a request meanwhile does not treat it as abandoned.
  expect(await rig.clone.read()).toEqual(ok(null));
  const after = rig.restart();
  const draft = valueOf(await after.read());
  expect(draft).toMatchObject({ step: 'record', removesNoise: true, reference: { durationMs: 10_500 } });
  if (draft?.reference == null) throw new Error('nothing was kept');
  expect((await readFile(after.pathOf(draft.reference))).equals(deepVoice)).toBe(true);
  await rig.clone.discard();
  await rig.clone.spool(recording);
  await rig.clone.spool(null);
  expect(await rig.restart().read()).toEqual(ok(null));
  expect(rig.files().filter((name) => name.includes('recording-now'))).toEqual([]);
});

it('a voice being cloned looks up a step whose answer was lost, and sends nothing twice', async () => {
  const path = '/v1/voice-enrollments/:id';
  const rig = await openRig({
    faultPlan: planOf(
      { route: `${path}/transcript`, nth: 1, fault: 'drop-answer-after-acceptance' },
      { route: `${path}/verify`, nth: 1, fault: 'drop-answer-after-acceptance' },
    ),
  });
  await keep(rig.clone, 'reference', deepVoice);
  await rig.clone.send('upload');
  expect(await draftOf(rig.clone.send('approve'))).toMatchObject({ step: 'details' });
  rig.clone.change({ details, hasConsent: true });
  await rig.clone.send('challenge');
  await keep(rig.clone, 'reading', sameVoice);
  expect(await draftOf(rig.clone.send('verify'))).toMatchObject({
    step: 'ready',
    attempts: 1,
    voiceId: expect.stringMatching(/^voice_/u),
  });
});

it('a voice being cloned looks in the log of the account for an upload whose answer was lost, and sends nothing by itself', async () => {
  const route = '/v1/voice-enrollments';
  const lost = async (fault: object, hasToken = true) => {
    const rig = await openRig({ faultPlan: planOf({ route, nth: 1, ...fault }) }, hasToken);
    await keep(rig.clone, 'reference', deepVoice);
    const { step, sending, failure } = await draftOf(rig.clone.send('upload'));
    expect({ step, sending }).toEqual({ step: 'record', sending: null });
    return { code: failure?.code, uploads: hasToken ? await rig.uploads() : null };
  };
  expect(await lost({ fault: 'cut-answer', bytes: 1 })).toEqual({ code: 'upload_arrived', uploads: 1 });
  expect(await lost({ fault: 'reset-before-read' })).toEqual({ code: 'upload_absent', uploads: 0 });
  expect(await lost({ fault: 'reset-before-read' }, false)).toEqual({ code: 'upload_unsure', uploads: null });
});

it('a voice being cloned is killed between a step and its answer, and the next start resumes at the right step', async () => {
  const rig = await openRig();
  const { enrollmentId } = await toReading(rig);
  // Written before the first byte is sent; the process is killed with the request.
  const draft = JSON.parse(rig.notes.get('voice-clone-draft') ?? '') as object;
  rig.notes.set('voice-clone-draft', JSON.stringify({ ...draft, sending: 'verify' }));
  const path = join(tmpdir(), `ovoz-reading-${String(process.pid)}.wav`);
  await writeFile(path, sameVoice);
  const { size, mtimeMs } = await stat(path);
  await rig.client.clone.verify(enrollmentId ?? '', { path, name: 'reading.wav', sizeBytes: size, mtimeMs });
  rmSync(path);
  expect(await rig.restart().read()).toMatchObject({ value: { step: 'ready', sending: null, failure: null } });
});
