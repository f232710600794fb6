import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesHolding } from '../security/scan-for-secret.ts';
import { startPrivateBus } from './keyring.ts';

const script = fileURLToPath(new URL('./key-journey-process.ts', import.meta.url));

it.runIf(process.platform === 'linux').each(['keychain', 'session'])(
  'a key stored in the %s is in no file, and a control treated the same way is found',
  async (store) => {
    const bus = await startPrivateBus();
    try {
      if (store === 'keychain') await bus.unlock();
      const key = `sk_test_CANARY_${randomBytes(16).toString('hex')}`;
      const control = `control-${randomBytes(16).toString('hex')}`;
      const dataDir = join(bus.folder, 'studio');
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
        env: bus.env,
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin.end(JSON.stringify({ dataDir, key, control }));
      const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      expect(JSON.parse(said)).toMatchObject({ present: true, store, maskedSuffix: key.slice(-4), text: '[secret]' });
      expect(said).not.toContain(key.slice(0, 30));
      expect(
        filesHolding(bus.folder, control)
          .map((path) => basename(path))
          .toSorted(),
      ).toEqual(['settings.json', 'studio.log']);
      expect(filesHolding(bus.folder, key)).toEqual([]);
    } finally {
      await bus.stop();
    }
  },
);
