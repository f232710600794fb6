import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { call, callJson, longSample, type Reply, type Server } from '../../practice/practice-client.ts';
import type { Probe } from './code-probes.ts';
import {
  approve,
  asPerson,
  challenged,
  commitMessage,
  dial,
  enroll,
  field,
  newKey,
  sendFile,
  startMessage,
  type LegacyServer,
  type Rig,
} from './rig.ts';

const hook = { url: 'https://hooks.example.com/in', event_types: ['tts.generation.completed'] };

/** The state of a key in the list of keys. */
async function keyState(rig: Rig, path: string): Promise<string> {
  const listed = await call(asPerson(rig.main), 'GET', path.slice(0, path.lastIndexOf('/')));
  const keys = field(listed, 'data', 'keys') as Record<string, unknown>[];
  const key = keys.find(({ id }) => path.endsWith(String(id)));
  if (key === undefined) return 'removed';
  if (key['revoked_at'] !== null) return 'revoked';
  return key['enabled'] === true ? 'enabled' : 'disabled';
}

async function hookOf(rig: Rig): Promise<string> {
  const made = await callJson(rig.main, 'POST', '/v1/webhooks', hook);
  return `/v1/webhooks/${String(field(made, 'webhook', 'id'))}`;
}

/** Waits for a state of a test delivery to a receiver that answers with `status`; a repeated one is then cancelled. */
async function delivery(rig: Rig, status: number | null, wanted: string): Promise<string> {
  rig.answerWith(status);
  const path = await hookOf(rig);
  await call(rig.main, 'POST', `${path}/test`);
  const state = async (): Promise<unknown> => {
    const [found] = (await call(rig.main, 'GET', `${path}/deliveries`)).body['deliveries'] as Record<string, unknown>[];
    return found?.['status'];
  };
  await expect.poll(state, { timeout: 10_000, interval: 5 }).toBe(wanted);
  if (wanted === 'retrying') {
    await callJson(rig.main, 'DELETE', path, {});
    await expect.poll(state, { timeout: 10_000 }).toBe('canceled');
  }
  rig.answerWith(204);
  return wanted;
}

const cloneState = (reply: Reply, name = 'status'): string => String(field(reply, 'voice_clone', name));

const legacy = (server: LegacyServer, audio: Buffer): Promise<Reply> =>
  sendFile(server, '/api/v2/stt/post/', 'audio', audio, { language: 'uz' });
async function legacyEnd(server: LegacyServer, audio: Buffer, wanted: string): Promise<string> {
  const path = `/api/v2/stt/get/${String((await legacy(server, audio)).body['id'])}/`;
  const headers = { 'x-api-key': server.legacyToken };
  const status = async () => (await call(server, 'GET', path, { headers })).body['status'];
  await expect.poll(status, { timeout: 20_000 }).toBe(wanted);
  return wanted;
}

async function transcription(server: Server, content: Buffer, wanted: string): Promise<string> {
  const sent = await sendFile(server, '/v1/stt', 'audio', content, { language: 'uz' });
  const path = `/v1/stt/transcriptions/${String(sent.body['id'])}`;
  if (sent.body['status'] === wanted) return wanted;
  await expect.poll(async () => (await call(server, 'GET', path)).body['status'], { timeout: 20_000 }).toBe(wanted);
  return wanted;
}

async function dictation(rig: Rig, wanted: 'connected' | 'ready' | 'started'): Promise<string> {
  const line = await dial(rig.main);
  try {
    if (wanted === 'connected') return line.socket.readyState === line.socket.OPEN ? wanted : 'closed';
    expect(await line.next()).toMatchObject({ event: 'ready' });
    if (wanted === 'ready') return wanted;
    line.socket.send(startMessage);
    line.socket.send(rig.voices.same.subarray(44, 44 + 32 * 4000));
    line.socket.send(commitMessage);
    // Only an utterance that was started ends with its text.
    return (await line.next())['event'] === 'final' ? wanted : 'not started';
  } finally {
    line.socket.terminate();
  }
}

/** Each brings an object into one state of the document (contract 3) and returns the reported state. */
export const stateProbes: Readonly<Record<string, Probe>> = {
  'api-key: enabled': async (rig) => keyState(rig, (await newKey(rig.main, {})).path),
  'api-key: disabled': async (rig) => {
    const { path } = await newKey(rig.main, {});
    await callJson(asPerson(rig.main), 'PATCH', path, { enabled: false });
    return keyState(rig, path);
  },
  'api-key: revoked': async (rig) => {
    const { path } = await newKey(rig.main, {});
    await call(asPerson(rig.main), 'POST', `${path}/revoke`);
    return keyState(rig, path);
  },
  'api-key: removed': async (rig) => {
    const { path } = await newKey(rig.main, {});
    await call(asPerson(rig.main), 'DELETE', path);
    return keyState(rig, path);
  },
  'webhook: enabled': async (rig) => {
    const read = await call(rig.main, 'GET', await hookOf(rig));
    return field(read, 'webhook', 'enabled') === true ? 'enabled' : 'disabled';
  },
  'webhook: disabled': async (rig) => {
    const path = await hookOf(rig);
    await callJson(rig.main, 'DELETE', path, {});
    return field(await call(rig.main, 'GET', path), 'webhook', 'enabled') === false ? 'disabled' : 'enabled';
  },
  'delivery: pending': async (rig) => {
    const sent = await call(rig.main, 'POST', `${await hookOf(rig)}/test`);
    return String(field(sent, 'delivery', 'status'));
  },
  'delivery: delivering': (rig) => delivery(rig, null, 'delivering'),
  'delivery: retrying': (rig) => delivery(rig, 500, 'retrying'),
  'delivery: succeeded': (rig) => delivery(rig, 204, 'succeeded'),
  'delivery: failed': (rig) => delivery(rig, 410, 'failed'),
  'delivery: canceled': async (rig) => ((await delivery(rig, 500, 'retrying')) === 'retrying' ? 'canceled' : ''),
  'enrollment: transcript_review': async (rig) => cloneState(await call(rig.main, 'GET', await enroll(rig))),
  'enrollment: details_pending': async (rig) => cloneState(await approve(rig.main, await enroll(rig))),
  'enrollment: verification_pending': async (rig) => cloneState(await call(rig.main, 'GET', await challenged(rig))),
  'enrollment: ready': async (rig) =>
    cloneState(await sendFile(rig.main, `${await challenged(rig)}/verify`, 'audio', rig.voices.same)),
  'verification: not_started': async (rig) =>
    cloneState(await call(rig.main, 'GET', await enroll(rig)), 'verification_status'),
  'verification: passed': async (rig) =>
    cloneState(
      await sendFile(rig.main, `${await challenged(rig)}/verify`, 'audio', rig.voices.same),
      'verification_status',
    ),
  'legacy-task: PENDING': async ({ main, voices }) => String((await legacy(main, voices.other)).body['status']),
  'legacy-task: SUCCESS': ({ main, voices }) => legacyEnd(main, voices.other, 'SUCCESS'),
  'legacy-task: FAILED': ({ main, voices }) => legacyEnd(main, voices.other.subarray(0, 20), 'FAILED'),
  'transcription: queued': async ({ main }) => {
    const sent = await sendFile(main, '/v1/stt', 'audio', await readFile(longSample), { language: 'uz' });
    return String(sent.body['status']);
  },
  'transcription: completed': ({ main, voices }) => transcription(main, voices.same, 'completed'),
  'transcription: failed': ({ broken, voices }) => transcription(broken, voices.same, 'failed'),
  'isolation-audio: completed': async ({ main, voices }) => {
    const sent = await sendFile(main, '/v1/voice-isolations', 'audio', voices.other);
    const path = `/v1/voice-isolations/${String(sent.body['id'])}`;
    const state = async (): Promise<unknown> => (await call(main, 'GET', path)).body['audio_status'];
    await expect.poll(state, { timeout: 20_000 }).toBe('completed');
    return 'completed';
  },
  'dictation: connected': (rig) => dictation(rig, 'connected'),
  'dictation: ready': (rig) => dictation(rig, 'ready'),
  'dictation: started': (rig) => dictation(rig, 'started'),
};
