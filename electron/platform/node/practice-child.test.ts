import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { practiceByFork } from './practice-child.ts';
import { folderOfFile } from '../../../tests/support/test-folders.ts';

const entry = fileURLToPath(new URL('../../entries/practice.ts', import.meta.url));
let stateDir = '';

beforeAll(async () => {
  stateDir = folderOfFile();
});

describe('practice service as a child process', () => {
  it.skipIf(process.platform !== 'linux')(
    'keeps the key out of the arguments and the environment of the child, which answers with it until it is stopped',
    async () => {
      process.env['OVOZ_PLANTED_SECRET'] = 'planted-secret';
      const started = await practiceByFork(entry)({ stateDir });
      delete process.env['OVOZ_PLANTED_SECRET'];
      if (!started.ok) throw new Error(started.error.code);
      const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
      const seen = await Promise.all(
        children
          .trim()
          .split(' ')
          .map(
            async (pid) =>
              `${await readFile(`/proc/${pid}/cmdline`, 'utf8')}\n${await readFile(`/proc/${pid}/environ`, 'utf8')}`,
          ),
      );
      const ours = seen.find((text) => text.includes(stateDir)) ?? '';
      expect(ours).toContain('--state-dir');
      expect(ours).not.toContain(started.value.token);
      expect(ours).not.toContain('planted-secret');
      const { url, token } = started.value;
      const answer = await fetch(`${url}/v1/stt/transcriptions`, { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
      await started.value.stop();
      expect(await started.value.exited).toBe(0);
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
  );

  it('reports a failure when the service cannot use its folder', async () => {
    const started = await practiceByFork(entry)({ stateDir: join(entry, 'not-a-folder') });
    expect(started).toMatchObject({ ok: false, error: { kind: 'practice-not-started' } });
  });
});
