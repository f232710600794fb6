import { readFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refKey } from '../../shared/domain/library/library-item.ts';
import { applyChange } from '../../shared/domain/transcript/change.ts';
import { packChange } from '../../shared/domain/transcript/packed.ts';
import { markWords, redactedText } from '../../shared/domain/transcript/edit-marks.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { valueOf } from './open-library.ts';
import { openQueueRig, refuse, takesAll, type QueueRig } from '../support/queue-rig.ts';
import { sendJson, type Script } from '../support/scripted-server.ts';

let rig: QueueRig;
afterEach(() => rig.close());

beforeEach(async () => {
  rig = await openQueueRig();
});

const items = async () => valueOf(await rig.library.items.list());
const find = async (text: string) => {
  const among = (await items()).items.filter(({ trashedAtMs }) => trashedAtMs === null).map(refKey);
  return valueOf(await rig.library.items.search({ text, among, mostItems: 30 }));
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
    rig.library.transcripts.edit(first.id, revision, [{ atMs: 1, label: 'mark', change: packChange(change.value) }]);
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

it('what is in a removed folder goes to the one around it, and a removed folder or tag is restored as the same one', async () => {
  const { items: library } = rig.library;
  const made = (name: string, parentId: string | null) => {
    const saved = library.saveFolder(null, name, parentId);
    if (!saved.ok) throw new Error(saved.error.kind);
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
  const speakersOf = async (at: number) =>
    valueOf(await transcripts.open(ids[at] ?? '')).transcript.speakers.map(({ name, colour }) => [name, colour]);
  for (const [at, names] of [['Dilnoza', 'Usta'], ['Dilnoza K.']].entries()) {
    const speakers = names.map((name, place) => ({ id: `p${String(place)}`, name }));
    transcripts.edit(ids[at] ?? '', 0, [{ atMs: 1, label: 'rename', change: [{ type: 'speakers', speakers }] }]);
  }
  const known = () => valueOf(speakerBook.list()).map((one) => [one.name, one.colour, one.count]);
  expect(known()).toHaveLength(3);
  // Two names of one person are merged, in all recordings, with the chosen colour; within one they stay separate.
  expect(speakerBook.save('Dilnoza K.', 'Dilnoza', 5)).toEqual({ ok: true, value: { changedCount: 1 } });
  expect(speakerBook.save('Dilnoza', 'Dilnoza', 5)).toEqual({ ok: true, value: { changedCount: 1 } });
  expect([await speakersOf(0), await speakersOf(1)]).toEqual([
    [
      ['Dilnoza', 5],
      ['Usta', undefined],
    ],
    [['Dilnoza', 5]],
  ]);
  speakerBook.save(null, 'Yangi mehmon', 3);
  speakerBook.forget('Dilnoza');
  expect(known()).toEqual([
    ['Usta', null, 1],
    ['Yangi mehmon', 3, 0],
  ]);
  expect(await speakersOf(1)).toEqual([['Dilnoza', 5]]);
});

/** A service that has these transcripts too; what it takes is not among them. */
const serviceWith =
  (title: string, text: string): Script =>
  (request, response, at) => {
    if (request.method === 'POST') return takesAll(request, response, at);
    if (request.url.includes('tr_far'))
      return sendJson(response, 200, {
        data: { id: 'tr_far', status: 'completed', text, segments: [{ start: 0, end: 2, text }] },
      });
    const listed = { id: 'tr_far', title, status: 'completed', language: 'uz', duration_ms: 90_000 };
    return sendJson(response, 200, { data: [{ ...listed, created_at: '2026-11-01T10:00:00Z' }], next_cursor: null });
  };

const { signal } = new AbortController();
const compare = async () => valueOf(await rig.library.atService.compare(signal));

it('transcripts that only the service has are listed and imported once, with their words, name and date', async () => {
  rig.server.script = serviceWith('Boshqa kompyuterdagi suhbat', 'Isparak gulidan sariq boʻyoq.');
  expect(await compare()).toMatchObject({
    items: [{ remoteId: 'tr_far', language: 'uz', isReady: true }],
    deletedCount: 0,
  });
  const brought = await rig.library.atService.bringIn('tr_far', signal);
  expect(brought).toMatchObject({ ok: true });
  const id = brought.ok ? brought.value.transcriptId : '';
  expect((await items()).items).toMatchObject([
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

it('a transcript that is gone at the service is known to be, whatever the service answers when it is asked again', async () => {
  await rig.add(rig.record('birinchi.wav', 3));
  await rig.until(['done']);
  for (const status of [404, 403]) {
    rig.server.script = (request, response, at) =>
      (request.url.includes('?') ? takesAll : refuse(status, 'refused'))(request, response, at);
    expect(await compare()).toMatchObject({ items: [], deletedCount: 1 });
    expect((await items()).items).toMatchObject([
      { isAtService: false, states: ['unedited', 'made-at-service', 'deleted-at-service'] },
    ]);
  }
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
  const find = () =>
    rig.library.recordings.find([join(rig.folder, 'arxiv')], ({ foundCount }) => told.push(foundCount), signal);
  // A library that can't be written to finds nothing, and says so.
  renameSync(join(rig.folder, 'data'), join(rig.folder, 'away'));
  expect(await find()).toMatchObject({ ok: false, error: { kind: 'data-folder-unwritable' } });
  renameSync(join(rig.folder, 'away'), join(rig.folder, 'data'));
  const ended = await find();
  expect(ended).toMatchObject({ ok: true, value: { foundCount: 2 } });
  expect(told.at(-1)).toBe(2);
  expect(await rig.library.recordings.missing()).toMatchObject({ ok: true, value: [] });
});

const deletions = () => rig.server.seen.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
const deleteFirst = async () => {
  await rig.add(rig.record('birinchi.wav', 3));
  await rig.until(['done']);
  valueOf(await rig.library.deletion.remove((await items()).items[0]?.id ?? '', true));
};

it('a deletion at the service is asked for again when it was refused, and after a restart as soon as there is a key', async () => {
  rig.server.script = (request, response, at) =>
    (deletions().length === 1 ? refuse(403, 'forbidden') : takesAll)(request, response, at);
  await deleteFirst();
  await expect.poll(deletions, { timeout: 5000 }).toHaveLength(2);
  const { connection } = rig;
  await deleteFirst();
  await rig.reopen(() => (rig.connection = null as never));
  await rig.library.deletion.start();
  rig.connection = connection;
  await rig.library.deletion.tellService();
  expect(deletions()).toHaveLength(3);
  expect(new Set(deletions()).size).toBe(2);
});

it('another account is not asked to delete what it does not have, and it is not said to be there', async () => {
  await rig.add(rig.record('birinchi.wav', 3));
  await rig.until(['done']);
  const { connection } = rig;
  rig.connection = { ...connection, key: new Secret('sk-test-another-1') };
  const [item] = (await items()).items;
  expect(item?.isAtService).toBe(false);
  expect(valueOf(await rig.library.transcripts.open(item?.id ?? '')).isAtService).toBe(false);
  expect(valueOf(rig.library.deletion.list())).toMatchObject([{ isAtService: false }]);
  valueOf(await rig.library.deletion.remove(item?.id ?? '', true));
  await rig.library.deletion.close();
  await rig.library.deletion.start();
  expect(deletions()).toEqual([]);
  rig.connection = connection;
  await rig.library.deletion.tellService();
  expect(deletions()).toHaveLength(1);
});

it('what is still to be deleted at the service is no longer shown as a transcript of the account', async () => {
  rig.server.script = (request, response, at) =>
    request.method === 'DELETE'
      ? refuse(403, 'forbidden')(request, response, at)
      : request.method === 'POST'
        ? takesAll(request, response, at)
        : sendJson(response, 200, { data: [{ id: 'tr_1', status: 'completed' }], next_cursor: null });
  await deleteFirst();
  await rig.library.deletion.close();
  await rig.library.deletion.start();
  expect(deletions()).toHaveLength(1);
  expect((await compare()).items).toEqual([]);
});
