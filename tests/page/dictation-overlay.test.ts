import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import type { OverlayBridge, OverlayView } from '../../shared/ipc/overlay.ts';
import { callsOf } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { isLongRun } from '../support/long-run.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

describe('the overlay', () => {
  const phrase = 'Yigʻilish ertaga soat oʻnda boʻladi, hujjatlarni ham olib kelishni unutmang, iltimos.';
  const openOverlay = async (): Promise<Page> => {
    const studio = await served.open({ plan: planStudio() });
    const page = await studio.context().newPage();
    await page.setViewportSize({ width: 400, height: 56 });
    await page.addInitScript(() => {
      const said: unknown[] = [];
      const bridge: OverlayBridge = {
        send: (message) => void said.push(message),
        onView: (show) => void Object.assign(window, { showInOverlay: show }),
      };
      Object.assign(window, { overlay: bridge, saidByOverlay: said });
    });
    await page.goto(new URL('/overlay.html', studio.url()).href);
    return page;
  };
  const show = (page: Page, view: OverlayView): Promise<void> =>
    page.evaluate((next) => (window as unknown as { showInOverlay(one: OverlayView): void }).showInOverlay(next), view);
  const viewOf = (
    language: 'uz' | 'ru' | 'en',
    appearance: 'light' | 'dark',
    more: Partial<OverlayView>,
  ): OverlayView => {
    const { dictation } = catalogues[language];
    return {
      state: 'listening',
      language,
      spoken: language,
      appearance,
      contrast: 'system',
      onForMs: 7200,
      levels: Array.from({ length: 24 }, (_one, at) => (at % 7) / 7),
      text: '',
      notice: '',
      note: '',
      keys: [],
      action: null,
      words: { title: dictation.title, stop: dictation.stopLabel, hide: dictation.overlay.hide },
      ...more,
    };
  };

  /** Every state as main tells it; `text` is what the person said. */
  const statesOf = (language: 'uz' | 'ru' | 'en'): readonly Partial<OverlayView>[] => {
    const { overlay, noSpeech, trouble } = catalogues[language].dictation;
    const filled = (text: string): string =>
      text
        .replace('{{count}}', '12')
        .replace('{{seconds}}', '34.5')
        .replace('{{program}}', 'Telegram')
        .replace('{{device}}', 'Samson Q2U');
    const offline = String(Reflect.get(overlay, 'offline_many') ?? Reflect.get(overlay, 'offline_other'));
    return [
      { state: 'ready', notice: overlay.press, keys: ['Ctrl', 'Shift', 'Space'] },
      { state: 'listening' },
      { state: 'listening', text: phrase },
      { state: 'near', notice: overlay.near },
      { state: 'offline', notice: filled(offline) },
      { state: 'sending', notice: filled(overlay.turning), note: filled(overlay.goesInto) },
      { state: 'text', text: phrase, note: filled(overlay.went) },
      { state: 'text', notice: noSpeech },
      { state: 'kept', text: phrase, note: filled(overlay.left), action: { does: 'paste', text: overlay.pasteHere } },
      {
        state: 'error',
        notice: filled(trouble.gone.title),
        note: overlay.goneNote,
        action: { does: 'start', text: overlay.startAgain },
      },
    ];
  };
  const guises = (['uz', 'ru', 'en'] as const).flatMap((language) =>
    (['light', 'dark'] as const).map((appearance) => [language, appearance] as const),
  );

  it.each(isLongRun ? guises : guises.slice(2, 3))(
    'fits its window in every state (%s, %s), is clean for axe, and says what a person must know',
    async (language, appearance) => {
      const page = await openOverlay();
      for (const [at, view] of statesOf(language).entries()) {
        await show(page, viewOf(language, appearance, view));
        const isOn = ['listening', 'near', 'offline'].includes(view.state ?? '');
        expect(await page.getByRole('button', { name: catalogues[language].dictation.stopLabel }).count()).toBe(
          Number(isOn),
        );
        expect(await page.locator('time').isVisible()).toBe(isOn);
        expect(await page.locator('abbr').isVisible()).toBe(isOn || view.state === 'ready');
        const said = view.text ?? view.notice ?? '';
        if (said !== '') expect(await page.locator('#said').textContent()).toBe(said);
        if (view.note !== undefined) expect(await page.getByRole('status').textContent()).toContain(view.note);
        expect(await page.locator('kbd').allTextContents()).toEqual(view.keys ?? []);
        if (view.action) await page.getByRole('button', { name: view.action.text }).waitFor();
        // Nothing is outside of the window, and of what the app says nothing is cut; people's own words may be.
        const cut = await page.evaluate(
          (isOwn) =>
            [...document.querySelectorAll<HTMLElement>('main > *, #said, #note')]
              .filter((part) => {
                const { right, bottom, width } = part.getBoundingClientRect();
                if (width > 0 && (right > innerWidth || bottom > innerHeight)) return true;
                return part.scrollWidth > part.clientWidth + 1 && part.matches('#said, #note') && !isOwn;
              })
              .map(({ id }) => id),
          view.text !== undefined,
        );
        expect([language, view.state, cut]).toEqual([language, view.state, []]);
        const folder = process.env['OVOZ_OVERLAY_PICTURES'];
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/overlay-${language}-${appearance}-${String(at)}.png` });
      }
      // A panel of one line has no heading, which is advice and no rule.
      expect(await tellBarriers(page, { tags: ['wcag2a', 'wcag2aa', 'wcag21aa'] })).toEqual([]);
      await page.context().close();
    },
  );

  it('stops the take and disappears by its buttons, also by keyboard', async () => {
    const page = await openOverlay();
    await show(page, viewOf('en', 'light', {}));
    await page.getByRole('button', { name: 'Stop dictating' }).click();
    await show(
      page,
      viewOf('en', 'light', { state: 'kept', text: phrase, action: { does: 'paste', text: 'Paste here' } }),
    );
    await page.getByRole('button', { name: 'Paste here' }).press('Space');
    await page.getByRole('button', { name: catalogues.en.dictation.overlay.hide }).press('Enter');
    expect(await page.evaluate(() => Reflect.get(window, 'saidByOverlay') as unknown)).toEqual([
      { type: 'ready' },
      { type: 'stop' },
      { type: 'act', does: 'paste' },
      { type: 'hide' },
    ]);
    await page.context().close();
  });
});

it('pasting is tried in the settings: the sentence goes into a field, and the app tells whether it arrived', async () => {
  const reach = { key: 'works', canOverlay: true, programs: 'reached', tellsRelease: true, tellsLayout: true } as const;
  const page = await served.open({
    plan: planStudio({ answers: { 'dictation.reach': reach } }),
    location: '/settings/dictation/dictationTarget',
  });
  await page.clock.install();
  await page.getByRole('button', { name: 'Paste the sentence' }).click();
  const field = page.getByRole('textbox', { name: 'The sentence arrives here' });
  await field.and(page.locator(':focus')).waitFor();
  await expect.poll(() => callsOf(page, 'dictation.tryPaste')).toEqual([{ text: 'Pasting works.' }]);
  await page.keyboard.insertText('Pasting works.');
  await page.getByText('It arrived. Your clipboard is as before.').waitFor();
  await page.getByRole('button', { name: 'Paste the sentence' }).click();
  await page.clock.runFor(3500);
  await page.getByText('It did not arrive.', { exact: false }).waitFor();
  await page.context().close();
});

it('where no program can start dictation, no setting speaks of starting it from one', async () => {
  const reach = {
    key: 'no-keys',
    canOverlay: false,
    programs: 'no-keys',
    tellsRelease: false,
    tellsLayout: false,
  } as const;
  const page = await served.open({
    plan: planStudio({ answers: { 'dictation.reach': reach } }),
    location: '/settings/dictation',
  });
  await page.getByText('Other programs can’t start dictation on this system').waitFor();
  await page.getByText('Not used on this system: dictation can’t be started from other programs').waitFor();
  expect(
    await page.getByText(/In other programs one press|in any program|dictation begins in that language/u).count(),
  ).toBe(0);
  await page.context().close();
});
