import type { Page } from '@playwright/test';
import { expect, it } from 'vitest';
import type { OverlayView } from '../../electron/ipc/overlay.ts';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { axeViolations } from '../support/find-barriers.ts';
import { planStudio } from '../support/studio-plan.ts';
import { pagesOfFile } from './page-rig.ts';

const { open } = pagesOfFile();
const { dictation } = catalogues.en;
const { overlay, noSpeech, trouble } = dictation;
const text = 'Yigʻilish ertaga soat oʻnda boʻladi, hujjatlarni ham olib kelishni unutmang, iltimos.';

const someView: OverlayView = {
  state: 'listening',
  language: 'en',
  spoken: 'uz',
  appearance: 'light',
  contrast: 'system',
  onForMs: 7200,
  levels: Array.from({ length: 24 }, (_one, at) => (at % 7) / 7),
  text: '',
  notice: '',
  note: '',
  keys: [],
  action: null,
  words: { title: dictation.title, stop: dictation.stopLabel, discard: dictation.discard, hide: overlay.hide },
};
/** Every state as main tells it; `text` is what the person said. */
const views: readonly Partial<OverlayView>[] = [
  { state: 'ready', notice: overlay.press, keys: ['Ctrl', 'Shift', 'Space'] },
  { state: 'listening' },
  { state: 'listening', text },
  { state: 'near', notice: overlay.near },
  { state: 'offline', notice: '12 s wait for the network' },
  { state: 'sending', notice: '34.5 s', note: 'Goes into Telegram' },
  { state: 'text', text, note: 'Went into Telegram' },
  { state: 'text', notice: noSpeech },
  { state: 'kept', text, note: 'You left Telegram', action: { does: 'paste', text: overlay.pasteHere } },
  {
    state: 'error',
    notice: trouble.gone.title,
    note: overlay.goneNote,
    action: { does: 'start', text: overlay.startAgain },
  },
];

it('the overlay says in every state what a person must know, is clean for axe, and stops and disappears by its buttons', async () => {
  const studio = await open({ plan: planStudio() });
  const page: Page = await studio.context().newPage();
  await page.setViewportSize({ width: 400, height: 56 });
  await page.addInitScript(() => {
    const said: unknown[] = [];
    const bridge = {
      send: (message: unknown) => void said.push(message),
      onView: (show: (view: unknown) => void) =>
        addEventListener('show-view', (event) => show((event as CustomEvent).detail)),
    };
    Object.assign(window, { overlay: bridge, saidByOverlay: said });
  });
  await page.goto(new URL('/overlay.html', studio.url()).href);
  const show = (view: Partial<OverlayView>) =>
    page.evaluate((detail) => void dispatchEvent(new CustomEvent('show-view', { detail })), { ...someView, ...view });
  const stop = page.getByRole('button', { name: 'Stop dictating' });
  for (const view of views) {
    await show(view);
    const isOn = ['listening', 'near', 'offline'].includes(view.state ?? '');
    expect([view.state, await stop.count()]).toEqual([view.state, Number(isOn)]);
    expect(await page.locator('time').isVisible()).toBe(isOn);
    expect(await page.locator('abbr').isVisible()).toBe(isOn || view.state === 'ready');
    const said = view.text ?? view.notice ?? '';
    if (said !== '') expect(await page.locator('#said').textContent()).toBe(said);
    if (view.note !== undefined) expect(await page.getByRole('status').textContent()).toContain(view.note);
    expect(await page.locator('kbd').allTextContents()).toEqual(view.keys ?? []);
    if (view.action) await page.getByRole('button', { name: view.action.text }).waitFor();
  }
  // A panel of one line has no heading, which is advice and no rule.
  expect(await axeViolations(page, { tags: ['wcag2a', 'wcag2aa', 'wcag21aa'] })).toEqual([]);

  await show({});
  await stop.click();
  await page.getByRole('button', { name: 'Discard the phrase' }).click();
  await show({ state: 'kept', text, action: { does: 'paste', text: 'Paste here' } });
  await page.getByRole('button', { name: 'Paste here' }).press('Space');
  await page.getByRole('button', { name: overlay.hide }).press('Enter');
  expect(await page.evaluate(() => Reflect.get(window, 'saidByOverlay') as unknown)).toEqual([
    { type: 'ready' },
    { type: 'stop' },
    { type: 'discard' },
    { type: 'act', does: 'paste' },
    { type: 'hide' },
  ]);
});
