import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refKey } from '../../shared/domain/library/library-item.ts';
import { applyChange } from '../../shared/domain/transcript/change.ts';
import { markWords, redactedText } from '../../shared/domain/transcript/edit-marks.ts';
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

it('a library lists its transcripts, finds their words, sorts them into folders, and forgets what is erased', async () => {
  for (const [at, name] of ['birinchi.wav', 'ikkinchi.wav'].entries()) await rig.add(rig.record(name, 3 + at));
  await rig.until(['done', 'done']);
  const [first, second] = (await items()).items;
  if (first === undefined || second === undefined) throw new Error('two transcripts were expected');
  expect(first).toMatchObject({ kind: 'transcript', language: 'uz', trashedAtMs: null, folderId: null });

  const opened = await rig.library.transcripts.open(first.id);
  const word = opened.ok ? (opened.value.transcript.segments[0]?.words[0]?.text ?? '') : '';
  expect((await find(word.slice(0, 3))).items.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());

  // The recognized first words, whether a search ran before or not.
  const read = await rig.library.items.read(first, 0);
  expect(read.ok && read.value[0]?.text.startsWith(word)).toBe(true);

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
  expect(await rig.library.transcripts.open(second.id)).toMatchObject({ ok: false, error: { code: 'in_trash' } });
  // It can be played before it is restored.
  expect(await rig.library.items.audio(second)).toMatchObject({ ok: true });
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

it('a redacted word is neither found nor shown nor suggested in the library, and is when it is shown again', async () => {
  await rig.add(rig.record('birinchi.wav', 3));
  await rig.until(['done']);
  const [first] = (await items()).items;
  const opened = await rig.library.transcripts.open(first?.id ?? '');
  if (first === undefined || !opened.ok) throw new Error('a transcript was expected');
  let { transcript, revision } = opened.value;
  const mark = (to: 'redacted' | 'un-redacted') => {
    const range = { segmentId: transcript.segments[0]?.id ?? '', from: 1, to: 2 };
    const change = markWords(transcript, [range], to);
    const applied = change.ok ? applyChange(transcript, change.value) : change;
    if (!change.ok || !applied.ok) throw new Error('the word is not there');
    rig.library.transcripts.edit(first.id, revision, [{ label: 'mark', change: change.value }]);
    transcript = applied.value.transcript;
    revision += 1;
  };
  const shown = async () => {
    const read = await rig.library.items.read(first, 0);
    return read.ok ? read.value.map(({ text }) => text) : [];
  };
  expect(await shown()).toEqual(['Salom dunyo.']);
  expect((await find('dunyo')).itemCount).toBe(1);
  expect((await find('dunya')).nearest?.text).toBe('dunyo');
  mark('redacted');
  expect(await find('dunyo')).toMatchObject({ itemCount: 0, nearest: null });
  expect((await find('dunya')).nearest).toBeNull();
  expect((await find('salom')).items[0]?.moments[0]?.text).toBe(`Salom ${redactedText}.`);
  expect(await shown()).toEqual([`Salom ${redactedText}.`]);
  mark('un-redacted');
  expect((await find('dunyo')).itemCount).toBe(1);
  expect(await shown()).toEqual(['Salom dunyo.']);
});

it('tags belong to items of any kind, are merged if they have one name, and disappear with what is erased', async () => {
  for (const [at, name] of ['birinchi.wav', 'ikkinchi.wav'].entries()) await rig.add(rig.record(name, 3 + at));
  await rig.until(['done', 'done']);
  const { items: library } = rig.library;
  const [first, second] = (await items()).items;
  if (first === undefined || second === undefined) throw new Error('two transcripts were expected');
  const tagsOf = async () => (await items()).items.map(({ tagIds }) => tagIds);
  const made = (name: string) => {
    const saved = library.saveTag(null, name);
    if (!saved.ok) throw new Error(saved.error.row);
    return saved.value;
  };
  const [urgent, craft] = [made('Shoshilinch'), made('Hunar')];
  expect(made('shoshilinch')).toBe(urgent);
  library.tag([first, second], urgent, true);
  library.tag([first], craft, true);
  library.tag([first], craft, true);
  expect(await tagsOf()).toEqual([[urgent, craft], [urgent]]);
  library.tag([first], urgent, false);
  expect(await tagsOf()).toEqual([[craft], [urgent]]);
  expect(library.tag([first], 'nothing', true)).toMatchObject({ ok: false, error: { row: 'E-040' } });

  // Renamed to the name of another, the two are merged; then nothing carries a deleted tag.
  expect(library.saveTag(craft, 'SHOSHILINCH')).toEqual({ ok: true, value: urgent });
  expect((await items()).tags).toEqual([{ id: urgent, name: 'Shoshilinch' }]);
  expect(await tagsOf()).toEqual([[urgent], [urgent]]);
  await library.trash([second]);
  await library.erase([second], false);
  library.removeTag(urgent);
  expect(await tagsOf()).toEqual([[]]);
});

it('what is in a removed folder goes to the one around it, and a removed folder or tag is restored as the same one', async () => {
  const { items: library } = rig.library;
  const made = (name: string, parentId: string | null) => {
    const saved = library.saveFolder(null, name, parentId);
    if (!saved.ok) throw new Error(saved.error.row);
    return saved.value;
  };
  const top = made('Hunarmandlar', null);
  const middle = made('Kulollar', top);
  const inner = made('Rishton', middle);
  const placeOf = async (wanted: string) => (await items()).folders.find(({ id }) => id === wanted)?.parentId;
  library.removeFolder(middle);
  expect([await placeOf(middle), await placeOf(inner)]).toEqual([undefined, top]);
  expect(library.saveFolder(middle, 'Kulollar', top)).toEqual({ ok: true, value: middle });
  expect(await placeOf(middle)).toBe(top);

  const tag = library.saveTag(null, 'Shoshilinch');
  const id = tag.ok ? tag.value : '';
  library.removeTag(id);
  expect(library.saveTag(id, 'Shoshilinch')).toEqual({ ok: true, value: id });
  expect((await items()).tags).toEqual([{ id, name: 'Shoshilinch' }]);
});

it('the speaker book gives a name and a colour to every recording with it, merges two people, and forgets', async () => {
  for (const [at, name] of ['birinchi.wav', 'ikkinchi.wav'].entries()) await rig.add(rig.record(name, 3 + at));
  await rig.until(['done', 'done']);
  const { speakerBook, transcripts } = rig.library;
  const ids = (await items()).items.map(({ id }) => id);
  const speakersOf = async (id: string) => {
    const opened = await transcripts.open(id);
    return opened.ok ? opened.value.transcript.speakers.map(({ name, colour }) => [name, colour]) : [];
  };
  const name = (id: string, revision: number, ...names: readonly string[]) =>
    transcripts.edit(id, revision, [
      {
        label: 'rename',
        change: [{ type: 'speakers', speakers: names.map((one, at) => ({ id: `p${String(at)}`, name: one })) }],
      },
    ]);
  name(ids[0] ?? '', 0, 'Dilnoza', 'Usta');
  name(ids[1] ?? '', 0, 'Dilnoza K.');
  const known = () => {
    const listed = speakerBook.list();
    if (!listed.ok) throw new Error(listed.error.row);
    return listed.value.map((one) => [one.name, one.colour, one.count]);
  };
  expect(known()).toEqual([
    ['Dilnoza', null, 1],
    ['Dilnoza K.', null, 1],
    ['Usta', null, 1],
  ]);
  // Two names of one person are merged, in all recordings, with the chosen colour.
  expect(speakerBook.save('Dilnoza K.', 'Dilnoza', 5)).toEqual({ ok: true, value: { changedCount: 1 } });
  expect(speakerBook.save('Dilnoza', 'Dilnoza', 5)).toEqual({ ok: true, value: { changedCount: 1 } });
  expect(await speakersOf(ids[0] ?? '')).toEqual([
    ['Dilnoza', 5],
    ['Usta', undefined],
  ]);
  expect(await speakersOf(ids[1] ?? '')).toEqual([['Dilnoza', 5]]);
  expect((await find('dilnoza')).itemCount).toBe(2);
  // Within one recording, two merged speakers stay separate.
  speakerBook.save('Usta', 'Dilnoza', null);
  expect(await speakersOf(ids[0] ?? '')).toEqual([['Dilnoza', 5]]);
  expect(known()).toEqual([['Dilnoza', 5, 2]]);

  speakerBook.save(null, 'Yangi mehmon', 3);
  speakerBook.forget('Dilnoza');
  expect(known()).toEqual([['Yangi mehmon', 3, 0]]);
  expect(await speakersOf(ids[1] ?? '')).toEqual([['Dilnoza', 5]]);
  speakerBook.save(null, 'Dilnoza', 5);
  expect(known()).toContainEqual(['Dilnoza', 5, 2]);
  expect(speakerBook.save('Dilnoza', '  ', null)).toMatchObject({ ok: false, error: { row: 'E-040' } });
});
