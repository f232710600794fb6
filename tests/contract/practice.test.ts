import { fileURLToPath } from 'node:url';
import { readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceCore } from '../../electron/api/http/service-core.ts';
import { checkConnection } from '../../electron/api/resources/connection-check.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';
import { FaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { shapeNames } from '../../electron/practice/shapes/shape-variants.ts';
import type { UploadSource } from '../../electron/api/stt-api.ts';
import { findViolations } from '../../shared/domain/transcript/find-violations.ts';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { submission } from './client-rig.ts';

const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
const known = fileURLToPath(new URL('../../assets/samples/interview-uz.json', import.meta.url));
let source: UploadSource;
let server: Awaited<ReturnType<typeof startPracticeServer>>;

beforeAll(async () => {
  const { size, mtimeMs } = await stat(sample);
  source = { path: sample, name: 'interview-uz.mp3', sizeBytes: size, mtimeMs };
  // The n-th request for details returns the n-th shape.
  const rules = shapeNames.map((shape, at) => ({
    route: '/v1/stt/transcriptions/:transcriptionId',
    method: 'GET' as const,
    nth: at + 1,
    seed: 1,
    fault: 'shape' as const,
    shape,
  }));
  server = await startPracticeServer({
    faultPlan: new FaultPlan(rules),
    limits: { shortAudioMs: 3_600_000 },
    pace: { queuedMs: 0, processingMs: 0 },
  });
});
afterAll(() => server.close());

const open = (token = server.token) =>
  openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl: server.url, key: new Secret(token) }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });

test('a recording sent to the practice service gives its transcript, the same in every shape of a body', async () => {
  const { stt: api, close } = open();
  const sent = await api.submit(submission(source));
  if (!sent.ok || sent.value.remoteId === null) throw new Error(JSON.stringify(sent));
  expect(sent.value.status).toBe('completed');

  const transcripts: Transcript[] = [];
  for (const shape of shapeNames) {
    const read = await api.read(sent.value.remoteId);
    if (!read.ok || read.value.transcript === null) throw new Error(`${shape}: ${JSON.stringify(read)}`);
    expect(read.value).toMatchObject({ remoteId: sent.value.remoteId, status: 'completed' });
    const transcript = toTranscript(read.value.transcript, { language: 'uz' });
    expect(findViolations(transcript)).toEqual([]);
    transcripts.push(transcript);
  }
  for (const transcript of transcripts) expect(transcript).toEqual(transcripts[0]);
  const truth = JSON.parse(await readFile(known, 'utf8')) as { segments: { text: string; startMs: number }[] };
  expect(transcripts[0]?.segments.map(({ text, startMs }) => ({ text, startMs }))).toEqual(
    truth.segments.map(({ text, startMs }) => ({ text, startMs })),
  );
  expect(transcripts[0]?.speakers).toHaveLength(2);

  const listed = await api.list({ limit: 10 });
  expect(listed).toMatchObject({ ok: true, value: { items: [{ remoteId: sent.value.remoteId }] } });
  expect(await api.rename(sent.value.remoteId, 'Suhbat')).toEqual({ ok: true, value: null });
  const exported = await api.export(sent.value.remoteId, 'srt');
  expect(exported.ok && exported.value.startsWith('1\n00:00:')).toBe(true);
  expect(await api.remove(sent.value.remoteId)).toEqual({ ok: true, value: null });
  expect(await api.read(sent.value.remoteId)).toMatchObject({ ok: false, error: { row: 'E-041', status: 404 } });
  await close();
});

const openCore = () =>
  openServiceCore({ connection: () => null, allowsLoopbackHttp: true, log: { write: () => undefined } });

test('the practice key is recognised and a wrong one is refused', async () => {
  const input = {
    kind: 'practice',
    baseUrl: server.url,
  } as const;
  const core = openCore();
  const accepted = await checkConnection(core, { ...input, key: new Secret(server.token) });
  expect(accepted).toMatchObject({ service: 'reached', key: 'accepted', failure: null });
  expect(accepted.products[0]).toEqual({ product: 'transcribe', access: 'allowed', permission: null });
  const refused = await checkConnection(core, { ...input, key: new Secret('practice_wrong_key_0000') });
  expect(refused).toMatchObject({ service: 'reached', key: 'refused', failure: { row: 'E-032' } });
});

const [serviceUrl, serviceKey] = [process.env['OVOZ_SERVICE_URL'], process.env['OVOZ_API_KEY']];
test.runIf(serviceUrl !== undefined && serviceKey !== undefined)(
  'the real service answers the free reads',
  async () => {
    const report = await checkConnection(openCore(), {
      kind: 'service',
      baseUrl: serviceUrl ?? '',
      key: new Secret(serviceKey ?? ''),
    });
    expect(report).toMatchObject({ service: 'reached', key: 'accepted' });
  },
);
