import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dragFiles } from '../e2e/support/drag-files.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
const folder = mkdtempSync(join(tmpdir(), 'ovoz-drop-'));
beforeAll(async () => {
  served = await servePage();
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const nothingAdded = {
  jobIds: [],
  addedCount: 0,
  leftCount: 0,
  refused: [],
  refusedCount: 0,
  repeated: [],
  repeatedCount: 0,
};
const file = (name: string): string => {
  const path = join(folder, name);
  writeFileSync(path, 'RIFF');
  return path;
};

describe('adding recordings', () => {
  it('adds files and a folder dropped anywhere on the window, with the chosen language and speakers', async () => {
    const page = await served.open({
      plan: planStudio({ settings: { speechLanguage: 'ru', includeSpeakers: false } }),
    });
    const inside = join(folder, 'papka');
    mkdirSync(inside, { recursive: true });
    await dragFiles(page, [file('bir.wav'), file('ikki.mp3'), inside], { x: 60, y: 500 });
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.addDropped'));
    const [added] = await callsOf(page, 'jobs.addDropped');
    expect(added?.tokens).toHaveLength(3);
    expect(added).toMatchObject({
      options: { kind: 'transcribe', language: 'ru', includeSpeakers: false },
      addsRepeats: false,
    });
    await page.context().close();
  });

  it('dropped on a language are sent in it, whichever is selected', async () => {
    const page = await served.open({ plan: planStudio({ settings: { speechLanguage: 'uz' } }) });
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [file('uch.wav')], dragOperationsMask: 1 };
    const drag = (type: 'dragEnter' | 'dragOver' | 'drop', x: number, y: number) =>
      session.send('Input.dispatchDragEvent', { type, x, y, data });
    await drag('dragEnter', 60, 500);
    await drag('dragOver', 60, 500);
    const english = page.locator('[data-drop-on="en"]');
    const { x, y, width, height } = (await english.boundingBox())!;
    await drag('dragOver', x + width / 2, y + height / 2);
    await page.locator('[data-drop-on="en"][data-chosen]').waitFor();
    await drag('drop', x + width / 2, y + height / 2);
    await expect
      .poll(() => callsOf(page, 'jobs.addDropped'))
      .toMatchObject([{ options: { kind: 'transcribe', language: 'en' } }]);
    await page.context().close();
  });

  it('whose names point to several languages are asked about before anything is sent, and each is sent in its own', async () => {
    const page = await served.open({ plan: planStudio({ settings: { speechLanguage: 'en' } }) });
    const files = [file('interview-uz.mp3'), file('lecture-ru.ogg'), file('talk.wav')];
    const question = page.getByRole('dialog', { name: 'Which languages are spoken?' });
    await dragFiles(page, files, { x: 60, y: 500 });
    await question.getByText('talk.wav').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await callsOf(page, 'jobs.addDropped')).toEqual([]);
    await dragFiles(page, files, { x: 60, y: 500 });
    await question.getByRole('button', { name: 'Each in its own language' }).click();
    await expect
      .poll(() => callsOf(page, 'jobs.addDropped'))
      .toMatchObject([{ options: { language: 'en' }, followsNames: true, tokens: { length: 3 } }]);
    await dragFiles(page, files, { x: 60, y: 500 });
    await question.getByRole('button', { name: 'English for all' }).click();
    await expect
      .poll(async () => (await callsOf(page, 'jobs.addDropped'))[1])
      .toMatchObject({ options: { language: 'en' }, followsNames: false, tokens: { length: 3 } });
    await page.context().close();
  });

  it('imports a text among recordings beside them, and the queue stays open; a text alone is opened', async () => {
    const imported = [{ transcriptId: 'n1', name: 'subs.srt', language: 'uz' as const, isLanguageOpen: true }];
    const page = await served.open({
      plan: planStudio({ answers: { 'transcripts.import': { imported, refused: [], repeated: [] } } }),
    });
    const done = page.getByRole('dialog', { name: 'Language of the text' }).getByRole('button', { name: 'Done' });
    await dragFiles(page, [file('subs.srt'), file('bir.wav')], { x: 60, y: 500 });
    await done.click();
    await page.getByText('1 transcript imported').waitFor();
    expect(await page.evaluate(() => location.hash)).not.toContain('transcripts');
    expect(await callsOf(page, 'jobs.addDropped')).toHaveLength(1);
    await dragFiles(page, [file('subs.srt')], { x: 60, y: 500 });
    await done.click();
    await page.waitForFunction(() => location.hash === '#/transcripts/n1');
    await page.context().close();
  });

  it('that are in the queue already shows one quiet notice, which offers to add them anyway', async () => {
    const repeated = { token: 'token-0000-0000-1', name: 'suhbat.wav', jobId: 'j1' };
    const page = await served.open({
      plan: planStudio({
        answers: { 'jobs.addPicked': { ...nothingAdded, repeated: [repeated], repeatedCount: 1 } },
      }),
    });
    await page.keyboard.press('Control+KeyO');
    await page.getByText('1 file is already here').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(0);
    await page.getByRole('button', { name: 'Add again' }).click();
    await expect
      .poll(() => callsOf(page, 'jobs.addDropped'))
      .toMatchObject([{ tokens: [repeated.token], addsRepeats: true }]);
    await page.getByText('1 file is already here').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('opens the file dialog by Ctrl+O on any keyboard layout', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.evaluate(() =>
      window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyO', key: 'щ', ctrlKey: true, cancelable: true })),
    );
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.addPicked'));
    await expect.poll(() => callsOf(page, 'jobs.addPicked')).toMatchObject([{ from: 'files' }]);
    await page.context().close();
  });

  it('responds to the commands of the menu', async () => {
    const page = await served.open({ plan: planStudio() });
    await emitEvent(page, 'command.invoked', { command: 'folder.add' });
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'jobs.addPicked'));
    await expect.poll(() => callsOf(page, 'jobs.addPicked')).toMatchObject([{ from: 'folder' }]);
    await emitEvent(page, 'command.invoked', { command: 'settings.open' });
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.context().close();
  });

  it('adds the samples, in practice mode only', async () => {
    const plan = planStudio({ settings: { mode: 'practice', speechLanguage: 'en' } });
    const page = await served.open({ plan });
    await page.getByRole('button', { name: 'Try the samples' }).click();
    await expect.poll(() => callsOf(page, 'jobs.addSamples')).toEqual([{}]);
    await page.context().close();
    const inService = await served.open({ plan: planStudio() });
    await expect.poll(() => inService.getByRole('button', { name: 'Try the samples' }).count()).toBe(0);
    await inService.context().close();
  });
});
