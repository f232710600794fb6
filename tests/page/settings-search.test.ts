import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as ChimeModule from '../../renderer/audio/chime.ts';

import { tellBarriers } from '../support/find-barriers.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

describe('the search of the settings', () => {
  it('leads to a button without pressing it', async () => {
    const page = await served.open({ plan: planStudio(), location: '/settings/general' });
    await page.getByRole('searchbox').fill('erase');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.closest('[data-setting="erase"]') !== null);
    await page.keyboard.press('Shift');
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
    await page.context().close();
  });

  it('leads by keyboard alone to a control on another page, and Esc clears the field', async () => {
    const page = await served.open({ plan: planStudio(), location: '/settings/privacy' });
    const field = page.getByRole('searchbox', { name: 'Search settings' });
    await field.focus();
    await page.keyboard.type('zebra');
    await page.getByText('No setting has these words.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => field.inputValue()).toBe('');
    await page.keyboard.type('contrast');
    await page.getByText('1 setting found').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'General' }).and(page.locator('[aria-current="page"]')).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[data-setting="contrast"]') !== null);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.documentElement.dataset['contrast'] === '');
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ contrast: 'high' }]);
    await page.context().close();
  });

  it('finds by words of another language and answers in that of the interface', async () => {
    const page = await served.open({
      plan: planStudio({ settings: { interfaceLanguage: 'uz' } }),
      location: '/settings/general',
    });
    for (const [asked, answer] of [
      ['ключ', 'Xizmat manzili'],
      ['diktant', 'Boshlash va toʻxtatish'],
      ['proxy', 'Proksi'],
      ['contrast', 'Yuqori kontrast'],
    ] as const) {
      await page.getByRole('searchbox').fill(asked);
      await page.locator('[data-result]').filter({ hasText: answer }).waitFor();
    }
    await page.context().close();
  });

  it('navigates its results by arrow and Tab, and is clean for axe', async () => {
    const page = await served.open({ plan: planStudio(), location: '/settings/general' });
    await page.getByRole('searchbox').fill('log');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-result'));
    expect(await tellBarriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('[data-setting][data-found]') !== null);
    await page.context().close();
  });
});

it('increased contrast and another typeface apply at once', async () => {
  const page = await served.open({ plan: planStudio(), location: '/settings/general' });
  const hintColour = () =>
    page.getByText('Follows your system when off.', { exact: true }).evaluate((hint) => getComputedStyle(hint).color);
  const before = await hintColour();
  await page.getByText('High contrast').click();
  await page.waitForFunction(() => document.documentElement.hasAttribute('data-contrast'));
  await expect.poll(hintColour).not.toBe(before);
  const sample = page.getByText('She said the clay remembers every hand.');
  await expect.poll(() => sample.evaluate((text) => getComputedStyle(text).fontFamily)).toContain('Source Serif');
  await page.getByText('Sans-serif').click();
  await page.waitForFunction(() => document.documentElement.hasAttribute('data-sans'));
  await expect.poll(() => sample.evaluate((text) => getComputedStyle(text).fontFamily)).toContain('Inter');
  await page.context().close();
});

it('playback keys work in other programs if the user wants it, and it says which, or that the system can’t', async () => {
  const page = await served.open({
    plan: planStudio({ capabilities: { globalKeys: true } }),
    location: '/settings/shortcuts',
  });
  const option = page.getByRole('switch', { name: 'Playback keys work in other programs too' });
  await page.getByText(/Ctrl\+Space, F1, F2 control it from any program/).waitFor();
  expect(await option.isChecked()).toBe(false);
  await option.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ playsFromOtherPrograms: true }]);
  expect(await option.isChecked()).toBe(true);
  await page.context().close();

  const elsewhere = await served.open({ plan: planStudio(), location: '/settings/shortcuts' });
  await elsewhere.getByText('This system passes on no keys that are pressed in other programs.').waitFor();
  expect(await elsewhere.getByRole('switch', { name: /other programs/u }).count()).toBe(0);
  await elsewhere.context().close();
});

it('single-letter shortcuts work only while they are switched on', async () => {
  const shortcuts = { 'rail.toggle': 'KeyB' };
  for (const usesLetterKeys of [true, false]) {
    const page = await served.open({ plan: planStudio({ settings: { shortcuts, usesLetterKeys } }) });
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
    await page.keyboard.press('KeyB');
    await page.keyboard.press('Control+Comma');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual(usesLetterKeys ? [{ isRailOpen: false }] : []);
    await page.context().close();
  }
});

it('the two chimes are audible, differ, stay soft and end in silence', async () => {
  const script = stripTypeScriptTypes(readFileSync(new URL('../../renderer/audio/chime.ts', import.meta.url), 'utf8'));
  const page = await served.open({ plan: planStudio() });
  const blank = await page.context().newPage();
  await blank.addScriptTag({
    type: 'module',
    content: `${script}; Object.assign(window, { chime: { chimeLength, scheduleChime } });`,
  });
  const heard = await blank.evaluate(async () => {
    const module = (window as unknown as { chime: Pick<typeof ChimeModule, 'chimeLength' | 'scheduleChime'> }).chime;
    const render = async (chime: ChimeModule.Chime) => {
      const lengthSec = module.chimeLength(chime);
      const context = new OfflineAudioContext(1, Math.ceil(lengthSec * 22_050), 22_050);
      module.scheduleChime(context, chime, 0);
      const samples = (await context.startRendering()).getChannelData(0);
      const peak = (from: number, to: number) =>
        samples.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      const crossings = samples.reduce(
        (count, sample, at) => count + Number(at > 0 && sample >= 0 !== (samples[at - 1] ?? 0) >= 0),
        0,
      );
      return { lengthSec, peak: peak(0, samples.length), end: peak(samples.length - 200, samples.length), crossings };
    };
    return { done: await render('done'), failed: await render('failed') };
  });
  for (const chime of [heard.done, heard.failed]) {
    expect(chime.lengthSec).toBeLessThan(0.7);
    expect(chime.peak).toBeGreaterThan(0.05);
    expect(chime.peak).toBeLessThan(0.4);
    expect(chime.end).toBeLessThan(0.002);
  }
  expect(heard.done.crossings).toBeGreaterThan(heard.failed.crossings * 1.3);
  await page.context().close();
});

it('recordings that are dropped on the settings go to the queue, which opens', async () => {
  const page = await served.open({ plan: planStudio(), location: '/settings/general' });
  await page.getByRole('searchbox').waitFor();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'suhbat.mp3', { type: 'audio/mpeg' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect.poll(() => callsOf(page, 'jobs.addDropped')).toHaveLength(1);
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/');
  await page.context().close();
});

it('the page logs no error meanwhile', () => {
  expect(served.complaints).toEqual([]);
});
