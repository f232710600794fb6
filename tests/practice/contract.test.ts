import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state/ledger.ts';
import { call, codeOf, longSample, samplePath, shortRecording, submit, until } from './practice-client.ts';

let server: PracticeServer;
beforeAll(async () => {
  server = await startPracticeServer({
    pace: { queuedMs: 150, processingMs: 150 },
    limits: { maxBodyBytes: 1024 * 1024 },
  });
});
afterAll(() => server.close());

const idOf = (body: Record<string, unknown>): string => String(body['id']);
const ledgerOf = (key: string): number =>
  readLedger(server.stateDir).filter((entry) => entry.idempotencyKey === key).length;

interface SegmentBody {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text: string;
  readonly speaker?: string;
  readonly words: readonly { readonly text: string; readonly start_ms: number; readonly end_ms: number }[];
}
const segmentsOf = (body: Record<string, unknown>): readonly SegmentBody[] => body['segments'] as SegmentBody[];

describe('submitting a recording', () => {
  it('answers short audio at once, with everything', async () => {
    const reply = await submit(server, shortRecording, { fields: { language: 'en' } });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      status: 'completed',
      language: 'en',
      title: 'two-sentences',
      duration_ms: 8000,
      revision: 1,
    });
    expect(reply.body['request_id']).toBe(reply.headers.get('x-request-id'));
  });

  it('queues long audio, works on it, and completes it', async () => {
    const reply = await submit(server, longSample, { fields: { language: 'uz' } });
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ status: 'queued' });
    expect(reply.body).not.toHaveProperty('text');
    await until(server, idOf(reply.body), 'processing');
    const done = await until(server, idOf(reply.body), 'completed');
    expect(segmentsOf(done.body)[0]?.text).toBe('Assalomu alaykum, usta!');
  });

  it('gives the same answer to the same key and content, and bills it once', async () => {
    const key = randomUUID();
    const first = await submit(server, shortRecording, { key });
    const again = await submit(server, shortRecording, { key });
    expect(again.status).toBe(200);
    expect({ ...again.body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
    expect(again.body['request_id']).not.toBe(first.body['request_id']);
    const long = await submit(server, longSample, { fields: { language: 'uz' }, key: randomUUID().toUpperCase() });
    expect(long.status).toBe(202);
    expect(ledgerOf(key)).toBe(1);
  });

  it('gives one answer to equal requests that arrive together', async () => {
    const key = randomUUID();
    const replies = await Promise.all([1, 2, 3, 4].map(() => submit(server, shortRecording, { key })));
    expect(new Set(replies.map((reply) => idOf(reply.body))).size).toBe(1);
    expect(ledgerOf(key)).toBe(1);
  });

  it.each([
    ['another recording', () => ({ content: readFileSync(samplePath('lecture-ru.ogg')) })],
    ['another language', () => ({ fields: { language: 'ru' } })],
    ['another request for speakers', () => ({ fields: { language: 'en', include_speakers: 'true' } })],
  ])('refuses a used key with %s', async (_name, other) => {
    const key = randomUUID();
    await submit(server, shortRecording, { key });
    const reply = await submit(server, shortRecording, { key, ...other() });
    expect([reply.status, codeOf(reply)]).toEqual([409, 'idempotency_conflict']);
    expect(ledgerOf(key)).toBe(1);
  });

  it('records what was accepted, and lets nothing change it', async () => {
    const key = randomUUID();
    const reply = await submit(server, shortRecording, { key, fields: { language: 'ru', include_speakers: 'true' } });
    const entry = readLedger(server.stateDir).find((one) => one.idempotencyKey === key);
    expect(entry).toMatchObject({
      route: 'POST /v1/stt',
      transcriptionId: idOf(reply.body),
      fields: { language: 'ru', include_speakers: true },
    });
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(`${server.stateDir}/practice.sqlite`);
    expect(() => database.exec('DELETE FROM ledger')).toThrow('the ledger only grows');
    expect(() => database.exec('UPDATE ledger SET at_ms = 0')).toThrow('the ledger only grows');
    database.close();
  });

  it.each<readonly [string, number, string, () => Parameters<typeof submit>[2]]>([
    ['a key that is no UUID', 400, 'invalid_idempotency_key', () => ({ key: 'one' })],
    ['an unknown language', 400, 'validation_error', () => ({ fields: { language: 'de' } })],
    ['no language', 400, 'validation_error', () => ({ fields: {} })],
    [
      'an odd request for speakers',
      400,
      'validation_error',
      () => ({ fields: { language: 'en', include_speakers: 'yes' } }),
    ],
    ['an empty file', 400, 'validation_error', () => ({ content: Buffer.alloc(0) })],
    [
      'text with the name of sound',
      415,
      'unsupported_media_type',
      () => ({ content: Buffer.from('just words '.repeat(900)) }),
    ],
    ['a WAV without sound', 422, 'invalid_audio', () => ({ content: Buffer.from('RIFF\0\0\0\0WAVEfmt ') })],
    ['a film without sound', 422, 'no_audio', () => ({ content: fixture('only-picture.webm') })],
    ['a codec that is not taken', 422, 'unsupported_codec', () => ({ content: fixture('lossless.alac.m4a') })],
    ['more than the limit', 413, 'audio_too_large', () => ({ content: Buffer.alloc(1024 * 1024 + 1) })],
    ['much more than the limit', 413, 'audio_too_large', () => ({ content: Buffer.alloc(3 * 1024 * 1024) })],
  ])('refuses %s with %i %s, bills nothing, and stores nothing', async (_name, status, code, submission) => {
    const before = readLedger(server.stateDir).length;
    const reply = await submit(server, shortRecording, submission());
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    expect(reply.body).toMatchObject({ message: expect.any(String), request_id: expect.any(String) });
    expect(readLedger(server.stateDir)).toHaveLength(before);
    expect(readdirSync(`${server.stateDir}/uploads`).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('names the field that is wrong', async () => {
    const reply = await submit(server, shortRecording, { fields: { language: 'de' } });
    expect(reply.body['error']).toEqual({ code: 'validation_error', fields: { language: 'must be uz, en or ru' } });
  });

  it('refuses a body that is no form, or an incomplete one', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const json = await call(server, 'POST', '/v1/stt', {
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([json.status, codeOf(json)]).toEqual([415, 'unsupported_media_type']);
    const half = await call(server, 'POST', '/v1/stt', {
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="audio"; filename="a.mp3"\r\n\r\nabc',
    });
    expect([half.status, codeOf(half)]).toEqual([400, 'invalid_multipart']);
    const nothing = await call(server, 'POST', '/v1/stt', { headers, body: new FormData() });
    expect(nothing.status).toBe(400);
  });
});

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url)));

describe('the content of a transcript', () => {
  it.each([
    ['lecture-ru.ogg', 'ru', 1],
    ['podcast-en.flac', 'en', 1],
    ['interview-uz.mp3', 'uz', 2],
  ])('knows the words and times of the bundled %s', async (name, language, speakers) => {
    const reply = await submit(server, samplePath(name), { fields: { language, include_speakers: 'true' } });
    const { body } = await until(server, idOf(reply.body), 'completed');
    const segments = segmentsOf(body);
    const known = JSON.parse(readFileSync(samplePath(name.replace(/\w+$/, 'json')), 'utf8')) as {
      segments: { text: string; startMs: number }[];
    };
    expect(segments.map(({ text, start_ms }) => ({ text, startMs: start_ms }))).toEqual(
      known.segments.map(({ text, startMs }) => ({ text, startMs })),
    );
    for (const segment of segments) expect(segment.words.map((word) => word.text).join(' ')).toBe(segment.text);
    expect(new Set(segments.map((segment) => segment.speaker)).size).toBe(speakers);
    const without = await submit(server, samplePath(name), { fields: { language } });
    const plain = await until(server, idOf(without.body), 'completed');
    expect(segmentsOf(plain.body).every((segment) => !('speaker' in segment))).toBe(true);
  });

  it.each([
    ['uz', /^\(nutq, \d+ s\)$/],
    ['ru', /^\(речь, \d+ с\)$/],
    ['en', /^\(speech, \d+ s\)$/],
  ])('says in %s of any other recording only that there was speech, when and how long', async (language, note) => {
    const recordings = readdirSync(fileURLToPath(new URL('../fixtures/audio/', import.meta.url))).filter((name) =>
      name.startsWith('two-'),
    );
    for (const name of recordings) {
      const { body } = await submit(server, shortRecording, {
        content: fixture(name),
        fields: { language, include_speakers: 'true' },
      });
      const segments = segmentsOf(body);
      expect([name, segments.length]).toEqual([name, 2]);
      for (const segment of segments) {
        expect(segment.text).toMatch(note);
        expect(segment.words).toEqual([]);
        expect(segment).not.toHaveProperty('speaker');
      }
    }
  });

  it('does not pretend to recognize a sample that was changed', async () => {
    const changed = readFileSync(samplePath('lecture-ru.ogg'));
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const { body } = await submit(server, samplePath('lecture-ru.ogg'), {
      content: changed,
      fields: { language: 'ru' },
    });
    expect(String(body['text'])).not.toContain('лекции');
  });

  it('is complete and empty without speech', async () => {
    const { body } = await submit(server, shortRecording, { content: fixture('silence.opus.ogg') });
    expect(body).toMatchObject({ status: 'completed', text: '', segments: [], duration_ms: 3000 });
  });
});
