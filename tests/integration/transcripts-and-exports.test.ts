import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { openQueueRig, takesAll, type QueueRig } from '../support/queue-rig.ts';

let rig: QueueRig;
beforeEach(async () => {
  rig = await openQueueRig();
});
afterEach(() => rig.close());

it('renaming works here at once and at the service when it can be reached; relocating accepts the same content only', async () => {
  const path = rig.record('a.wav');
  await rig.add(path);
  await rig.until(['done']);
  const [state] = rig.states();
  const id = state?.tag === 'done' ? (state.transcriptId ?? '') : '';
  expect(await rig.library.transcripts.rename(id, 'Yangi nom: 1/2')).toEqual({
    ok: true,
    value: { title: 'Yangi nom: 1/2' },
  });
  await expect
    .poll(() => rig.server.seen.some(({ method, body }) => method === 'PATCH' && body.includes('Yangi nom')))
    .toBe(true);
  const rendered = await rig.library.exports.render({ transcriptId: id, format: 'srt', options: {} });
  expect(rendered.ok && rendered.value.suggestedName).toBe('Yangi nom- 1-2.srt');
  const cyrillic = await rig.library.exports.show(
    { transcriptId: id, format: 'txt', options: { script: 'cyrillic' } },
    null,
  );
  const stored = await rig.library.exports.show({ transcriptId: id, format: 'txt', options: {} }, null);
  expect(cyrillic).not.toEqual(stored);
  expect(cyrillic).toMatchObject({ ok: true, value: { kind: 'text', text: expect.stringMatching(/[Ѐ-ӿ]/u) } });
  const moved = rig.record('moved.wav');
  expect((await rig.library.transcripts.relocateMedia(id, moved)).ok).toBe(true);
  const other = await rig.library.transcripts.relocateMedia(id, rig.record('other.wav', 999));
  expect(other.ok ? null : other.error.kind).toBe('file-changed');
  const opened = await rig.library.transcripts.open(id);
  expect(opened.ok && opened.value.mediaPath).toBe(moved);
  const missing = await rig.library.exports.save(
    { transcriptId: id, format: 'txt', options: {} },
    join(rig.folder, 'no', 'such', 'folder', 'a.txt'),
  );
  expect(missing.ok ? null : missing.error.kind).toBe('export-unfinished');
});

it('the content of what is erased is reported, so that nothing keeps or plays it any more', async () => {
  const erased: string[] = [];
  const own = await openQueueRig(takesAll, { onErased: (contents) => void erased.push(...contents) });
  onTestFinished(() => own.close());
  await own.add(own.record('a.wav'));
  await own.until(['done']);
  const { items, transcripts, deletion } = own.library;
  const listed = deletion.list();
  const id = listed.ok ? (listed.value[0]?.id ?? '') : '';
  const found = transcripts.find(id);
  expect(await items.trash([{ kind: 'transcript', id }])).toMatchObject({ ok: true });
  expect(erased).toEqual([]);
  expect(await items.erase([{ kind: 'transcript', id }], false)).toMatchObject({ ok: true });
  expect(erased).toEqual([found.ok ? found.value.mediaSha256 : '']);
});
