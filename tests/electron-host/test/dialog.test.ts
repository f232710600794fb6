import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { dialog } from '../src/api/dialog.ts';
import { host } from '../src/state.ts';

const folder = mkdtempSync(join(tmpdir(), 'zenity-'));

beforeAll(() => {
  host.headless = false;
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
  vi.stubEnv('LC_ALL', 'xx_XX.UTF-8');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const answers = (script: string) => {
  writeFileSync(join(folder, 'zenity'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'zenity'), 0o755);
};
const ask = () =>
  dialog.showMessageBox({ message: 'Send?', buttons: ['Send', 'Don’t send'], defaultId: 1, cancelId: 1 });

it('a question is shown in a locale that the system lacks', async () => {
  answers('[ "$LC_ALL" = C.UTF-8 ] || exit 255; echo Send');
  expect((await ask()).response).toBe(0);
});

it('a question that is closed or can not be shown is cancelled', async () => {
  for (const code of [1, 255]) {
    answers(`exit ${String(code)}`);
    expect((await ask()).response).toBe(1);
  }
});
