import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openTakesFolder } from '../../electron/platform/node/takes-folder.ts';
import { openWorkspace } from '../../electron/workspace/open-workspace.ts';
import type { Workspace } from '../../electron/workspace/workspace.ts';
import { refKey } from '../../shared/domain/library/library-item.ts';
import { emptyDocument } from '../../shared/domain/speech/speech-document.ts';
import { updateBlocks, withTake } from '../../shared/domain/speech/blocks.ts';
import { startFakeSpeech, type FakeSpeech } from '../support/fake-speech.ts';
import { spokenTake } from '../support/spoken-take.ts';

const takeId = '11111111-2222-4333-8444-555555555555';
let folder: string;
let service: FakeSpeech;
let workspace: Workspace;

const open = async (): Promise<Workspace> => {
  const opened = await openWorkspace({
    mode: 'service',
    dataDir: folder,
    source: () => ({ kind: 'service', baseUrl: service.url, key: new Secret('sk-test-0000000001') }),
    audioWorker: new URL('../../electron/entries/audio-worker.ts', import.meta.url),
    readingWorker: new URL('../../electron/entries/library-worker.ts', import.meta.url),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  if (!opened.ok) throw new Error(opened.error.row);
  return opened.value;
};

const speakTake = async (id: string, texts: readonly string[]) => spokenTake(join(folder, 'dictation'), id, texts);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ovoz-kinds-'));
  service = await startFakeSpeech();
});
afterEach(async () => {
  await workspace.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const listed = async () => {
  const list = await workspace.items.list();
  if (!list.ok) throw new Error(list.error.row);
  return list.value.items;
};
const find = async (text: string) => {
  const found = await workspace.items.search({ text, among: (await listed()).map(refKey), mostItems: 10 });
  if (!found.ok) throw new Error(found.error.row);
  return found.value.items;
};
/** Every byte below the folder, as text. */
const everyFile = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

it('a dictation is listed by its first words, found, renamed, hidden in the trash, and erased without a trace', async () => {
  await speakTake(takeId, ['Maxfiyanor haqida gap.', 'Ikkinchi maxfiygap.']);
  workspace = await open();
  const ref = { kind: 'dictation', id: takeId } as const;
  expect(await listed()).toMatchObject([{ ...ref, durationMs: 4000, language: 'uz', sizeBytes: 128_044, states: [] }]);
  expect((await listed())[0]?.title).toMatch(/^Maxfiyanor haqida gap\./);
  expect(await find('maxfiygap')).toMatchObject([{ ...ref, moments: [{ startMs: 2000 }] }]);
  expect(await workspace.items.audio(ref)).toMatchObject({ ok: true });

  expect(await workspace.items.rename(ref, 'Qoʻngʻiroq')).toMatchObject({ ok: true });
  expect(await find("qo'ng'iroq")).toMatchObject([{ ...ref, titleRanges: [[0, 10]] }]);
  // Its audio was deleted by the user's rule: the words remain and can be named.
  openTakesFolder(join(folder, 'dictation')).removeAudio(takeId);
  expect(await workspace.items.rename(ref, 'Maxfiynom')).toMatchObject({ ok: true });
  expect(await listed()).toMatchObject([{ title: 'Maxfiynom', states: ['no-audio'], sizeBytes: 0 }]);

  await workspace.items.trash([ref]);
  expect(await workspace.dictation.list()).toEqual([]);
  await workspace.items.restore([ref]);
  expect(await workspace.dictation.list()).toMatchObject([{ id: takeId, title: 'Maxfiynom' }]);

  expect(await find('maxfiynom')).toHaveLength(1);
  await workspace.items.trash([ref]);
  await workspace.items.erase([ref], false);
  expect(await listed()).toEqual([]);
  expect(everyFile().toLowerCase()).not.toContain('maxfiy');
});

it('a spoken text is played as a whole, found by its sentences, and erased with the audio that nothing else uses', async () => {
  workspace = await open();
  const request = (text: string) => ({ text, language: 'uz', voiceId: 'voice_a', speed: 1 }) as const;
  const save = async (id: string, text: string) => {
    const blocks = updateBlocks([], text, { language: 'uz', limit: 5000, newId: () => crypto.randomUUID() });
    const spoken = await Promise.all(
      blocks.map(async (block) => {
        const take = await workspace.speechTakes.generate(request(block.text));
        return take.ok ? withTake(block, take.value.id) : block;
      }),
    );
    const defaults = { language: 'uz', voiceId: 'voice_a', otherVoices: {}, speed: 1 } as const;
    workspace.speechDocuments.save({ ...emptyDocument(id, defaults), text, blocks: spoken });
  };
  await save('text-1', 'Salom, dunyo. Maxfiyso‘z aytildi.');
  await save('text-2', 'Salom, dunyo. Boshqa gap.');
  const ref = { kind: 'speech', id: 'text-1' } as const;
  const speechFiles = () => readdirSync(join(folder, 'speech'));
  expect((await listed()).map(({ id, durationMs, states }) => [id, durationMs, states])).toEqual(
    expect.arrayContaining([
      ['text-1', 1150, []],
      ['text-2', 1150, []],
    ]),
  );
  expect(await find('maxfiyso`z')).toMatchObject([{ ...ref, moments: [{ startMs: 650 }] }]);

  const audio = await workspace.items.audio(ref);
  expect(audio).toMatchObject({ ok: true, value: { path: join(folder, 'speech', 'text-1-whole.wav') } });
  // Two sentences of half a second and the pause between them.
  expect(audio.ok && readFileSync(audio.value.path).length).toBe(44 + 27_600 * 2);

  await workspace.items.trash([ref]);
  expect(workspace.speechDocuments.list()).toMatchObject({ ok: true, value: [{ id: 'text-2' }] });
  expect(speechFiles()).toHaveLength(4);
  // A backup from yesterday.
  const copy = join(folder, 'backups', 'library-20261120T175901234Z.db');
  mkdirSync(join(folder, 'backups'), { recursive: true });
  const database = new DatabaseSync(join(folder, 'library.db'));
  database.prepare('VACUUM INTO ?').run(copy);
  database.close();
  expect(readFileSync(copy, 'latin1').toLowerCase()).toContain('maxfiy');
  await workspace.items.erase([ref], false);
  expect((await listed()).map(({ id }) => id)).toEqual(['text-2']);
  // The sentence used by both stays.
  expect(speechFiles()).toHaveLength(2);
  expect(everyFile().toLowerCase()).not.toContain('maxfiy');
});

it('a dictation that was saved as a document is listed and found once, and again by itself without it', async () => {
  await speakTake(takeId, ['Yagonagap haqida.']);
  workspace = await open();
  const kinds = async () => (await listed()).filter(({ trashedAtMs }) => trashedAtMs === null).map(({ kind }) => kind);
  expect(await find('yagonagap')).toMatchObject([{ kind: 'dictation' }]);
  const saved = await workspace.saveTake(takeId, 'Hujjat');
  if (!saved.ok) throw new Error(saved.error.row);
  expect(await kinds()).toEqual(['transcript']);
  expect(await find('yagonagap')).toMatchObject([{ kind: 'transcript' }]);
  await workspace.items.trash([{ kind: 'transcript', id: saved.value.transcriptId }]);
  expect(await kinds()).toEqual(['dictation']);
  expect((await find('yagonagap')).map(({ kind }) => kind)).toContain('dictation');
});

it('dictations move with the library, and a text of an old version is not lost', async () => {
  await speakTake(takeId, ['Koʻchgan gap.']);
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  workspace = await open();
  await workspace.close();
  for (const name of readdirSync(folder).filter((one) => /^(library|ledger)\.db/.test(one)))
    writeFileSync(join(elsewhere, name), readFileSync(join(folder, name)));
  writeFileSync(join(folder, 'library-place'), elsewhere);
  workspace = await open();
  expect(await workspace.dictation.list()).toMatchObject([{ id: takeId, text: 'Koʻchgan gap.' }]);
  expect(readdirSync(join(elsewhere, 'dictation')).toSorted()).toEqual([`${takeId}.jsonl`, `${takeId}.wav`]);
  expect(readdirSync(join(folder, 'dictation'))).toEqual([]);
});
