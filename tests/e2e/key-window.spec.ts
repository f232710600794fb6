import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { startPrivateBus, type PrivateBus } from '../keychain/keyring.ts';
import { filesHolding } from '../security/scan-for-secret.ts';
import { ask } from './support/ask.ts';
import { readHeap } from './support/heap-scan.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';

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

test(
  'a typed key is stored in the keychain, which may be slow or locked at a later start; the page never has it',
  { tag: '@long' },
  async () => {
    await bus.unlock();
    const began = performance.now();
    const first = await start();
    await expect(first.page.getByRole('main')).toBeVisible();
    const usualMs = performance.now() - began;
    const control = `control ${randomBytes(16).toString('hex')}`;
    await first.page.evaluate((text) => void Object.assign(window, { planted: { text } }), control);
    expect(await keyOf(first.page)).toMatchObject({ present: false, keychain: 'absent' });
    await enterKey(first);
    const kept = { present: true, maskedSuffix: key.slice(-4), store: 'keychain', keychain: 'present' };
    await expect.poll(() => keyOf(first.page)).toEqual(kept);

    const heap = await readHeap(first.page);
    expect(heap).toContain(control);
    expect(heap).not.toContain(key.slice(0, 24));
    await quit();
    expect(filesHolding(dataDir, key).map((path) => basename(path))).toEqual([]);
    expect(filesHolding(dataDir, 'connection.enterKey').map((path) => basename(path))).toContain('studio.log');

    bus.freeze();
    const frozenMs = performance.now();
    const slow = await start();
    // A keychain that does not answer delays nothing (F-54): the screen appears while it is still asked.
    await expect(slow.page.getByRole('main')).toBeVisible();
    const tookMs = performance.now() - frozenMs;
    test
      .info()
      .annotations.push({ type: 'start', description: `${Math.round(usualMs)} ms, frozen ${Math.round(tookMs)} ms` });
    expect(tookMs - usualMs).toBeLessThan(1500);
    expect(await keyOf(slow.page)).toMatchObject({ present: false });
    await expect.poll(() => keyOf(slow.page), { timeout: 15_000 }).toMatchObject({ present: false, keychain: 'slow' });
    bus.thaw();
    await expect.poll(() => keyOf(slow.page)).toEqual(kept);
    await quit();

    await bus.lock();
    const locked = await start();
    await expect.poll(() => keyOf(locked.page)).toMatchObject({ present: false, keychain: 'locked' });
    await enterKey(locked);
    await expect.poll(() => keyOf(locked.page)).toMatchObject({ present: true, store: 'session', keychain: 'locked' });
  },
);

test('without a keychain the key lasts for the session and is in no file', async () => {
  const running = await start();
  expect(await keyOf(running.page)).toMatchObject({ present: false, keychain: 'no-service' });
  await enterKey(running);
  await expect
    .poll(() => keyOf(running.page))
    .toMatchObject({ present: true, store: 'session', keychain: 'no-service' });
  await quit();
  expect(filesHolding(dataDir, key)).toEqual([]);
});

test(
  'a key of the legacy API is typed in a window of its own, is stored apart, and replaces no current key',
  { tag: '@long' },
  async () => {
    const running = await start();
    await enterKey(running);
    await expect.poll(() => keyOf(running.page)).toMatchObject({ present: true });
    const legacyOf = async () => {
      const app = await ask(running.page, 'app.describe', {});
      return app.ok ? app.value.connection.legacyKey : null;
    };
    // A request for the other key replaces an open window, so that no key is typed for the wrong purpose.
    const current = await openKeyWindow(running);
    const [window] = await Promise.all([
      running.app.waitForEvent('window'),
      current.waitForEvent('close'),
      ask(running.page, 'legacyKey.enter', {}),
    ]);
    await window.waitForSelector('#key:focus');
    expect(await window.title()).toBe('Enter the legacy key');
    await expect(window.locator('#key')).toHaveAttribute('type', 'password');
    expect(await tellBarriers(window)).toEqual([]);
    const legacy = `legacy-CANARY-${randomBytes(12).toString('hex')}`;
    await window.locator('#key').fill(legacy.slice(0, 3));
    await window.locator('#key').pressSequentially(legacy.slice(3));
    await closeBy(window, 'Enter');
    await expect.poll(legacyOf).toMatchObject({ present: true, maskedSuffix: legacy.slice(-4), store: 'session' });
    expect(await keyOf(running.page)).toMatchObject({ present: true, maskedSuffix: key.slice(-4) });
    const heap = await readHeap(running.page);
    expect([heap.includes(legacy), heap.includes(key.slice(0, 24))]).toEqual([false, false]);
    // The replaced window left nothing behind that blocks the next one.
    await closeBy(await openKeyWindow(running), 'Escape');
    await quit();
    expect(filesHolding(dataDir, legacy)).toEqual([]);
  },
);

test('the key window explains errors in the user’s language, hides what is typed, and closes with Esc', async () => {
  const running = await start();
  await ask(running.page, 'settings.update', { interfaceLanguage: 'ru' });
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
    expect([colorScheme, await tellBarriers(window)]).toEqual([colorScheme, []]);
  }
  await window.getByRole('button', { name: 'Показать' }).click();
  await expect(window.locator('#key')).toHaveAttribute('type', 'text');
  await closeBy(window, 'Escape');
  expect(await keyOf(running.page)).toMatchObject({ present: false });
});
