import { expect, it } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { jobsInEveryState } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import { pagesOfFile, waitForFocus } from './page-rig.ts';

const { open } = pagesOfFile();

it('an action is found by a word of another language, chosen by keys and remembered, and a question asked before it cancels', async () => {
  const page = await open({ plan: planStudio({ jobs: jobsInEveryState() }) });
  await page.keyboard.press('Control+KeyK');
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  await waitForFocus(field);
  for (const [word, action] of [
    ['preferences', 'Settings'],
    ['mavzu', 'Appearance: dark'],
    ['горячие', 'Keyboard shortcuts'],
  ] as const) {
    await field.fill(word);
    await page.getByRole('option', { name: action }).waitFor();
  }
  await field.fill('settings');
  await expect.poll(() => page.getByRole('option').first().textContent()).toMatch(/^Settings/u);
  await field.fill('> play');
  await expect.poll(() => page.getByRole('option').count()).toBe(0);
  await field.fill("fayl qo'sh");
  await page.getByRole('option', { name: 'Add files' }).waitFor();
  await expect
    .poll(() => field.getAttribute('aria-activedescendant'))
    .toBe(await page.getByRole('option', { selected: true }).getAttribute('id'));
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'jobs.addPicked')).toHaveLength(1);
  await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ recentActions: ['files.add'] }]);
  await page.getByRole('button', { name: 'Search or run a command' }).click();
  await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Add files' }).waitFor();
  await field.fill('ceramicist');
  await page.getByRole('group', { name: 'Transcripts' }).getByRole('option').waitFor();
  await field.fill('Cancel: Podcast');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  await question.getByText('Podcast 41').waitFor();
  await expect.poll(() => question.evaluate((shown) => shown.contains(document.activeElement))).toBe(true);
  expect(await callsOf(page, 'jobs.act')).toEqual([]);
});
