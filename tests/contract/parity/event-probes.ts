import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { parseFaultPlan } from '../../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer } from '../../../electron/practice/server.ts';
import { call, callJson } from '../../practice/practice-client.ts';
import type { Probe } from './code-probes.ts';
import {
  ask,
  commitMessage,
  connect,
  dial,
  eventAfter,
  field,
  sendFile,
  startMessage,
  type Line,
  type Rig,
} from './rig.ts';

/** An event received by the receiver, as the document writes it: its type, its object and its fields. */
async function heardEvent(
  rig: Rig,
  type: string,
  subscribed: readonly string[],
  cause: (path: string) => Promise<unknown>,
) {
  const made = await callJson(rig.main, 'POST', '/v1/webhooks', {
    url: 'https://hooks.example.com/in',
    event_types: subscribed,
  });
  const path = `/v1/webhooks/${String(field(made, 'webhook', 'id'))}`;
  await cause(path);
  const found = () => rig.heard.find((one) => one.type === type);
  await expect.poll(found, { timeout: 20_000 }).toBeDefined();
  await callJson(rig.main, 'DELETE', path, {});
  const { object, ...fields } = found()?.data ?? {};
  const names = Object.keys(fields);
  return `${type}: ${String(object)}${names.length === 0 ? '' : ` ${names.join(' ')}`}`;
}

const speech = 'tts.generation.completed';
const audio = ({ voices }: Rig): Buffer => voices.same.subarray(44, 44 + 32 * 4000);

/** The legacy pipeline, to which these events belong. */
const transcribed = (rig: Rig, type: string, recording: Buffer): Promise<string> =>
  heardEvent(rig, type, [type], () => sendFile(rig.main, '/api/v2/stt/post/', 'audio', recording, { language: 'uz' }));

const legacyLine = ({ main }: Rig): Promise<Line> =>
  connect(`${main.url.replace('http', 'ws')}/api/v1/tts/realtime?token=${main.legacyToken}`);
async function legacyTurn(rig: Rig, turn: object): Promise<string> {
  const line = await legacyLine(rig);
  await line.next();
  line.socket.send(JSON.stringify(turn));
  const { type } = await line.next();
  line.socket.terminate();
  return `legacy-speech ${String(type)}`;
}

async function streamed(rig: Rig): Promise<string> {
  return (await ask(rig.main, randomUUID(), { stream: true })).text;
}

/** Each triggers one event of the document (contract 6) and returns it as the document names it. */
export const eventProbes: Readonly<Record<string, Probe>> = {
  [`${speech}: tts_generation id status duration_ms credits_used`]: (rig) =>
    heardEvent(rig, speech, [speech], () =>
      call(rig.main, 'POST', '/v1/tts', {
        headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({ text: 'Salom', language: 'uz', voice_id: 'voice_practice_uz_lola' }),
      }),
    ),
  'stt.transcription.queued: transcription id status duration_ms': (rig) =>
    transcribed(rig, 'stt.transcription.queued', rig.voices.other),
  'stt.transcription.completed: transcription id status language duration_ms': (rig) =>
    transcribed(rig, 'stt.transcription.completed', rig.voices.other),
  'stt.transcription.failed: transcription id status error_code': (rig) =>
    transcribed(rig, 'stt.transcription.failed', rig.voices.other.subarray(0, 20)),
  'legacy-speech session_started': async (rig) => {
    const line = await legacyLine(rig);
    const { type } = await line.next();
    line.socket.terminate();
    return `legacy-speech ${String(type)}`;
  },
  'legacy-speech audio': (rig) => legacyTurn(rig, { request_id: '1', speaker_id: 'happy', text: 'Salom' }),
  'legacy-speech error': (rig) => legacyTurn(rig, { text: '' }),
  'webhook.test: webhook_test': (rig) =>
    heardEvent(rig, 'webhook.test', [speech], (path) => call(rig.main, 'POST', `${path}/test`)),
  'dictation ready': async (rig) => {
    const line = await dial(rig.main);
    const { event } = await line.next();
    line.socket.terminate();
    return `dictation ${String(event)}`;
  },
  'dictation final': async (rig) => {
    const { event } = await eventAfter(rig.main, [startMessage, audio(rig), commitMessage]);
    return `dictation ${String(event)}`;
  },
  'dictation error': async (rig) => `dictation ${String((await eventAfter(rig.main, ['?']))['event'])}`,
  'completion [DONE]': async (rig) => `completion ${/data: (\[DONE\])\n\n$/.exec(await streamed(rig))?.[1]}`,
  'completion error': async () => {
    const fault = { route: '/v1/chat/completions', fault: 'stream', how: 'error-event' };
    const plan = parseFaultPlan({ rules: [fault] });
    if (!plan.ok) throw new Error(plan.error);
    const server = await startPracticeServer({ faultPlan: plan.value });
    try {
      const { text } = await ask(server, randomUUID(), { stream: true });
      const last = text.trimEnd().split('\n').at(-1) ?? '';
      return `completion ${Object.keys(JSON.parse(last.replace('data: ', '')) as object).join()}`;
    } finally {
      await server.close();
    }
  },
};
