import { expect, onTestFinished } from 'vitest';
import { startPracticeServer, type PracticeOptions } from '../../electron/practice/server.ts';
import { cutRecording } from '../support/cut-recording.ts';
import { call, callJson, codeOf, type Reply, type Server } from './practice-client.ts';

/** Recordings of one voice, of the same again and of another, cut from the long sample. */
export const [deepVoice, sameVoice, otherVoice] = await Promise.all([
  cutRecording(11, 21.5),
  cutRecording(25, 35),
  cutRecording(0, 9),
]);

/** A service whose clock is moved by the test, so that hours take no time. */
export async function fresh(options: PracticeOptions = {}) {
  const clock = { ms: Date.parse('2026-11-20T10:00:00Z') };
  const server = await startPracticeServer({ now: () => clock.ms, ...options });
  onTestFinished(() => server.close());
  return { server, pass: (ms: number) => void (clock.ms += ms) };
}

export type Fields = Readonly<Record<string, string>>;
export function send(server: Server, path: string, audio: Buffer, fields: Fields = {}): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('audio', new Blob([new Uint8Array(audio)]), 'ovoz.wav');
  return call(server, 'POST', path, { body: form });
}
export const upload = (server: Server, audio: Buffer, fields: Fields = {}): Promise<Reply> =>
  send(server, '/v1/voice-enrollments', audio, { language: 'uz', remove_noise: 'false', ...fields });

export const told = (reply: Reply): Record<string, unknown> => reply.body['voice_clone'] as Record<string, unknown>;
export const said = (reply: Reply): unknown => [reply.status, codeOf(reply)];
export const details = {
  name: 'Mening ovozim',
  description: '',
  labels: { language: 'uz', gender: 'male' },
  orb_palette: 'calm',
  consent_accepted: true,
};

/** An enrolment up to the step before the reading text. */
export async function begun(server: Server): Promise<string> {
  const uploaded = await upload(server, deepVoice);
  const path = `/v1/voice-enrollments/${String(told(uploaded)['id'])}`;
  await callJson(server, 'POST', `${path}/transcript`, { transcript: 'Salom' });
  return path;
}
export const challenge = (server: Server, path: string, change: object = {}): Promise<Reply> =>
  callJson(server, 'POST', `${path}/challenge`, { ...details, ...change });
export const voiceOf = async (server: Server): Promise<string> => {
  const path = await begun(server);
  await challenge(server, path);
  const verified = await send(server, `${path}/verify`, sameVoice);
  expect(verified.status, verified.text).toBe(200);
  return String(told(verified)['voice_id']);
};
