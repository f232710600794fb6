import { afterEach, expect, it } from 'vitest';
import { openQueueRig, type QueueRig } from '../support/queue-rig.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';

let rig: QueueRig;
afterEach(async () => {
  await rig.close();
});

/** A service that has heard more of the recording at each poll, and never all of it. */
const hearsOn = (): Script => {
  let polls = 0;
  return (request, response) => {
    if (request.method === 'POST') return sendJson(response, 202, { data: { id: 'tr_1', status: 'queued' } });
    if (request.method === 'DELETE') return sendJson(response, 200, {});
    polls += 1;
    const progress = Math.min(0.9, polls / 10);
    return sendJson(response, 200, {
      data: { id: 'tr_1', status: 'processing', progress, latest_text: `so‘z ${polls}` },
    });
  };
};
const heard = () => rig.states().flatMap((state) => (state.tag === 'processing' && state.heard ? [state.heard] : []));

it('the newest words and the share of a recording are shown as they are heard, and the time left is measured', async () => {
  rig = await openQueueRig(hearsOn(), { mode: 'local' });
  await rig.library.jobs.add([
    { path: rig.record('a.wav', 300, 200), kind: 'transcribe', language: 'uz', includeSpeakers: true },
  ]);
  await expect.poll(() => heard()[0]?.latestText).toMatch(/^so‘z \d+$/u);
  // Ten minutes an hour, until a minute of audio was heard.
  const first = heard()[0];
  if (first?.isUsual === true) expect(first.leftMs).toBeCloseTo(((1 - first.share) * 200_000) / 6, -1);
  await expect.poll(() => heard()[0]?.isUsual).toBe(false);
  // Each poll, two seconds apart, finds twenty seconds more.
  const { share = 0, leftMs = 0 } = heard()[0] ?? {};
  expect(leftMs).toBeGreaterThan((1 - share) * 200_000 * 0.08);
  expect(leftMs).toBeLessThan((1 - share) * 200_000 * 0.15);
  // Nobody is told apart here, so no row says so.
  expect(rig.library.jobs.list().jobs[0]).toMatchObject({ includeSpeakers: false });
});

it('a recording that is cancelled on this computer is worked on no longer', async () => {
  rig = await openQueueRig(hearsOn(), { mode: 'local' });
  await rig.add(rig.record('a.wav', 300, 20));
  await expect.poll(() => heard().length).toBe(1);
  const [job] = rig.library.jobs.list().jobs;
  await rig.library.jobs.cancel(job?.id ?? '');
  await expect
    .poll(() => rig.server.seen.filter(({ method }) => method === 'DELETE').map(({ url }) => url))
    .toEqual(['/v1/stt/transcriptions/tr_1']);
  expect(rig.tags()).toEqual(['cancelled']);
});

it('a recording whose model is not here waits for it, and is heard as soon as it came', async () => {
  let isHere = false;
  rig = await openQueueRig(
    (_request, response) =>
      isHere
        ? sendJson(response, 200, { id: 'tr_1', status: 'completed', text: 'salom' })
        : sendJson(response, 503, { error: { code: 'model_missing', message: 'no model is here' } }),
    { mode: 'local' },
  );
  await rig.add(rig.record('a.wav', 300, 2));
  await expect.poll(() => rig.states()).toMatchObject([{ tag: 'blocked', by: 'model', failure: { row: 'E-250' } }]);
  isHere = true;
  rig.library.jobs.noteConnectionChange();
  await expect.poll(() => rig.tags()).toEqual(['done']);
});
