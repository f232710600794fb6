import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refKey } from '../../shared/domain/library/library-item.ts';
import { openQueueRig, type QueueRig } from '../support/queue-rig.ts';

let rig: QueueRig;
beforeEach(async () => {
  rig = await openQueueRig();
});
afterEach(() => rig.close());

const items = async () => {
  const listed = await rig.library.items.list();
  if (!listed.ok) throw new Error(listed.error.row);
  return listed.value;
};
const find = async (text: string) => {
  const among = (await items()).items.filter(({ trashedAtMs }) => trashedAtMs === null).map(refKey);
  const found = await rig.library.items.search({ text, among, mostItems: 30 });
  if (!found.ok) throw new Error(found.error.row);
  return found.value;
};

it('a library lists its transcripts, finds their words, files them, and forgets what is erased', async () => {
  for (const [at, name] of ['birinchi.wav', 'ikkinchi.wav'].entries()) await rig.add(rig.record(name, 3 + at));
  await rig.until(['done', 'done']);
  const [first, second] = (await items()).items;
  if (first === undefined || second === undefined) throw new Error('two transcripts were expected');
  expect(first).toMatchObject({ kind: 'transcript', language: 'uz', trashedAtMs: null, folderId: null });

  const opened = await rig.library.transcripts.open(first.id);
  const word = opened.ok ? (opened.value.transcript.segments[0]?.words[0]?.text ?? '') : '';
  expect((await find(word.slice(0, 3))).items.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());

  await rig.library.items.rename(second, 'Gʻijduvon kulollari');
  expect((await find("g'ijduvon")).items).toMatchObject([{ id: second.id, titleRanges: [[0, 9]] }]);

  const folder = rig.library.items.saveFolder(null, 'Hunarmandlar');
  expect(rig.library.items.move([first], folder.ok ? folder.value : '')).toMatchObject({ ok: true });
  expect((await items()).items.find(({ id }) => id === first.id)?.folderId).toBe((await items()).folders[0]?.id);
  rig.library.items.removeFolder((await items()).folders[0]?.id ?? '');
  expect((await items()).items.map(({ folderId }) => folderId)).toEqual([null, null]);

  await rig.library.items.trash([second]);
  expect((await items()).items.find(({ id }) => id === second.id)?.trashedAtMs).not.toBeNull();
  expect((await find('gijduvon')).itemCount).toBe(0);
  await rig.library.items.restore([second]);
  expect((await find('gijduvon')).itemCount).toBe(1);

  await rig.library.items.trash([second]);
  const index = () =>
    ['search.db', 'search.db-wal'].map((name) => readFileSync(join(rig.folder, 'data', name), 'latin1')).join('');
  expect(index()).toContain('ijduvon');
  await rig.library.items.erase([second], false);
  expect((await items()).items.map(({ id }) => id)).toEqual([first.id]);
  expect(index()).not.toContain('ijduvon');
});
