import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startPracticeServer } from '../../electron/practice/server.ts';
import { readLedger } from '../../electron/practice/state.ts';
import { call, callJson, longSample, said, samplePath, shortRecording, submit, type Reply } from './practice-client.ts';

const server = await startPracticeServer({
  pace: { queuedMs: 150, processingMs: 150 },
  limits: { maxBodyBytes: 1024 * 1024 },
});
afterAll(() => server.close());

const idOf = ({ body }: Reply): string => String(body['id']);
const billed = (key: string): number =>
  readLedger(server.stateDir).filter(({ idempotencyKey }) => idempotencyKey === key).length;
const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url)));
interface SegmentBody {
  readonly start_ms: number;
  readonly text: string;
  readonly speaker?: string;
  readonly words: readonly { readonly text: string }[];
}
const segmentsOf = ({ body }: Reply): readonly SegmentBody[] => body['segments'] as SegmentBody[];

describe('a recording', () => {
  it('is billed once under one key, also for equal requests that arrive together, and other content is refused', async () => {
    const key = randomUUID();
    const together = await Promise.all([1, 2, 3, 4].map(() => submit(server, shortRecording, { key })));
    expect(new Set(together.map(idOf)).size).toBe(1);
    const again = await submit(server, shortRecording, { key });
    expect({ ...again.body, request_id: '' }).toEqual({ ...together[0]?.body, request_id: '' });
    for (const other of [
      { content: readFileSync(samplePath('lecture-ru.ogg')) },
      { fields: { language: 'ru' } },
      { fields: { language: 'en', include_speakers: 'true' } },
    ])
      expect(said(await submit(server, shortRecording, { key, ...other }))).toEqual([409, 'idempotency_conflict']);
    expect(billed(key)).toBe(1);
    expect(readLedger(server.stateDir).find(({ idempotencyKey }) => idempotencyKey === key)).toMatchObject({
      route: 'POST /v1/stt',
      transcriptionId: idOf(again),
      fields: { language: 'en' },
    });
  });

  it.each<readonly [string, number, string, () => Parameters<typeof submit>[2]]>([
    ['an unknown language', 400, 'validation_error', () => ({ fields: { language: 'de' } })],
    ['an empty file', 400, 'validation_error', () => ({ content: Buffer.alloc(0) })],
    ['text called sound', 415, 'unsupported_media_type', () => ({ content: Buffer.from('just words '.repeat(900)) })],
    ['a film without sound', 422, 'no_audio', () => ({ content: fixture('only-picture.webm') })],
    ['more than the limit', 413, 'audio_too_large', () => ({ content: Buffer.alloc(1024 * 1024 + 1) })],
  ])('is refused as %s with %i %s, bills nothing, and stores nothing', async (_name, status, code, submission) => {
    const before = readLedger(server.stateDir).length;
    const reply = await submit(server, shortRecording, submission());
    expect(said(reply)).toEqual([status, code]);
    expect(reply.body).toMatchObject({ message: expect.any(String), request_id: expect.any(String) });
    expect(readLedger(server.stateDir)).toHaveLength(before);
    expect(readdirSync(`${server.stateDir}/uploads`).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('the words of a transcript', () => {
  it('are only notes for any other recording, also for a sample that was changed, and none without speech', async () => {
    for (const [language, note] of [
      ['uz', /^\(nutq, \d+ s\)$/],
      ['ru', /^\(речь, \d+ с\)$/],
      ['en', /^\(speech, \d+ s\)$/],
    ] as const) {
      const fields = { language, include_speakers: 'true' };
      const segments = segmentsOf(await submit(server, shortRecording, { fields }));
      expect(segments).toHaveLength(2);
      for (const { text, words, speaker } of segments)
        expect([text, words, speaker]).toEqual([expect.stringMatching(note), [], undefined]);
    }
    const changed = readFileSync(samplePath('lecture-ru.ogg'));
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const other = await submit(server, shortRecording, { content: changed, fields: { language: 'ru' } });
    expect(String(other.body['text'])).not.toContain('лекции');
    const { body } = await submit(server, shortRecording, { content: fixture('silence.opus.ogg') });
    expect(body).toMatchObject({ status: 'completed', text: '', segments: [], duration_ms: 3000 });
  });
});

describe('saved transcriptions', () => {
  it('take a new title, and an edit of the current revision only; deleted ones are gone and their key stays used', async () => {
    const key = randomUUID();
    const path = `/v1/stt/transcriptions/${idOf(await submit(server, shortRecording, { key }))}`;
    const renamed = await callJson(server, 'PATCH', path, { title: '  Gʻalati suhbat  ' });
    expect(renamed.body).toMatchObject({ title: 'Gʻalati suhbat' });
    const words = [{ text: 'The', start_ms: 950, end_ms: 1100 }];
    const segments = [{ start_ms: 950, end_ms: 3350, text: 'The kiln was opened.', speaker: 'A', words }];
    const edited = await callJson(server, 'PUT', `${path}/editor`, { revision: 1, segments });
    expect(edited.body).toMatchObject({ revision: 2, text: 'The kiln was opened.' });
    const stale = await callJson(server, 'PUT', `${path}/editor`, { revision: 1, segments: [] });
    expect(said(stale)).toEqual([409, 'transcription_revision_conflict']);
    expect((await call(server, 'GET', path)).body).toMatchObject({ title: 'Gʻalati suhbat', revision: 2 });
    expect((await call(server, 'DELETE', path)).status).toBe(204);
    expect((await call(server, 'GET', path)).status).toBe(404);
    expect((await call(server, 'DELETE', path)).status).toBe(404);
    expect(said(await submit(server, shortRecording, { key }))).toEqual([409, 'transcription_deleted']);
    expect(billed(key)).toBe(1);
    const waiting = idOf(await submit(server, longSample, { fields: { language: 'uz' } }));
    await call(server, 'DELETE', `/v1/stt/transcriptions/${waiting}`);
    expect(readdirSync(`${server.stateDir}/uploads`)).not.toContain(`${waiting}.audio`);
  });
});
