import { expect, test } from '@playwright/test';
import { ask } from './support/ask.ts';
import { menuItem } from './support/menu-item.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const pressMenu = ({ app }: Studio, id: string): Promise<void> =>
  app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);

interface RecordedTray {
  readonly toolTip: string;
  readonly contextMenu: { readonly items: readonly { readonly id: string; readonly label: string; click(): void }[] };
}

/** The stand-in records the trays that it can't draw. */
const tray = ({ app }: Studio) =>
  app.evaluate(({ Tray }) =>
    (Tray as unknown as { readonly recorded: readonly RecordedTray[] }).recorded.map(({ toolTip, contextMenu }) => ({
      toolTip,
      labels: contextMenu.items.map(({ label }) => label).filter((label) => label !== ''),
    })),
  );
const pressTray = ({ app }: Studio, id: string) =>
  app.evaluate(({ Tray }, wanted) => {
    const [shown] = (Tray as unknown as { readonly recorded: readonly RecordedTray[] }).recorded;
    shown?.contextMenu.items.find((item) => item.id === wanted)?.click();
  }, id);

let dataDir: string;
let studio: Studio;
test.beforeEach(async () => {
  dataDir = newDataDir();
  studio = await startStudio({ dataDir });
});
test.afterEach(async () => {
  await studio.quit();
  removeDataDir(dataDir);
});

test('the menu uses the chosen language, the user’s keys and the state of the commands, and runs them', async () => {
  const { page } = studio;
  await expect.poll(() => menuItem(studio, 'files.add')).toMatchObject({ enabled: false });
  await ask(page, 'connection.choose', { mode: 'practice' });
  await ask(page, 'settings.update', { interfaceLanguage: 'ru', shortcuts: { 'files.add': 'Mod+KeyI' } });
  await expect
    .poll(() => menuItem(studio, 'files.add'))
    .toEqual({ label: 'Добавить файлы…', accelerator: 'CommandOrControl+I', enabled: true });
  await expect.poll(() => menuItem(studio, 'samples.add')).toMatchObject({ enabled: true });
  expect(await menuItem(studio, 'transcript.export')).toMatchObject({ enabled: false });
  // What only an open transcript has is in no menu here; macOS greys it out.
  if (process.platform !== 'darwin') expect(await menuItem(studio, 'playback.back')).toBeNull();
  await pressMenu(studio, 'settings.open');
  await expect.poll(() => page.evaluate(() => window.location.hash)).toContain('/settings');
});

test('the tray shows the queue and pauses it, in the chosen language', { tag: '@long' }, async () => {
  test.skip(
    await studio.app.evaluate(() => process.versions['electronHost'] === undefined),
    'only the stand-in keeps what a tray shows',
  );
  const { page } = studio;
  await ask(page, 'settings.update', { interfaceLanguage: 'uz' });
  await ask(page, 'connection.choose', { mode: 'practice' });
  await expect.poll(() => tray(studio)).toMatchObject([{ toolTip: 'Ovoz Studio: Navbat boʻsh' }]);
  expect((await tray(studio))[0]?.labels).toEqual([
    'Navbat boʻsh',
    'Hammasini toʻxtatib turish',
    'Ovoz Studioni ochish',
    'Ovoz Studiodan chiqish',
  ]);
  const isHeld = async () => {
    const list = await ask(page, 'jobs.list', {});
    return list.ok && list.value.queue.isHeld;
  };
  await expect.poll(async () => (await tray(studio))[0]?.labels[1]).toBe('Hammasini toʻxtatib turish');
  await pressTray(studio, 'pause');
  await expect.poll(isHeld).toBe(true);
  await page.getByRole('main').getByRole('button', { name: 'Namunalarni sinash' }).first().click();
  await expect
    .poll(() => tray(studio))
    .toMatchObject([
      { toolTip: expect.stringMatching(/^Ovoz Studio: Hammasi toʻxtatib turilgan, \d+ ta vazifa navbatda/) },
    ]);
  await pressTray(studio, 'go-on');
  await expect.poll(isHeld).toBe(false);
  await pressTray(studio, 'open');
  await expect.poll(() => tray(studio)).toMatchObject([{ toolTip: expect.not.stringContaining('pauzada') }]);
});
