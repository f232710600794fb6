import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result/result.ts';
import type { Connection } from '../../api/connection.ts';
import { Secret } from '../../secret/secret.ts';
import type { ModelPlaces, PracticeProcess, StartPractice } from './practice-process.ts';

type State =
  | { readonly tag: 'off' }
  | { readonly tag: 'starting'; readonly done: Promise<Result<null>> }
  | { readonly tag: 'running'; readonly process: PracticeProcess; readonly connection: Connection }
  | { readonly tag: 'failed' };

export type PracticeState = State['tag'];

export interface PracticeSupervisorOptions {
  readonly start: StartPractice;
  readonly stateDir: string;
  /** Of the service that recognises speech here; absent: practice. */
  readonly models?: ModelPlaces;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** A crash this long after the last one counts as a new one, not as the same one again. */
const calmMs = 5 * 60_000;

/**
 * Keeps the practice service running while it is wanted. After one unexpected end it is restarted once; a second one
 * soon after is reported to the user. It never falls back to the real service (F-56).
 */
export function createPracticeSupervisor({ start, stateDir, models, now }: PracticeSupervisorOptions) {
  const listeners = new Set<() => void>();
  let state: State = { tag: 'off' };
  let lastEndMs = -Infinity;
  let isPaused = false;

  const enter = (next: State) => {
    state = next;
    for (const listener of listeners) listener();
  };

  const launch = (): Promise<Result<null>> => {
    const starting: State = {
      tag: 'starting',
      done: start({ stateDir, ...(models === undefined ? {} : { models }) }).then(
        async (started): Promise<Result<null>> => {
          if (state !== starting) {
            if (started.ok) await started.value.stop();
            return err(makeFailure('E-232', { code: 'practice_stopped' }));
          }
          if (!started.ok) {
            enter({ tag: 'failed' });
            return err(makeFailure('E-232', { code: started.error.code }));
          }
          const { url, token, accessToken, legacyToken, callHost } = started.value;
          const connection: Connection = {
            kind: models === undefined ? 'practice' : 'local',
            baseUrl: url,
            key: new Secret(token),
            accessToken: new Secret(accessToken),
            legacyKey: new Secret(legacyToken),
            grpcHost: callHost,
          };
          if (isPaused) started.value.pause(true);
          enter({ tag: 'running', process: started.value, connection });
          void started.value.exited.then((code) => noteEnd(started.value, code));
          return ok(null);
        },
      ),
    };
    enter(starting);
    return starting.done;
  };

  const noteEnd = (ended: PracticeProcess, code: number | null) => {
    if (state.tag !== 'running' || state.process !== ended) return;
    // It ended by itself, to give its memory back.
    if (code === 0) {
      void launch();
      return;
    }
    const isSecond = now() - lastEndMs < calmMs;
    lastEndMs = now();
    if (isSecond) enter({ tag: 'failed' });
    else void launch();
  };

  return {
    state: (): PracticeState => state.tag,
    connection: (): Connection | null => (state.tag === 'running' ? state.connection : null),
    onChanged(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Resolves when it runs; a call during the start waits for that start. */
    async ensureRunning(): Promise<Result<null>> {
      switch (state.tag) {
        case 'running':
          return ok(null);
        case 'starting':
          return state.done;
        case 'off':
        case 'failed':
          return launch();
        default:
          return assertNever(state);
      }
    },
    /** Recordings wait before their next piece, or go on; also those of a process that starts later. */
    pause(pauses: boolean): void {
      isPaused = pauses;
      if (state.tag === 'running') state.process.pause(pauses);
    },
    /** Resolves when no process of it is left, including one that was about to start. */
    async stop(): Promise<void> {
      const last = state;
      if (last.tag === 'off') return;
      enter({ tag: 'off' });
      if (last.tag === 'running') await last.process.stop();
      else if (last.tag === 'starting') await last.done;
    },
  };
}

export type PracticeSupervisor = ReturnType<typeof createPracticeSupervisor>;
