import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { finished, openQueueRig, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

/** The transcripts of the test's service, by id. */
let there: Map<string, { readonly title: string; readonly text: string }>;
let rig: QueueRig;
beforeEach(async () => {
  there = new Map();
  rig = await openQueueRig((request, response, { number }) => {
    const id = /transcriptions\/([^/?]+)/u.exec(request.url ?? '')?.[1];
    if (request.method === 'POST') {
      there.set(`tr_${String(number)}`, { title: 'Yuborilgan', text: 'Salom dunyo.' });
      return sendJson(response, 200, finished(`tr_${String(number)}`));
    }
    if (id === undefined) {
      const items = [...there].map(([known, { title }]) => ({
        id: known,
        title,
        status: 'completed',
        language: 'uz',
        created_at: '2026-11-01T10:00:00Z',
        duration_ms: 90_000,
      }));
      return sendJson(response, 200, { data: items, next_cursor: null });
    }
    const found = there.get(id);
    return found === undefined
      ? sendJson(response, 404, { error: { code: 'not_found' }, message: 'no', request_id: 'req_1' })
      : sendJson(response, 200, {
          data: { id, status: 'completed', text: found.text, segments: [{ start: 0, end: 2, text: found.text }] },
        });
  });
});
afterEach(() => rig.close());

const { signal } = new AbortController();
const compare = async () => {
  const compared = await rig.library.atService.compare(signal);
  if (!compared.ok) throw new Error(compared.error.row);
  return compared.value;
};
const items = async () => {
  const listed = await rig.library.items.list();
  if (!listed.ok) throw new Error(listed.error.row);
  return listed.value.items;
};

it('transcripts that only the service has are listed and imported once, with their words, name and date', async () => {
  there.set('tr_far', { title: 'Boshqa kompyuterdagi suhbat', text: 'Isparak gulidan sariq boʻyoq.' });
  expect(await compare()).toMatchObject({
    items: [{ remoteId: 'tr_far', language: 'uz', isReady: true }],
    deletedCount: 0,
  });
  const brought = await rig.library.atService.bringIn('tr_far', signal);
  expect(brought).toMatchObject({ ok: true });
  const id = brought.ok ? brought.value.transcriptId : '';
  expect(await items()).toMatchObject([
    { id, title: 'Boshqa kompyuterdagi suhbat', isAtService: true, createdAtMs: Date.parse('2026-11-01T10:00:00Z') },
  ]);
  const found = await rig.library.items.search({ text: 'испарак', among: [`transcript:${id}`], mostItems: 5 });
  expect(found).toMatchObject({ ok: true, value: { items: [{ id }] } });
  expect((await compare()).items).toEqual([]);
  expect(await rig.library.atService.bringIn('tr_far', signal)).toMatchObject({ ok: false });
  expect(rig.library.jobs.list().jobs).toEqual([]);

  // It was imported without its recording, and the user selects the file.
  expect(await rig.library.recordings.missing()).toMatchObject({ ok: true, value: [{ transcriptId: id }] });
  const recording = rig.record('suhbat.wav', 300);
  expect(await rig.library.transcripts.relocateMedia(id, recording)).toMatchObject({ ok: true });
  expect(await rig.library.recordings.missing()).toMatchObject({ ok: true, value: [] });
});

it('one that is gone at the service and cannot be read leaves nothing behind, and can be imported later', async () => {
  there.set('tr_far', { title: 'Suhbat', text: 'Gap.' });
  await compare();
  there.delete('tr_far');
  expect(await rig.library.atService.bringIn('tr_far', signal)).toMatchObject({ ok: false, error: { row: 'E-040' } });
  expect(await items()).toEqual([]);
});

it('one that was deleted at the service says so here, and stays', async () => {
  await rig.add(rig.record('birinchi.wav', 3));
  await rig.until(['done']);
  expect((await compare()).deletedCount).toBe(0);
  expect(await items()).toMatchObject([{ isAtService: true, states: ['unedited', 'made-at-service'] }]);
  there.clear();
  expect((await compare()).deletedCount).toBe(1);
  expect(await items()).toMatchObject([
    { isAtService: false, states: ['unedited', 'made-at-service', 'deleted-at-service'] },
  ]);
});

it('moved recordings are found again by their content, whatever their new names', async () => {
  const [first, second] = [rig.record('birinchi.wav', 3), rig.record('ikkinchi.wav', 4)];
  await rig.add(first, second);
  await rig.until(['done', 'done']);
  const elsewhere = join(rig.folder, 'arxiv', '2026');
  mkdirSync(elsewhere, { recursive: true });
  renameSync(first, join(elsewhere, 'boshqa nom.wav'));
  renameSync(second, join(elsewhere, 'yana.wav'));
  // As long as one of them, with another content.
  rig.record('arxiv/2026/begona.wav', 5);
  expect(await rig.library.recordings.missing()).toMatchObject({ ok: true, value: [{}, {}] });
  const told: number[] = [];
  const ended = await rig.library.recordings.find(
    [join(rig.folder, 'arxiv')],
    ({ foundCount }) => told.push(foundCount),
    signal,
  );
  expect(ended).toMatchObject({ ok: true, value: { foundCount: 2 } });
  expect(told.at(-1)).toBe(2);
  expect(await rig.library.recordings.missing()).toMatchObject({ ok: true, value: [] });
});
