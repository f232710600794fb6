import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ask } from './support/ask.ts';
import { newDataDir, removeDataDir, startStudio } from './support/studio.ts';

const namespace = process.getuid?.() === 0 ? '-m' : '-Urm';
const canMount = spawnSync('unshare', [namespace, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
test.skip(!canMount, 'nobody may mount here');

test('the window opens over a library on a read-only disk, and says so (F-48, E-185)', async () => {
  const dataDir = newDataDir();
  const folder = join(dataDir, 'practice');
  mkdirSync(folder);
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ mode: 'practice' }));
  const first = await startStudio({ dataDir });
  expect(await ask(first.page, 'jobs.list', {})).toMatchObject({ ok: true });
  await first.quit();

  const electron = createRequire(import.meta.url)('electron') as unknown as string;
  const executable = join(dataDir, 'read-only.sh');
  const script = [
    '#!/bin/sh',
    `exec unshare ${namespace} sh -c 'mount --bind "${folder}" "${folder}" && mount -o remount,bind,ro "${folder}" && exec "${electron}" "$@"' sh "$@"`,
  ];
  writeFileSync(executable, script.join('\n'), { mode: 0o700 });
  const studio = await startStudio({ dataDir, executable });
  try {
    expect(await ask(studio.page, 'jobs.list', {})).toMatchObject({ ok: false, error: { row: 'E-185' } });
    await expect(studio.page.getByRole('main')).toContainText('E-185');
  } finally {
    await studio.quit();
    removeDataDir(dataDir);
  }
});
