import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The practice service in its own process, as `npm run practice` starts it: a service the app reaches by address and key. */
export interface PracticeServer {
  readonly url: string;
  readonly key: string;
  /** The token of the signed-in account. */
  readonly accessToken: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** As it is shipped with the tested app. */
const entry = fileURLToPath(new URL('../../../dist/main/practice.js', import.meta.url));

export async function startPracticeServer(...args: string[]): Promise<PracticeServer> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: { url?: string | undefined; key?: string | undefined; accessToken?: string | undefined } = {};
  for await (const line of createInterface({ input: child.stdout })) {
    said.url ??= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    said.accessToken ??= /^Access token of the account:\s+(\S+)/.exec(line)?.[1];
    said.key ??= /^Key:\s+(\S+)/.exec(line)?.[1];
    if (said.url !== undefined && said.key !== undefined) break;
  }
  if (said.url === undefined || said.key === undefined) throw new Error('the practice service did not say where it is');
  child.stdout.resume();
  return {
    url: said.url,
    key: said.key,
    accessToken: said.accessToken ?? '',
    process: child,
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}
