import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tellBarriers } from '../support/find-barriers.ts';
import { callsOf } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { noKey, workingKey } from './screens.ts';
import { planStudio } from '../support/studio-plan.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const noTexts = { 'transcripts.list': { transcripts: [] } };
const onThisComputer = (canSpeak: boolean) =>
  planStudio({
    settings: { mode: 'local' },
    connection: { key: noKey },
    answers: { ...noTexts, 'speak.voices': { voices: [], languages: [], canSpeak, readAtMs: 1, failure: null } },
  });

const keyed = planStudio({ settings: { mode: 'local' }, answers: { ...noTexts, 'connection.check': workingKey } });

const links = async (page: Awaited<ReturnType<PageUnderTest['open']>>) =>
  page.getByRole('navigation').getByRole('link').allInnerTexts();

describe('the rail', () => {
  it('has text first, then tools that fold; the tool in use stays, and folding is remembered', async () => {
    const page = await served.open({ plan: planStudio({ answers: noTexts }) });
    await page.getByRole('navigation').waitFor();
    expect(await links(page)).toEqual([
      'Library',
      'Transcribe',
      'Dictate',
      'Ask',
      'Speak',
      'Isolate',
      'Voices',
      'Account',
      'Settings',
    ]);
    await page.getByRole('link', { name: 'Voices' }).click();
    await page.getByRole('button', { name: 'Tools' }).press('Enter');
    await page.getByRole('link', { name: 'Speak' }).waitFor({ state: 'detached' });
    expect(await links(page)).toEqual(['Library', 'Transcribe', 'Dictate', 'Ask', 'Voices', 'Account', 'Settings']);
    expect(await callsOf(page, 'settings.update')).toEqual([{ areToolsFolded: true }]);
    expect(await page.getByRole('button', { name: 'Tools' }).getAttribute('aria-expanded')).toBe('false');
    await page.context().close();
  });

  it('holds only what works on this computer: Speak where the system has a voice', async () => {
    const page = await served.open({ plan: onThisComputer(true) });
    await page.getByRole('link', { name: 'Speak' }).waitFor();
    expect(await links(page)).toEqual([
      'Library',
      'Transcribe',
      'Dictate',
      'Speak',
      'Isolate',
      'More with a key',
      'Settings',
    ]);
    await page.context().close();
    const mute = await served.open({ plan: onThisComputer(false) });
    await mute.keyboard.press('Control+Digit4');
    await mute.getByRole('heading', { level: 1, name: 'More with a key' }).waitFor();
    expect(await links(mute)).not.toContain('Speak');
    await mute.context().close();
  });

  it('leads from every section that needs a key to the page that says what one adds, and from there to its form', async () => {
    const page = await served.open({ plan: onThisComputer(true) });
    await page.getByRole('link', { name: 'More with a key' }).waitFor();
    const goTo = (path: string) =>
      page.evaluate((hash) => {
        window.location.hash = hash;
      }, path);
    for (const path of ['/ask', '/voices', '/account/webhooks']) {
      await goTo(path);
      await page.getByRole('heading', { level: 1, name: 'More with a key' }).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      await goTo('/library');
      await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
    }
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('More with a key');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'More with a key' }).waitFor();
    expect(await page.getByRole('link', { name: 'More with a key' }).getAttribute('aria-current')).toBe('page');
    expect(await tellBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Connect with a key' }).click();
    await page.getByRole('textbox', { name: 'Service address' }).waitFor();
    await page.context().close();
  });

  it('offers the service itself once its address and key are there, also where the key was accepted', async () => {
    const page = await served.open({ plan: keyed, location: '/account' });
    await page.getByRole('heading', { level: 1, name: 'More with a key' }).waitFor();
    const use = page.getByRole('button', { name: 'Use the service' });
    await use.waitFor();
    expect(await page.getByRole('button', { name: 'Connect with a key' }).count()).toBe(0);
    await page.evaluate(() => {
      window.location.hash = '/settings/connection';
    });
    await page.getByRole('list', { name: 'What this key may do' }).waitFor();
    await use.click();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([{ mode: 'service' }]);
    await use.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('says the mode once in the title bar, and the settings offer all three', async () => {
    const page = await served.open({ plan: onThisComputer(true) });
    await page.getByRole('banner').getByRole('button', { name: 'On this computer' }).click();
    await page.getByRole('dialog').getByText('It costs nothing, works offline').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page
      .getByRole('link', { name: 'Connection' })
      .or(page.getByRole('button', { name: 'Connection' }))
      .first()
      .click();
    const choice = page.getByRole('radiogroup', { name: 'Mode' });
    await choice.getByText('The service').click();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([{ mode: 'service' }]);
    expect(await choice.getByRole('radio').count()).toBe(3);
    await page.context().close();
    expect(served.complaints).toEqual([]);
  });
});
