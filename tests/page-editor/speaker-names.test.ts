import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { alternating, runCommand, speakersRig } from './support/speakers-rig.ts';
import { detailOf, sample } from './support/transcripts.ts';

const { rig, openMenu } = speakersRig();

test('the palette renames the speaker of the current segment, and who "says this" has the new name at once', async () => {
  const { page, saved, close } = await openMenu();
  await page.keyboard.press('Escape');
  await runCommand(page, 'Rename Dilnoza…');
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect.poll(() => name.inputValue()).toBe('Dilnoza');
  await name.fill('Dilnoza & Co');
  await page.keyboard.press('Enter');
  await saved(({ speakers }) => speakers[0]?.name, 'Dilnoza & Co');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('speaker 1 says this');
  await page.getByRole('option', { name: 'Dilnoza & Co says this' }).waitFor();
  await page.keyboard.press('Escape');
  await expect
    .poll(async () => (await callsOf(page, 'commands.report')).at(-1))
    .toMatchObject({ names: { 'speaker.assign1': 'Dilnoza & Co says this' } });
  await close();
});

test('while a name is typed that another speaker has, however it is written, this is said', async () => {
  const { page, saved, close } = await openMenu();
  await page.keyboard.press('Escape');
  await runCommand(page, 'Rename Dilnoza…');
  const name = page.getByRole('textbox', { name: 'Name' });
  const taken = page.getByText('Another speaker has this name.');
  await expect.poll(() => name.inputValue()).toBe('Dilnoza');
  expect(await taken.count()).toBe(0);
  await name.fill('usta rahmatillov');
  await expect.poll(() => taken.count()).toBe(0);
  await name.fill('usta  rahmatillo');
  await taken.waitFor();
  expect(await tellBarriers(page)).toEqual([]);
  // And both can become one there.
  await page.getByRole('button', { name: 'Merge with Usta Rahmatillo' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Dilnoza merged into Usta Rahmatillo.').waitFor();
  await saved(({ speakers }) => speakers[0]?.name, 'Usta Rahmatillo');
  await close();
});

test('a new speaker with a name that is here already is that speaker', async () => {
  const { page, saved, close } = await openMenu();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+9');
  await page.getByRole('textbox', { name: 'Name' }).fill('usta rahmatillo');
  await page.getByText('No second one is added.').waitFor();
  await page.keyboard.press('Enter');
  await saved(({ segments }) => segments[0]?.speakerId, alternating.speakers[1]?.id);
  await saved(({ speakers }) => speakers.length, alternating.speakers.length);
  await close();
});

test('a name that another speaker is only shown with counts as theirs, also once both have it', async () => {
  const speakers = alternating.speakers.map((speaker) => ({ ...speaker, name: null }));
  const { page, saved, close } = await openMenu({ ...alternating, speakers }, 'Speaker 2');
  const taken = page.getByText('Another speaker has this name.');
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Speaker 1');
  await taken.waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('[data-text]').nth(1).click();
  await runCommand(page, 'Rename Speaker 1…');
  await taken.waitFor();
  // Nothing was typed, so nobody is merged.
  await page.keyboard.press('Enter');
  await expect.poll(() => taken.count()).toBe(0);
  // Neither is by other letters of the same name.
  await runCommand(page, 'Rename Speaker 1…');
  await page.getByRole('textbox', { name: 'Name' }).fill('speaker 1');
  await taken.waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => taken.count()).toBe(0);
  await saved(({ speakers: all }) => all.map(({ name }) => name), [null, 'speaker 1', null]);
  await close();
});

test('renaming a speaker offers names of other recordings, and none that somebody here has, however it is spelled', async () => {
  const known = ['Nodira', 'usta  rahmatillo', 'Уста Раҳматилло', 'Dilnoza'].map((name) => ({
    name,
    colour: null,
    count: 1,
  }));
  const detail = detailOf(alternating, rig.server.addRecording(sample('interview-uz.mp3')));
  const { page, close } = await rig.open({
    detail,
    answers: { 'library.speakers': { speakers: known } },
  });
  await page.getByRole('button', { name: 'Dilnoza', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const offered = page.getByRole('region', { name: 'Named in other recordings' }).getByRole('button');
  await expect.poll(() => offered.allTextContents()).toEqual(['Nodira']);
  await close();
});
