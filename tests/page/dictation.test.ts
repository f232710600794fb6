import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { answerMicrophone, changeOf, cleanedUp, hold, sayTake, somePhrase } from './dictation-states.ts';

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

  it('by holding until it is released, and by a tap until it is pressed again, which it says', async () => {
    const page = await openStudio({}, '/dictate');
    const start = page.getByRole('main').getByRole('button', { name: 'Start dictating' });
    await start.and(page.locator(':focus')).waitFor();
    await page.keyboard.down('Space');
    await sayTake(page, 'take-1', 0);
    await page.getByText('Release to ', { exact: false }).waitFor();
    await hold(page);
    await page.keyboard.up('Space');
    await start.waitFor();
    await page.keyboard.press('Control+Shift+Space');
    await sayTake(page, 'take-2', 0, 2);
    await page.getByText('Press again to finish').waitFor();
    expect(await page.getByText('Release to ', { exact: false }).count()).toBe(0);
    await page.context().close();
  });

  it('and Ctrl+Shift+Space starts and stops once each, from the button that has the focus', async () => {
    const page = await openStudio({}, '/dictate');
    await page.getByRole('button', { name: 'Start dictating' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+Shift+Space');
    await sayTake(page, 'take-1', 0);
    await stopButton(page).and(page.locator(':focus')).waitFor();
    await hold(page);
    await page.keyboard.press('Control+Shift+Space');
    await page.getByRole('main').getByRole('button', { name: 'Start dictating' }).waitFor();
    expect(await begun(page)).toHaveLength(1);
    await page.context().close();
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
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    });
    await page.getByRole('button', { name: 'Copy all' }).click();
    await page.getByText('Couldn’t copy. Try again.').waitFor();
    await page.context().close();
  });

  it('is saved while one speaks, once the microphone is off and the last phrase has its text', async () => {
    const page = await openStudio({ dictationMode: 'hands-free' }, '/dictate');
    await page.keyboard.press('Space');
    await sayTake(page, 'take-1', 0);
    await stopButton(page).waitFor();
    const open = [...spokenOnce, somePhrase(2, { state: 'speaking', endMs: null })];
    await emitEvent(page, 'dictation.changed', changeOf('take-1', open));
    await page.getByRole('button', { name: 'Save as a transcript' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Start dictating' }).waitFor();
    expect(await callsOf(page, 'dictation.saveDocument')).toEqual([]);
    // A model writes it now; the user's own words are shown meanwhile.
    const raw = [...spokenOnce, somePhrase(2, { text: 'eee ikkinchi gap', cleanUp: cleanedUp({ isArriving: true }) })];
    await emitEvent(page, 'dictation.changed', { ...changeOf('take-1', raw), isRecording: false });
    await page.getByText('eee ikkinchi gap').waitFor();
    expect(await callsOf(page, 'dictation.saveDocument')).toEqual([]);
    await emitEvent(page, 'dictation.changed', { ...changeOf('take-1', spokenTwice), isRecording: false });
    await expect.poll(() => callsOf(page, 'dictation.saveDocument')).toMatchObject([{ takeId: 'take-1' }]);
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

describe('a microphone', () => {
  it('that is pulled out ends the take by its name, keeps what was said, and the next press goes on', async () => {
    const page = await openStudio({ dictationMode: 'toggle' }, '/dictate');
    await page.evaluate(() => {
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (how) => {
        const stream = await open(how);
        const [track] = stream.getAudioTracks();
        Object.defineProperty(track, 'label', { value: 'Samson Q2U' });
        Object.assign(window, { pullOut: () => track?.dispatchEvent(new Event('ended')) });
        return stream;
      };
    });
    await page.keyboard.press('Space');
    await sayTake(page, 'take-1', 0);
    await stopButton(page).waitFor();
    await emitEvent(page, 'dictation.changed', changeOf('take-1', [somePhrase(1, { text: 'Birinchi gap.' })]));
    await page.getByText('Birinchi gap.').waitFor();
    await page.evaluate(() => (window as unknown as { pullOut(): void }).pullOut());
    const alert = page.getByRole('alert').filter({ hasText: 'Samson Q2U was disconnected' });
    await alert.waitFor();
    expect(await page.getByText('Birinchi gap.').count()).toBe(1);
    expect(await page.getByRole('banner').getByRole('group', { name: 'Listening' }).count()).toBe(0);
    expect(await tellBarriers(page)).toEqual([]);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await sayTake(page, 'take-1', 4000, 2);
    await alert.waitFor({ state: 'detached' });
    expect((await begun(page)).at(-1)).toMatchObject({ continues: 'take-1' });
    await page.context().close();
  });

  it('that is not there leaves no session, says so, and is looked for again', async () => {
    const page = await openStudio({ dictationMode: 'toggle' }, '/dictate');
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('none', 'NotFoundError');
      };
      navigator.mediaDevices.enumerateDevices = async () => [];
    });
    await page.keyboard.press('Space');
    await sayTake(page, 'take-1', 0);
    await page.getByRole('alert').filter({ hasText: 'No microphone was found' }).waitFor();
    expect(await page.getByRole('button', { name: 'New session' }).isDisabled()).toBe(true);
    await page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')));
    await page.getByText('Connect one. It will be found automatically.').waitFor();
    await page.locator('main button[aria-pressed="false"][aria-disabled="true"]').waitFor();
    await answerMicrophone(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await sayTake(page, 'take-2', 0, 2);
    await stopButton(page).waitFor();
    await page.context().close();
  });

  it('is not said to be missing by an answer that comes after a newer one', async () => {
    const page = await openStudio({ dictationMode: 'toggle' }, '/dictate');
    await page.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<MediaDeviceInfo[]>();
      const look = (answer: Promise<MediaDeviceInfo[]>) => {
        navigator.mediaDevices.enumerateDevices = () => answer;
        navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
      };
      look(promise);
      look(Promise.resolve([{ kind: 'audioinput' } as MediaDeviceInfo]));
      await new Promise(requestAnimationFrame);
      resolve([]);
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    });
    expect(await page.locator('main button[aria-pressed="false"][aria-disabled="true"]').count()).toBe(0);
    expect(await page.getByText('Connect one. It will be found automatically.').count()).toBe(0);
    await page.context().close();
  });

  it('is switched off when another way to start and stop is chosen', async () => {
    const page = await openStudio({ dictationMode: 'hands-free' }, '/dictate');
    await page.keyboard.press('Space');
    await sayTake(page, 'take-1', 0);
    await stopButton(page).waitFor();
    await page.getByRole('radio', { name: 'Toggle' }).check();
    await page.getByRole('main').getByRole('button', { name: 'Start dictating' }).waitFor();
    await page.context().close();
  });
});

describe('other programs', () => {
  it('can’t be chosen if they can’t be reached, with the reason; a key that is in use is reported', async () => {
    const page = await served.open({
      plan: planStudio({
        answers: {
          'dictation.reach': {
            key: 'taken',
            canOverlay: false,
            programs: 'wayland',
            tellsRelease: false,
            tellsLayout: false,
          },
        },
        settings: { dictationTarget: 'app' },
      }),
      location: '/dictate',
    });
    await page.getByText('Wayland lets no program type into another', { exact: false }).waitFor();
    expect(await page.getByRole('radio', { name: 'The app I’m using' }).isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: 'This list' }).isChecked()).toBe(true);
    await page.getByText('is used by another program', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'All dictation settings' }).click();
    await page.getByRole('switch', { name: 'Floating window' }).waitFor();
    expect(await page.getByRole('switch', { name: 'Floating window' }).isDisabled()).toBe(true);
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
