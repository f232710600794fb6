import { noQueue } from '../../shared/domain/jobs/queue-view.ts';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { jobsInEveryState, someJob } from '../support/some-jobs.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { brokenJob, fewTranscripts } from './shell-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const called = (page: Page, method: string) =>
  page.waitForFunction((name) => window.fakeStudio.calls.some((call) => call.method === name), method);

describe('the keys', () => {
  it('are the user’s own wherever they are shown and wherever they act', async () => {
    const page = await served.open({ plan: planStudio({ settings: { shortcuts: { 'files.add': 'F9' } } }) });
    const button = page.getByRole('button', { name: 'Add files' });
    await expect.poll(() => button.getAttribute('aria-keyshortcuts')).toBe('F9');
    await page.keyboard.press('Control+KeyO');
    await page.keyboard.press('F9');
    await called(page, 'jobs.addPicked');
    await expect.poll(() => callsOf(page, 'jobs.addPicked')).toHaveLength(1);
    await page.keyboard.press('Control+Slash');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByRole('searchbox', { name: 'Find a shortcut' }).fill('add files');
    await sheet.getByRole('definition').filter({ hasText: 'F9' }).waitFor();
    await expect.poll(() => sheet.getByRole('definition').count()).toBe(1);
    await page.context().close();
  });

  it('enlarge the interface within its bounds, over a dialog too', async () => {
    const page = await served.open({ plan: planStudio({ settings: { interfaceZoom: 175 } }) });
    await page.keyboard.press('Control+Slash');
    await page.getByRole('dialog').waitFor();
    for (const key of ['Equal', 'Equal', 'Minus', 'Digit0']) await page.keyboard.press(`Control+${key}`);
    await expect
      .poll(() => callsOf(page, 'settings.update'))
      .toEqual([{ interfaceZoom: 200 }, { interfaceZoom: 175 }, { interfaceZoom: 100 }]);
    await page.context().close();
  });

  it('change the size by a step each, however quickly they are pressed', async () => {
    const page = await served.open({ plan: planStudio({ settings: { interfaceZoom: 100 } }) });
    // Both in one turn of the page, as they arrive while a long list is drawn.
    await page.evaluate(() => {
      for (const code of ['Equal', 'Equal', 'Minus', 'Equal'])
        window.dispatchEvent(new KeyboardEvent('keydown', { code, ctrlKey: true, bubbles: true, cancelable: true }));
    });
    await expect
      .poll(() => callsOf(page, 'settings.update'))
      .toEqual([{ interfaceZoom: 110 }, { interfaceZoom: 125 }, { interfaceZoom: 110 }, { interfaceZoom: 125 }]);
    await page.context().close();
  });

  it('act at once when the dialog that blocked them was closed, however slowly it fades', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }), reducedMotion: 'no-preference' });
    await page.evaluate(() => {
      for (const name of ['--dur-fast', '--dur-base']) document.documentElement.style.setProperty(name, '60s');
    });
    const menuButton = page.getByRole('button', { name: 'Queue options' });
    await menuButton.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('Control+Slash');
    await page.keyboard.press('Escape');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await sheet.count()).toBe(0);
    await page.keyboard.press('Control+Slash');
    await expect.poll(() => sheet.evaluate((shown) => shown.contains(document.activeElement))).toBe(true);
    await page.context().close();
  });

  it('hide the sections, and jobs stay visible', async () => {
    const page = await served.open({ plan: planStudio({ jobs: jobsInEveryState() }) });
    await page.keyboard.press('Control+KeyB');
    await page.getByRole('navigation').waitFor({ state: 'detached' });
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ isRailOpen: false }]);
    await page
      .getByRole('banner')
      .getByRole('button', { name: /jobs running/ })
      .click();
    await page.getByRole('dialog', { name: 'Jobs' }).waitFor();
    await page.context().close();
  });
});

describe('the menu of the app', () => {
  it('opens by its key, is navigated by arrows, runs an action, and leaves the focus where it was', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.getByRole('button', { name: 'Add a folder' }).focus();
    await page.keyboard.press('F10');
    const menu = page.getByRole('menu', { name: 'Menu' });
    await menu.waitFor();
    await expect
      .poll(() => menu.getByRole('menuitem').allTextContents())
      .toEqual(['File', 'Dictate', 'View', 'Go', 'Window']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const file = page.getByRole('menu', { name: 'File' });
    await file.waitFor();
    await expect
      .poll(() => file.getByRole('menuitem', { name: 'Try the samples' }).getAttribute('aria-disabled'))
      .toBe('true');
    expect(await tellBarriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await called(page, 'jobs.addPicked');
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('checks the active choice, switches to another, and is replaced by the palette', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'View' }).click();
    await page.getByRole('menuitem', { name: 'Appearance' }).click();
    const dark = page.getByRole('menuitemradio', { name: 'Dark' });
    await expect
      .poll(() => page.getByRole('menuitemradio', { name: 'Light' }).getAttribute('aria-checked'))
      .toBe('true');
    await dark.click();
    await called(page, 'settings.update');
    await expect.poll(() => callsOf(page, 'settings.update')).toEqual([{ appearance: 'dark' }]);
    await page.keyboard.press('F10');
    await page.getByRole('menuitem', { name: 'Go' }).click();
    await page.getByRole('menuitem', { name: 'Command palette' }).click();
    const field = page.getByRole('combobox');
    await field.waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.context().close();
  });

  it('is replaced by the palette with its key, also from a menu inside', async () => {
    const page = await served.open({ plan: planStudio() });
    await page.keyboard.press('F10');
    await page.getByRole('menuitem', { name: 'View' }).click();
    await page.getByRole('menuitem', { name: 'Appearance' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('quits with Ctrl+Q on Linux', async () => {
    const page = await served.open({ plan: planStudio({ capabilities: { platform: 'linux' } }) });
    await page.keyboard.press('Control+q');
    await expect.poll(() => callsOf(page, 'window.control')).toEqual([{ action: 'quit' }]);
    await page.context().close();
  });

  it('is the system’s own if that has a menu bar, which follows the state of the commands and is disabled behind a dialog', async () => {
    const page = await served.open({ plan: planStudio({ capabilities: { menuBar: true } }) });
    await expect.poll(() => page.getByRole('button', { name: 'Menu', exact: true }).count()).toBe(0);
    await called(page, 'commands.report');
    const [first] = await callsOf(page, 'commands.report');
    expect(first?.available).toContain('files.add');
    expect(first?.available).not.toContain('samples.add');
    await page.keyboard.press('Control+Slash');
    await page.getByRole('dialog').waitFor();
    await emitEvent(page, 'command.invoked', { command: 'files.add' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => callsOf(page, 'jobs.addPicked')).toEqual([]);
    await emitEvent(page, 'command.invoked', { command: 'files.add' });
    await called(page, 'jobs.addPicked');
    await page.context().close();
  });
});

describe('the jobs', () => {
  it('are listed and cancelled from another screen, and a refusal is shown in the list', async () => {
    const plan = planStudio({
      jobs: jobsInEveryState(),
      failures: { 'jobs.act': makeFailure('E-230', { params: { bugId: 'b-1' } }) },
    });
    const page = await served.open({ plan, location: '/settings' });
    await page.keyboard.press('Control+KeyJ');
    const list = page.getByRole('dialog', { name: 'Jobs' });
    await list.getByRole('button', { name: /^Cancel Yigʻilish/ }).click();
    await called(page, 'jobs.act');
    await page.keyboard.press('Control+KeyJ');
    await list.getByRole('alert').waitFor();
    await list.getByRole('button', { name: /^Open: Interview/ }).click();
    await page.waitForFunction(() => window.location.hash === '#/transcripts/t-1');
    await list.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('have a percentage only while something is measured, and no card when there are none', async () => {
    const page = await served.open({ plan: planStudio() });
    await expect.poll(() => page.getByRole('navigation').getByText(/job/).count()).toBe(0);
    const processing = someJob('a', { tag: 'processing', sinceMs: Date.now(), rawStatus: null });
    await emitEvent(page, 'jobs.changed', {
      number: 2,
      isWhole: false,
      jobs: [processing],
      removedIds: [],
      queue: noQueue,
    });
    const card = page.getByRole('navigation').getByRole('button', { name: /job/ });
    await card.waitFor();
    await page.getByRole('navigation').getByRole('button', { name: '1 job at the service' }).waitFor();
    const sending = someJob(
      'b',
      { tag: 'uploading', sentBytes: 92_000_000, totalBytes: 184_000_000, sinceMs: Date.now() },
      { seq: 3 },
    );
    await emitEvent(page, 'jobs.changed', {
      number: 3,
      isWhole: false,
      jobs: [sending],
      removedIds: [],
      queue: noQueue,
    });
    await page.getByRole('navigation').getByRole('button', { name: '2 jobs running, 75% sent' }).waitFor();
    await page.context().close();
  });
});

describe('a defect', () => {
  it('in the shell leaves a screen that says what was stored and copies exactly what it shows', async () => {
    const page = await served.open({
      plan: planStudio({ jobs: [brokenJob] }),
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('heading', { name: 'The window stopped' }).waitFor();
    // The title bar is drawn by the app, so the window can be moved and closed from here too.
    await page.getByRole('button', { name: 'Maximize' }).click();
    await emitEvent(page, 'window.changed', { isMaximized: true, isFocused: true });
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await page.getByRole('button', { name: 'Minimize' }).click();
    await page.getByRole('button', { name: 'Close the window' }).click();
    await expect
      .poll(() => callsOf(page, 'window.control'))
      .toEqual(['toggle-maximize', 'minimize', 'close'].map((action) => ({ action })));
    const shown = await page.locator('pre').innerText();
    expect(shown).toContain('Ovoz Studio 0.1.0');
    expect(shown).toContain('jobs: no-such-state 1');
    expect(shown).not.toMatch(/Maxfiy|api\.example|3kQ9/);
    await page.getByRole('button', { name: 'Copy diagnostics' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    served.complaints.length = 0;
    await page.evaluate(
      (queue) => window.fakeStudio.setAnswer('jobs.list', { number: 9, partCount: 1, jobs: [], queue }),
      noQueue,
    );
    await page.getByRole('button', { name: 'Show again' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    await page.context().close();
  });

  it('in one screen breaks no other pane', async () => {
    const broken = {
      id: 't-1',
      title: 'a',
      sourceName: 'a.wav',
      createdAtMs: 0,
      isPractice: false,
      mediaUrl: null,
      mediaToken: null,
      mediaFailure: null,
      madeBy: null,
      isAtService: true,
      recordingName: null,
      playsIsolated: false,
      transcript: { segments: [null] } as never,
      revision: 0,
      rest: null,
    };
    const page = await served.open({
      plan: planStudio({ answers: { 'transcripts.open': broken } }),
      location: '/transcripts/t-1',
    });
    await page.getByRole('heading', { name: 'This part of the window stopped' }).waitFor();
    const section = page.getByRole('navigation').getByRole('link', { name: 'Transcribe' });
    // The editor belongs to the section, and is not its page.
    await expect.poll(() => section.getAttribute('aria-current')).toBe('true');
    await section.click();
    await expect.poll(() => section.getAttribute('aria-current')).toBe('page');
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    expect(served.complaints.join()).toContain('TypeError');
    served.complaints.length = 0;
    await page.context().close();
  });

  it('was the only error any of these pages logged', () => {
    expect(served.complaints).toEqual([]);
  });
});

describe('the transcripts that were used last', () => {
  it.each([
    { width: 960, height: 640 },
    { width: 1280, height: 660 },
  ])('are in a menu of the rail where there is no room for their list ($width × $height)', async (viewport) => {
    const page = await served.open({
      plan: planStudio({ answers: fewTranscripts }),
      viewport,
    });
    const rail = page.getByRole('navigation').first();
    await rail.getByRole('button', { name: 'Recent' }).press('Enter');
    await page.getByRole('menu', { name: 'Recent' }).getByRole('menuitem', { name: 'Ustaxonada suhbat 2' }).click();
    await page.waitForFunction(() => location.hash === '#/transcripts/t-1');
    await page.context().close();
  });
});
