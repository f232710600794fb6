import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServiceClient } from '../../electron/api/service-client.ts';
import { openAudioFolder } from '../../electron/platform/node/audio-folder.ts';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer, type PracticeOptions } from '../../electron/practice/server.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { createCloneService } from '../../electron/services/voices/clone-service.ts';
import { createOwnVoices } from '../../electron/services/voices/own-voices.ts';
import { noDetails } from '../../shared/domain/voices/clone-rules.ts';
import { ok } from '../../shared/result/result.ts';
import { cutRecording } from '../support/cut-recording.ts';

const [deepVoice, sameVoice, otherVoice] = await Promise.all([
  cutRecording(11, 21.5),
  cutRecording(25, 35),
  cutRecording(0, 9),
]);
const minute = 60_000;
const details = { ...noDetails, name: 'Kechki eshittirish', accent: ' Fargʻona ', palette: 'deep' } as const;

function planOf(...rules: readonly object[]) {
  const plan = parseFaultPlan({ rules });
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
}

/** The practice service and the app's stored draft; `restart` opens the draft anew, as after a crash. */
async function openRig(options: PracticeOptions = {}) {
  const clock = { ms: Date.parse('2026-11-22T10:00:00Z') };
  const server = await startPracticeServer({ now: () => clock.ms, ...options });
  const client = openServiceClient({
    connection: () => ({
      kind: 'practice',
      baseUrl: server.url,
      key: new Secret(server.token),
    }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
    random: () => 0,
  });
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-clone-'));
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
    rmSync(folder, { recursive: true, force: true });
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
    });
  return {
    clone: open(),
    restart: open,
    client,
    notes,
    voices: createOwnVoices({ store, api: client.clone }),
    pass: (ms: number) => void (clock.ms += ms),
    files: () => readdirSync(folder),
  };
}
type Rig = Awaited<ReturnType<typeof openRig>>;

const keep = (clone: Rig['clone'], what: 'reference' | 'reading', wav: Buffer) =>
  clone.keepRecording({
    what,
    parts: [new Int16Array(Uint8Array.from(wav.subarray(44)).buffer)],
    sampleRate: 16_000,
    language: 'uz',
    removesNoise: false,
    name: null,
  });
async function draftOf(answer: Promise<unknown> | { readonly ok: boolean }) {
  const result = (await answer) as Awaited<ReturnType<Rig['clone']['send']>>;
  if (!result.ok) throw new Error(result.error.row);
  return result.value;
}
/** Up to the reading text. */
async function toReading({ clone }: Rig) {
  await keep(clone, 'reference', deepVoice);
  await clone.send('upload');
  await clone.send('approve');
  clone.change({ details, hasConsent: true });
  return draftOf(clone.send('challenge'));
}

describe('a voice being cloned', () => {
  it('keeps a recording or a text that the service would refuse here, with the reason', async () => {
    const { clone, notes } = await openRig();
    const draft = () => JSON.parse([...notes.values()].find((text) => text.includes('"reference"')) ?? '{}') as unknown;
    await keep(clone, 'reference', deepVoice.subarray(0, 44 + 9 * 32_000));
    expect(await clone.send('upload')).toMatchObject({
      ok: true,
      value: { step: 'record', enrollmentId: null, failure: { row: 'E-087', outcome: 'not_sent' } },
    });
    expect(draft()).toMatchObject({ sending: null, enrollmentId: null });
    await keep(clone, 'reference', deepVoice);
    await clone.send('upload');
    clone.change({ transcript: 'a'.repeat(20_001) });
    expect(await clone.send('approve')).toMatchObject({
      ok: true,
      value: { step: 'transcript', failure: { row: 'E-091', outcome: 'not_sent' } },
    });
  });

  it('a crash during recording keeps what was recorded; cancelling deletes it', async () => {
    const rig = await openRig();
    const parts = [new Int16Array(Uint8Array.from(deepVoice.subarray(44)).buffer)];
    const recording = {
      what: 'reference',
      parts,
      sampleRate: 16_000,
      language: 'uz',
      removesNoise: true,
      name: null,
    } as const;
    await rig.clone.spool(recording);
    // It is still recording: a request meanwhile does not treat it as abandoned.
    expect(await rig.clone.read()).toEqual(ok(null));
    const after = rig.restart();
    const draft = await draftOf(after.read() as ReturnType<Rig['clone']['send']>);
    expect(draft).toMatchObject({ step: 'record', removesNoise: true, reference: { durationMs: 10_500 } });
    expect(
      (
        await readFile(after.pathOf(draft.reference ?? { fileName: '', durationMs: 0, sizeBytes: 0, name: null }))
      ).equals(deepVoice),
    ).toBe(true);
    await rig.clone.discard();
    await rig.clone.spool(recording);
    await rig.clone.spool(null);
    expect(await rig.restart().read()).toEqual(ok(null));
    expect(rig.files().filter((name) => name.includes('recording-now'))).toEqual([]);
  });

  it('is stored at every step and continues after a restart, up to a voice that can speak', async () => {
    const rig = await openRig();
    const kept = await draftOf(keep(rig.clone, 'reference', deepVoice));
    expect(kept).toMatchObject({ step: 'record', reference: { durationMs: 10_500, name: null } });
    expect(rig.files()).toEqual([kept.reference?.fileName]);
    const uploaded = await draftOf(rig.clone.send('upload'));
    expect(uploaded).toMatchObject({ step: 'transcript', sending: null, failure: null });
    expect(uploaded.transcript).toMatch(/^\(nutq/u);
    rig.clone.change({ transcript: 'Salom, usta', language: 'ru' });
    const later = rig.restart();
    expect(await later.read()).toMatchObject({
      ok: true,
      value: { step: 'transcript', transcript: 'Salom, usta', language: 'uz' },
    });
    expect(await draftOf(later.send('approve'))).toMatchObject({ step: 'details', transcript: 'Salom, usta' });
    later.change({ details, hasConsent: true });
    const asked = await draftOf(later.send('challenge'));
    expect(asked.challenge?.expiresAtMs).toBe(Date.parse('2026-11-22T10:10:00Z'));
    await keep(later, 'reading', sameVoice);
    const ready = await draftOf(later.send('verify'));
    expect(ready).toMatchObject({ step: 'ready', attempts: 1, challenge: null, failure: null });
    expect(ready.score).toBeGreaterThanOrEqual(0.72);
    const voiceId = ready.voiceId ?? '';
    expect(await rig.voices.details(voiceId)).toMatchObject({
      value: { details: { ...details, accent: 'Fargʻona' }, language: 'uz' },
    });
    expect(await rig.voices.saveDetails(voiceId, { ...details, name: 'Yangi' }, 'uz')).toEqual(ok(null));
    expect((await rig.client.clone.metadata(voiceId)).ok).toBe(true);
    expect(await later.discard()).toEqual(ok(null));
    expect([rig.files(), await later.read()]).toEqual([[], ok(null)]);
    expect(await rig.voices.remove(voiceId)).toEqual(ok({ isCleaningUp: false }));
    expect(rig.voices.beingRemoved()).toEqual([]);
  });

  it('says why a reading was rejected, keeps everything else, and ends after five attempts', async () => {
    const rig = await openRig();
    await toReading(rig);
    const attempt = async (wav: Buffer) => {
      await keep(rig.clone, 'reading', wav);
      const draft = await draftOf(rig.clone.send('verify'));
      rig.pass(30 * minute);
      return draft;
    };
    expect(await attempt(otherVoice)).toMatchObject({
      step: 'read',
      attempts: 1,
      challenge: null,
      failure: { row: 'E-094', code: 'speaker_mismatch' },
      details,
    });
    const second = await draftOf(rig.clone.send('challenge'));
    expect(second).toMatchObject({ attempts: 1, failure: null });
    expect(await attempt(await cutRecording(12, 17))).toMatchObject({
      attempts: 2,
      failure: { code: 'challenge_mismatch' },
    });
    for (let nth = 3; nth <= 5; nth += 1) {
      expect((await draftOf(rig.clone.send('challenge'))).challenge).not.toBeNull();
      expect(await attempt(otherVoice)).toMatchObject({ attempts: nth, isOver: nth === 5 });
    }
    const again = await draftOf(keep(rig.clone, 'reference', deepVoice));
    expect(again).toMatchObject({ step: 'record', enrollmentId: null, attempts: 0, isOver: false, details });
  });

  it('sends no reading where no text is left to read', async () => {
    const rig = await openRig();
    await toReading(rig);
    await keep(rig.clone, 'reading', otherVoice);
    await rig.clone.send('verify');
    await keep(rig.clone, 'reading', sameVoice);
    expect(await draftOf(rig.clone.send('verify'))).toMatchObject({
      step: 'read',
      attempts: 1,
      reading: { durationMs: 10_000 },
      failure: { row: 'E-093', code: 'challenge_missing', outcome: 'not_sent' },
    });
  });

  it('loses no attempt to an expired text, and has to wait when steps come too often', async () => {
    const rig = await openRig({
      faultPlan: planOf({ route: '/v1/voice-enrollments/:id/verify', nth: 1, fault: 'pass-time', ms: 10 * minute }),
    });
    await toReading(rig);
    await keep(rig.clone, 'reading', sameVoice);
    expect(await draftOf(rig.clone.send('verify'))).toMatchObject({
      step: 'read',
      attempts: 0,
      challenge: null,
      failure: { row: 'E-093' },
    });
    await rig.clone.send('challenge');
    await rig.clone.send('challenge');
    await rig.clone.send('challenge');
    const refused = await draftOf(rig.clone.send('challenge'));
    expect(refused).toMatchObject({ failure: { row: 'E-096' }, challenge: { text: expect.any(String) } });
    expect(refused.waitsUntilMs).toBeGreaterThan(Date.parse('2026-11-22T10:00:00Z'));
  });

  it('looks up a step whose answer was lost, and sends nothing twice', async () => {
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

  it('is killed between a step and its answer, and the next start resumes at the right step', async () => {
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

  it('keeps the recording and the text when the plan is free', async () => {
    const rig = await openRig({ plan: 'free' });
    expect(await rig.clone.capabilities()).toMatchObject({ eligible: false });
    expect(await toReading(rig)).toMatchObject({ step: 'details', failure: { row: 'E-085' }, details });
    expect(rig.files()).toHaveLength(1);
  });
});
