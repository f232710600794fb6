import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseFaultPlan } from '../../electron/practice/faults/fault-plan.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { call, codeOf, type Reply, type Server } from './practice-client.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(20), Buffer.from([0xff, 0xd9])]);
const webp = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(8)]);
const pdf = (pages: number): Buffer => simplePdf(Array.from({ length: pages }, (_, at) => [`Bet ${at + 1}.`]));

interface Sent {
  readonly content?: Buffer;
  readonly fields?: readonly (readonly [string, string])[];
  readonly field?: string;
  readonly files?: number;
}
function upload(server: Server, { content = png, fields = [], field = 'file', files = 1 }: Sent = {}): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (let left = files; left > 0; left -= 1) form.append(field, new Blob([new Uint8Array(content)]), 'rasm.png');
  return call(server, 'POST', '/v1/files', { body: form });
}
const fresh = async (): Promise<PracticeServer> => {
  const server = await startPracticeServer();
  onTestFinished(() => server.close());
  return server;
};

let server: PracticeServer;
beforeAll(async () => {
  server = await startPracticeServer();
});
afterAll(() => server.close());

describe('files for questions', () => {
  it.each([
    ['PNG', png, 'vision'],
    ['GIF', gif, 'vision'],
    ['JPEG', jpeg, 'vision'],
    ['WebP', webp, 'vision'],
    ['PDF', pdf(100), 'document'],
  ])('accepts %s by its content, and returns the file without a wrapper', async (_name, content, purpose) => {
    const reply = await upload(server, { content, fields: [['purpose', purpose]] });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body).toMatchObject({ object: 'file', bytes: content.length, filename: 'rasm.png', purpose });
    const { created_at: created, expires_at: expires, id } = reply.body as Record<string, number>;
    expect((expires ?? 0) - (created ?? 0)).toBe(30 * 86_400);
    const read = await call(server, 'GET', `/v1/files/${String(id)}`);
    expect({ ...read.body, request_id: '' }).toEqual({ ...reply.body, request_id: '' });
  });

  it.each<readonly [string, Sent, number, string]>([
    ['more than 4 MiB', { content: Buffer.alloc(4 * 1024 * 1024 + 1) }, 413, 'file_too_large'],
    ['sound', { content: Buffer.from('RIFF....WAVEfmt ') }, 415, 'unsupported_media_type'],
    ['a picture cut short', { content: png.subarray(0, 40) }, 422, 'invalid_attachment'],
    ['101 pages', { content: pdf(101) }, 422, 'invalid_attachment'],
    ['a PDF without an end', { content: Buffer.from('%PDF-1.4 half') }, 422, 'invalid_attachment'],
    ['another purpose', { fields: [['purpose', 'document']] }, 422, 'validation_error'],
    ['a model that takes no files', { fields: [['model', 'practice-extract']] }, 422, 'unsupported_attachment'],
    ['an unknown model', { fields: [['model', 'x']] }, 422, 'validation_error'],
    ['an unknown field', { fields: [['note', 'x']] }, 422, 'validation_error'],
    [
      'a field twice',
      {
        fields: [
          ['purpose', 'vision'],
          ['purpose', 'vision'],
        ],
      },
      422,
      'validation_error',
    ],
    ['two files', { files: 2 }, 422, 'validation_error'],
    ['no file', { files: 0, fields: [['purpose', 'vision']] }, 422, 'validation_error'],
    ['an empty file', { content: Buffer.alloc(0) }, 422, 'validation_error'],
    ['another name for the file', { field: 'image' }, 422, 'validation_error'],
  ])('refuses %s', async (_name, sent, status, code) => {
    const reply = await upload(server, sent);
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    expect(reply.body['error']).toHaveProperty('type');
    expect(readdirSync(`${server.stateDir}/uploads`)).toEqual([]);
  });

  it('lists by place and purpose, and forgets deleted files at once', async () => {
    const own = await fresh();
    const ids = [];
    for (const content of [png, pdf(1), png]) ids.unshift(String((await upload(own, { content })).body['id']));
    const first = await call(own, 'GET', '/v1/files?limit=2');
    expect(first.body).toMatchObject({ object: 'list', has_more: true, first_id: ids[0], last_id: ids[1] });
    const second = await call(own, 'GET', `/v1/files?limit=2&after=${ids[1]}`);
    expect(second.body).toMatchObject({ has_more: false, first_id: ids[2], last_id: ids[2] });
    const documents = await call(own, 'GET', '/v1/files?purpose=document');
    expect((documents.body['data'] as { id: string }[]).map(({ id }) => id)).toEqual([ids[1]]);
    for (const query of ['limit=0', 'limit=101', 'after=x', 'purpose=fun'])
      expect((await call(own, 'GET', `/v1/files?${query}`)).status).toBe(422);
    const deleted = await call(own, 'DELETE', `/v1/files/${ids[0]}`);
    expect(deleted.body).toMatchObject({ id: ids[0], object: 'file', deleted: true });
    expect((await call(own, 'GET', `/v1/files/${ids[0]}`)).status).toBe(404);
    expect((await call(own, 'DELETE', `/v1/files/${ids[0]}`)).status).toBe(404);

    const show = (model: string, ...files: (string | undefined)[]): Promise<Reply> =>
      call(own, 'POST', '/v1/chat/completions', {
        headers: { 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Nima bu?' },
                ...files.map((file_id) => ({ type: 'file', file: { file_id } })),
              ],
            },
          ],
        }),
      });
    expect(codeOf(await show('practice-extract-files', ids[0]))).toBe('attachment_unavailable');
    expect(codeOf(await show('practice-extract', ids[2]))).toBe('unsupported_attachment');
    const answered = await show('practice-extract-files', ids[1], ids[2]);
    expect([answered.status, answered.text]).toEqual([
      200,
      expect.stringMatching(/Bet 1\..*koʻrmaydi: rasm\.png|koʻrmaydi: rasm\.png.*Bet 1\./s),
    ]);
    expect((await call(await fresh(), 'GET', '/v1/files')).body).toMatchObject({ data: [], first_id: '', last_id: '' });
  });

  it('answers with the words of a PDF, page after page and in any script, and names files it could not read', async () => {
    const own = await fresh();
    const content = simplePdf([
      ['Majlis soat toʻqqizda boshlandi. Anvar yangi maktabning', 'byudjeti haqida gapirdi.', 'Tushlik kech boʻldi.'],
      ['Бюджет утвердят в марте.', 'Кто-то засмеялся.'],
      ['The weather was fine.', 'The doors stayed open.'],
    ]);
    const file = String((await upload(own, { content })).body['id']);
    const empty = String((await upload(own, { content: simplePdf([[]]) })).body['id']);
    const ask = async (text: string): Promise<Record<string, unknown>> => {
      const reply = await call(own, 'POST', '/v1/chat/completions', {
        headers: { 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'practice-extract-files',
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text },
                ...[file, empty].map((id) => ({ type: 'file', file: { file_id: id } })),
              ],
            },
          ],
        }),
      });
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    };
    const contentOf = (body: Record<string, unknown>): string =>
      (body['choices'] as { message: { content: string } }[])[0]?.message.content ?? '';
    const uzbek = await ask('Maktab byudjeti haqida nima deyildi?');
    expect(contentOf(uzbek)).toContain('Anvar yangi maktabning byudjeti haqida gapirdi.');
    expect(contentOf(uzbek)).toContain('koʻrmaydi: rasm.png');
    expect(contentOf(await ask('Что решили про бюджет?'))).toContain('Бюджет утвердят в марте.');
    // The words of a file are input like any other.
    expect((uzbek['usage'] as { prompt_tokens: number }).prompt_tokens).toBeGreaterThan(35);
    await call(own, 'DELETE', `/v1/files/${file}`);
    expect(await readFile(`${own.stateDir}/practice.sqlite`, 'utf8')).not.toContain('Anvar');
  });

  it('waits two minutes for a file and no longer', async () => {
    const plan = parseFaultPlan({ rules: [{ route: '/v1/files', fault: 'slow-read', bytesPerSecond: 20 }] });
    if (!plan.ok) throw new Error(plan.error);
    const own = await startPracticeServer({ faultPlan: plan.value, limits: { attachmentUploadMs: 50 } });
    onTestFinished(() => own.close());
    const reply = await upload(own);
    expect([reply.status, codeOf(reply)]).toEqual([408, 'upload_timeout']);
    expect(readdirSync(`${own.stateDir}/uploads`)).toEqual([]);
  });

  it('stores at most 25 files, and accepts at most 100 uploads in a day', async () => {
    const own = await startPracticeServer({ limits: { requestsPerSecond: 1000 } });
    onTestFinished(() => own.close());
    for (let count = 0; count < 25; count += 1) expect((await upload(own)).status).toBe(201);
    const full = await upload(own);
    expect([full.status, codeOf(full)]).toEqual([429, 'attachment_quota_exceeded']);
    expect(full.headers.get('retry-after')).toBe('60');
    const [last] = (await call(own, 'GET', '/v1/files')).body['data'] as { id: string }[];
    await call(own, 'DELETE', `/v1/files/${last?.id}`);
    expect((await upload(own)).status).toBe(201);
    for (let count = 27; count < 100; count += 1) expect((await upload(own, { files: 0 })).status).toBe(400 + 22);
    const [another] = (await call(own, 'GET', '/v1/files')).body['data'] as { id: string }[];
    await call(own, 'DELETE', `/v1/files/${another?.id}`);
    expect((await upload(own)).body['message'] ?? (await upload(own)).text).toContain('in the last day');
  });
});
