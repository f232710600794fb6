import { expect, test } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { onDisk } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();

test('in the Cyrillic view names and the title are read and given in Cyrillic, and stored in Latin; names that stay keep their spelling', async () => {
  const interview = sampleTranscript('interview-uz');
  const [speaker, ...others] = interview.speakers;
  if (speaker === undefined) throw new Error('no speaker');
  const named = { ...interview, speakers: [{ ...speaker, name: "Dilnoza G'aniyeva" }, ...others] };
  const { page, complaints, close } = await rig.open({
    detail: detailOf(named, null),
    settings: { transcriptScript: 'cyrillic' },
    answers: { 'transcripts.edit': { revision: 0 }, 'transcripts.rename': { title: 'Suhbat' } },
  });
  const speakers = page.getByRole('complementary').filter({ hasText: 'Дилноза Ғаниева' });
  await speakers.first().waitFor();
  expect(await page.locator('body').textContent()).not.toContain('Dilnoza');
  const title = page.getByRole('heading', { level: 1 }).getByRole('button');
  expect(await title.textContent()).toBe('Марғилон: адрас устаси билан суҳбат');
  await title.click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Суҳбат');
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'transcripts.rename')).toEqual([{ transcriptId: 't1', title: 'Suhbat' }]);
  await expect.poll(() => title.textContent()).toBe('Суҳбат');
  const namesStored = async () => (await onDisk(page, named)).speakers.map(({ name }) => name);
  await page.locator('[data-text]').nth(1).click();
  await page.keyboard.press('Alt+9');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ўктам');
  await page.keyboard.press('Enter');
  await expect.poll(namesStored).toEqual([...named.speakers.map(({ name }) => name), 'Oʻktam']);
  await page.keyboard.press('Control+z');
  await expect.poll(namesStored).toEqual(named.speakers.map(({ name }) => name));
  expect(complaints).toEqual([]);
  await close();
});
