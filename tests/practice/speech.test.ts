import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findSpeechProgram } from '../../electron/practice/speaker.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { practice } from '../contract/live-rig.ts';
import { asPerson, call, said, type Reply, type Server } from './practice-client.ts';

const program = await findSpeechProgram(process.env['PATH'] ?? '');

async function speak(
  server: Server,
  body: unknown,
  key: string = randomUUID(),
): Promise<{ readonly reply: Reply; readonly sound: Buffer }> {
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  const response = await fetch(`${server.url}/v1/tts`, { method: 'POST', headers, body: JSON.stringify(body) });
  const sound = Buffer.from(await response.arrayBuffer());
  const text = sound.toString('utf8');
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    reply: { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} },
    sound,
  };
}
const hello = { text: 'Good morning, teacher!', language: 'en', voice_id: 'voice_practice_en_alice' };

describe.skipIf(program === null)('with espeak-ng', () => {
  it('the same key gives the same audio, once charged, and no other content; more than the balance is refused', async () => {
    const server = await practice([], { credits: 60 });
    const key = randomUUID();
    const first = await speak(server, hello, key);
    const [again, together] = await Promise.all([speak(server, hello, key), speak(server, hello, key)]);
    expect(again.sound.equals(first.sound) && together.sound.equals(first.sound)).toBe(true);
    const other = await speak(server, { ...hello, speed: 1.5 }, key);
    expect(said(other.reply)).toEqual([409, 'idempotency_conflict']);
    expect(readLedger(server.stateDir)).toHaveLength(1);
    const logs = await call(asPerson(server), 'GET', '/api/v1/account/request-logs?route=/v1/tts&status=200');
    const characters = hello.text.length;
    const usage = { product: 'tts', operation: 'generate', characters, credits: characters, billable: true };
    expect((logs.body['items'] as object[]).at(-1)).toMatchObject({ usage });
    expect(logs.text).not.toContain('teacher');
    const dear = await speak(server, { ...hello, text: 'word '.repeat(100) });
    expect(said(dear.reply)).toEqual([402, 'insufficient_credits']);
  });

  it('a long text is pending until it is spoken, and the same request then returns the audio', async () => {
    const hasty = await practice([], { limits: { speechPatienceMs: 1 } });
    const order = { ...hello, text: `${hello.text}\n`.repeat(90) };
    const key = randomUUID();
    const first = await speak(hasty, order, key);
    expect([first.reply.status, first.reply.body['status']]).toEqual([202, 'pending']);
    await expect.poll(async () => (await speak(hasty, order, key)).reply.status).toBe(200);
    expect(readLedger(hasty.stateDir)).toHaveLength(1);
  });
});
