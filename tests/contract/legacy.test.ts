import { describe, expect, test } from 'vitest';
import { readLegacyFacts } from '../../electron/service/legacy.ts';
import type { JobOf } from '../../electron/queue/kinds.ts';
import { sendLegacy } from '../../electron/queue/kinds.ts';
import type { QueueDeps } from '../../electron/queue/effects.ts';

import { scriptedService, secrets } from './client-rig.ts';

const { files, client, answer, loseAnswers, last, lastForm, countOf } = await scriptedService();

describe('what is sent', () => {
  test('speech is a form by its own rules, and a task is polled until it is done', async () => {
    answer(201, { audio_path: '/media/a.wav' });
    expect(await client.legacy.speak({ transcript: 'Hi', language: 'en', mood: 'Happy', speed: 2 })).toMatchObject({
      ok: true,
      value: { id: null, audioPath: '/media/a.wav' },
    });
    expect(last().headers['content-length']).toBe(String(last().body.length));
    expect([...(await lastForm()).keys()]).toEqual(['transcript', 'language']);
    answer(202, { id: 7, task_id: 't', status: 'PENDING' });
    const order = { transcript: 'Salom', language: 'uz', voiceId: 3, mood: 'Sad' } as const;
    expect(await client.legacy.speak({ ...order, notifyUrl: 'https://a.example' })).toMatchObject({
      ok: true,
      value: { id: '7', status: { known: true, state: 'PENDING' } },
    });
    expect([...(await lastForm()).keys()]).not.toContain('mood');
    answer(200, { id: 7, status: 'SUCCESS', audio_path: '/media/b.wav' });
    expect(await client.legacy.speechStatus('7')).toMatchObject({ ok: true, value: { status: { state: 'SUCCESS' } } });
    expect(last().url).toBe('/api/v1/tts/status/7/');
  });

  test('transcription: short at once, long by polling, and a lost creation is never repeated', async () => {
    const recording = await files.recording('x');
    answer(200, { id: 1, gender: 'm', duration: 2.5, transcript: 'Salom' });
    const short = { source: recording, language: 'uz', tellsSpeakersApart: true } as const;
    expect(await client.legacy.transcribe(short)).toMatchObject({
      ok: true,
      value: { id: '1', durationMs: 2500, transcript: 'Salom' },
    });
    expect((await lastForm()).get('has_diarization')).toBe('true');
    answer(200, { id: 2, task_id: 't', status: 'PENDING' });
    const long = { source: recording, language: 'ru', isMeeting: false } as const;
    expect(await client.legacy.transcribeLong(long)).toMatchObject({ ok: true, value: { remoteId: '2' } });
    answer(200, { id: 2, status: 'SUCCESS', transcript: '', summary: 's' });
    const read = await client.legacy.longTranscription('2');
    expect(read).toMatchObject({ ok: true, value: { remoteId: '2', status: 'completed' } });
    expect(read.ok && readLegacyFacts(read.value.raw)).toMatchObject({ summary: 's' });
    answer(200, { results: [{ id: 1 }, {}], count: 11 });
    expect(await client.legacy.longTranscriptions({ page: 2, limit: 10 })).toMatchObject({
      ok: true,
      value: { items: [{ id: '1' }], total: 11 },
    });
    expect(last().url).toBe('/api/v2/stt/get/?page=2&limit=10');
    loseAnswers();
    const sent = await countOf(async () =>
      expect(await client.legacy.transcribe(short)).toMatchObject({ ok: false, error: { kind: 'answer-lost' } }),
    );
    expect(sent).toBe(1);
    answer(402, { detail: 'Balance', error_key: 'insufficient_balance' });
    expect(await client.legacy.transcribe(short)).toMatchObject({
      ok: false,
      error: { kind: 'payment-limit-reached', code: 'legacy.insufficient_balance', envelope: 'legacy' },
    });
  });

  test.each([
    [null, 'true'],
    [15_000, 'true'],
    [14_999, 'false'],
  ])('speakers are told apart in a recording of %s ms: %s', async (durationMs, expected) => {
    answer(200, { id: 3, status: 'PENDING' });
    const wanted = { name: 'a.mp3', language: 'uz', includeSpeakers: true, durationMs, memory: { intent: null } };
    const ports = { client, connection: () => ({ kind: 'practice', baseUrl: '', ...secrets }) } as Pick<
      QueueDeps,
      'client' | 'connection'
    >;
    const recording = await files.recording('x');
    const { signal } = new AbortController();
    const sent = await sendLegacy(ports, wanted as JobOf<'transcribe'>, recording, signal, () => undefined);
    expect(sent.ok).toBe(true);
    expect((await lastForm()).get('has_diarization')).toBe(expected);
  });
});

test('audio is fetched from the service’s own address only', () => {
  expect(client.legacy.audioAddress('/media/a.wav')).toMatchObject({ ok: true });
  for (const away of ['https://evil.example/a.wav', '//evil.example/a.wav', 'http://u:p@127.0.0.1/a.wav'])
    expect(client.legacy.audioAddress(away)).toMatchObject({ ok: false, error: { kind: 'download-unsafe' } });
});
