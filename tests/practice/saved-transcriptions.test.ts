import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { call, callJson, codeOf, longSample, samplePath, shortRecording, submit, until } from './practice-client.ts';

let server: PracticeServer;
beforeAll(async () => {
  server = await startPracticeServer({ pace: { queuedMs: 150, processingMs: 0 } });
});
afterAll(() => server.close());

const idOf = (body: Record<string, unknown>): string => String(body['id']);

describe('saved transcriptions', () => {
  it('are listed newest first, page after page, each once', async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) made.push(idOf((await submit(server, shortRecording)).body));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await call(server, 'GET', `/v1/stt/transcriptions?limit=2${cursor}`);
      const items = body['data'] as { id: string }[];
      expect(items.length).toBeLessThanOrEqual(2);
      seen.push(...items.map((item) => item.id));
      const next = body['next_cursor'];
      cursor = typeof next === 'string' ? `&cursor=${next}` : '';
    } while (cursor !== '');
    expect(seen.slice(0, 3)).toEqual(made.toReversed());
    expect(new Set(seen).size).toBe(seen.length);
    const usual = await call(server, 'GET', '/v1/stt/transcriptions');
    expect(usual.body['data']).toHaveLength(Math.min(10, seen.length));
  });

  it.each(['limit=0', 'limit=101', 'limit=ten', 'cursor=made-up'])('refuse a list with %s', async (query) => {
    expect((await call(server, 'GET', `/v1/stt/transcriptions?${query}`)).status).toBe(400);
  });

  it('accept a new title and keep it', async () => {
    const id = idOf((await submit(server, shortRecording)).body);
    const renamed = await callJson(server, 'PATCH', `/v1/stt/transcriptions/${id}`, { title: '  Gʻalati suhbat  ' });
    expect(renamed.body).toMatchObject({ id, title: 'Gʻalati suhbat' });
    expect((await call(server, 'GET', `/v1/stt/transcriptions/${id}`)).body['title']).toBe('Gʻalati suhbat');
    const empty = await callJson(server, 'PATCH', `/v1/stt/transcriptions/${id}`, { title: ' ' });
    expect([empty.status, codeOf(empty)]).toEqual([400, 'validation_error']);
    const wrongType = await call(server, 'PATCH', `/v1/stt/transcriptions/${id}`, {
      headers: { 'content-type': 'text/plain' },
      body: '{"title":"x"}',
    });
    expect(wrongType.status).toBe(415);
    const broken = await call(server, 'PATCH', `/v1/stt/transcriptions/${id}`, {
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect([broken.status, codeOf(broken)]).toEqual([400, 'invalid_json']);
  });

  it('accept an edit of the current revision, and refuse one of an older', async () => {
    const id = idOf((await submit(server, shortRecording)).body);
    const path = `/v1/stt/transcriptions/${id}/editor`;
    const segments = [
      {
        start_ms: 950,
        end_ms: 3350,
        text: 'The kiln was opened.',
        speaker: 'A',
        words: [{ text: 'The', start_ms: 950, end_ms: 1100 }],
      },
    ];
    const edited = await callJson(server, 'PUT', path, { revision: 1, segments });
    expect(edited.body).toMatchObject({ revision: 2, text: 'The kiln was opened.' });
    const stale = await callJson(server, 'PUT', path, { revision: 1, segments: [] });
    expect([stale.status, codeOf(stale)]).toEqual([409, 'transcription_revision_conflict']);
    expect((await call(server, 'GET', `/v1/stt/transcriptions/${id}`)).body['text']).toBe('The kiln was opened.');
  });

  it('are deleted with their text, and their key stays used', async () => {
    const key = randomUUID();
    const id = idOf((await submit(server, shortRecording, { key })).body);
    expect(await call(server, 'DELETE', `/v1/stt/transcriptions/${id}`)).toMatchObject({ status: 204, text: '' });
    expect((await call(server, 'GET', `/v1/stt/transcriptions/${id}`)).status).toBe(404);
    expect((await call(server, 'DELETE', `/v1/stt/transcriptions/${id}`)).status).toBe(404);
    const again = await submit(server, shortRecording, { key });
    expect([again.status, codeOf(again)]).toEqual([409, 'transcription_deleted']);
    expect(readLedger(server.stateDir).filter((entry) => entry.idempotencyKey === key)).toHaveLength(1);
  });

  it('can be deleted while they wait, together with their audio', async () => {
    const id = idOf((await submit(server, longSample, { fields: { language: 'uz' } })).body);
    expect((await call(server, 'DELETE', `/v1/stt/transcriptions/${id}`)).status).toBe(204);
    expect(readdirSync(`${server.stateDir}/uploads`)).not.toContain(`${id}.audio`);
  });

  it('export as a file of each format', async () => {
    const id = idOf(
      (await submit(server, samplePath('lecture-ru.ogg'), { fields: { language: 'ru', include_speakers: 'true' } }))
        .body,
    );
    const get = async (format: string) => call(server, 'GET', `/v1/stt/transcriptions/${id}/export?format=${format}`);
    const srt = await get('srt');
    expect(srt.text).toMatch(
      /^1\n00:00:00,700 --> 00:00:03,\d{3}\nСегодня на лекции мы говорим о решении суда\.\n\n2\n/,
    );
    expect(srt.headers.get('content-disposition')).toMatch(/^attachment; filename="lecture-ru\.srt"/);
    expect((await get('vtt')).text).toMatch(/^WEBVTT\n\n00:00:00\.700 --> 00:00:03\.\d{3}\n<v SPEAKER_00>Сегодня/);
    expect((await get('txt')).text.split('\n')[0]).toBe('SPEAKER_00: Сегодня на лекции мы говорим о решении суда.');
    expect((await get('json')).body).toMatchObject({ id, language: 'ru' });
    expect((await get('docx')).status).toBe(400);
  });

  it('have no export before they are done', async () => {
    const id = idOf((await submit(server, longSample, { fields: { language: 'uz' } })).body);
    expect((await call(server, 'GET', `/v1/stt/transcriptions/${id}/export?format=txt`)).status).toBe(409);
    await until(server, id, 'completed');
  });
});

describe('everything else', () => {
  it.each(['/v1/tts/languages', '/v1/tts/generations', '/v1/voices', '/v1/voice-isolations', '/v1/models'])(
    'lets the practice key read %s',
    async (path) => expect((await call(server, 'GET', path)).status).toBe(200),
  );

  it('distinguishes an unknown address from a wrong method', async () => {
    expect((await call(server, 'GET', '/v1/nothing')).status).toBe(404);
    expect((await call(server, 'GET', '/v1/stt/transcriptions/tr_..%2f')).status).toBe(404);
    const wrong = await call(server, 'DELETE', '/v1/stt');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
