import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openServiceClient } from '../../electron/service/client.ts';
import { FaultPlan } from '../../electron/practice/faults.ts';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { shapeNames } from '../../electron/practice/transcription-shapes.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { findViolations } from '../../shared/domain/transcript/find-violations.ts';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { recordingFolder, submission } from './client-rig.ts';

const files = await recordingFolder();
// The n-th request for details returns the n-th shape.
const rules = shapeNames.map((shape, at) => ({
  route: '/v1/stt/transcriptions/:transcriptionId',
  method: 'GET' as const,
  nth: at + 1,
  seed: 1,
  fault: 'shape' as const,
  shape,
}));
const server = await startPracticeServer({
  faultPlan: new FaultPlan(rules),
  limits: { shortAudioMs: 3_600_000 },
  pace: { queuedMs: 0, processingMs: 0 },
});
const client = openServiceClient({
  connection: () => ({ kind: 'practice', baseUrl: server.url, key: new Secret(server.token) }),
  log: { write: () => undefined },
  allowsLoopbackHttp: true,
});
afterAll(async () => {
  await client.close();
  await Promise.all([server.close(), files.dispose()]);
});

/** The value of a call; a failure fails the test with its row. */
function sure<T>(result: Result<T, Failure>): T {
  if (!result.ok) throw new Error(`${result.error.kind}: ${JSON.stringify(result.error)}`);
  return result.value;
}

test('a recording gives its transcript, the same in every shape of a body', async () => {
  const at = (name: string) => fileURLToPath(new URL(`../../assets/samples/interview-uz.${name}`, import.meta.url));
  const { size, mtimeMs } = await stat(at('mp3'));
  const source = { path: at('mp3'), name: 'interview-uz.mp3', sizeBytes: size, mtimeMs };
  const { remoteId, status } = sure(await client.stt.submit(submission(source)));
  if (remoteId === null) throw new Error('no id');
  expect(status).toBe('completed');
  const transcripts: Transcript[] = [];
  for (const shape of shapeNames) {
    const read = sure(await client.stt.read(remoteId));
    if (read.transcript === null) throw new Error(shape);
    expect(read).toMatchObject({ remoteId, status: 'completed' });
    const transcript = toTranscript(read.transcript, { language: 'uz' });
    expect(findViolations(transcript)).toEqual([]);
    transcripts.push(transcript);
  }
  for (const transcript of transcripts) expect(transcript).toEqual(transcripts[0]);
  const truth = JSON.parse(await readFile(at('json'), 'utf8')) as { segments: { text: string; startMs: number }[] };
  const told = transcripts[0]?.segments.map(({ text, startMs }) => ({ text, startMs }));
  expect(told).toEqual(truth.segments.map(({ text, startMs }) => ({ text, startMs })));
  expect(transcripts[0]?.speakers).toHaveLength(2);

  expect(sure(await client.stt.list({ limit: 10 })).items).toMatchObject([{ remoteId }]);
  sure(await client.stt.rename(remoteId, 'Suhbat'));
  expect(sure(await client.stt.export(remoteId, 'srt'))).toMatch(/^1\n00:00:/);
  sure(await client.stt.remove(remoteId));
  expect(await client.stt.read(remoteId)).toMatchObject({ ok: false, error: { kind: 'job-not-found', status: 404 } });
});

test('a question about an attached PDF is answered piece by piece, says that it was not read, and is charged', async () => {
  const pdf = simplePdf([['Yigʻilish payshanba kuni soat oʻnda boshlanadi.'], ['Boshqa gap.']]);
  const model = 'practice-extract-files';
  const file = sure(await client.ask.upload(await files.recording(pdf, 'xat.pdf'), { purpose: 'document', model }));
  expect(sure(await client.ask.files({ limit: 5 })).files).toMatchObject([{ id: file.id, purpose: 'document' }]);
  const content = [
    { type: 'file', file: { file_id: file.id } },
    { type: 'text', text: 'Yigʻilish qachon boshlanadi?' },
  ] as const;
  let heard = '';
  const question = { model, messages: [{ role: 'user' as const, content }], maxCompletionTokens: 200 };
  const asked = { ...question, idempotencyKey: randomUUID() };
  const answer = await client.ask.askStreaming(asked, (piece) => (heard += piece));
  if (!answer.ok) throw new Error(answer.error.failure.kind);
  expect(answer.value.text).toContain('koʻrmaydi: xat.pdf');
  expect(heard).toBe(answer.value.text);
  const status = sure(await client.ask.status(answer.value.llmRequestId ?? ''));
  expect(status.usage.inputTokens).toBe(8);
  sure(await client.ask.removeFile(file.id));
  expect(sure(await client.ask.files({ limit: 5 })).files).toEqual([]);
});
