import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { dragFiles } from '../e2e/support/drag-files.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { dropFiles, pagesOfFile, waitForPlace } from './page-rig.ts';
import { folderOfFile } from '../support/test-folders.ts';

const { open } = pagesOfFile();
const folder = folderOfFile();

const nothingAdded = {
  jobIds: [],
  addedCount: 0,
  leftCount: 0,
  refused: [],
  refusedCount: 0,
  repeated: [],
  repeatedCount: 0,
  cutShort: [],
};
const refusedFile = (name: string, code: string) => ({
  name,
  failure: makeFailure('not-a-recording', { code, params: { name } }),
});
const file = (name: string): string => {
  const path = join(folder, name);
  writeFileSync(path, 'RIFF');
  return path;
};

it('files and a folder dropped anywhere are counted while they are held, and added with the chosen language and speakers', async () => {
  const page = await open({ plan: planStudio({ settings: { speechLanguage: 'ru', includeSpeakers: false } }) });
  const inside = join(folder, 'papka');
  mkdirSync(inside, { recursive: true });
  const paths = [file('bir.wav'), file('ikki.mp3'), inside];
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data });
  await page.getByText('Drop to add 3 files').waitFor();
  await session.send('Input.dispatchDragEvent', { type: 'dragCancel', x: 500, y: 300, data });
  await page.getByText('Drop to add 3 files').waitFor({ state: 'detached' });
  expect(await callsOf(page, 'jobs.addDropped')).toEqual([]);
  await dragFiles(page, paths, { x: 60, y: 500 });
  await expect.poll(() => callsOf(page, 'jobs.addDropped')).toHaveLength(1);
  const [added] = await callsOf(page, 'jobs.addDropped');
  expect(added?.tokens).toHaveLength(3);
  expect(added).toMatchObject({
    options: { kind: 'transcribe', language: 'ru', includeSpeakers: false },
    addsRepeats: false,
  });

  // Dropped on a language they are sent in it, whichever is chosen.
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop', x: number, y: number) =>
    session.send('Input.dispatchDragEvent', { type, x, y, data: { ...data, files: [file('uch.wav')] } });
  await drag('dragEnter', 60, 500);
  await drag('dragOver', 60, 500);
  const box = await page.locator('[data-drop-on="en"]').boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  await drag('dragOver', x, y);
  await page.locator('[data-drop-on="en"][data-chosen]').waitFor();
  await drag('drop', x, y);
  await expect
    .poll(async () => (await callsOf(page, 'jobs.addDropped')).at(-1))
    .toMatchObject({ options: { kind: 'transcribe', language: 'en' } });
});

it('files whose names point to several languages are asked about before anything is sent, and each is sent in its own', async () => {
  const page = await open({ plan: planStudio({ settings: { speechLanguage: 'en' } }) });
  const names = ['interview-uz.mp3', 'lecture-ru.ogg', 'talk.wav'];
  const question = page.getByRole('dialog', { name: 'Which languages are spoken?' });
  await dropFiles(page, names);
  await question.getByText('talk.wav').waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await callsOf(page, 'jobs.addDropped')).toEqual([]);
  await dropFiles(page, names);
  await question.getByRole('button', { name: 'Each in its own language' }).click();
  await expect
    .poll(() => callsOf(page, 'jobs.addDropped'))
    .toMatchObject([{ options: { language: 'en' }, followsNames: true, tokens: { length: 3 } }]);
  await dropFiles(page, names);
  await question.getByRole('button', { name: 'English for all' }).click();
  await expect
    .poll(async () => (await callsOf(page, 'jobs.addDropped'))[1])
    .toMatchObject({ options: { language: 'en' }, followsNames: false, tokens: { length: 3 } });
});

it('a text among recordings is imported beside them and the queue stays open; a text alone is opened', async () => {
  const imported = [{ transcriptId: 'n1', name: 'subs.srt', language: 'uz' as const, isLanguageOpen: true }];
  const page = await open({
    plan: planStudio({ answers: { 'transcripts.import': { imported, refused: [], repeated: [] } } }),
  });
  const done = page.getByRole('dialog', { name: 'Language of the text' }).getByRole('button', { name: 'Done' });
  await dropFiles(page, ['subs.srt', 'bir.wav']);
  await done.click();
  await page.getByText('1 transcript imported').waitFor();
  expect(await page.evaluate(() => location.hash)).not.toContain('transcripts');
  expect(await callsOf(page, 'jobs.addDropped')).toHaveLength(1);
  await dropFiles(page, ['subs.srt']);
  await done.click();
  await waitForPlace(page, '#/transcripts/n1');
});

it('adding thousands, here to Isolate, shows its progress, can be stopped, and reports what was left out', async () => {
  const stopped = { ...nothingAdded, addedCount: 1200, leftCount: 800 };
  const plan = planStudio({ answers: { 'jobs.addDropped': stopped }, waits: ['jobs.addDropped'] });
  const page = await open({ plan, location: '/isolate' });
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await dropFiles(page, ['a.wav']);
  await expect.poll(() => callsOf(page, 'jobs.addDropped')).toMatchObject([{ options: { kind: 'isolate' } }]);
  await emitEvent(page, 'files.adding', { doneCount: 900, totalCount: 2000 });
  await page.getByText('900 of 2,000').waitFor();
  const bar = page.getByRole('progressbar', { name: 'Adding to the queue' });
  await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('45');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.poll(() => callsOf(page, 'files.stopAdding')).toHaveLength(1);
  await page.evaluate(() => window.fakeStudio.letGo('jobs.addDropped'));
  await page.getByText('1,200 added, 800 skipped.').waitFor();
});

it('files that are left out are counted, some are named, texts can be imported, and repeats are added on request only', async () => {
  const addWith = async (change: object) => {
    const page = await open({ plan: planStudio({ answers: { 'jobs.addPicked': { ...nothingAdded, ...change } } }) });
    await page.keyboard.press('Control+KeyO');
    return page;
  };
  const others = Array.from({ length: 500 }, (_, at) => refusedFile(`${String(at)}.txt`, 'not_audio'));
  const first = await addWith({ refused: others, refusedCount: 20_000 });
  const many = first.getByRole('alert').filter({ hasText: '20,000 files skipped' });
  await many.getByRole('button', { name: 'Show', exact: true }).click();
  await many.getByText('and 19,900 more').waitFor();
  await expect.poll(() => many.getByRole('listitem').count()).toBe(101);
  await many.getByRole('button', { name: 'Show more' }).click();
  await many.getByText('and 19,800 more').waitFor();

  const few = [
    refusedFile('told.srt', 'text_file'),
    refusedFile('a.wav', 'empty_file'),
    refusedFile('b.mp4', 'no_sound'),
  ];
  const second = await addWith({ refused: few, refusedCount: 3 });
  const text = second.getByRole('alert').filter({ hasText: '3 files skipped' });
  await text.getByText('a.wav: File is empty').waitFor();
  await text.getByText('b.mp4: No audio in this file').waitFor();
  expect(await text.getByRole('button', { name: 'Show', exact: true }).count()).toBe(0);
  await text.getByText('This is text or captions, not a recording').waitFor();
  await text.getByRole('button', { name: 'Import transcripts…' }).click();
  await expect.poll(() => callsOf(second, 'transcripts.import')).toEqual([{ tokens: null }]);

  const repeated = { token: 'token-0000-0000-1', name: 'suhbat.wav', jobId: 'j1' };
  const page = await addWith({ repeated: [repeated], repeatedCount: 1 });
  await page.getByText('1 file is already here').waitFor();
  expect(await callsOf(page, 'jobs.addDropped')).toEqual([]);
  await page.getByRole('button', { name: 'Add again' }).click();
  await expect
    .poll(() => callsOf(page, 'jobs.addDropped'))
    .toMatchObject([{ tokens: [repeated.token], addsRepeats: true }]);
  await page.getByText('1 file is already here').waitFor({ state: 'detached' });
});

it('commands of the menu add too, Ctrl+O on any layout, and what is dropped on the settings; samples in practice only', async () => {
  const page = await open({ plan: planStudio() });
  expect(await page.getByRole('button', { name: 'Try the samples' }).count()).toBe(0);
  await page.evaluate(() =>
    window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyO', key: 'щ', ctrlKey: true, cancelable: true })),
  );
  await expect.poll(() => callsOf(page, 'jobs.addPicked')).toMatchObject([{ from: 'files' }]);
  await emitEvent(page, 'command.invoked', { command: 'folder.add' });
  await expect.poll(async () => (await callsOf(page, 'jobs.addPicked')).at(-1)).toMatchObject({ from: 'folder' });
  await emitEvent(page, 'command.invoked', { command: 'settings.open' });
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await dropFiles(page, ['suhbat.mp3']);
  await expect.poll(() => callsOf(page, 'jobs.addDropped')).toHaveLength(1);
  await waitForPlace(page, '#/');
  await page.getByRole('button', { name: 'Other ways to add' }).click();
  await page.getByRole('menuitem', { name: 'Watch a folder' }).click();
  await expect.poll(() => callsOf(page, 'automation.chooseFolder')).toEqual([{ purpose: 'watch' }]);
  await page.evaluate(
    (settings) => window.fakeStudio.emit('settings.changed', settings),
    planStudio({
      settings: {
        watchedFolders: [
          { id: 'f1', name: 'Yozuvlar' },
          { id: 'f2', name: 'Диктофон' },
        ],
      },
    }).app.settings,
  );
  await page.getByRole('button', { name: 'Watching folder “Диктофон”' }).click();
  await page.getByRole('button', { name: 'Stop watching “Диктофон”' }).click();
  await expect.poll(() => callsOf(page, 'automation.stopWatching')).toEqual([{ id: 'f2' }]);
  const practice = await open({ plan: planStudio({ settings: { mode: 'practice' } }) });
  await practice.getByRole('button', { name: 'Try the samples' }).click();
  await expect.poll(() => callsOf(practice, 'jobs.addSamples')).toEqual([{}]);
});
