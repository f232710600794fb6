import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createKeytarStore, keychainTroubleOf, type Keytar } from '../../electron/platform/keychain/keytar-store.ts';
import { Secret } from '../../electron/services/secrets/key-service.ts';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { runCli } from '../support/cli-run.ts';
import { startPrivateBus, type PrivateBus } from './keyring.ts';

const script = fileURLToPath(new URL('./keychain-process.ts', import.meta.url));
const value = 'sk_test_CANARY_калит_oʻ_0123456789';
interface Answer {
  readonly state: string;
  readonly value?: string;
  readonly ms?: number;
  readonly late?: string;
}

let cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  cleanUps = [];
});

async function privateBus(): Promise<PrivateBus> {
  const bus = await startPrivateBus();
  cleanUps.push(() => bus.stop());
  return bus;
}

function keychainProcess(env: NodeJS.ProcessEnv, timeLimitMs = 5000) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, String(timeLimitMs)], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = on(createInterface({ input: child.stdout }), 'line');
  const next = async (): Promise<Answer> => JSON.parse(((await lines.next()).value as [string])[0]) as Answer;
  cleanUps.push(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const ask = (command: 'read' | 'write' | 'clear', account = 'api-key', text?: string) => {
    child.stdin.write(`${JSON.stringify({ ask: command, account, value: text })}\n`);
    return next();
  };
  return { ask, next };
}

describe.runIf(process.platform === 'linux')('a real keyring on a private bus', () => {
  it('a locked one is reported in the terminal as locked and not as a missing key (keychain-locked)', async () => {
    const bus = await privateBus();
    const dataDir = mkdtempSync(join(tmpdir(), 'locked-'));
    cleanUps.push(async () => rmSync(dataDir, { recursive: true }));
    const tell = async () => {
      const args = ['transcribe', 'a.wav', '--language', 'uz'];
      const { code, error } = await runCli(args, { url: 'https://speech.example.test', dataDir, bus: bus.env });
      return [code, error.trim()];
    };
    const problems = catalogues.en.cli.problem;
    await bus.unlock();
    expect(await tell()).toEqual([2, expect.stringContaining(problems.noKey)]);
    const { ask } = keychainProcess(bus.env);
    expect(await ask('write', 'api-key', value)).toMatchObject({ state: 'saved' });
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ keySaved: true }));
    await bus.lock();
    expect(await tell()).toEqual([2, expect.stringContaining(problems.keychainShut)]);
  });

  it('absent, saved, present, another account, cleared', async () => {
    const bus = await privateBus();
    await bus.unlock();
    const { ask } = keychainProcess(bus.env);
    expect(await ask('read')).toMatchObject({ state: 'absent' });
    expect(await ask('write', 'api-key', value)).toMatchObject({ state: 'saved' });
    expect(await ask('read')).toMatchObject({ state: 'present', value });
    expect(await ask('read', 'another')).toMatchObject({ state: 'absent' });
    expect(await ask('clear')).toMatchObject({ state: 'saved' });
    expect(await ask('read')).toMatchObject({ state: 'absent' });
  });

  it('locked: nothing can be read, and writing reports it', async () => {
    const bus = await privateBus();
    await bus.unlock();
    expect(await keychainProcess(bus.env).ask('write', 'api-key', value)).toMatchObject({ state: 'saved' });
    await bus.lock();
    const { ask } = keychainProcess(bus.env);
    expect(await ask('read')).toMatchObject({ state: 'absent' });
    expect(await ask('write', 'api-key', value)).toMatchObject({ state: 'locked' });
  });

  it('no bus at all, and a bus without a service: no service, at once', async () => {
    const bus = await privateBus();
    const { DBUS_SESSION_BUS_ADDRESS: _address, ...noBus } = bus.env;
    for (const env of [noBus, bus.env]) {
      const { ask } = keychainProcess(env);
      expect(await ask('read')).toMatchObject({ state: 'no-service' });
      const written = await ask('write', 'api-key', value);
      expect(written).toMatchObject({ state: 'no-service' });
      expect(written.ms).toBeLessThan(2000);
    }
  });

  it('a keyring that does not answer is slow after the limit, and its late answer is used', async () => {
    const bus = await privateBus();
    await bus.unlock();
    const { ask, next } = keychainProcess(bus.env, 1200);
    expect(await ask('write', 'api-key', value)).toMatchObject({ state: 'saved' });
    bus.freeze();
    const slow = await ask('read');
    expect(slow).toMatchObject({ state: 'slow' });
    expect(slow.ms).toBeLessThan(2300);
    expect(await ask('write', 'another', value)).toMatchObject({ state: 'slow' });
    bus.thaw();
    expect(await next()).toEqual({ late: 'api-key', state: 'present' });
  });
});

describe('faults of a keychain', () => {
  const fake = (api: Partial<Keytar>, timeLimitMs = 50) => {
    const whole: Keytar = {
      getPassword: async () => null,
      setPassword: async () => undefined,
      deletePassword: async () => true,
      ...api,
    };
    return createKeytarStore({ timeLimitMs, load: async () => whole });
  };
  const secret = new Secret(value);

  it('a read-back that differs counts as not saved (key-not-stored)', async () => {
    expect(await fake({ getPassword: async () => 'another' }).write('api-key', secret)).toEqual({ state: 'unsaved' });
    expect(await fake({ getPassword: async () => null }).write('api-key', secret)).toEqual({ state: 'unsaved' });
    expect(await fake({ getPassword: async () => value }).clear('api-key')).toEqual({ state: 'unsaved' });
  });

  it('a user’s refusal is denied, not no service', async () => {
    const no = async () => {
      throw new Error('User canceled the operation.');
    };
    expect(await fake({ getPassword: no }).read('api-key')).toEqual({ state: 'denied' });
    expect(await fake({ setPassword: no }).write('api-key', secret)).toEqual({ state: 'denied' });
  });

  it('an addon that can’t be loaded is no service', async () => {
    const store = createKeytarStore({
      load: async () => {
        throw new Error('libsecret-1.so.0: cannot open shared object file');
      },
    });
    expect(await store.read('api-key')).toEqual({ state: 'no-service' });
  });

  it('a call that never ends is made once, however often the app asks', async () => {
    let calls = 0;
    const never = () => {
      calls += 1;
      return new Promise<string | null>(() => undefined);
    };
    const store = fake({ getPassword: never }, 10);
    const states = [await store.read('api-key'), await store.read('api-key'), await store.read('api-key')];
    expect([states.map(({ state }) => state), calls]).toEqual([['slow', 'slow', 'slow'], 1]);
  });

  it.each([
    ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'no-service'],
    ['The name org.freedesktop.secrets was not provided by any .service files', 'no-service'],
    ['Object does not exist at path “/org/freedesktop/secrets/collection/login”', 'no-service'],
    ['Cannot create an item in a locked collection', 'locked'],
    ['User interaction is not allowed.', 'locked'],
    ['Prompt was dismissed', 'denied'],
    ['Timeout was reached', 'slow'],
  ])('%s: %s', (message, state) => {
    expect(keychainTroubleOf(new Error(message))).toBe(state);
  });
});
