import { utilityProcess } from 'electron';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../../shared/result/result.ts';
import {
  practiceArguments,
  type PracticeMessage,
  type PracticeOrder,
  type PracticeProcess,
  type StartPractice,
} from '../../services/practice/practice-supervisor.ts';

const startLimitMs = 15_000;

const isMessage = (value: unknown): value is PracticeMessage =>
  typeof value === 'object' && value !== null && 'type' in value && (value.type === 'ready' || value.type === 'failed');

/** It ends with the app and inherits none of its environment. */
export const practiceByUtilityProcess =
  (script: string, env: Record<string, string>): StartPractice =>
  (options) =>
    new Promise((resolve) => {
      const child = utilityProcess.fork(script, practiceArguments(options), {
        env,
        serviceName: 'practice',
        stdio: 'ignore',
      });
      const exited = new Promise<number | null>((ended) => child.once('exit', (code) => ended(code)));
      const fail = (code: string) => {
        clearTimeout(timer);
        child.kill();
        resolve(err(makeFailure('practice-not-started', { code })));
      };
      const timer = setTimeout(() => fail('practice_start_timeout'), startLimitMs);
      void exited.then(() => fail('practice_exited'));
      child.on('message', (message: unknown) => {
        if (!isMessage(message)) return;
        if (message.type === 'failed') {
          fail(message.code);
          return;
        }
        clearTimeout(timer);
        const stop = async () => {
          child.kill();
          await exited;
        };
        const pause = (isPaused: boolean) => child.postMessage({ type: 'pause', isPaused } satisfies PracticeOrder);
        const { url, token, accessToken, legacyToken, callHost } = message;
        resolve(ok<PracticeProcess>({ url, token, accessToken, legacyToken, callHost, exited, pause, stop }));
      });
    });
