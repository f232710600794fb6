import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  contractTools,
  speechToText,
  textToSpeech,
  largestMessage,
  type ServicePorts,
} from '../../electron/mcp/contract-tools.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceSession } from '../../electron/workspace/open-service-session.ts';
import { ok } from '../../shared/result/result.ts';
import { sendJson, startScriptedServer, type Script } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';
import { folderOfTest } from '../support/test-folders.ts';

/** The paid tools over a real session and ledger; `keys` are the idempotency keys that the service saw. */
async function rigOf(script: Script) {
  const folder = folderOfTest();
  const server = await startScriptedServer(script);
  const session = openServiceSession({
    mode: 'service',
    dataDir: folder,
    source: () => ({ kind: 'service', baseUrl: server.url, key: new Secret('sk-test-0000000001') }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  onTestFinished(async () => {
    session.ledger.close();
    await session.client.close();
    await server.close();
  });
  const path = join(folder, 'tool.wav');
  const ports: ServicePorts = {
    session: async () => ok(session),
    consent: async () => ok(null),
    withFile: async (bytes, _ending, work) => {
      writeFileSync(path, bytes);
      return work({ path, sizeBytes: bytes.length, mtimeMs: statSync(path).mtimeMs, sha256: 'a'.repeat(64) });
    },
    withTarget: async (work) => work(path, async () => readFileSync(path)),
  };
  const keys = () => server.seen.map(({ headers }) => headers['idempotency-key']);
  return { server, ports, keys, signal: new AbortController().signal };
}

test('speech that does not fit into a message is not forgotten: the same call repeats the paid request', async () => {
  let wav: Buffer = Buffer.concat([toneWav(300, 0.5), Buffer.alloc(largestMessage * 0.75)]);
  const { ports, keys, signal } = await rigOf((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': wav.length }).end(wav);
  });
  const call = { input: { text: 'Uzun matn.', language: 'uz', voice_id: 'voice_a' }, signal };
  expect(await textToSpeech(call, ports)).toMatchObject({
    ok: false,
    error: {
      failure: { kind: 'message-too-large', code: 'answer_too_large', outcome: 'accepted' },
      facts: { idempotency_key: keys()[0] },
    },
  });
  wav = toneWav(300, 0.5);
  expect(await textToSpeech(call, ports)).toMatchObject({ ok: true, value: { format: 'wav' } });
  expect(await textToSpeech(call, ports)).toMatchObject({ ok: true });
  const [first, second, third] = keys();
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('a recording that was taken without id and text is not sent as a new request by the same call', async () => {
  const { server, ports, keys, signal } = await rigOf((_request, response) => sendJson(response, 200, {}));
  const call = { input: { audio_base64: toneWav(300, 0.5).toString('base64'), language: 'uz' }, signal };
  const refused = await speechToText(call, ports);
  expect(refused).toMatchObject({ ok: false, error: { failure: { kind: 'no-receipt', outcome: 'accepted' } } });
  server.script = (_request, response) => sendJson(response, 200, { id: 'job_1', status: 'processing' });
  expect(await speechToText(call, ports)).toMatchObject({ ok: true, value: { transcription_id: 'job_1' } });
  expect(new Set(keys()).size).toBe(1);
});

test('a text whose speech would not fit into a message is refused before it is paid for', async () => {
  const { server, ports, signal } = await rigOf((_request, response) => sendJson(response, 500, {}));
  const call = { input: { text: 'a'.repeat(5000), language: 'uz', voice_id: 'voice_a' }, signal };
  expect(await textToSpeech(call, ports)).toMatchObject({
    ok: false,
    error: { failure: { kind: 'message-too-large', code: 'speech_too_long', outcome: 'not_sent' } },
  });
  expect(server.seen).toEqual([]);
});

test.each(['get_transcription', 'get_isolation'] as const)(
  '%s of an unknown id is refused: nothing was sent that could cost',
  async (name) => {
    const { ports, signal } = await rigOf((_request, response) =>
      sendJson(response, 404, { error: { code: 'not_found' } }),
    );
    const reply = await contractTools[name]({ input: { transcription_id: 'no', isolation_id: 'no' }, signal }, ports);
    expect(reply).toMatchObject({ ok: false, error: { failure: { kind: 'deleted-at-service', outcome: 'refused' } } });
  },
);
