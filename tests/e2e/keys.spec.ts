import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { startPrivateBus, type PrivateBus } from '../keychain/keyring.ts';
import { filesHolding } from '../security/scan-for-secret.ts';
import { ask } from './support/ask.ts';
import { readHeap } from './support/heap-scan.ts';
import { startPracticeServer } from './support/practice-server.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';
import { axeViolations } from '../support/find-barriers.ts';

test.skip(process.platform !== 'linux', 'the private keyring is gnome-keyring');

const key = `sk_test_CANARY_${randomBytes(16).toString('hex')}`;
let bus: PrivateBus;
let dataDir: string;
let studio: Studio | null = null;

test.beforeEach(async () => {
  bus = await startPrivateBus();
  dataDir = newDataDir();
});
test.afterEach(async () => {
  bus.thaw();
  try {
    await quit();
  } finally {
    await bus.stop();
    removeDataDir(dataDir);
  }
});

async function quit(): Promise<void> {
  const running = studio;
  studio = null;
  await running?.quit();
}

async function start(): Promise<Studio> {
  const { DBUS_SESSION_BUS_ADDRESS, XDG_DATA_HOME, XDG_RUNTIME_DIR } = bus.env;
  studio = await startStudio({ dataDir, env: { DBUS_SESSION_BUS_ADDRESS, XDG_DATA_HOME, XDG_RUNTIME_DIR } });
  return studio;
}

const keyOf = async (page: Page) => {
  const app = await ask(page, 'app.describe', {});
  return app.ok ? app.value.connection.key : null;
};

async function openKeyWindow({ app, page }: Studio): Promise<Page> {
  const [window] = await Promise.all([app.waitForEvent('window'), ask(page, 'connection.enterKey', {})]);
  await window.waitForSelector('#key:focus');
  return window;
}

/** The window may close before the key is released. */
async function closeBy(window: Page, pressed: string): Promise<void> {
  await Promise.all([window.waitForEvent('close'), window.keyboard.press(pressed).catch(() => undefined)]);
}

async function enterKey(running: Studio): Promise<void> {
  const window = await openKeyWindow(running);
  await window.locator('#key').pressSequentially(key);
  await closeBy(window, 'Enter');
}

test('a typed key is stored in the keychain, which delays nothing at a later start, and the page never has it (F-54)', async () => {
  await bus.unlock();
  const first = await start();
  const control = `control ${randomBytes(16).toString('hex')}`;
  await first.page.evaluate((text) => void Object.assign(window, { planted: { text } }), control);
  expect(await keyOf(first.page)).toMatchObject({ present: false, keychain: 'absent' });
  await enterKey(first);
  const kept = { present: true, maskedSuffix: key.slice(-4), store: 'keychain', keychain: 'present' };
  await expect.poll(() => keyOf(first.page)).toEqual(kept);
  const heap = await readHeap(first);
  expect(heap).toContain(control);
  expect(heap).not.toContain(key.slice(0, 24));
  await quit();
  expect(filesHolding(dataDir, key).map((path) => basename(path))).toEqual([]);
  expect(filesHolding(dataDir, 'connection.enterKey').map((path) => basename(path))).toContain('studio.log');

  bus.freeze();
  const slow = await start();
  // The screen appears while the keychain is still asked.
  await expect(slow.page.getByRole('main')).toBeVisible();
  expect(await keyOf(slow.page)).toMatchObject({ present: false });
  await expect.poll(() => keyOf(slow.page), { timeout: 15_000 }).toMatchObject({ present: false, keychain: 'slow' });
  bus.thaw();
  await expect.poll(() => keyOf(slow.page)).toEqual(kept);
});

test('without a keychain: the key window explains errors, a refused key is not taken, and keys last for the session and are in no file', async () => {
  const running = await start();
  const { app, page } = running;
  expect(await keyOf(page)).toMatchObject({ present: false, keychain: 'no-service' });

  await test.step('it speaks the user’s language, hides what is typed, and closes with Esc', async () => {
    await ask(page, 'settings.update', { interfaceLanguage: 'ru' });
    const window = await openKeyWindow(running);
    await expect
      .poll(() => window.evaluate(() => [document.documentElement.lang, document.title, 'studio' in globalThis]))
      .toEqual(['ru', 'Введите API-ключ', false]);
    await window.locator('#key').fill('два слова');
    await window.keyboard.press('Enter');
    await expect(window.getByRole('alert')).toHaveText('Внутри ключа нет пробелов и переносов строк.');
    await expect(window.locator('#key')).toHaveAttribute('type', 'password');
    for (const colorScheme of ['light', 'dark'] as const) {
      await window.emulateMedia({ colorScheme });
      expect([colorScheme, await axeViolations(window)]).toEqual([colorScheme, []]);
    }
    await window.getByRole('button', { name: 'Показать' }).click();
    await expect(window.locator('#key')).toHaveAttribute('type', 'text');
    await closeBy(window, 'Escape');
    expect(await keyOf(page)).toMatchObject({ present: false });
    await ask(page, 'settings.update', { interfaceLanguage: 'en' });
  });

  const legacy =
    await test.step('a legacy key is typed in a window of its own, is stored apart, and replaces no current key', async () => {
      await enterKey(running);
      await expect.poll(() => keyOf(page)).toMatchObject({ present: true, maskedSuffix: key.slice(-4) });
      const legacyOf = async () => {
        const described = await ask(page, 'app.describe', {});
        return described.ok ? described.value.connection.legacyKey : null;
      };
      // A request for the other key replaces an open window, so that no key is typed for the wrong purpose.
      const current = await openKeyWindow(running);
      const [window] = await Promise.all([
        app.waitForEvent('window'),
        current.waitForEvent('close'),
        ask(page, 'legacyKey.enter', {}),
      ]);
      await window.waitForSelector('#key:focus');
      expect(await window.title()).toBe('Enter the legacy key');
      await expect(window.locator('#key')).toHaveAttribute('type', 'password');
      const typed = `legacy-CANARY-${randomBytes(12).toString('hex')}`;
      await window.locator('#key').pressSequentially(typed);
      await closeBy(window, 'Enter');
      await expect.poll(legacyOf).toMatchObject({ present: true, maskedSuffix: typed.slice(-4), store: 'session' });
      expect(await keyOf(page)).toMatchObject({ present: true, maskedSuffix: key.slice(-4) });
      const heap = await readHeap({ app, page });
      expect([heap.includes(typed), heap.includes(key.slice(0, 24))]).toEqual([false, false]);
      // The replaced window left nothing behind that blocks the next one.
      await closeBy(await openKeyWindow(running), 'Escape');
      return typed;
    });

  await test.step('a key that the service refuses is not taken: the window says so, and the key before it stays', async () => {
    const service = await startPracticeServer();
    try {
      await ask(page, 'connection.setAddress', { serviceAddress: service.url });
      const window = await openKeyWindow(running);
      await window.locator('#key').fill(service.key);
      await closeBy(window, 'Enter');
      const given = { present: true, maskedSuffix: service.key.slice(-4), store: 'session', keychain: 'no-service' };
      await expect.poll(() => keyOf(page)).toMatchObject(given);
      const again = await openKeyWindow(running);
      await again.locator('#key').fill(key);
      await again.keyboard.press('Enter');
      await expect(again.locator('#problem')).toHaveText('The service does not accept this key.');
      expect(await keyOf(page)).toMatchObject({ maskedSuffix: service.key.slice(-4) });
      await again.locator('#key').fill(service.key);
      await closeBy(again, 'Enter');
    } finally {
      await service.stop();
    }
  });

  await quit();
  expect([filesHolding(dataDir, legacy), filesHolding(dataDir, key)]).toEqual([[], []]);
});
