import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { defaultSettings, type SettingsStore, type StoredSettings } from '../settings/stored-settings.ts';
import {
  accountTokenAccount,
  createKeyService,
  readKeyText,
  Secret,
  type SecretRead,
  type SecretStore,
  type SecretWrite,
} from './key-service.ts';

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
});

describe('an answer about the previous key', () => {
  const before: SecretRead = { state: 'present', secret: new Secret('sk_live_OLD_9999999999') };

  it('does not bring it back in place of one that was entered, nor after it was forgotten, until asked for again', async () => {
    const { promise, resolve } = Promise.withResolvers<SecretRead>();
    const { keys } = build({ ...keychain({ state: 'absent' }).store, read: () => promise });
    const loaded = keys.load();
    await keys.save(key);
    keys.acceptLate('api-key', before);
    expect([keys.current()?.reveal(), keys.describe().keychain]).toEqual([key, 'present']);
    await keys.forget();
    resolve(before);
    await loaded;
    keys.acceptLate('api-key', before);
    expect([keys.current(), keys.describe().keychain]).toEqual([null, 'absent']);
    await keys.load();
    expect(keys.describe()).toMatchObject({ present: true, maskedSuffix: '9999' });
  });
});

describe('a key of each address', () => {
  const [first, second] = ['https://api.example.uz', 'https://other.example.uz'];
  const shelf = (entries: Readonly<Record<string, string>>) => {
    const kept = new Map(Object.entries(entries));
    const store: SecretStore = {
      read: async (account) => {
        const found = kept.get(account);
        return found === undefined ? { state: 'absent' } : { state: 'present', secret: new Secret(found) };
      },
      write: async (account, secret) => {
        kept.set(account, secret.reveal());
        return { state: 'saved' };
      },
      clear: async (account) => {
        kept.delete(account);
        return { state: 'saved' };
      },
    };
    return { store, kept };
  };

  it('has an entry of its own, found again without asking, even after a restart; the other address knows of none', async () => {
    const { store, kept } = shelf({});
    const { keys, settings } = build(store, memorySettings({ serviceAddress: first }));
    await keys.save(key);
    settings.update({ serviceAddress: second });
    await keys.load();
    expect(keys.describe()).toMatchObject({ present: false, keychain: 'absent' });
    await keys.save('sk_live_of_the_other');
    const later = build(store, settings).keys;
    await later.load();
    expect(later.current()?.reveal()).toBe('sk_live_of_the_other');
    settings.update({ serviceAddress: first });
    const { promise, resolve } = Promise.withResolvers<void>();
    later.onChanged(resolve);
    later.follow();
    await promise;
    expect(later.current()?.reveal()).toBe(key);
    await later.forget();
    expect([...kept.values()]).toEqual(['sk_live_of_the_other']);
    await later.forget(true);
    expect(kept.size).toBe(0);
  });

  it('is taken from the single entry of an earlier version, at the address to which that belongs', async () => {
    const { store, kept } = shelf({ 'api-key': key });
    const settings = memorySettings({ keySaved: true, keyOrigins: { 'api-key': first }, serviceAddress: second });
    const { keys } = build(store, settings);
    await keys.load();
    expect(keys.describe()).toMatchObject({ present: false, keychain: 'absent' });
    settings.update({ serviceAddress: first });
    await keys.load();
    expect([...kept]).toEqual([[`api-key ${first}`, key]]);
    expect(keys.current()?.reveal()).toBe(key);
  });
});

describe('forgetting', () => {
  it('reports when the keychain refuses, and keeps the marker', async () => {
    const settings = memorySettings({ keySaved: true });
    const { keys } = build(keychain({ state: 'absent' }, { state: 'saved' }, { state: 'locked' }).store, settings);
    expect(await keys.forget()).toMatchObject({ ok: false, error: { kind: 'keychain-locked' } });
    expect([keys.current(), settings.get().keySaved]).toEqual([null, true]);
  });

  it.each([
    ['saved', 'absent'],
    ['no-service', 'no-service'],
  ] as const)(
    'empties memory and marker where the keychain reports %s: a session key needs none',
    async (state, left) => {
      const { keys, settings } = build(keychain({ state: 'absent' }, { state }, { state }).store);
      await keys.save(key);
      expect(await keys.forget()).toEqual({ ok: true, value: null });
      expect([keys.current(), settings.get().keySaved, keys.describe().keychain]).toEqual([null, false, left]);
    },
  );
});

it.each([
  ['', 'empty'],
  ['two words', 'spaces'],
  ['kалит_0123456789', 'characters'],
  ['short', 'length'],
  ['x'.repeat(513), 'length'],
])('the text %j is no key: %s', (text, problem) => {
  expect(readKeyText(text)).toEqual({ ok: false, problem });
});

it('an account token may be longer than a key, and neither is taken for the other', () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.${'x'.repeat(600)}.c2lnbmF0dXJl`;
  expect(readKeyText(` ${token}`)).toEqual({ ok: false, problem: 'token' });
  expect(readKeyText(token, accountTokenAccount)).toEqual({ ok: true, key: token });
  expect(readKeyText(key, accountTokenAccount)).toEqual({ ok: false, problem: 'key' });
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
