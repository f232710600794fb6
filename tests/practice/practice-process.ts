import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface StandAlone {
  readonly url: string;
  readonly token: string;
  readonly accessToken: string;
  readonly legacyToken: string;
  readonly callHost: string;
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
}

export const practiceEntry = fileURLToPath(new URL('../../electron/entries/practice.ts', import.meta.url));

/** `npm run practice` as a user starts it: reads address and key from its output. */
export async function startStandAlone(args: readonly string[], script: string = practiceEntry): Promise<StandAlone> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  let url = '';
  let accessToken = '';
  let legacyToken = '';
  let callHost = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? url;
    accessToken = /^Access token of the account: (\S+)$/.exec(line)?.[1] ?? accessToken;
    legacyToken = /^Key of the legacy API: (\S+)$/.exec(line)?.[1] ?? legacyToken;
    callHost = /^Legacy live speech by gRPC: (\S+)$/.exec(line)?.[1] ?? callHost;
    const token = /^Key: (\S+)$/.exec(line)?.[1];
    if (token !== undefined) return { url, token, accessToken, legacyToken, callHost, child, exited };
  }
  throw new Error(`the practice service did not start: ${errors}`);
}
