import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { finished, openQueueRig, TestClock, type QueueRig } from '../support/queue-rig.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';

let rig: QueueRig;
afterEach(() => rig.close());

const fast = () => ({ clock: new TestClock(1000) });
const reads = () => rig.server.seen.filter(({ method }) => method === 'GET');
/** Accepts the upload with this answer and then knows the job under `id`; any other id is not found. */
const takesAs =
  (id: string, receipt: (response: ServerResponse) => void): Script =>
  (request, response) => {
    if (request.method === 'POST') return receipt(response);
    const path = `/v1/stt/transcriptions/${encodeURIComponent(id)}`;
    if (request.url === path) return sendJson(response, 200, finished(id));
    return request.url.startsWith('/v1/stt/transcriptions?')
      ? sendJson(response, 200, { data: [], next_cursor: null })
      : sendJson(response, 404, { error: { code: 'transcription_not_found' } });
  };
const say = (body: unknown, headers?: Record<string, string>) => (response: ServerResponse) =>
  sendJson(response, 202, body, headers);

describe('F-38: receipts', () => {
  it('a receipt without an id: the same key twice more, then a search of the list, then the user is asked (E-022)', async () => {
    rig = await openQueueRig(takesAs('', say({ status: 'queued' })), fast());
    await rig.add(rig.record('lost.wav'));
    await rig.until(['needs-user']);
    expect(rig.states()).toMatchObject([{ failure: { row: 'E-022' } }]);
    expect([rig.posts().length, rig.keys().size]).toEqual([3, 1]);
    expect(reads().map(({ url }) => url)).toEqual(['/v1/stt/transcriptions?limit=100']);
  });

  it('an empty receipt is E-022, and the job that the list has under the file name is adopted', async () => {
    const clock = new TestClock(1000);
    /** By the clock of the service, shortly after it was sent. */
    const created = (): string => new Date(clock.now()).toISOString();
    rig = await openQueueRig(
      (request, response) => {
        if (request.method === 'POST') return void response.writeHead(202).end();
        return request.url.includes('?')
          ? sendJson(response, 200, {
              data: [{ id: 'tr_found', title: 'lost.wav', status: 'queued', created_at: created() }],
            })
          : sendJson(response, 200, finished('tr_found'));
      },
      { clock },
    );
    await rig.add(rig.record('lost.wav'));
    await rig.until(['done']);
    expect([...rig.rowsMet()]).toEqual(['E-022']);
    expect([rig.posts().length, rig.keys().size]).toEqual([3, 1]);
    expect(reads().at(-1)?.url).toBe('/v1/stt/transcriptions/tr_found');
  });

  const shapes: readonly (readonly [string, string, (response: ServerResponse) => void])[] = [
    ['at the top', 'tr_top', say({ id: 'tr_top', status: 'queued' })],
    ['as transcription_id', 'tr_own', say({ transcription_id: 'tr_own', status: 'pending' })],
    ['inside a transcription', 'tr_in', say({ result: { transcription: { id: 'tr_in' }, status: 'accepted' } })],
    ['as a number of a job', '90071992', say({ data: { job_id: 90_071_992 }, status: 'queued' })],
    ['in Location alone', 'tr_loc', say({}, { location: '/v1/stt/transcriptions/tr_loc' })],
  ];
  it.each(shapes)('the id %s is used: sent once, read under it', async (_where, id, receipt) => {
    rig = await openQueueRig(takesAs(id, receipt), fast());
    await rig.add(rig.record('a.wav'));
    await rig.until(['done']);
    expect(rig.posts()).toHaveLength(1);
    expect(new Set(reads().map(({ url }) => url))).toEqual(new Set([`/v1/stt/transcriptions/${id}`]));
  });

  it('an id with slashes, dots and a question mark stays one part of the path', async () => {
    const id = '../../account/api-keys?limit=1#x/..%2f..\\'.repeat(8);
    rig = await openQueueRig(takesAs(id, say({ data: { id, status: 'queued' } })), fast());
    await rig.add(rig.record('a.wav'));
    await rig.until(['done']);
    expect(rig.posts()).toHaveLength(1);
    expect(new Set(reads().map(({ url }) => url))).toEqual(
      new Set([`/v1/stt/transcriptions/${encodeURIComponent(id)}`]),
    );
  });

  it.each([
    ['of 10 KB', '../a/'.repeat(2048)],
    ['that is two dots', '..'],
    ['with a line break', 'tr_1\r\nhost: evil.test'],
  ])('the id %s is invalid: it is never requested, and nothing is sent under a second key', async (_what, id) => {
    rig = await openQueueRig(takesAs(id, say({ data: { id, status: 'queued' } })), fast());
    await rig.add(rig.record('a.wav'));
    await rig.until(['needs-user']);
    expect([rig.posts().length, rig.keys().size]).toEqual([3, 1]);
    expect(reads().map(({ url }) => url)).toEqual(['/v1/stt/transcriptions?limit=100']);
  });
});

describe('F-39: finished, but', () => {
  it.each([
    ['the text is missing', { id: 'tr_1', status: 'completed' }],
    ['the text is null', { id: 'tr_1', status: 'completed', text: null, segments: null }],
  ])(
    '%s: read again five times, then its export, then the user is asked (E-028); never sent again',
    async (_how, data) => {
      rig = await openQueueRig((request, response) => {
        if (request.method === 'POST') return sendJson(response, 202, { data: { id: 'tr_1', status: 'queued' } });
        return request.url.includes('export') ? sendJson(response, 200, {}) : sendJson(response, 200, { data });
      }, fast());
      await rig.add(rig.record('a.wav'));
      await rig.until(['needs-user']);
      expect(rig.states()).toMatchObject([{ failure: { row: 'E-028' } }]);
      const urls = reads().map(({ url }) => url);
      expect(urls.filter((url) => url === '/v1/stt/transcriptions/tr_1').length).toBe(6);
      expect(urls.filter((url) => url.includes('export'))).toHaveLength(2);
      expect(rig.posts()).toHaveLength(1);
    },
  );

  it('the record shows no text and the export has it: the text of the export is used', async () => {
    rig = await openQueueRig((request, response) => {
      if (request.method === 'POST') return sendJson(response, 202, { data: { id: 'tr_1', status: 'queued' } });
      if (!request.url.includes('export'))
        return sendJson(response, 200, { data: { id: 'tr_1', status: 'completed' } });
      return void response.writeHead(200, { 'content-type': 'text/plain' }).end('Salom, eksport.');
    }, fast());
    await rig.add(rig.record('a.wav'));
    await rig.until(['done']);
    expect(rig.posts()).toHaveLength(1);
  });

  // Twelve hours of speech in the suite; an impossible length in the long run.
  const segments = (count: number): string =>
    `"text":"","segments":[${Array.from({ length: count }, (_, at) => `{"start":${at},"end":${at}.9,"text":"gap ${at}"}`).join(',')}]`;
  const allSizes: readonly (readonly [string, () => string, (count: number) => boolean])[] = [
    ['10,000 segments', () => segments(10_000), (count) => count === 10_000],
    ['1,000,000 segments', () => segments(1_000_000), (count) => count === 1_000_000],
    ['20 MB of text', () => `"text":"${'Salom dunyo bu gap. '.repeat(1024 * 1024)}"`, (count) => count > 80_000],
  ];
  const sizes = process.env['OVOZ_LONG'] === undefined ? allSizes.slice(0, 1) : allSizes;
  it.each(sizes)(
    '%s: it is complete, and nothing is requested twice',
    { timeout: 300_000 },
    async (_what, content, isWhole) => {
      const body = Buffer.from(`{"data":{"id":"tr_1","status":"completed",${content()}}}`);
      rig = await openQueueRig((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      });
      let lateMs = 0;
      let lastMs = performance.now();
      const tick = setInterval(() => {
        lateMs = Math.max(lateMs, performance.now() - lastMs - 5);
        lastMs = performance.now();
      }, 5);
      await rig.add(rig.record('long.wav'));
      await rig.until(['done'], 250_000);
      clearInterval(tick);
      console.log(`${(body.length / 1e6).toFixed(1)} MB: nothing else ran for ${Math.round(lateMs)} ms`);
      const [state] = rig.states();
      const id = state?.tag === 'done' ? (state.transcriptId ?? '') : '';
      const opened = await rig.library.transcripts.open(id);
      // A text too long to show can still be exported.
      const isShown = !opened.ok && opened.error.code === 'transcript_too_long' ? 'too long' : opened.ok;
      expect(isShown).toBe(body.length > 1e6 ? 'too long' : true);
      const saved = join(rig.folder, 'all.srt');
      const exported = await rig.library.exports.save({ transcriptId: id, format: 'srt', options: {} }, saved);
      expect(exported.ok).toBe(true);
      let count = 0;
      // Cues are cut anew for display, so words are counted.
      for await (const line of createInterface({ input: createReadStream(saved) }))
        count += line.match(/gap|Salom/g)?.length ?? 0;
      expect(isWhole(count)).toBe(true);
      expect(rig.posts()).toHaveLength(1);
    },
  );
});
