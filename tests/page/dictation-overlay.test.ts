import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import type { OverlayBridge, OverlayView } from '../../shared/ipc/overlay.ts';
import { tellBarriers } from '../support/find-barriers.ts';
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
      words: { title: dictation.title, stop: dictation.stopLabel, hide: dictation.overlay.hide },
      ...more,
    };
  };

  it('fits its window in every state, language and theme, is clean for axe, and says what the user must know', async () => {
    const page = await openOverlay();
    for (const language of ['uz', 'ru', 'en'] as const) {
      const { overlay, noSpeech } = catalogues[language].dictation;
      const offline = String(Reflect.get(overlay, 'offline_many') ?? Reflect.get(overlay, 'offline_other'));
      for (const appearance of ['light', 'dark'] as const) {
        for (const [state, text, notice] of [
          ['listening', '', ''],
          ['listening', phrase, ''],
          ['offline', '', offline.replace('{{count}}', '12')],
          ['sending', '', overlay.sending],
          ['text', phrase, ''],
          ['text', '', noSpeech],
        ] as const) {
          await show(page, viewOf(language, appearance, { state, text, notice }));
          const isOn = state === 'listening' || state === 'offline';
          expect(await page.getByRole('button', { name: catalogues[language].dictation.stopLabel }).count()).toBe(
            Number(isOn),
          );
          expect(await page.locator('time').isVisible()).toBe(isOn);
          expect(await page.locator('abbr').textContent()).toBe(language.toUpperCase());
          const said = text === '' ? notice : text;
          if (said !== '') expect(await page.getByRole('status').textContent()).toBe(said);
          // Nothing is outside of the window; only texts of the user may be shortened.
          const outside = await page.evaluate(
            () =>
              [...document.querySelectorAll('main > *')].filter((part) => {
                const { right, bottom, width } = part.getBoundingClientRect();
                return width > 0 && (right > innerWidth || bottom > innerHeight);
              }).length,
          );
          expect(outside).toBe(0);
          if (notice !== '')
            expect(await page.locator('#said').evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThan(2);
          const folder = process.env['OVOZ_OVERLAY_PICTURES'];
          if (folder !== undefined)
            await page.screenshot({
              path: `${folder}/overlay-${language}-${appearance}-${state}-${text === '' ? 0 : 1}.png`,
            });
        }
        // A panel of one line has no heading, which axe recommends but does not require.
        expect(await tellBarriers(page, { tags: ['wcag2a', 'wcag2aa', 'wcag21aa'] })).toEqual([]);
      }
    }
    await page.context().close();
  });

  it('stops the take and disappears by its buttons, also by keyboard', async () => {
    const page = await openOverlay();
    await show(page, viewOf('en', 'light', {}));
    await page.getByRole('button', { name: 'Stop dictating' }).click();
    await page.getByRole('button', { name: catalogues.en.dictation.overlay.hide }).press('Enter');
    expect(await page.evaluate(() => Reflect.get(window, 'saidByOverlay') as unknown)).toEqual([
      { type: 'ready' },
      { type: 'stop' },
      { type: 'hide' },
    ]);
    await page.context().close();
  });
});
