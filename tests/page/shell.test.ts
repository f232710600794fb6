import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { noQueue } from '../../shared/domain/jobs/job-view.ts';
import { detailOf, sampleTranscript } from '../page-editor/support/transcripts.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import { goTo, pagesOfFile, waitForFocus, waitForPlace } from './page-rig.ts';
import { noKey } from './screens.ts';

const { open, takeComplaints } = pagesOfFile();

const noTexts = { 'transcripts.list': { transcripts: [] } };
const links = (page: Page) => page.getByRole('navigation').getByRole('link').allInnerTexts();
const banner = (page: Page) => page.getByRole('banner');

describe('the rail', () => {
  it('holds only what works on this computer, Speak where the system has a voice, and the mode is said and changed', async () => {
    const here = (canSpeak: boolean) =>
      planStudio({
        settings: { mode: 'local' },
        connection: { key: noKey },
        answers: { ...noTexts, 'speak.voices': { voices: [], languages: [], canSpeak, readAtMs: 1, failure: null } },
      });
    const page = await open({ plan: here(true) });
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
    await banner(page).getByRole('button', { name: 'On this computer' }).click();
    await page.getByRole('dialog').getByText('It costs nothing, works offline').waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, '/settings/connection');
    const choice = page.getByRole('radiogroup', { name: 'Mode' });
    await choice.getByText('The service').click();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([{ mode: 'service' }]);
    expect(await choice.getByRole('radio').count()).toBe(3);
    const mute = await open({ plan: here(false) });
    await mute.keyboard.press('Control+Digit4');
    await mute.getByRole('heading', { level: 1, name: 'More with a key' }).waitFor();
    expect(await links(mute)).not.toContain('Speak');
  });
});

describe('credits in the title bar', () => {
  it('are what the service told, at least that or unknown; they follow the ledger, also when practice is left', async () => {
    const none = { credits: '0', actionCount: 0, unreportedCount: 0 };
    const plan = planStudio({ settings: { mode: 'practice' }, answers: { 'usage.today': none } });
    const page = await open({ plan });
    await banner(page).getByText('Practice').waitFor();
    const spend = (used: typeof none) =>
      page.evaluate((answer) => {
        window.fakeStudio.setAnswer('usage.today', answer);
        window.fakeStudio.emit('usage.changed', {});
      }, used);
    const chip = (text: string) => banner(page).getByRole('button', { name: text, exact: true });
    const told = { credits: '12.31', actionCount: 3, unreportedCount: 0 };
    await spend(told);
    await page.evaluate(() => window.fakeStudio.setConnection({ mode: 'service' }));
    await chip('12.3 credits today').waitFor();
    await spend({ ...told, unreportedCount: 1 });
    await chip('At least 12.3 credits today').waitFor();
    await spend({ credits: '0', actionCount: 2, unreportedCount: 2 });
    await chip('Credits today: not known yet').waitFor();
    await spend(none);
    await chip('No credits used with this key today').waitFor();
    // As after a start, when the key is known only later.
    await page.evaluate((answer) => {
      window.fakeStudio.setAnswer('usage.today', answer);
      window.fakeStudio.setConnection({
        key: { present: true, maskedSuffix: '77aa', store: 'keychain', keychain: 'present' },
      });
    }, told);
    await chip('12.3 credits today').waitFor();
    await spend(told);
    await chip('12.3 credits today').waitFor();
    const access = { products: [], checkedAtMs: null };
    const refused = (isKeyRefused: boolean) =>
      page.evaluate((now) => window.fakeStudio.setConnection({ access: now }), { ...access, isKeyRefused });
    await refused(true);
    await chip('The service does not accept the key.').waitFor();
    await refused(false);
    await chip('12.3 credits today').waitFor();
    await page.evaluate(() => window.fakeStudio.setConnection({ isOnline: false }));
    await expect
      .poll(() =>
        banner(page)
          .getByText(/credits/i)
          .count(),
      )
      .toBe(0);
  });
});

describe('without a mouse', () => {
  it('the first stop of Tab leads to the content, and F6 from pane to pane and back', async () => {
    const page = await open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    const pane = () =>
      page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane']);
    await page.keyboard.press('Tab');
    await waitForFocus(page.getByRole('button', { name: 'Go to the content' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.keyboard.press('Tab');
    await expect.poll(pane).toBe('header');
    for (const next of ['content', 'title', 'rail', 'header']) {
      await page.keyboard.press('F6');
      await expect.poll(pane).toBe(next);
    }
    await page.keyboard.press('Shift+F6');
    await expect.poll(pane).toBe('rail');
  });
});

describe('the menu of the app', () => {
  it('is navigated by arrows, runs an action, checks a choice, is replaced by the palette, and Ctrl+Q quits, over a dialog too', async () => {
    const page = await open({ plan: planStudio() });
    const item = (name: string) => page.getByRole('menuitem', { name });
    await page.keyboard.press('F10');
    const menu = page.getByRole('menu', { name: 'Menu' });
    await expect
      .poll(() => menu.getByRole('menuitem').allTextContents())
      .toEqual(['File', 'Dictate', 'View', 'Go', 'Window', 'Help']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('menu', { name: 'File' }).waitFor();
    await expect.poll(() => item('Try the samples').getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Enter');
    await expect.poll(() => callsOf(page, 'jobs.addPicked')).toHaveLength(1);
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
    await banner(page).getByRole('button', { name: 'Menu', exact: true }).click();
    await item('View').click();
    await item('Appearance').click();
    const light = page.getByRole('menuitemradio', { name: 'Light' });
    await expect.poll(() => light.getAttribute('aria-checked')).toBe('true');
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ appearance: 'dark' }]);
    await page.keyboard.press('F10');
    await item('View').click();
    await item('Appearance').waitFor();
    await page.keyboard.press('Control+k');
    await waitForFocus(page.getByRole('combobox'));
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    await page.keyboard.press('F10');
    // The focus that comes to the menu closes a submenu that is open by then.
    await waitForFocus(menu);
    await item('Help').click();
    await item('About Ovoz Studio').click();
    await page.getByRole('dialog').getByText('0.1.0').waitFor();
    // As closing the window does.
    await page.keyboard.press('Control+q');
    await expect.poll(() => callsOf(page, 'window.control')).toEqual([{ action: 'quit' }]);
    await page.getByRole('button', { name: 'Report a problem…' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.keyboard.press('Control+q');
    await expect.poll(() => callsOf(page, 'window.control')).toHaveLength(2);
  });
});

it('jobs have a percentage only while something is measured, and are opened and cancelled from any screen', async () => {
  const failures = { 'jobs.act': makeFailure('internal-error', { params: { bugId: 'b-1' } }) };
  const page = await open({ plan: planStudio({ answers: noTexts, failures }), location: '/settings' });
  const card = (name: RegExp | string) => page.getByRole('navigation').getByRole('button', { name });
  const told = (job: ReturnType<typeof someJob>) =>
    emitEvent(page, 'jobs.changed', { isWhole: false, jobs: [job], removedIds: [], queue: noQueue });
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await card(/job/).count()).toBe(0);
  await told(someJob('a', { tag: 'processing', sinceMs: Date.now(), rawStatus: null }));
  await card('1 job at the service').waitFor();
  const half = { tag: 'uploading', sentBytes: 92_000_000, totalBytes: 184_000_000, sinceMs: Date.now() } as const;
  await told(someJob('b', half));
  await card('2 jobs running, 75% sent').waitFor();
  await told(someJob('c', { tag: 'waiting', placeInQueue: 1 }));
  await told(someJob('d', { tag: 'done', transcriptId: 't-1', speakerCount: 1, finishedAtMs: Date.now() }));
  await page.keyboard.press('Control+KeyJ');
  const list = page.getByRole('dialog', { name: 'Jobs' });
  await list.getByRole('button', { name: /^Cancel c\.wav/ }).click();
  await expect.poll(() => callsOf(page, 'jobs.act')).toEqual([{ jobIds: ['c'], action: 'cancel' }]);
  await page.keyboard.press('Control+KeyJ');
  await list.getByRole('alert').waitFor();
  await list.getByRole('button', { name: /^Open: d/ }).click();
  await waitForPlace(page, '#/transcripts/t-1');
});

describe('a defect', () => {
  /** A row that is tried again for no reason: code that counts the rows breaks on it. */
  const broken = { ...jobsInEveryState()[0], name: 'Maxfiy yozuv.wav', state: { tag: 'retrying' } } as never;

  it('in the shell leaves a window that can be moved and closed, says what was stored, and copies exactly what it shows', async () => {
    const page = await open({ plan: planStudio({ jobs: [broken] }) });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('heading', { name: 'The window stopped' }).waitFor();
    await page.getByRole('button', { name: 'Maximize' }).click();
    await page.getByRole('button', { name: 'Close the window' }).click();
    await expect
      .poll(() => callsOf(page, 'window.control'))
      .toEqual(['toggle-maximize', 'close'].map((action) => ({ action })));
    const shown = await page.locator('pre').innerText();
    expect(shown).toContain('Ovoz Studio 0.1.0');
    expect(shown).toContain('jobs: retrying 1');
    expect(shown).not.toMatch(/Maxfiy|api\.example|3kQ9/);
    await page.getByRole('button', { name: 'Copy diagnostics' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    expect(takeComplaints()).not.toEqual([]);
    await page.evaluate((queue) => window.fakeStudio.setAnswer('jobs.list', { jobs: [], queue }), noQueue);
    await page.getByRole('button', { name: 'Show again' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
  });

  it('in one screen breaks no other pane', async () => {
    const unreadable = { ...sampleTranscript('interview-uz'), segments: [null] as never };
    const answers = { 'transcripts.open': detailOf(unreadable, null, { id: 't-1' }) };
    const page = await open({ plan: planStudio({ answers }), location: '/transcripts/t-1' });
    await page.getByRole('heading', { name: 'This part of the window stopped' }).waitFor();
    expect(takeComplaints().join()).toContain('TypeError');
    const section = page.getByRole('navigation').getByRole('link', { name: 'Transcribe' });
    // The editor belongs to the section, and is not its page.
    await expect.poll(() => section.getAttribute('aria-current')).toBe('true');
    await section.click();
    await expect.poll(() => section.getAttribute('aria-current')).toBe('page');
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    takeComplaints();
  });
});
