import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.ts';
import { shellEnvironment } from './find-shell.ts';
import { prepareMachine } from './prepare-machine.ts';
import { run } from './run-command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs the specs of the real app: on Electron if its binary is present, otherwise on the host. */
await prepareMachine({ need: ['browser'] });
await buildIfStale();
const playwright = fileURLToPath(new URL('../node_modules/@playwright/test/cli.js', import.meta.url));
try {
  await run(process.execPath, [playwright, 'test', '-c', 'playwright.config.ts', ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, ...shellEnvironment() },
  });
} catch {
  // The runner has printed each failure already.
  process.exitCode = 1;
}
