import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';
import { emitEvent } from '../support/fake-studio.ts';
import { someSettings } from '../support/studio-plan.ts';
import { copied, goTo, markedWord, playheadMs, textPane } from './support/editor-page.ts';
import { editorRig } from './support/editor-rig.ts';
import { detailOf, sampleTranscript } from './support/transcripts.ts';

const rig = editorRig();
const transcript = sampleTranscript('interview-uz');
const panes = ['header', 'lane', 'text', 'inspector', 'transport'];

/** A defect in one pane: drawing it throws while its name is planted. */
const plantThrow = (page: Page, pane: string | null): Promise<void> =>
  page.evaluate((name) => {
    if (!('brokenPane' in window)) {
      // oxlint-disable-next-line typescript/unbound-method -- called with its element below
      const { setAttribute } = Element.prototype;
      Element.prototype.setAttribute = function (key, value) {
        if (key === 'data-pane' && value === Reflect.get(window, 'brokenPane'))
          throw new TypeError('planted: /home/someone/secret.wav');
        setAttribute.call(this, key, value);
      };
    }
    Reflect.set(window, 'brokenPane', name);
  }, pane);
const panesOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main [data-pane]')].map((pane) => pane.dataset['pane']),
  );

test('a broken pane leaves the others and the place, says no private word and is shown again', async () => {
  const { page, complaints } = await rig.openText(transcript);
  await page.keyboard.press('F2');
  await expect.poll(() => playheadMs(page)).toBe(5000);
  const before = await markedWord(page);
  expect(before).not.toBe('');
  await plantThrow(page, 'inspector');
  for (const isInspectorOpen of [false, true])
    await emitEvent(page, 'settings.changed', { ...someSettings, isInspectorOpen });
  const broken = page.getByRole('alert', { name: 'Inspector' });
  await broken.waitFor();
  await expect.poll(() => panesOf(page)).toEqual(panes.filter((pane) => pane !== 'inspector'));
  await expect.poll(() => markedWord(page)).toBe(before);
  await broken.getByRole('button', { name: 'Diagnostics' }).click();
  const report = await broken.locator('pre').textContent();
  expect(report).toContain('error: TypeError');
  expect(report).not.toContain('secret');
  await broken.getByRole('button', { name: 'Copy diagnostics' }).click();
  await expect.poll(() => copied(page)).toBe(report);
  await plantThrow(page, null);
  await broken.getByRole('button', { name: 'Show again' }).click();
  await page.getByRole('complementary', { name: 'Inspector' }).waitFor();
  await expect.poll(() => markedWord(page)).toBe(before);
  expect(complaints.splice(0).filter((line) => !line.includes('planted'))).toEqual([]);
});

test('names before imported captions are offered as speakers one by one, and undone at once', async () => {
  const said = [
    'MUXLISA: Yangiliklar.',
    'JAVOHIR: Xush kelibsiz.',
    'Salom.',
    'MUXLISA: Rahmat.',
    'Diqqat: eshik ochiq.',
  ];
  const segments = said.map((text, at) => ({ text, startMs: at * 4000, endMs: at * 4000 + 3000, words: [] }));
  const text = toTranscript({ text: '', segments }, { language: 'uz', durationMs: said.length * 4000 });
  const { page } = await rig.open({ detail: detailOf(text, null, { sourceName: 'talk.srt' }) });
  const texts = () => page.locator('[data-text]').allTextContents();
  const offer = page.getByText('Are these speakers?');
  await offer.waitFor();
  const names = page.getByRole('toolbar', { name: 'Names in the text' });
  const chosen = () => names.locator('[aria-pressed="true"]').allTextContents();
  const take = page.getByRole('button', { name: 'Make them speakers' });
  expect(await names.getByRole('button').allTextContents()).toEqual(['MUXLISA', 'JAVOHIR', 'Diqqat']);
  // Who returns is a speaker, and so is whoever is written like that; anything else that occurs once may be none.
  expect(await chosen()).toEqual(['MUXLISA', 'JAVOHIR']);
  await names.getByRole('button', { name: 'JAVOHIR' }).click();
  await names.getByRole('button', { name: 'MUXLISA' }).click();
  expect(await take.isDisabled()).toBe(true);
  await names.getByRole('button', { name: 'MUXLISA' }).click();
  await names.getByRole('button', { name: 'JAVOHIR' }).click();
  await take.click();
  await expect.poll(texts).toEqual(['Yangiliklar.', 'Xush kelibsiz.', 'Salom.', 'Rahmat.', 'Diqqat: eshik ochiq.']);
  await page.locator('[data-index="1"]').getByText('JAVOHIR').first().waitFor();
  await offer.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(texts).toEqual(said);
  await page.getByRole('button', { name: 'Leave as text' }).click();
  await offer.waitFor({ state: 'detached' });
  await expect.poll(() => textPane(page).evaluate((text) => text === document.activeElement)).toBe(true);
  // Who has answered is not asked again by the same transcript.
  const { hash } = new URL(page.url());
  await goTo(page, '#/');
  await page.locator('[data-text]').first().waitFor({ state: 'detached' });
  await goTo(page, hash);
  await page.locator('[data-text]').first().waitFor();
  expect(await offer.count()).toBe(0);
});
