import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTakesFolder } from '../../electron/platform/node/takes-folder.ts';
import { type Workspace } from '../../electron/workspace/open-workspace.ts';
import { refKey } from '../../shared/domain/library/library-item.ts';
import { emptyDocument } from '../../shared/domain/speech/speech-document.ts';
import { updateBlocks, withTake } from '../../shared/domain/speech/blocks.ts';
import { startFakeSpeech, type FakeSpeech } from '../support/fake-speech.ts';
import { spokenTake } from '../support/spoken-take.ts';
import { openApp, serviceAt } from './open-library.ts';
import { folderOfTest } from '../support/test-folders.ts';

const takeId = '11111111-2222-4333-8444-555555555555';
let folder: string;
let service: FakeSpeech;
let workspace: Workspace;

const open = () => openApp(folder, serviceAt(service.url));

const speakTake = async (id: string, texts: readonly string[]) => spokenTake(join(folder, 'dictation'), id, texts);

beforeEach(async () => {
  folder = folderOfTest();
  service = await startFakeSpeech();
});
afterEach(async () => {
  await workspace.close();
  await service.close();
});

const listed = async () => {
  const list = await workspace.items.list();
  if (!list.ok) throw new Error(list.error.kind);
  return list.value.items;
};
const find = async (text: string) => {
  const found = await workspace.items.search({ text, among: (await listed()).map(refKey), mostItems: 10 });
  if (!found.ok) throw new Error(found.error.kind);
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

it('a spoken text costs the characters that were spoken, repeated ones once; a dictation what the ledger knows of its phrases', async () => {
  await spokenTake(join(folder, 'dictation'), takeId, ['Birinchi gap.', 'Ikkinchi gap.'], ['paid-1', 'paid-2']);
  workspace = await open();
  const costs = async () =>
    Object.fromEntries(
      (await listed()).map(({ kind, credits, chargedCharacters }) => [kind, credits ?? chargedCharacters ?? null]),
    );
  const text = 'Salom, dunyo. Salom, dunyo. Boshqa gap aytilmadi.';
  const blocks = updateBlocks([], text, { language: 'uz', limit: 5000, newId: () => crypto.randomUUID() });
  const defaults = { language: 'uz', voiceId: 'voice_a', otherVoices: {}, speed: 1 } as const;
  workspace.speechDocuments.save({ ...emptyDocument('text-1', defaults), text, blocks });
  expect(await costs()).toEqual({ dictation: null, speech: null });

  const spoken = await workspace.speechTakes.generate({
    text: 'Salom, dunyo.',
    language: 'uz',
    voiceId: 'voice_a',
    speed: 1,
  });
  if (!spoken.ok) throw new Error(spoken.error.kind);
  const own = blocks.map((block, at) => (at < 2 ? withTake(block, spoken.value.id) : block));
  workspace.speechDocuments.save({ ...emptyDocument('text-1', defaults), text, blocks: own });
  const asked = { route: 'dictate.stream', product: 'dictate', asked: { audioMs: 2000 }, estimate: null };
  const unknown = { characters: null, durationMs: null, inputTokens: null, outputTokens: null };
  for (const id of ['paid-1', 'paid-2', 'paid-elsewhere']) {
    workspace.ledger.begin({ ...asked, id });
    workspace.ledger.reportAction(id, { ...unknown, credits: '60' });
  }
  expect(await costs()).toEqual({ dictation: '120', speech: 13 });
});
