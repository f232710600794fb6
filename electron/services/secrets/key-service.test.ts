import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../settings/stored-settings.ts';
import type { SettingsStore, StoredSettings } from '../settings/settings-store.ts';
import { createKeyService, readKeyText } from './key-service.ts';
import { Secret, type SecretRead, type SecretStore, type SecretWrite } from './secret-store.ts';

const key = 'sk_live_CANARY_0123456789';

function memorySettings(start: Partial<StoredSettings> = {}): SettingsStore {
  let settings: StoredSettings = { ...defaultSettings, ...start };
  return {
    wasReset: false,
    get: () => settings,
    update: (change) => (settings = { ...settings, ...change }),
    onChanged: () => () => undefined,
  };
}

function keychain(read: SecretRead, write: SecretWrite = { state: 'saved' }, clear: SecretWrite = { state: 'saved' }) {
  const written: string[] = [];
  const store: SecretStore = {
    read: async () => read,
    write: async (_account, secret) => {
      written.push(secret.reveal());
      return write;
    },
    clear: async () => clear,
  };
  return { store, written };
}

const build = (store: SecretStore, settings = memorySettings(), environmentKey: Secret | null = null) => ({
  keys: createKeyService({ store, settings, environmentKey }),
  settings,
});

describe('at start', () => {
  it('a stored key is used, and only its last characters may be known', async () => {
    const { keys } = build(keychain({ state: 'present', secret: new Secret(key) }).store);
    await keys.load();
    expect(keys.current()?.reveal()).toBe(key);
    expect(keys.describe()).toEqual({ present: true, maskedSuffix: '6789', store: 'keychain', keychain: 'present' });
  });

  it('an empty answer is a first run, unless a key was saved: then the keychain is locked', async () => {
    const first = build(keychain({ state: 'absent' }).store);
    await first.keys.load();
    expect(first.keys.describe().keychain).toBe('absent');
    const later = build(keychain({ state: 'absent' }).store, memorySettings({ keySaved: true }));
    await later.keys.load();
    expect(later.keys.describe()).toEqual({ present: false, maskedSuffix: '', store: 'none', keychain: 'locked' });
  });

  it.each(['locked', 'no-service', 'denied', 'slow'] as const)(
    'a keychain that is %s is told apart from the others',
    async (state) => {
      const { keys } = build(keychain({ state }).store);
      await keys.load();
      expect(keys.describe()).toEqual({ present: false, maskedSuffix: '', store: 'none', keychain: state });
    },
  );

  it('a late answer is accepted', async () => {
    const { keys } = build(keychain({ state: 'slow' }).store);
    await keys.load();
    let notified = 0;
    keys.onChanged(() => (notified += 1));
    keys.acceptLate('api-key', { state: 'present', secret: new Secret(key) });
    expect([keys.describe().store, notified]).toEqual(['keychain', 1]);
    keys.acceptLate('another-account', { state: 'absent' });
    expect(keys.describe().present).toBe(true);
  });

  it('a key from the environment is used, and the keychain neither read nor written', async () => {
    const { store, written } = keychain({ state: 'present', secret: new Secret('another_key_9999') });
    const { keys, settings } = build(store, memorySettings(), new Secret(key));
    await keys.load();
    expect(keys.describe()).toMatchObject({ present: true, maskedSuffix: '6789', store: 'environment' });
    expect([written, settings.get().keySaved]).toEqual([[], false]);
  });
});

describe('an entered key', () => {
  it('goes into the keychain, and the marker is set', async () => {
    const { store, written } = keychain({ state: 'absent' });
    const { keys, settings } = build(store);
    expect(await keys.save(`  ${key}\n`)).toMatchObject({
      ok: true,
      value: { store: 'keychain', keychain: 'present' },
    });
    expect([written, settings.get().keySaved]).toEqual([[key], true]);
  });

  it.each(['locked', 'no-service', 'denied', 'slow', 'unsaved'] as const)(
    'is held for the session when the keychain reports %s, and the marker is not set',
    async (state) => {
      const { keys, settings } = build(keychain({ state: 'absent' }, { state }).store);
      expect(await keys.save(key)).toMatchObject({
        ok: true,
        value: { present: true, store: 'session', keychain: state },
      });
      expect([keys.current()?.reveal(), settings.get().keySaved]).toEqual([key, false]);
    },
  );

  it('that is not a key changes nothing', async () => {
    const { store, written } = keychain({ state: 'absent' });
    const { keys } = build(store);
    expect(await keys.save('two words here')).toEqual({ ok: false, error: 'spaces' });
    expect([keys.current(), written]).toEqual([null, []]);
  });

  it('stays in use when the keychain loses it meanwhile', async () => {
    const { keys } = build(keychain({ state: 'absent' }).store);
    await keys.save(key);
    await keys.load();
    expect(keys.describe()).toMatchObject({ present: true, keychain: 'locked' });
  });
});

describe('an answer about the previous key', () => {
  const slowly = () => {
    const { promise, resolve } = Promise.withResolvers<SecretRead>();
    const { store } = keychain({ state: 'absent' });
    return { keys: build({ ...store, read: () => promise }).keys, resolve };
  };
  const before: SecretRead = { state: 'present', secret: new Secret('sk_live_OLD_9999999999') };

  it('does not bring it back in place of one that was entered meanwhile', async () => {
    const { keys, resolve } = slowly();
    const loaded = keys.load();
    await keys.save(key);
    resolve(before);
    await loaded;
    keys.acceptLate('api-key', before);
    expect([keys.current()?.reveal(), keys.describe().keychain]).toEqual([key, 'present']);
  });

  it('does not bring it back after it was forgotten, until the keychain is asked again', async () => {
    const { keys, resolve } = slowly();
    const loaded = keys.load();
    await keys.forget();
    resolve(before);
    await loaded;
    keys.acceptLate('api-key', before);
    expect([keys.current(), keys.describe().keychain]).toEqual([null, 'absent']);
    await keys.load();
    expect(keys.describe()).toMatchObject({ present: true, maskedSuffix: '9999' });
  });
});

describe('forgetting', () => {
  it('empties keychain, memory and marker', async () => {
    const { keys, settings } = build(keychain({ state: 'absent' }).store);
    await keys.save(key);
    expect(await keys.forget()).toEqual({ ok: true, value: null });
    expect([keys.current(), settings.get().keySaved, keys.describe().keychain]).toEqual([null, false, 'absent']);
  });

  it('reports when the keychain refuses, and keeps the marker', async () => {
    const settings = memorySettings({ keySaved: true });
    const { keys } = build(keychain({ state: 'absent' }, { state: 'saved' }, { state: 'locked' }).store, settings);
    expect(await keys.forget()).toMatchObject({ ok: false, error: { row: 'E-191' } });
    expect([keys.current(), settings.get().keySaved]).toEqual([null, true]);
  });

  it('a session key needs no keychain', async () => {
    const trouble = { state: 'no-service' } as const;
    const { keys } = build(keychain({ state: 'absent' }, trouble, trouble).store);
    await keys.save(key);
    expect(await keys.forget()).toEqual({ ok: true, value: null });
  });
});

it.each([
  ['', 'empty'],
  [' \n ', 'empty'],
  ['two words', 'spaces'],
  ['sk_live\nsecond', 'spaces'],
  ['kалит_0123456789', 'characters'],
  ['short', 'length'],
  ['x'.repeat(513), 'length'],
])('the text %j is no key: %s', (text, problem) => {
  expect(readKeyText(text)).toEqual({ ok: false, problem });
});

it('a secret never prints itself', () => {
  const secret = new Secret(key);
  const printed = [
    String(secret),
    secret.toString(),
    JSON.stringify({ secret }),
    inspect({ secret }, { showHidden: true, depth: 9 }),
  ];
  expect(printed.join()).not.toContain('CANARY');
});
