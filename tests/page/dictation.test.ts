import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { answerMicrophone, changeOf, cleanedUp, sayTake, somePhrase } from './dictation-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const openStudio = async (settings = {}, location = '/library'): Promise<Page> => {
  const page = await served.open({ plan: planStudio({ settings: { dictationSounds: false, ...settings } }), location });
  await answerMicrophone(page);
  return page;
};
/** Longer than a tap. */
const hold = async (page: Page): Promise<void> => {
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((from) => performance.now() - from > 300, since);
};
const begun = (page: Page): Promise<{ readonly continues: string | null }[]> =>
  page.evaluate(() =>
    window.fakeStudio.calls
      .filter(({ method }) => method === 'dictation.session')
      .map(({ input }) => input as { readonly continues: string | null }),
  );
const stopButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Stop dictating' });

describe('Space dictates', () => {
  it('at once after opening by the rail or by the key, and after a language was chosen', async () => {
    for (const come of [
      (page: Page) => page.getByRole('link', { name: 'Dictate' }).click(),
      (page: Page) => page.keyboard.press('Control+Digit3'),
      async (page: Page) => {
        await page.getByRole('link', { name: 'Dictate' }).click();
        await page.getByRole('radio', { name: 'Русский' }).check();
      },
      async (page: Page) => {
        await page.keyboard.press('Control+Digit3');
        await page.getByRole('link', { name: 'Dictate' }).focus();
      },
    ]) {
      const page = await openStudio();
      await come(page);
      await page.getByRole('heading', { name: 'Dictate' }).waitFor();
      await page.keyboard.down('Space');
      await sayTake(page, 'take-1', 0);
      await stopButton(page).waitFor();
      await hold(page);
      await page.keyboard.up('Space');
      await page.getByRole('main').getByRole('button', { name: 'Start dictating' }).waitFor();
      await page.context().close();
    }
  });

  it('but not while something is typed, and it still presses a focused button', async () => {
    const page = await openStudio({}, '/dictate');
    await page.getByRole('button', { name: 'Add a replacement' }).press('Space');
    const say = page.getByRole('textbox', { name: 'When I say' });
    await say.waitFor();
    await page.keyboard.type('a b');
    expect(await say.inputValue()).toBe('a b');
    expect(await begun(page)).toEqual([]);
    await page.context().close();
  });
});

describe('a session', () => {
  const spokenOnce = [somePhrase(1, { text: 'Birinchi gap.' })];
  const spokenTwice = [...spokenOnce, somePhrase(2, { text: 'Ikkinchi gap.' })];

  it('keeps the earlier text when the microphone is switched on again, and the copy contains all of it', async () => {
    const page = await openStudio({ dictationMode: 'toggle' }, '/dictate');
    await page.keyboard.press('Space');
    await sayTake(page, 'take-1', 0);
    await stopButton(page).waitFor();
    await emitEvent(page, 'dictation.changed', changeOf('take-1', spokenOnce));
    await page.getByText('Birinchi gap.').waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('main').getByRole('button', { name: 'Start dictating' }).waitFor();
    await page.keyboard.press('Space');
    await sayTake(page, 'take-1', 4000, 2);
    expect((await begun(page)).map(({ continues }) => continues)).toEqual([null, 'take-1']);
    await emitEvent(page, 'dictation.changed', changeOf('take-1', spokenTwice));
    await page.getByText('Ikkinchi gap.').waitFor();
    expect(await page.getByText('Birinchi gap.').count()).toBe(1);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy all' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Birinchi gap. Ikkinchi gap.');
    await page.context().close();
  });

  it('ends by a click only, and that can be undone; it is restored after a restart', async () => {
    const summary = { id: 'take-1', startedAtMs: 0, durationMs: 8000, text: 'Birinchi gap.' } as never;
    const page = await served.open({
      plan: planStudio({
        settings: { dictationSession: 'take-1' },
        answers: { 'dictation.read': { summary, phrases: [...spokenOnce], mediaToken: null } },
      }),
      location: '/dictate',
    });
    await page.getByText('Birinchi gap.').waitFor();
    expect(await tellBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByText('Nothing said yet').waitFor();
    await expect
      .poll(async () => (await callsOf(page, 'settings.update')).at(-1))
      .toMatchObject({ dictationSession: '' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Birinchi gap.').waitFor();
    await page.context().close();
  });
});

it('a microphone that is on is shown on every screen, and can be stopped there', async () => {
  const page = await openStudio({ dictationMode: 'hands-free' }, '/dictate');
  await page.keyboard.press('Space');
  await sayTake(page, 'take-1', 0);
  await stopButton(page).waitFor();
  await page.keyboard.press('Control+Digit1');
  await page.getByRole('heading', { name: 'Dictate' }).waitFor({ state: 'detached' });
  const sign = page.getByRole('banner').getByRole('group', { name: 'Listening' });
  await sign.waitFor();
  expect(await tellBarriers(page)).toEqual([]);
  await sign.getByRole('button', { name: 'Listening' }).click();
  await page.getByRole('heading', { name: 'Dictate' }).waitFor();
  await sign.getByRole('button', { name: 'Stop dictating' }).click();
  await sign.waitFor({ state: 'detached' });
  await page.context().close();
});

describe('a phrase', () => {
  const text = 'Men Nargisa bilan gaplashdim.';
  const openSession = (settings = {}) =>
    served.open({
      plan: planStudio({
        settings: { dictationSession: 'take-1', ...settings },
        answers: {
          'dictation.read': {
            summary: { id: 'take-1', startedAtMs: 0, durationMs: 8000, text } as never,
            phrases: [somePhrase(1, { text })],
            mediaToken: null,
          },
        },
      }),
      location: '/dictate',
    });

  it('is corrected in place, and a correction can become a replacement', async () => {
    const page = await openSession();
    await page.getByRole('main').getByText(text).dblclick();
    const field = page.getByRole('textbox', { name: 'Correct the text' });
    await field.fill('Men Nargiza bilan gaplashdim.');
    await field.press('Enter');
    await expect
      .poll(() => callsOf(page, 'dictation.edit'))
      .toEqual([{ takeId: 'take-1', phraseId: 1, text: 'Men Nargiza bilan gaplashdim.' }]);
    await page.getByRole('button', { name: 'Always write it so' }).click();
    await expect
      .poll(async () => (await callsOf(page, 'settings.update')).at(-1))
      .toEqual({
        replacements: [{ language: 'uz', say: 'Nargisa', write: 'Nargiza', kind: 'word', isCaseSensitive: false }],
      });
    await page.context().close();
  });

  it('has its menu by right click and by keyboard; Escape leaves it as it was', async () => {
    const page = await openSession();
    await page.getByRole('main').getByText(text).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Correct the text' }).click();
    await page.getByRole('textbox', { name: 'Correct the text' }).fill('x');
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByText(text).waitFor();
    await page.getByRole('listitem').getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Send again' }).waitFor();
    expect(await callsOf(page, 'dictation.edit')).toEqual([]);
    await page.context().close();
  });
});

it('a phrase that a model wrote shows the person’s own words by one press or key, and is written otherwise by its menu', async () => {
  const cleanUp = cleanedUp({ style: 'email', credits: '0.25', isChanged: true, isShown: true });
  const summary = { id: 'take-1', startedAtMs: 0, durationMs: 8000, text: 'Dear all' } as never;
  const page = await served.open({
    plan: planStudio({
      settings: { dictationSession: 'take-1' },
      answers: {
        'dictation.read': {
          summary,
          phrases: [somePhrase(1, { text: 'Dear all, see you.', raw: 'um see you', cleanUp })],
          mediaToken: null,
        },
      },
    }),
    location: '/dictate',
  });
  const row = page.getByRole('listitem').filter({ hasText: 'Dear all' });
  await row.getByText('E-mail, 0.25 credits').waitFor();
  await row.getByRole('button', { name: 'Show my own words' }).click();
  await page.keyboard.press('Control+Shift+KeyY');
  const raw = { takeId: 'take-1', phraseId: 1, isRaw: true };
  await expect.poll(() => callsOf(page, 'dictation.showRaw')).toEqual([raw, raw]);
  const failed = cleanedUp({ style: 'email', fault: 'late' });
  await emitEvent(page, 'dictation.changed', {
    ...changeOf('take-1', [somePhrase(1, { text: 'um see you', raw: 'um see you', cleanUp: failed })]),
    isRecording: false,
  });
  await page.getByText('The model took too long, so your own words stand here').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'um see you' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Let a model write (costs credits)' }).press('ArrowRight');
  await page.getByRole('menuitemradio', { name: 'E-mail again (may be charged again)' }).press('Enter');
  await expect
    .poll(() => callsOf(page, 'dictation.cleanUp'))
    .toEqual([{ takeId: 'take-1', phraseId: 1, style: 'email', sendsAgain: true }]);
  await page.context().close();
});

it('a recording of the history unfolds into its phrases and can be continued; unsent ones alone are shown on request', async () => {
  const take = (id: string, text: string, waitingCount: number) =>
    ({
      id,
      text,
      waitingCount,
      title: null,
      startedAtMs: 0,
      durationMs: 8000,
      language: 'uz',
      mode: 'hold',
      device: '',
      isRecording: false,
      isPinned: false,
      hasSound: true,
      transcriptId: null,
      phraseCount: 2,
      deliveredTo: null,
      lostMs: 184,
    }) as const;
  const page = await served.open({
    plan: planStudio({
      answers: {
        'dictation.list': { takes: [take('a', 'Bir. Ikki.', 0), take('b', 'Uch.', 1)] },
        'dictation.read': {
          summary: take('a', 'Bir. Ikki.', 0),
          phrases: [somePhrase(1, { text: 'Bir.' }), somePhrase(2, { text: 'Ikki.' })],
          mediaToken: null,
        },
      },
    }),
    location: '/dictate/history',
  });
  await page.getByRole('button', { name: 'Bir. Ikki.' }).click();
  const phrases = page.getByRole('list', { name: 'Phrases' });
  await expect.poll(() => phrases.getByRole('listitem').count()).toBe(2);
  expect(await page.getByText('gap', { exact: false }).count()).toBe(0);
  expect(await tellBarriers(page)).toEqual([]);
  await page.getByRole('radio', { name: 'Not sent 1' }).check();
  await page.getByRole('button', { name: 'Bir. Ikki.' }).waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'All 2' }).check();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Bir. Ikki.' })
    .getByRole('button', { name: 'More' })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Continue this session' }).click();
  await expect.poll(() => page.getByRole('radio', { name: 'This session' }).isChecked()).toBe(true);
  await page.getByText('Ikki.').waitFor();
  await page.context().close();
});

describe('other programs', () => {
  it('can’t be chosen if they can’t be reached, with the reason; a key that is in use is reported', async () => {
    const page = await served.open({
      plan: planStudio({
        answers: { 'dictation.reach': { key: 'taken', canOverlay: false, programs: 'wayland', tellsLayout: false } },
        settings: { dictationTarget: 'app' },
      }),
      location: '/dictate',
    });
    await page.getByText('Wayland lets no program type into another', { exact: false }).waitFor();
    expect(await page.getByRole('radio', { name: 'The app I’m using' }).isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: 'This list' }).isChecked()).toBe(true);
    await page.getByText('is used by another program', { exact: false }).waitFor();
    expect(await page.getByRole('switch', { name: 'Small window on top' }).isDisabled()).toBe(true);
    await page.context().close();
  });
});

describe('replacements', () => {
  const one = { language: 'uz', say: 'em che je', write: 'MChJ', kind: 'word', isCaseSensitive: false } as const;
  const last = async (page: Page) => (await callsOf(page, 'settings.update')).at(-1);

  it('are changed in place, and an invalid pattern is not stored', async () => {
    const page = await openStudio({ replacements: [one] }, '/dictate');
    const row = page.getByRole('listitem').filter({ hasText: 'em che je' });
    await row.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const say = page.getByRole('textbox', { name: 'When I say' });
    await say.fill('em (che');
    await page.getByRole('radio', { name: 'Regex' }).check();
    await page.getByText('This pattern can’t be understood.').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await say.fill('em (che|ce) je');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => last(page)).toEqual({ replacements: [{ ...one, say: 'em (che|ce) je', kind: 'pattern' }] });
    await page.context().close();
  });

  it('are imported from a CSV, merged, with a report and undo', async () => {
    const page = await openStudio({ replacements: [one] }, '/dictate');
    const csv = 'say,write\nem che je,MCHJ\nstir,STIR\nbroken row\n';
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'words.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('2 added, 0 changed, 1 not read').waitFor();
    expect(((await last(page)) as { replacements: unknown[] }).replacements).toHaveLength(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => last(page)).toEqual({ replacements: [one] });
    await page.context().close();
  });
});

it('a microphone on standby also gives what was said just before the key', async () => {
  const page = await openStudio({ keepsMicrophoneReady: false, dictationMode: 'toggle' }, '/dictate');
  await page.getByRole('switch', { name: 'Keep the microphone ready' }).press('Space');
  await page.waitForFunction(() => window.fakeStudio.calls.some(({ method }) => method === 'dictation.ready'));
  const since = await page.evaluate(() => performance.now());
  await page.waitForFunction((from) => performance.now() - from > 1500, since);
  await page.getByRole('main').getByRole('button', { name: 'Start dictating' }).focus();
  await page.keyboard.press('Space');
  await sayTake(page, 'take-1', 0);
  await stopButton(page).waitFor();
  const frames = () =>
    page.evaluate(() =>
      window.fakeStudio.calls
        .filter(({ method }) => method === 'stream dictation.session')
        .map(({ input }) => (input as { readonly value?: { readonly at: number; readonly kind: string } }).value)
        .filter((value) => value?.kind === 'frame')
        .map((value) => value?.at),
    );
  // The whole half second is sent at once, numbered from its first sample without a gap.
  await expect.poll(async () => (await frames()).length).toBeGreaterThanOrEqual(25);
  expect((await frames()).slice(0, 25)).toEqual(Array.from({ length: 25 }, (_one, at) => at * 320));
  await page.context().close();
});
