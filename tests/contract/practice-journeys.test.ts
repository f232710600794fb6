import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient, type ServiceClient } from '../../electron/api/service-client.ts';
import { VoiceMeter } from '../../electron/practice/clone/voice-profile.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { findSpeechProgram } from '../../electron/practice/speech/speech-program.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import { cutRecording } from '../support/cut-recording.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { recordingFolder } from './client-rig.ts';

const program = await findSpeechProgram(process.env['PATH'] ?? '');
let files: Awaited<ReturnType<typeof recordingFolder>>;
let server: PracticeServer;
let client: ServiceClient;

beforeAll(async () => {
  files = await recordingFolder();
  server = await startPracticeServer({ pace: { queuedMs: 0, processingMs: 0 } });
  client = openServiceClient({
    connection: () => ({
      kind: 'practice',
      baseUrl: server.url,
      key: new Secret(server.token),
      accessToken: new Secret(server.accessToken),
    }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
});
afterAll(async () => {
  await client.close();
  await Promise.all([server.close(), files.dispose()]);
});

/** The value of a call; a failure fails the test with its row. */
function sure<T>(result: Result<T, Failure>): T {
  if (!result.ok) throw new Error(`${result.error.row}: ${JSON.stringify(result.error)}`);
  return result.value;
}
/** The pitch of a voice in a WAV of one channel with 16-bit samples. */
function pitchOf(wav: Buffer): number {
  const meter = new VoiceMeter(wav.readUInt32LE(24));
  meter.add([Float32Array.from({ length: (wav.length - 44) / 2 }, (_, at) => wav.readInt16LE(44 + at * 2) / 32_768)]);
  return meter.finish().pitchHz ?? 0;
}
const speakWith = (voiceId: string, name: string) => {
  const target = join(files.folder, name);
  const order = { text: 'Salom, dunyo.', language: 'uz' as const, voiceId, speed: 1 };
  return client.speak.speak({ ...order, idempotencyKey: randomUUID(), target });
};

test('a voice is cloned from the first recording to speaking with it, and is gone when it is deleted', async () => {
  expect(sure(await client.clone.capabilities())).toMatchObject({
    eligible: true,
    available: true,
    maxBytes: 10_485_760,
  });
  const reference = await files.recording(await cutRecording(11, 21.5), 'namuna.wav');
  const begun = sure(await client.clone.upload({ source: reference, language: 'uz', removeNoise: false }));
  expect(begun).toMatchObject({ status: { known: true, state: 'transcript_review' }, attempts: 0 });
  expect(begun.referenceTranscript).not.toBe('');
  expect(sure(await client.clone.approve(begun.id, 'Salom'))).toMatchObject({ status: { state: 'details_pending' } });
  const again = await client.clone.approve(begun.id, 'Salom');
  expect(again).toMatchObject({ ok: false, error: { row: 'E-089' } });

  const metadata = {
    name: 'Mening ovozim',
    description: '',
    labels: { language: 'uz', gender: 'male' },
    orbPalette: 'calm',
  };
  const asked = sure(await client.clone.challenge(begun.id, { ...metadata, consentAccepted: true }));
  expect(asked).toMatchObject({ status: { state: 'verification_pending' }, name: 'Mening ovozim' });
  const other = await client.clone.verify(begun.id, await files.recording(await cutRecording(0, 9)));
  expect(other).toMatchObject({ ok: false, error: { row: 'E-094', code: 'speaker_mismatch' } });
  expect(sure(await client.clone.read(begun.id))).toMatchObject({ attempts: 1, challengeText: null, voiceId: null });

  const second = sure(await client.clone.challenge(begun.id, { ...metadata, consentAccepted: true }));
  expect(second.challengeText).not.toBe(asked.challengeText);
  const ready = sure(await client.clone.verify(begun.id, await files.recording(await cutRecording(25, 35))));
  expect(ready).toMatchObject({ status: { state: 'ready' }, verification: { state: 'passed' }, attempts: 2 });
  expect(ready.score).toBeGreaterThanOrEqual(0.72);
  const voiceId = ready.voiceId ?? '';

  expect(sure(await client.speak.voices({ kind: 'custom' })).items).toMatchObject([{ voiceId, canManage: true }]);
  const spoken = await speakWith(voiceId, 'klon.wav');
  if (program === null) expect(spoken).toMatchObject({ ok: false, error: { status: 503 } });
  else {
    expect(sure(spoken)).toMatchObject({ kind: 'made' });
    const reference16 = await cutRecording(11, 21.5);
    // The synthesizer speaks as high as the recorded voice.
    const octaves = Math.log2(pitchOf(await readFile(join(files.folder, 'klon.wav'))) / pitchOf(reference16));
    expect(Math.abs(octaves)).toBeLessThan(0.3);
  }

  sure(await client.clone.replaceMetadata(voiceId, { ...metadata, name: 'Yangi nom', orbPalette: 'deep' }));
  expect(sure(await client.clone.metadata(voiceId))).toMatchObject({ name: 'Yangi nom', orbPalette: 'deep' });
  sure(await client.clone.remove(voiceId));
  sure(await client.clone.remove(voiceId));
  expect(await client.clone.metadata(voiceId)).toMatchObject({ ok: false, error: { row: 'E-088' } });
  expect(await speakWith(voiceId, 'yoʻq.wav')).toMatchObject({ ok: false, error: { status: 400 } });
});

test('a question about an attached PDF is answered with its words, piece by piece, and charged', async () => {
  const source = await files.recording(
    simplePdf([['Yigʻilish payshanba kuni soat oʻnda boshlanadi.'], ['Boshqa gap.']]),
    'xat.pdf',
  );
  const file = sure(await client.ask.upload(source, { purpose: 'document', model: 'practice-extract-files' }));
  expect(sure(await client.ask.files({ limit: 5 })).files).toMatchObject([{ id: file.id, purpose: 'document' }]);
  let heard = '';
  const answer = await client.ask.askStreaming(
    {
      model: 'practice-extract-files',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'file', file: { file_id: file.id } },
            { type: 'text', text: 'Yigʻilish qachon boshlanadi?' },
          ],
        },
      ],
      maxCompletionTokens: 200,
      idempotencyKey: randomUUID(),
    },
    (piece) => (heard += piece),
  );
  if (!answer.ok) throw new Error(answer.error.failure.row);
  expect(answer.value.text).toContain('Yigʻilish payshanba kuni soat oʻnda boshlanadi.');
  expect(heard).toBe(answer.value.text);
  const status = sure(await client.ask.status(answer.value.llmRequestId ?? ''));
  expect(status.usage.inputTokens).toBeGreaterThan(8);
  sure(await client.ask.removeFile(file.id));
  expect(sure(await client.ask.files({ limit: 5 })).files).toEqual([]);
});

test('a recording is isolated, exported and hidden', async () => {
  const source = await files.recording(await cutRecording(0, 3), 'shovqin.wav');
  const request = { source, speechRestoration: true, idempotencyKey: randomUUID() };
  const job = sure(await client.isolate.submit(request));
  expect(sure(await client.isolate.submit(request)).id).toBe(job.id);
  const read = async () => sure(await client.isolate.read(job.id));
  await expect.poll(async () => (await read()).audio, { timeout: 20_000 }).not.toBeNull();
  sure(await client.isolate.createExport(job.id, 'mp3'));
  await expect
    .poll(async () => sure(await client.isolate.readExport(job.id, 'mp3')).audio, { timeout: 20_000 })
    .not.toBeNull();
  sure(await client.isolate.remove(job.id));
  expect(await client.isolate.read(job.id)).toMatchObject({ ok: false, error: { status: 404 } });
});

test('a subscription is created, tested, given a new secret and deleted; a stale change is reported', async () => {
  const made = sure(
    await client.webhooks.create({ url: 'https://hooks.example.com/in', eventTypes: ['tts.generation.completed'] }),
  );
  const { id } = made.webhook;
  expect(made.secret).not.toBeNull();
  expect(sure(await client.webhooks.test(id))).toMatchObject({ eventType: 'webhook.test' });
  const rotated = sure(await client.webhooks.rotate(id));
  expect(rotated.secret?.reveal()).not.toBe(made.secret?.reveal());
  const revision = sure(await client.webhooks.read(id)).revision;
  expect(sure(await client.webhooks.update(id, { enabled: false }, revision))).toMatchObject({ enabled: false });
  expect(await client.webhooks.update(id, { enabled: true }, revision)).toMatchObject({
    ok: false,
    error: { row: 'E-100', code: 'webhook_revision_conflict' },
  });
  expect(sure(await client.webhooks.deliveries(id, {})).items).toHaveLength(1);
  sure(await client.webhooks.remove(id, null));
});

test('a key is created by its owner, used within its limits, and stops when it is revoked', async () => {
  const { key, secret } = sure(await client.account.createKey({ name: 'Sinov', permissions: { voices: 'read' } }));
  const own = openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl: server.url, key: secret ?? new Secret('') }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  sure(await own.speak.voices({}));
  expect(await own.ask.models()).toMatchObject({ ok: false, error: { row: 'E-037' } });
  sure(await client.account.revokeKey(key.id));
  expect(await own.speak.voices({})).toMatchObject({ ok: false, error: { row: 'E-032' } });
  await own.close();
  expect(sure(await client.account.requestLogs({ api_key_id: key.id }, { limit: 10 })).items.length).toBeGreaterThan(1);
  expect(sure(await client.account.analytics({}))).toMatchObject({ summary: expect.anything() });
});
