import { fork } from 'node:child_process';
import { z } from 'zod';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import {
  practiceArguments,
  type PracticeOrder,
  type PracticeProcess,
  type StartPractice,
} from '../../services/practice/practice-supervisor.ts';

const startLimitMs = 15_000;
const stopLimitMs = 3000;

const practiceMessage = lazySchema(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('ready'),
      url: z.string(),
      token: z.string(),
      accessToken: z.string(),
      legacyToken: z.string(),
      callHost: z.string(),
    }),
    z.object({ type: z.literal('failed'), code: z.string() }),
  ]),
);

/** Address and key arrive over the pipe; when it closes for any reason, the child ends. */
export const practiceByFork =
  (script: string): StartPractice =>
  (options) =>
    new Promise((resolve) => {
      const child = fork(script, practiceArguments(options), {
        env: smallEnvironment(),
        execArgv: ['--disable-warning=ExperimentalWarning'],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      const exited = new Promise<number | null>((ended) => {
        child.once('exit', (code) => ended(code));
        // A child that failed to start emits no exit event.
        child.once('error', () => ended(null));
      });
      const fail = (code: string): void => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        resolve(err(makeFailure('practice-not-started', { code })));
      };
      const timer = setTimeout(() => fail('practice_start_timeout'), startLimitMs);
      void exited.then(() => fail('practice_exited'));
      child.on('message', (message: unknown) => {
        const parsed = practiceMessage().safeParse(message);
        if (!parsed.success) return;
        if (parsed.data.type === 'failed') {
          fail(parsed.data.code);
          return;
        }
        clearTimeout(timer);
        const stop = async (): Promise<void> => {
          if (child.connected) child.disconnect();
          const last = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
          await exited;
          clearTimeout(last);
        };
        const pause = (isPaused: boolean): void => {
          if (child.connected) child.send({ type: 'pause', isPaused } satisfies PracticeOrder);
        };
        const { url, token, accessToken, legacyToken, callHost } = parsed.data;
        resolve(ok<PracticeProcess>({ url, token, accessToken, legacyToken, callHost, exited, pause, stop }));
      });
    });

/** What a program needs to run and to find a temporary folder; nothing of ours, least of all a key. */
const needed = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];

/** The environment of every process that is started from plain Node (S-27). */
export const smallEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(needed.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined));
