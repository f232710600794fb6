import { expect, it, onTestFinished } from 'vitest';
import { openQueueRig } from '../support/queue-rig.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';

/** Isolates every recording at once; `result` are the bytes of each result. */
const isolatesTo =
  (result: Buffer): Script =>
  (request, response) => {
    if (request.url.startsWith('/signed')) {
      response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': String(result.length) });
      response.end(result);
      return;
    }
    const done = { id: 'iso_1', status: 'completed', audio_status: 'completed' };
    if (request.method === 'POST') sendJson(response, 202, { ...done, status: 'queued', audio_status: 'pending' });
    else if (request.url.includes('iso_1'))
      sendJson(response, 200, { ...done, audio_url: `http://${String(request.headers.host)}/signed/result.wav` });
    else sendJson(response, 200, { items: [], next_cursor: null });
  };

async function rigOf(script: Script) {
  const rig = await openQueueRig(script);
  onTestFinished(() => rig.close());
  const { refused } = await rig.library.jobs.add([
    { path: rig.record('uy.wav', 300, 6), kind: 'isolate', restoresSpeech: false },
  ]);
  expect(refused).toEqual([]);
  const downloads = () => rig.server.seen.filter(({ url }) => url.startsWith('/signed')).length;
  return { ...rig, library: rig.library, downloads };
}

it('a result of another length than the recording is kept', async () => {
  const rig = await rigOf(isolatesTo(toneWav(300, 1)));
  await rig.until(['done']);
  expect(rig.library.isolation.list()).toMatchObject({ ok: true, value: [{ durationMs: 1000 }] });
  expect(rig.downloads()).toBe(1);
});

it('a result that can not be read is downloaded three times and then asked about', async () => {
  const rig = await rigOf(isolatesTo(Buffer.alloc(4000, 7)));
  await rig.until(['needs-user']);
  expect(rig.states()).toMatchObject([{ failure: { row: 'E-173' } }]);
  expect(rig.downloads()).toBe(3);
});

it('with a key that may not read, nothing is sent: its result could not be fetched', async () => {
  const rig = await rigOf((request, response, at) =>
    request.method === 'GET' && !request.url.includes('iso_1')
      ? sendJson(response, 403, { error: { code: 'insufficient_scope' }, request_id: 'req_1' })
      : isolatesTo(toneWav(300, 6))(request, response, at),
  );
  await rig.until(['blocked']);
  expect(rig.states()).toMatchObject([{ failure: { row: 'E-083', outcome: 'not_sent' } }]);
  expect(rig.posts()).toEqual([]);
});
